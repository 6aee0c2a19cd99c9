// A tool on the server: its listing, the scope that shows it, and the function that runs it.
import type { Scope } from '@clinic-data/contract'
import type { CallToolResult, InputRequiredResult, ServerContext, Tool } from '@modelcontextprotocol/server'
import type { Asking } from '../calls/call.ts'
import type { Observed } from '../calls/edge.ts'

/** The caller, known before the arguments are read. */
export type ToolCaller = Omit<Asking, 'named'> & { readonly observed: Observed }

type ToolAnswer = CallToolResult | InputRequiredResult

export interface McpTool {
  readonly definition: Tool
  /** Keys without it do not see the tool. */
  readonly scope: Scope | null
  call(
    given: Readonly<Record<string, unknown>>,
    caller: ToolCaller,
    context: ServerContext,
  ): ToolAnswer | Promise<ToolAnswer>
}
