// A tool on the server: its listing, the scope that shows it, and the function that runs it.
import type { Principal, Scope } from '@clinic-data/contract'
import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from '@modelcontextprotocol/server'
import type { Asking } from '../calls/call.ts'
import type { Observed } from '../calls/edge.ts'

/** The caller, known before the arguments are read. */
export type ToolCaller = Omit<Asking, 'named'> & { readonly observed: Observed }

/** A JSON object. */
export type Members = Readonly<Record<string, unknown>>

type ToolAnswer = CallToolResult | InputRequiredResult

export interface McpTool {
  readonly definition: Tool
  /** Keys without it do not see the tool. */
  readonly scope: Scope | null
  call(toolArguments: Members, caller: ToolCaller, context: ServerContext): ToolAnswer | Promise<ToolAnswer>
}

/** A tool of the contract: its result is JSON already. */
export interface ContractTool extends McpTool {
  answer(toolArguments: Members, caller: ToolCaller): Promise<ToolText>
}

export interface ToolText {
  /** The model reads these. */
  readonly texts: readonly string[]
  /** The structured content, as JSON. Null for a problem. */
  readonly structured: string | null
}

/** In the contract's order, whatever the order of the key's scopes. */
export function shownTools(tools: readonly McpTool[], { scopes }: Principal): McpTool['definition'][] {
  return tools.flatMap(({ scope, definition }) => (scope === null || scopes.includes(scope) ? [definition] : []))
}
