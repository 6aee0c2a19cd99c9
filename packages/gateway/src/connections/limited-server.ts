// The HTTP server of both listeners. Without its limits, a socket that sends or reads nothing would be kept for ever.
import { createServer, type RequestListener, type Server } from 'node:http'
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
}

const REQUEST_MS = 15_000
const IDLE_MS = 20_000

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
  { clientAddress, requestMs = REQUEST_MS, idleMs = IDLE_MS }: ServerLimits,
): Server {
  const server = createServer({ ...LIMITS, requestTimeout: requestMs }, inLine(inTurns(handler, clientAddress)))
  server.setTimeout(idleMs)
  return server
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
