// Reads the clinic's data for a prompt or a resource: by the tool that reads it for a call, with its scope, limits and audit row.
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { ContractTool, Members, ToolCaller } from './mcp-tool.ts'

/**
 * Returns the tool's result as JSON.
 *
 * @throws ProtocolError with the tool's problem as its data.
 */
export async function readByTool(tool: ContractTool, toolArguments: Members, caller: ToolCaller): Promise<string> {
  const { texts, structured } = await tool.answer(toolArguments, caller)
  if (structured !== null) return structured
  const problem = JSON.parse(texts.join('')) as { status: number; detail: string }
  const code = problem.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  throw new ProtocolError(code, problem.detail, problem)
}

/** @throws Error for a name that is none of the contract's. */
export function toolNamed(tools: readonly ContractTool[], name: string): ContractTool {
  const tool = tools.find(({ definition }) => definition.name === name)
  if (tool === undefined) throw new Error(`there is no tool ${name}`)
  return tool
}
