// `POST /mcp`, for the revision of 2026 and those of 2025: what HTTP decides is decided here, in problems, as for every other path;
// the messages are the library's affair, and what a tool does is the pipeline's.
import { Problem, RATE, REQUEST } from '@clinic-data/contract'
import { readJsonBody } from '@clinic-data/contract/json-body'
import { createMcpHandler, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { admit, type Edge } from '../calls/edge.ts'
import { goneSignal } from '../connections/gone-signal.ts'
import { addressCheck } from './allowed-address.ts'
import { contractTools } from './contract-tools.ts'
import { mcpServers } from './mcp-server.ts'
import type { McpTool, ToolCaller } from './mcp-tool.ts'
import { protocolAnswer } from './protocol-answer.ts'

/** Of a batch, which one revision of 2025 knows: as many as a key may have running at once. Each counts as a request. */
const MOST_MESSAGES = RATE.at_once

/** What the library reads of a request; the key is not among it. */
const READ_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

export interface McpOptions {
  /** Origins of web pages that may use the server, besides its own. */
  allowedOrigins?: readonly string[] | undefined
  /** Tools beside the contract's: what the public conformance suite calls. */
  extraTools?: readonly McpTool[]
}

export function mcpRoute(edge: Edge, { allowedOrigins = [], extraTools = [] }: McpOptions) {
  const checkAddress = addressCheck(edge.baseUrl, allowedOrigins)
  const serverFor = mcpServers([...contractTools(edge), ...extraTools])
  const callers = new WeakMap<Request, ToolCaller>()
  const open = (request: Request | undefined): Server => {
    const caller = request && callers.get(request)
    if (!caller) throw new Error('a server was asked for without a caller')
    return serverFor(caller)
  }
  // Answers come in one piece: nothing is kept alive.
  const library = createMcpHandler(({ requestInfo }) => open(requestInfo), { keepAliveMs: 0 })

  return async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    checkAddress(request)
    const principal = await edge.authentication.identify(request)
    request.observed.principal = principal
    await admit(edge, principal, reply)
    if (request.method !== 'POST') return protocolAnswer(edge, request, reply, methodNotAllowed())
    const body = await readJsonBody(request.raw, { maxBytes: REQUEST.mcp_body_bytes }).catch(notJson)
    if (body instanceof Response) return protocolAnswer(edge, request, reply, body)
    const messages = Array.isArray(body) ? body.length : 1
    if (messages > MOST_MESSAGES) return protocolAnswer(edge, request, reply, batchTooLong())
    for (let more = 1; more < messages; more++) await admit(edge, principal, reply)
    const asked = new Request(`${edge.baseUrl}/mcp`, { method: 'POST', headers: headersOf(request) })
    callers.set(asked, {
      principal,
      surface: 'mcp',
      request_id: request.id,
      address: edge.authentication.addressOf(request),
      startedAt: request.observed.startedAt,
      observed: request.observed,
      signal: goneSignal(reply),
    })
    const answer = await library.fetch(asked, { parsedBody: body })
    return protocolAnswer(edge, request, reply, answer)
  }
}

function headersOf({ headers }: FastifyRequest): Headers {
  // The library answers a client of 2025 as a stream of one event, one of 2026 in JSON, and wants both to be accepted.
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

/** What cannot be read as JSON is answered as the protocol says; another media type, and too much, as everywhere. */
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
