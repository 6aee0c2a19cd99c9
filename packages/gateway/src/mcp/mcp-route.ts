// `POST /mcp`, for the revision of 2026 and those of 2025: what HTTP decides is decided here, in problems, as for every other path;
// the messages are the library's affair, and what a tool does is the pipeline's.
import { Problem } from '@clinic-data/contract'
import { readJsonBody } from '@clinic-data/contract/json-body'
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { admit, type Edge } from '../edge.ts'
import { addressCheck } from './allowed-address.ts'
import { contractTools } from './contract-tools.ts'
import { mcpServers } from './mcp-server.ts'
import type { McpTool, ToolCaller } from './mcp-tool.ts'
import { protocolAnswer } from './protocol-answer.ts'

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
  const modern = createMcpHandler(({ requestInfo }) => open(requestInfo), { legacy: 'reject' })

  return async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    checkAddress(request)
    const principal = await edge.authentication.identify(request)
    request.observed.principal = principal
    await admit(edge, principal, reply)
    if (request.method !== 'POST') return protocolAnswer(edge, request, reply, methodNotAllowed())
    let parsedBody: unknown
    try {
      parsedBody = await readJsonBody(request.raw)
    } catch (error) {
      if (error instanceof Problem && error.slug === 'invalid-request')
        return protocolAnswer(edge, request, reply, notJson(error))
      throw error
    }
    const asked = new Request(`${edge.baseUrl}/mcp`, { method: 'POST', headers: headersOf(request) })
    callers.set(asked, {
      principal,
      surface: 'mcp',
      request_id: request.id,
      address: edge.authentication.addressOf(request),
      startedAt: request.observed.startedAt,
      signal: goneSignal(reply),
    })
    const answer = (await isLegacyRequest(asked, parsedBody))
      ? await answerOf2025(open(asked), asked, parsedBody)
      : await modern.fetch(asked, { parsedBody })
    return protocolAnswer(edge, request, reply, answer)
  }
}

/** One message in, one answer out, as JSON: the revisions of 2025 without their sessions. */
async function answerOf2025(server: Server, request: Request, parsedBody: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody })
  } finally {
    await server.close()
  }
}

function headersOf({ headers }: FastifyRequest): Headers {
  // We answer in JSON alone, which every client reads.
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

function notJson({ message }: Problem): Response {
  return refusal(400, ProtocolErrorCode.ParseError, message)
}

function refusal(status: number, code: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers })
}

/** Fires when the client has gone before its answer. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new Problem('service-unavailable', 'The client has gone.'))
  })
  return gone.signal
}
