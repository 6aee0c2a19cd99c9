// Answers below the router: requests that Node's HTTP parser refuses, `Expect`, CONNECT. All of them are problems too.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { Problem, REQUEST } from '@clinic-data/contract'
import { PROBLEM_TYPE, problemBody, problemHeaders } from '@clinic-data/contract/problem-body'
import { problemOf } from '../answers/problem-response.ts'
import { newRequestId } from '../answers/request-id.ts'
import { standingHeaders } from '../answers/standing-headers.ts'
import { inLine } from './connection-line.ts'
import { addressTooLong } from './message-rules.ts'

/** Node's error for a request that it cannot parse. */
type ParserError = Error & { code?: string | undefined; rawPacket?: unknown }

/** The time for which a refused connection stays open, so that the client can read why. */
const LINGER_MS = 1_000

/** Node keeps a connection's pending answer under this name, and its own error handling looks there. */
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

/** The fault comes after whole requests, whose answers must not be mixed with another one. */
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
  // All other errors of the parser mean that the request is not HTTP.
  return problem.slug === 'internal-error'
    ? new Problem('invalid-request', 'The request is not well-formed HTTP.', {}, error)
    : problem
}

function isLongRequestLine(packet: unknown): boolean {
  if (!Buffer.isBuffer(packet)) return false
  const end = packet.indexOf('\n')
  return end < 0 || end > REQUEST.url_bytes
}

/** Refuses `Expect` other than 100-continue, and CONNECT, both of which Node would drop silently. */
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
    // The server has released this socket, so we handle its errors and its end.
    socket.on('error', () => socket.destroy())
    writeRaw(socket, new Problem('method-not-allowed', 'CONNECT is not a method of this service.'), baseUrl, {
      allow: 'GET, HEAD, POST, PATCH, DELETE',
    })
  })
}

function writeRaw(socket: Duplex, problem: Problem, baseUrl: string, extra: Record<string, string> = {}): void {
  const requestId = newRequestId()
  const body = problemBody(problem, baseUrl, requestId)
  const headers = { ...rawHeaders(problem, body, baseUrl, requestId), ...extra }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  // Reads the rest of the client's data for a while: closing a connection with unread bytes would lose the answer.
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
