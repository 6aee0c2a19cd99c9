// `POST /mcp`, for the 2026 revision and those of 2025. This file handles HTTP, with problems as on every other path. The library
// handles the messages, and the pipeline runs the tools (docs/decisions/0012).
import { Problem, RATE, REQUEST } from '@clinic-data/contract'
import { readJsonBody } from '@clinic-data/contract/json-body'
import { createMcpHandler, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { carriesAppToken } from '../answers/challenge.ts'
import { admit, type Edge, identifyAgain } from '../calls/edge.ts'
import { goneSignal } from '../connections/gone-signal.ts'
import { addressCheck } from './allowed-address.ts'
import { contractTools } from './contract-tools.ts'
import { beginsSession, mcpServers } from './mcp-server.ts'
import type { McpTool, ToolCaller } from './mcp-tool.ts'
import { plainAnswerer, plainReader } from './plain-message.ts'
import { promptsOf } from './prompts.ts'
import { framing, protocolAnswer } from './protocol-answer.ts'
import { type GuidePage, resourcesOf } from './resources.ts'
import { writingTools } from './writing-tools.ts'

/**
 * The most messages of a batch, which one 2025 revision allows: a key's limit of simultaneous requests. Each message counts as a
 * request.
 */
const MOST_MESSAGES = RATE.at_once

/** The headers that the library reads. The key is not among them. */
const READ_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

export interface McpOptions {
  /** Origins of web pages that may use the server, in addition to its own. */
  allowedOrigins?: readonly string[] | undefined
  /** Whether there are tools that write. Default: none (docs/decisions/0137). */
  writes?: boolean
  /** Tools in addition to the contract's: the public conformance suite calls them. */
  extraTools?: readonly McpTool[]
}

/** Parts of the public pages. */
export interface McpPages {
  /** The address of the icon, beneath the service's own. */
  readonly icon: string
  /** The guide's pages, as resources. */
  guide(): readonly GuidePage[]
}

export function mcpRoute(edge: Edge, pages: McpPages, options: McpOptions) {
  const { allowedOrigins = [], writes = false, extraTools = [] } = options
  const checkAddress = addressCheck(edge.baseUrl, allowedOrigins)
  const ownTools = contractTools(edge)
  const tools = [...ownTools, ...(writes ? writingTools(edge) : []), ...extraTools]
  const readPlain = plainReader(ownTools)
  const answerPlain = plainAnswerer(tools)
  const serverFor = mcpServers({
    tools,
    prompts: promptsOf(ownTools, edge.now),
    resources: resourcesOf(ownTools, () => pages.guide()),
    icon: edge.baseUrl + pages.icon,
    now: edge.now,
  })
  const servers = new WeakMap<Request, () => Server>()
  const open = (request: Request | undefined): Server => {
    const make = request && servers.get(request)
    if (!make) throw new Error('a server was asked for without a caller')
    return make()
  }
  // Answers come in one piece, so nothing is kept alive.
  const library = createMcpHandler(({ requestInfo }) => open(requestInfo), { keepAliveMs: 0 })

  return async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { observed } = request
    const watched = edge.deadline.start(reply, observed.startedAt)
    observed.watched = watched
    checkAddress(request)
    const principal = await edge.authentication.identify(request, 'mcp')
    observed.principal = principal
    await admit(edge, principal, request, reply)
    if (request.method !== 'POST') return protocolAnswer(edge, request, reply, methodNotAllowed())
    const reading = readJsonBody(request.raw, { maxBytes: REQUEST.mcp_body_bytes })
    const body = await edge.deadline.arrival(watched, reading).catch(notJson)
    if (body instanceof Response) return protocolAnswer(edge, request, reply, body)
    await identifyAgain(edge, request, 'mcp')
    const plain = readPlain(body, request.headers)
    const messages = Array.isArray(body) ? body : [body]
    if (messages.length > MOST_MESSAGES) return protocolAnswer(edge, request, reply, batchTooLong())
    for (let more = 1; more < messages.length; more++) await admit(edge, principal, request, reply)
    const caller: ToolCaller = {
      principal,
      surface: 'mcp',
      request_id: request.id,
      address: edge.authentication.addressOf(request),
      startedAt: observed.startedAt,
      observed,
      signal: goneSignal(reply),
    }
    if (plain) {
      const frame = framing(request, plain.is2026)
      const { bytes, encoding } = await answerPlain(plain, frame, caller, request.headers['accept-encoding'])
      teachScope(edge, request)
      if (encoding !== 'identity') reply.headers({ 'content-encoding': encoding, vary: 'accept-encoding' })
      return reply.type(frame.type).send(bytes)
    }
    const webRequest = new Request(`${edge.baseUrl}/mcp`, { method: 'POST', headers: headersOf(request) })
    servers.set(webRequest, () => serverFor(caller, messages.some(beginsSession)))
    const answer = await whole(await library.fetch(webRequest, { parsedBody: body }))
    if (!Array.isArray(body)) teachScope(edge, request)
    return protocolAnswer(edge, request, reply, answer)
  }
}

/** A stream begins before its message is answered, and only the answer tells whether a scope was lacking. */
async function whole(answer: Response): Promise<Response> {
  const { status, headers } = answer
  const bytes = await answer.arrayBuffer()
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers })
}

/**
 * An app whose token lacks the scope of a tool asks the person for more, and tries again: HTTP tells it so (MCP, Authorization, Scope
 * Challenge Handling). Whoever holds a key cannot, and its model reads of it.
 *
 * @throws Problem 403
 */
function teachScope(edge: Edge, request: FastifyRequest): void {
  const { lacking } = request.observed
  if (edge.challenge && lacking !== null && carriesAppToken(request)) throw lacking
}

function headersOf({ headers }: FastifyRequest): Headers {
  // The library answers a 2025 client as a stream of one event and a 2026 client in JSON. It wants both to be accepted.
  const read = new Headers({ 'content-type': 'application/json', accept: 'application/json, text/event-stream' })
  for (const name of READ_HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') read.set(name, value)
  }
  return read
}

function methodNotAllowed(): Response {
  return refusal(405, -32000, 'This path allows POST.', { allow: 'POST' })
}

/** The protocol defines the answer to invalid JSON. Another media type and too large a body are answered as everywhere. */
function notJson(error: unknown): Response {
  if (!(error instanceof Problem) || error.slug !== 'invalid-request') throw error
  return refusal(400, ProtocolErrorCode.ParseError, error.message)
}

function batchTooLong(): Response {
  return refusal(400, ProtocolErrorCode.InvalidRequest, `A batch may hold at most ${MOST_MESSAGES} messages.`)
}

function refusal(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers })
}
