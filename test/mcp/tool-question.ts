// A request that works for both a tool and REST: arguments for the one, a path for the other.
import assert from 'node:assert/strict'
import type { Operation, OperationId } from '@clinic-data/contract'
import { operations } from '@clinic-data/contract'
import type { Tool } from '@clinic-data/contract/projections/tools'
import { ask, pathOf, type TestClinic, type TestService } from '@clinic-data/testing/run/test-service'
import { requiredQuery, validIds, validOptions } from '../rules/valid-request.ts'

export interface Question {
  readonly operation: Operation
  readonly arguments: Readonly<Record<string, unknown>>
  /** REST's answer. */
  rest(key?: string): ReturnType<typeof ask>
}

/** A request for each operation that a tool runs. With the clinic's ids, it succeeds. */
export async function questionsFor(service: TestService, clinic: TestClinic, tool: Tool): Promise<Question[]> {
  const kinds = 'kind' in tool.runs ? Object.entries(tool.runs.kind) : [[null, tool.runs.operation] as const]
  assert.ok(kinds.length > 0, `${tool.name} runs nothing`)
  return Promise.all(
    kinds.map(async ([kind, id]) => {
      const operation: Operation = operations[id as OperationId]
      const ids = await validIds(service, clinic, operation)
      const query = await requiredQuery(service, clinic, operation)
      const options = validOptions(operation)
      const named = Object.entries(tool.path_arguments).map(([parameter, name]) => [name, ids[parameter]])
      return {
        operation,
        arguments: {
          ...(kind === null ? {} : { kind }),
          ...Object.fromEntries(named),
          ...query,
          ...(options.body as object | undefined),
        },
        rest: (key = clinic.key) => ask(service, key, pathOf(operation, ids, query), options),
      }
    }),
  )
}

/** An answer without the parts that differ each time: new links, and the instant of figures. */
export function steady({ data, ...body }: { data: Readonly<Record<string, unknown>> }) {
  if (Array.isArray(data)) return { data, ...body }
  const { url, expires_at, as_of, ...rest } = data
  return { data: url === undefined ? { expires_at, ...rest } : rest, ...body }
}

/** The fault of an argument that a tool does not take. It names all that the tool takes. */
export function unknownArgument({ inputSchema }: Tool, parameter: string) {
  const names = Object.keys(inputSchema.properties ?? {})
  return { parameter, code: 'unknown', detail: `is not known here, but these are: ${names.join(', ')}` }
}
