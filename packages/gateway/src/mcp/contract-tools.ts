// The contract's tools on the server. A call takes the same way through the gateway as REST, within this process.
import { type Operation, type OperationId, operations, type Position } from '@clinic-data/contract'
import { auditedIn } from '@clinic-data/contract/audited'
import type { PageMeta } from '@clinic-data/contract/page-meta'
import { problemBody } from '@clinic-data/contract/problem-body'
import { type Tool, tools } from '@clinic-data/contract/projections/tools'
import { visibleText } from '@clinic-data/contract/visible-text'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { problemOf } from '../answers/problem-response.ts'
import { type Asking, callOf } from '../calls/call.ts'
import { type Edge, report } from '../calls/edge.ts'
import { auditableId } from '../calls/pipeline.ts'
import { cursorsOf, filtersOf } from '../requests/operation-cursor.ts'
import { foreignCursor } from '../requests/read-input.ts'
import type { ContractTool, McpTool, ToolCaller, ToolText } from './mcp-tool.ts'
import { type Arguments, argumentsReader } from './tool-arguments.ts'
import { type CutCursor, listResult, pageResult, type ToolOutcome, wholeResult } from './tool-result.ts'

export function contractTools(edge: Edge): ContractTool[] {
  return tools().map((tool) => {
    const runOf = runsOf(edge, tool)
    const answer: ContractTool['answer'] = async (toolArguments, caller) => {
      try {
        const { text } = await runOf(toolArguments)(toolArguments, caller)
        const warnings = warningsOf(text)
        return { texts: [text, ...(warnings.length > 0 ? warnings : emptyQuery(tool, text))], structured: text }
      } catch (error) {
        return refusedCall(edge, error, caller)
      }
    }
    return {
      definition: definitionOf(tool),
      scope: tool.scope,
      call: async (toolArguments, caller) => resultOf(await answer(toolArguments, caller)),
      answer,
    }
  })
}

/** The listing of a tool. */
export function definitionOf({ name, title, description, inputSchema, outputSchema, annotations }: Tool) {
  const definition = { name, title, description, inputSchema, outputSchema, annotations }
  // The library wants an index signature where a JSON Schema of ours has named keywords.
  return definition as unknown as McpTool['definition']
}

/** As the library takes it. */
export function resultOf({ texts, structured }: ToolText): CallToolResult {
  const content = texts.map((text) => ({ type: 'text', text }) as const)
  return structured === null ? { content, isError: true } : { content, structuredContent: JSON.parse(structured) }
}

/** In words: a model takes an empty list, or a zero, for an answer. */
function warningsOf(text: string): string[] {
  if (!text.includes('"warnings":[')) return []
  const { meta } = JSON.parse(text) as { meta?: Partial<PageMeta> }
  return (meta?.warnings ?? []).map(({ parameter, detail, values }) =>
    values === undefined
      ? `Nothing was found because ${parameter} ${detail}.`
      : `The filter by ${parameter} ${detail} (${values.join(', ')}).`,
  )
}

/** Where nothing tells unknown ids: of an agent, or of an earlier backend. The sum is zero, and a model would tell that as a fact. */
function emptyQuery({ name }: Tool, text: string): string[] {
  return name === 'query_run' && text.includes('"group_count":0,') ? [NO_RECORDS] : []
}

const NO_RECORDS =
  'No record matches. If a filter names a branch, a provider or the like, check that it has the id and not the name: catalog_list has the ids.'

/** A problem that the model should mend or wait for. Its body is the text. */
export function refusedCall(edge: Edge, error: unknown, { observed, request_id }: ToolCaller): ToolText {
  const problem = problemOf(error)
  if (problem.members.required_scope !== undefined) observed.lacking = problem
  report(edge, problem, request_id)
  return { texts: [visibleText(problemBody(problem, edge.baseUrl, request_id))], structured: null }
}

type Run = (toolArguments: Arguments, caller: ToolCaller) => Promise<ToolOutcome>

/** The operation that a tool runs: its only one, or the one for the requested kind. */
function runsOf(edge: Edge, tool: Tool): (toolArguments: Arguments) => Run {
  if ('operation' in tool.runs) {
    const run = runOf(edge, tool, operations[tool.runs.operation as OperationId])
    return () => run
  }
  const kinds = new Map(
    Object.entries(tool.runs.kind).map(([kind, id]) => [kind, runOf(edge, tool, operations[id as OperationId])]),
  )
  // Reading the arguments refuses an unknown kind.
  const [first] = kinds.values()
  return ({ kind }) => kinds.get(String(kind)) ?? (first as Run)
}

function runOf(edge: Edge, tool: Tool, operation: Operation): Run {
  const call = callOf(edge, operation)
  const readArguments = argumentsReader(tool, operation, cursorsOf(edge.cursorKeys, operation).open, edge.allowances)
  const cuts = cursorsOf(edge.cursorKeys, { id: `${operation.id} cut` })
  return (toolArguments, caller) => {
    caller.observed.operation = operation
    return call({ ...caller, named: namedIn(toolArguments, tool.path_arguments) }, async (grant, ask) => {
      const { input, fields, cursor } = readArguments(toolArguments, grant)
      if (operation.shape === 'page') return pageResult(ask, input, fields)
      if (tool.list === null) return wholeResult(await ask(input))
      const filters = { ...filtersOf(input), body: input.body }
      const after = cursor === null ? null : cutOf(cuts.open(grant, filters, cursor))
      const seal = ({ shown, digest }: CutCursor) => cuts.seal(grant, filters, [String(shown), digest])
      const audited = (data: readonly unknown[]) => auditedIn(operation, { data })
      return listResult(await ask(input), { fields, path: tool.list, after, seal, auditedIn: audited })
    })
  }
}

function cutOf(position: Position | null): CutCursor {
  const [shown, digest] = position ?? []
  if (shown === undefined || digest === undefined) throw foreignCursor()
  return { shown: Number(shown), digest }
}

/** The ids in the arguments, by the path's parameters. */
export function namedIn(toolArguments: Arguments, names: Tool['path_arguments']): Asking['named'] {
  const named = Object.entries(names).flatMap(([parameter, name]) => {
    const id = toolArguments[name]
    return typeof id === 'string' ? [[parameter, auditableId(id)]] : []
  })
  return Object.fromEntries(named)
}
