// The MCP server of one request: lists and calls the tools of its key, and hands out its prompts and resources. Each request gets a new server, because the library keeps an
// exchange's state in it. Its parts are made once.
import type { Principal } from '@clinic-data/contract'
import {
  isSpecType,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { briefingOf } from './instructions.ts'
import { type McpTool, shownTools, type ToolCaller } from './mcp-tool.ts'
import type { Prompts } from './prompts.ts'
import type { Resources } from './resources.ts'

export const IDENTITY = { name: 'clinic-data-api', title: 'Clinic Data API', version: '1' }

/** A key's list changes only with a release. */
const LIST_MS = 5 * 60_000

export const CACHE_HINT = { ttlMs: LIST_MS, cacheScope: 'private' } as const

/** Reference data changes a few times a year, and a clinic that has changed it looks at once. */
const READ_HINT = { ttlMs: 60_000, cacheScope: 'private' } as const

const OPTIONS = {
  capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
  cacheHints: {
    'tools/list': CACHE_HINT,
    'prompts/list': CACHE_HINT,
    'resources/list': CACHE_HINT,
    'resources/templates/list': CACHE_HINT,
    'resources/read': READ_HINT,
  },
} as const

/** The answer to `server/discover` holds the day, so a client must not keep it beyond midnight. */
function briefing({ clinic }: Principal, now: number, mayWrite: boolean) {
  const { instructions, validMs } = briefingOf(clinic, now, mayWrite)
  const discovery = { ttlMs: Math.min(LIST_MS, validMs), cacheScope: 'private' } as const
  return { ...OPTIONS, instructions, cacheHints: { ...OPTIONS.cacheHints, 'server/discover': discovery } }
}

/** Whether a message begins a session. Its answer has the instructions, which no other message needs. */
export function beginsSession(message: unknown): boolean {
  const { method } = (message ?? {}) as { method?: unknown }
  return method === 'initialize' || method === 'server/discover'
}

export interface McpParts {
  readonly tools: readonly McpTool[]
  readonly prompts: Prompts
  readonly resources: Resources
  /** The address of the server's icon. */
  readonly icon: string
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** @returns makes the server of a request. `begins` says whether one of its messages begins a session. */
export function mcpServers({ tools, prompts, resources, icon, now }: McpParts) {
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]))
  const writing = tools.filter(({ definition }) => definition.annotations?.readOnlyHint === false)
  // Only where a session begins: the 2026 revision repeats who serves in each result.
  const shown = { ...IDENTITY, icons: [{ src: icon, mimeType: 'image/svg+xml', sizes: ['any'] }] }
  return (caller: ToolCaller, begins: boolean): Server => {
    const mayWrite = () => shownTools(writing, caller.principal).length > 0
    const server = begins
      ? new CheckingServer(shown, briefing(caller.principal, now(), mayWrite()))
      : new CheckingServer(IDENTITY, OPTIONS)
    server.setRequestHandler('tools/list', ({ params }) => {
      isOnePage(params)
      return { tools: shownTools(tools, caller.principal) }
    })
    server.setRequestHandler('tools/call', ({ params }, context) => {
      const tool = byName.get(params.name)
      if (!tool)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool. tools/list names them.')
      return tool.call(params.arguments ?? {}, caller, context)
    })
    server.setRequestHandler('prompts/list', ({ params }) => {
      isOnePage(params)
      return { prompts: prompts.list(caller) }
    })
    server.setRequestHandler('prompts/get', ({ params }) => prompts.get(params.name, params.arguments ?? {}, caller))
    server.setRequestHandler('completion/complete', async ({ params: { ref, argument } }) => {
      const values = ref.type === 'ref/prompt' ? await prompts.complete(ref.name, argument, caller) : []
      return { completion: { values: values.slice(0, MOST_COMPLETIONS), total: values.length } }
    })
    server.setRequestHandler('resources/list', ({ params }) => {
      isOnePage(params)
      return { resources: resources.list(caller) }
    })
    server.setRequestHandler('resources/templates/list', ({ params }) => {
      isOnePage(params)
      return { resourceTemplates: [] }
    })
    server.setRequestHandler('resources/read', ({ params }) => resources.read(params.uri, caller))
    return server
  }
}

const LIST = 'A list takes no params, or a cursor as a string.'

/** The params of each method: whether a request has them, and what to send. */
const PARAMS: Readonly<Record<string, readonly [accepts: (request: unknown) => boolean, rule: string]>> = {
  initialize: [
    isSpecType.InitializeRequest,
    'initialize takes protocolVersion as a string, capabilities as an object, and clientInfo with a name and a version.',
  ],
  'tools/list': [isSpecType.ListToolsRequest, LIST],
  'tools/call': [isSpecType.CallToolRequest, 'tools/call takes a name as a string, and arguments as an object.'],
  'prompts/list': [isSpecType.ListPromptsRequest, LIST],
  'prompts/get': [
    isSpecType.GetPromptRequest,
    'prompts/get takes a name as a string, and arguments whose values are strings.',
  ],
  'completion/complete': [
    isSpecType.CompleteRequest,
    'completion/complete takes a ref (ref/prompt with a name, or ref/resource with a uri) and an argument with a name and a value.',
  ],
  'resources/list': [isSpecType.ListResourcesRequest, LIST],
  'resources/templates/list': [isSpecType.ListResourceTemplatesRequest, LIST],
  'resources/read': [isSpecType.ReadResourceRequest, 'resources/read takes a uri as a string.'],
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/** The library answers wrong params with its schema's own text, and most of them as a fault of the server. */
class CheckingServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const [accepts, rule] = PARAMS[method] ?? []
    const checked = super._wrapHandler(method, handler)
    if (accepts === undefined || rule === undefined) return checked
    return async (request, context) => {
      if (!accepts(request)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, rule)
      return checked(request, context)
    }
  }
}

/** The most that the protocol allows. */
const MOST_COMPLETIONS = 100

/** @throws ProtocolError */
function isOnePage(params: { cursor?: string | undefined } | undefined): void {
  if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This list is one page.')
}
