// Adapts the library's answers: errors with an HTTP status also get the problem as `error.data`, and clients that read no streams
// get one body.
import { Problem, type ProblemSlug } from '@clinic-data/contract'
import { MCP_REVISION } from '@clinic-data/contract/example-dates'
import { problemBody } from '@clinic-data/contract/problem-body'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Edge } from '../calls/edge.ts'

const SLUGS: Readonly<Record<number, ProblemSlug>> = {
  400: 'invalid-request',
  404: 'not-found',
  405: 'method-not-allowed',
}

/** The library's media type for 2025 clients. */
const STREAM = 'text/event-stream'

interface ErrorBody {
  jsonrpc: '2.0'
  id: unknown
  error: { code: number; message: string; data?: unknown }
}

export async function protocolAnswer(
  edge: Edge,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Response,
): Promise<FastifyReply> {
  const { status, headers } = answer
  const bytes = Buffer.from(await answer.arrayBuffer())
  const allow = headers.get('allow')
  if (allow !== null) reply.header('allow', allow)
  reply.code(status)
  if (bytes.length === 0) return reply.send()
  const type = headers.get('content-type') ?? 'application/json'
  if (type.startsWith(STREAM) && !readsStreams(request))
    return reply.type('application/json').send(withoutStream(bytes.toString()))
  reply.type(type)
  if (status < 400) return reply.send(bytes)
  const slug = SLUGS[status]
  if (slug === undefined)
    throw new Problem('internal-error', 'An unexpected error.', {}, new Error(`MCP answered ${status}`))
  return reply.send(JSON.stringify(withProblem(edge, request, slug, JSON.parse(bytes.toString()))))
}

/** How the library sends one message to this client: its media type, and the texts around it. */
export function framing(request: FastifyRequest, is2026: boolean) {
  if (is2026) return JSON_2026
  return readsStreams(request) ? EVENT : JSON_2025
}

const JSON_2026 = { type: 'application/json', before: '', after: '' }
const JSON_2025 = { type: 'application/json; charset=utf-8', before: '', after: '' }
const EVENT = { type: STREAM, before: 'event: message\ndata: ', after: '\n\n' }

function readsStreams({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes(STREAM) === true
}

/**
 * For clients that do not read streams: the answers as one body. They are complete by now, and the notices between them are
 * dropped.
 */
function withoutStream(stream: string): string {
  const messages = [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data)
  const answers = messages.filter((data) => !('method' in JSON.parse(data)))
  return answers.length === 1 ? String(answers[0]) : `[${answers.join(',')}]`
}

const REVISIONS = [MCP_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS]

/** The library names only the revisions of the generation that it took the request for, or none. */
function withRevisions({ headers }: FastifyRequest, message: string): string {
  const named = headers['mcp-protocol-version']
  const isSpoken = named === undefined || REVISIONS.some((revision) => revision === named)
  if (isSpoken && !message.startsWith('Unsupported protocol version')) return message
  return `${message.replace(/ \(supported versions: .*\)$/s, '')} (supported versions: ${REVISIONS.join(', ')})`
}

/** The protocol's own members of `data` stay beside the problem's. */
function withProblem(edge: Edge, request: FastifyRequest, slug: ProblemSlug, body: ErrorBody): ErrorBody {
  const error = { ...body.error, message: withRevisions(request, body.error.message) }
  const problem = JSON.parse(problemBody(new Problem(slug, error.message), edge.baseUrl, request.id))
  return { ...body, error: { ...error, data: { ...problem, ...(error.data as object | undefined) } } }
}
