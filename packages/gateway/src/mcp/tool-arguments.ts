// Turns a tool's arguments into an operation's input: strictly, with all faults at once, under the tool's own names.

import type { Fault, Grant, Operation } from '@clinic-data/contract'
import { addParameterFaults, isReported } from '@clinic-data/contract/findings'
import { jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { IDEMPOTENCY_KEY } from '@clinic-data/contract/limits'
import type { Tool } from '@clinic-data/contract/projections/tools'
import { strictObject, type TSchema, Type } from '@clinic-data/contract/schema'
import { validatorOf } from '@clinic-data/contract/validator'
import { type Allowances, type Input, inputChecker, type OpenCursor, WRONG_KEY } from '../requests/read-input.ts'

/** More than any row has. The list of tools leaves the bound out, which would help no model. */
const MOST_FIELDS = 64

export type Arguments = Readonly<Record<string, unknown>>

export interface ToolInput {
  readonly input: Input
  /** The fields to keep in each row. Null means all. */
  readonly fields: readonly string[] | null
  /** Where a cut result continues. Null means from its beginning. A page's own cursor is in the input. */
  readonly cursor: string | null
  /** The proof that a write was shown before. Null for a read, and for a write that asks for it. */
  readonly confirmation: string | null
}

/** The tool's arguments in addition to the operation's query or body. */
interface OwnArguments {
  fields?: readonly string[]
  cursor?: string
  idempotency_key?: string
  confirmation?: string
}

/** Compiles the argument reader of a tool that runs this operation. */
export function argumentsReader(
  tool: Tool,
  operation: Operation,
  openCursor: OpenCursor,
  allowances: Allowances,
): (toolArguments: Arguments, grant: Grant) => ToolInput {
  const pathArguments = Object.entries(tool.path_arguments)
  const own = ownSchema(tool, operation)
  const checkOwn = validatorOf(own)
  const names = namesSchema(tool)
  const checkNames = validatorOf(names)
  const checkInput = inputChecker(operation, openCursor, allowances)
  const isDetailed = detailedFields(operation)
  return (toolArguments, grant) => {
    const mine: Record<string, unknown> = {}
    const rest: Record<string, unknown> = Object.create(null)
    for (const [name, value] of Object.entries(toolArguments)) {
      if (Object.hasOwn(own.properties, name)) mine[name] = value
      else if (Object.hasOwn(names.properties, name)) rest[name] = value
    }
    const faults: Fault[] = []
    addParameterFaults(checkNames(toolArguments, grant.clinic), faults)
    addParameterFaults(checkOwn(mine, grant.clinic), faults)
    const { fields = null, cursor = null, idempotency_key, confirmation = null } = mine as OwnArguments
    const missing = Array.isArray(fields) && rest.response_format !== 'detailed' ? fields.filter(isDetailed) : []
    if (missing.length > 0) {
      // Only names of the contract are repeated.
      const detail = `needs response_format detailed for ${[...new Set(missing)].join(', ')}`
      faults.push({ parameter: 'fields', code: 'not_allowed', detail })
    }
    const params = Object.fromEntries(pathArguments.map(([parameter, name]) => [parameter, String(mine[name])]))
    const parts = operation.body === undefined ? { query: rest } : { query: {}, body: { ...rest } }
    if (typeof idempotency_key === 'string' && !IDEMPOTENCY_KEY.test(idempotency_key))
      faults.push({ parameter: 'idempotency_key', ...WRONG_KEY })
    // A faulty one is told of by its name here, and not again by that of REST's header.
    const usable = isReported(faults, 'idempotency_key') ? undefined : idempotency_key
    const input = checkInput({ params, ...parts, idempotency_key: usable }, grant, faults)
    return { input, fields, cursor, confirmation }
  }
}

/** Every name that the tool takes. The operation's own check of its query or body knows only those of that part. */
function namesSchema({ inputSchema }: Tool) {
  const names = Object.keys(inputSchema.properties ?? {})
  return strictObject(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Unknown())])))
}

function ownSchema(tool: Tool, operation: Operation) {
  const { kind, fields, cursor, idempotency_key, confirmation } = tool.inputSchema.properties as Record<string, TSchema>
  return strictObject({
    ...('kind' in tool.runs && kind && { kind }),
    ...Object.fromEntries(
      Object.entries(tool.path_arguments).map(([parameter, name]) => [
        name,
        operation.params.properties[parameter] as TSchema,
      ]),
    ),
    ...(fields && { fields: Type.Optional({ ...fields, maxItems: MOST_FIELDS }) }),
    ...(cursor && operation.shape !== 'page' && { cursor: Type.Optional(cursor) }),
    ...(idempotency_key && { idempotency_key }),
    ...(confirmation && { confirmation: Type.Optional(confirmation) }),
  })
}

/** Whether a field appears only when detailed rows are requested. */
function detailedFields({ output, detailed }: Operation): (field: string) => boolean {
  const rowsOf = (schema: TSchema) => jsonSchemaOf(schema).properties?.data?.items
  const concise = rowsOf(output)?.properties
  const all = detailed && rowsOf(detailed)?.properties
  return (field) =>
    all !== undefined && concise !== undefined && Object.hasOwn(all, field) && !Object.hasOwn(concise, field)
}
