// The MCP server of one request: lists and calls the tools of its key. Each request gets a new server, because the library keeps an
// exchange's state in it. Its parts are made once.
import type { Principal } from '@clinic-data/contract'
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { briefingOf } from './instructions.ts'
import type { McpTool, ToolCaller } from './mcp-tool.ts'

const IDENTITY = { name: 'clinic-data-api', title: 'Clinic Data API', version: '1' }

/** A key's list changes only with a release. */
const LIST_MS = 5 * 60_000

/** @param now epoch milliseconds. */
export function mcpServers(tools: readonly McpTool[], now: () => number): (caller: ToolCaller) => Server {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  return (caller) => {
    const server = new Server(IDENTITY, optionsFor(caller.principal, now()))
    server.setRequestHandler('tools/list', ({ params }) => {
      if (params?.cursor !== undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The list of tools is one page.')
      return { tools: toolsOf(tools, caller.principal) }
    })
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const tool = byName.get(params.name)
      if (!tool)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool. tools/list names them.')
      return tool.call(params.arguments ?? {}, caller, context)
    })
    return server
  }
}

/** The answer to `server/discover` holds the day, so a client must not keep it beyond midnight. */
function optionsFor({ clinic }: Principal, now: number) {
  const { instructions, validMs } = briefingOf(clinic, now)
  return {
    capabilities: { tools: {} },
    instructions,
    cacheHints: {
      'tools/list': { ttlMs: LIST_MS, cacheScope: 'private' },
      'server/discover': { ttlMs: Math.min(LIST_MS, validMs), cacheScope: 'private' },
    },
  } as const
}

/** In the contract's order, whatever the order of the key's scopes. */
function toolsOf(tools: readonly McpTool[], { scopes }: Principal): McpTool['definition'][] {
  return tools.flatMap(({ scope, definition }) => (scope === null || scopes.includes(scope) ? [definition] : []))
}
