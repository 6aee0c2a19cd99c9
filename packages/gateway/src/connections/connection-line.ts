// Requests that a client sends ahead on one connection, without awaiting the answers: one runs, few wait, and while they do no
// more is read. Node would start all that one packet holds, thousands, and keep them and their answers in memory for a client
// that never reads.
//
//   createServer(inLine(handler))

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Whoever sends more ahead does not want the answers. */
export const MAX_WAITING = 32
/** In the process, whichever listener they came by. Each may have headers of 16 KiB, and few clients send ahead at all. */
export const MAX_WAITING_IN_ALL = 1_000

interface Line {
  isRunning: boolean
  readonly waiting: (() => void)[]
}

const lines = new WeakMap<Socket, Line>()
let waitingInAll = 0

/** Answers go out in the order of the requests, so the next one begins when the answer before it has left. */
export function inLine(handler: Handler): Handler {
  const run = (line: Line, request: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => goOn(line, request.socket))
    if (!request.socket.destroyed) handler(request, response)
  }
  return (request, response) => {
    const { socket } = request
    const line = lines.get(socket) ?? newLine(socket)
    if (socket.destroyed) return
    if (!line.isRunning) {
      line.isRunning = true
      // Once the packet has been parsed: of a connection that is cut for it nothing runs. But what is wrong with a request is
      // told before what is wrong with its body.
      if (hasBody(request)) run(line, request, response)
      else process.nextTick(run, line, request, response)
    } else if (line.waiting.length < MAX_WAITING && waitingInAll < MAX_WAITING_IN_ALL) {
      waitingInAll++
      line.waiting.push(() => run(line, request, response))
      socket.pause()
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

function goOn(line: Line, socket: Socket): void {
  const next = line.waiting.shift()
  line.isRunning = next !== undefined
  if (next === undefined) return
  waitingInAll--
  if (line.waiting.length === 0) socket.resume()
  next()
}

/** Of a parser's result: what follows in the packet is no HTTP. */
const NOT_HTTP = 2

/** Ends a connection, and with it the parsing of what its last packet still holds: of a destroyed one, too, Node makes every request. */
function cut(socket: Socket): void {
  socket.destroy()
  const { parser } = socket as { parser?: { onIncoming: () => number } }
  if (parser) parser.onIncoming = () => NOT_HTTP
}
