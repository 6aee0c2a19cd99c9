// The HTTP server below either listener: without these limits a socket that sends nothing, or reads nothing, is kept for ever.
import { createServer, type RequestListener, type Server } from 'node:http'
import { REQUEST } from '@clinic-data/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { inLine } from './connection-line.ts'

export interface ServerLimits {
  maxConnections: number
  /** For a request to arrive whole. */
  requestMs?: number
  /** For which nothing moves on a connection, in either direction. */
  idleMs?: number
}

const REQUEST_MS = 15_000
const IDLE_MS = 20_000

const LIMITS = {
  keepAliveTimeout: 10_000,
  headersTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: REQUEST.header_bytes,
  // A missing Host is answered by us, as a problem.
  requireHostHeader: false,
} as const

export function limitedServer(
  handler: RequestListener,
  { maxConnections, requestMs = REQUEST_MS, idleMs = IDLE_MS }: ServerLimits,
): Server {
  const server = createServer({ ...LIMITS, requestTimeout: requestMs }, inLine(handler))
  server.setTimeout(idleMs)
  server.maxConnections = maxConnections
  return server
}

/**
 * A hook (`onSend`). An answer that leaves before its request has arrived whole ends the connection: what is still to come of the
 * body would be waited for, or a second answer be given to its faults, which the client would take for the next request's.
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
