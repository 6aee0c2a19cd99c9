// The HTTP server of both listeners. Without its limits, a socket that sends or reads nothing would be kept for ever.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { REQUEST } from '@clinic-data/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ClientAddress } from './client-address.ts'
import { inLine } from './connection-line.ts'
import { inTurns } from './fair-turns.ts'

export interface ServerLimits {
  clientAddress: ClientAddress
  /** Time for a request to arrive whole. */
  requestMs?: number
  /** Time without any data on a connection, in either direction. */
  idleMs?: number
  /** Time between two requests on a connection of a trusted proxy. */
  proxyIdleMs?: number | undefined
}

const REQUEST_MS = 15_000
const IDLE_MS = 20_000
/**
 * Longer than load balancers keep a connection (at most 600 s, Google Cloud's). Otherwise one would send a request just when the service
 * ends the connection, and answer 502.
 */
export const PROXY_IDLE_SECONDS = 620

const LIMITS = {
  keepAliveTimeout: 10_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: REQUEST.header_bytes,
  // We answer a missing Host ourselves, with a problem.
  requireHostHeader: false,
} as const

export function limitedServer(
  handler: RequestListener,
  { clientAddress, requestMs = REQUEST_MS, idleMs = IDLE_MS, proxyIdleMs = PROXY_IDLE_SECONDS * 1000 }: ServerLimits,
): Server {
  const inOrder = inLine(inTurns(handler, clientAddress))
  const server = createServer({ ...LIMITS, requestTimeout: requestMs }, (request, response) => {
    if (clientAddress.isTrustedProxy(request.socket)) keepLonger(request, response, proxyIdleMs)
    inOrder(request, response)
  })
  server.setTimeout(idleMs)
  return server
}

/** Replaces the timeout that Node.js sets when an answer has left and no request follows: the same for all of a server's connections. */
function keepLonger({ socket }: IncomingMessage, response: ServerResponse, idleMs: number): void {
  response.setHeader('keep-alive', `timeout=${Math.floor(idleMs / 1000)}`)
  const before = socket.timeout
  response.once('finish', () => {
    if (socket.timeout !== before) socket.setTimeout(idleMs)
  })
}

/**
 * A hook (`onSend`). Closes the connection when an answer leaves before its request has arrived whole. Otherwise the server would
 * wait for the rest of the body, or answer its faults a second time, and the client would take that for the next request's answer.
 */
export function closeUnread(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const { complete, headers } = request.raw
  const announced = headers['transfer-encoding'] ?? headers['content-length'] ?? '0'
  if (!complete && announced !== '0') reply.header('connection', 'close')
  done(null, payload)
}
