// Queues requests that a client sends ahead on one connection: one runs, few wait, and a client that sends more is cut off. Node would
// start all of a packet's requests, thousands of them, and keep them and their answers in memory for a client that never reads.
//
//   createServer(inLine(handler))

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A client that sends more ahead does not want the answers. */
export const MAX_WAITING = 32
/**
 * The limit for the whole process, over all listeners. Each request may have headers of 16 KiB, Node takes half a millisecond to end one
 * whose client has gone, and few clients send ahead at all.
 */
export const MAX_WAITING_IN_ALL = 250

interface Line {
  isRunning: boolean
  readonly waiting: (() => void)[]
}

const lines = new WeakMap<Socket, Line>()
let waitingInAll = 0

/** Answers leave in the order of the requests, so the next request starts when the answer before it has left. */
export function inLine(handler: Handler): Handler {
  const run = (line: Line, request: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => goOn(line))
    if (!request.socket.destroyed) handler(request, response)
  }
  return (request, response) => {
    const { socket } = request
    const line = lines.get(socket) ?? newLine(socket)
    if (socket.destroyed) return
    if (!line.isRunning) {
      line.isRunning = true
      // Runs after the whole packet is parsed, so that nothing of a connection that is cut runs. But a faulty request is reported
      // before a faulty body.
      if (hasBody(request)) run(line, request, response)
      else process.nextTick(run, line, request, response)
    } else if (line.waiting.length < MAX_WAITING && waitingInAll < MAX_WAITING_IN_ALL) {
      waitingInAll++
      line.waiting.push(() => run(line, request, response))
    } else cut(socket)
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (headers['transfer-encoding'] ?? headers['content-length'] ?? '0') !== '0'
}

function newLine(socket: Socket): Line {
  const line: Line = { isRunning: false, waiting: [] }
  lines.set(socket, line)
  socket.once('close', () => {
    waitingInAll -= line.waiting.length
    line.waiting.length = 0
  })
  return line
}

function goOn(line: Line): void {
  const next = line.waiting.shift()
  line.isRunning = next !== undefined
  if (next === undefined) return
  waitingInAll--
  next()
}

/** The parser's result for bytes that are not HTTP. */
const NOT_HTTP = 2

/**
 * Ends a connection and the parsing of its last packet: Node would create every request of a packet even after the socket is
 * destroyed.
 */
function cut(socket: Socket): void {
  socket.destroy()
  const { parser } = socket as { parser?: { onIncoming: () => number } }
  if (parser) parser.onIncoming = () => NOT_HTTP
}
