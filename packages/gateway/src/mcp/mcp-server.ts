// The MCP server of one request: lists and calls the tools of its key. Each request gets a new server, because the library keeps an
// exchange's state in it. Its parts are made once.
import type { Principal } from '@clinic-data/contract'
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { briefingOf } from './instructions.ts'
import { type McpTool, shownTools, type ToolCaller } from './mcp-tool.ts'

export const IDENTITY = { name: 'clinic-data-api', title: 'Clinic Data API', version: '1' }

/** A key's list changes only with a release. */
const LIST_MS = 5 * 60_000

export const CACHE_HINT = { ttlMs: LIST_MS, cacheScope: 'private' } as const

const OPTIONS = { capabilities: { tools: {} }, cacheHints: { 'tools/list': CACHE_HINT } } as const

/** The answer to `server/discover` holds the day, so a client must not keep it beyond midnight. */
function briefing({ clinic }: Principal, now: number) {
  const { instructions, validMs } = briefingOf(clinic, now)
  const discovery = { ttlMs: Math.min(LIST_MS, validMs), cacheScope: 'private' } as const
  return { ...OPTIONS, instructions, cacheHints: { ...OPTIONS.cacheHints, 'server/discover': discovery } }
}

/** Whether a message begins a session. Its answer has the instructions, which no other message needs. */
export function beginsSession(message: unknown): boolean {
  const { method } = (message ?? {}) as { method?: unknown }
  return method === 'initialize' || method === 'server/discover'
}

/**
 * @param now epoch milliseconds.
 * @returns makes the server of a request. `begins` says whether one of its messages begins a session.
 */
export function mcpServers(tools: readonly McpTool[], now: () => number) {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  return (caller: ToolCaller, begins: boolean): Server => {
    const server = new Server(IDENTITY, begins ? briefing(caller.principal, now()) : OPTIONS)
    server.setRequestHandler('tools/list', ({ params }) => {
      if (params?.cursor !== undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The list of tools is one page.')
      return { tools: shownTools(tools, caller.principal) }
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
