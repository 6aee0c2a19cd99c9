// Answers below the router: what Node's HTTP parser refuses, `Expect`, CONNECT. Every one of them is a problem too.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem, REQUEST } from '@clinic-data/contract'
import { PROBLEM_TYPE, problemBody, problemHeaders } from '@clinic-data/contract/problem-body'
import { problemOf } from '../answers/problem-response.ts'
import { newRequestId } from '../answers/request-id.ts'
import { standingHeaders } from '../answers/standing-headers.ts'
import { inLine } from './connection-line.ts'
import { addressTooLong } from './message-rules.ts'

/** What Node hands over with a request that it cannot parse. */
type ParserError = Error & { code?: string | undefined; rawPacket?: unknown }

/** How long a refused connection is kept for the client to read why. */
const LINGER_MS = 1_000

/** Node keeps the answer that a connection waits for under this name, and its own handling of such errors looks there. */
type Connection = Duplex & { _httpMessage?: ServerResponse<IncomingMessage> | null }

/** Answers a connection error with a problem and closes the connection. */
export function answerParserError(
  baseUrl: string,
  error: Error & { code?: string; rawPacket?: Buffer },
  socket: Connection,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const answering = socket._httpMessage
  if (answering?.req.complete) endAfterAnswers(socket)
  else if (answering?.headersSent) socket.destroy()
  else writeRaw(socket, parserProblem(error), baseUrl)
}

/** The fault lies behind whole requests: their answers must not be mixed with another one. */
function endAfterAnswers(socket: Connection): void {
  const answering = socket._httpMessage
  if (answering) answering.once('close', () => endAfterAnswers(socket))
  else socket.end()
}

function parserProblem(error: ParserError): Problem {
  if (error.code === 'HPE_HEADER_OVERFLOW' && isLongRequestLine(error.rawPacket)) {
    return addressTooLong()
  }
  const problem = problemOf(error)
  // What else the parser refuses is a request that is not HTTP.
  return problem.slug === 'internal-error'
    ? new Problem('invalid-request', 'The request is not well-formed HTTP.', {}, error)
    : problem
}

function isLongRequestLine(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false
  const end = packet.indexOf('\n')
  return end < 0 || end > REQUEST.url_bytes
}

/** Refuses `Expect` other than 100-continue, and CONNECT, which Node would drop without a word. */
export function answerOutsideRouter(server: Server, baseUrl: string): void {
  server.on(
    'checkExpectation',
    inLine((_request, response) => {
      const problem = new Problem('expectation-failed', 'Only Expect: 100-continue is understood.')
      const requestId = newRequestId()
      const body = problemBody(problem, baseUrl, requestId)
      response.writeHead(problem.status, rawHeaders(problem, body, baseUrl, requestId))
      response.end(body)
    }),
  )
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // The server has let go of this socket: its errors and its end are ours to see to.
    socket.on('error', () => socket.destroy())
    writeRaw(socket, new Problem('method-not-allowed', 'CONNECT is not a method of this service.'), baseUrl, {
      allow: 'GET, HEAD, POST, DELETE',
    })
  })
}

function writeRaw(socket: Duplex, problem: Problem, baseUrl: string, extra: Record<string, string> = {}): void {
  const requestId = newRequestId()
  const body = problemBody(problem, baseUrl, requestId)
  const headers = { ...rawHeaders(problem, body, baseUrl, requestId), ...extra }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // What the client still sends is read for a while: a connection that is closed over unread bytes takes the answer along.
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`)
}

function rawHeaders(problem: Problem, body: string, baseUrl: string, requestId: string): Record<string, string> {
  return {
    ...standingHeaders(baseUrl),
    'content-type': PROBLEM_TYPE,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    connection: 'close',
    ...problemHeaders(problem),
  }
}
