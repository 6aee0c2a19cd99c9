// Requests that a client sends ahead on one connection, without awaiting the answers: a few run at once, the others wait,
// and while they do no more is read. Node would start all that one packet holds, thousands, and keep their answers in
// memory for a client that never reads them.
//
//   createServer(inLine(handler))

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A key runs no more than twenty requests at once anyway. */
const AT_ONCE = 16
/** More than one packet of requests that bear a key. Whoever sends more does not want the answers. */
const MAX_WAITING = 1_000

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

export function inLine(handler: Handler): Handler {
  const lines = new WeakMap<Socket, Line>()
  const run = (line: Line, request: IncomingMessage, response: ServerResponse) => {
    line.running++
    response.on('close', () => {
      line.running--
      if (line.waiting.length > 0) goOn(line, request.socket)
    })
    handler(request, response)
  }
  return (request, response) => {
    const { socket } = request
    let line = lines.get(socket)
    if (line === undefined) {
      line = { running: 0, waiting: [] }
      lines.set(socket, line)
    }
    if (line.running < AT_ONCE && line.waiting.length === 0) run(line, request, response)
    else if (line.waiting.push(run.bind(null, line, request, response)) <= MAX_WAITING) socket.pause()
    else socket.destroy()
  }
}

function goOn({ waiting }: Line, socket: Socket): void {
  if (!socket.destroyed) waiting.shift()?.()
  if (waiting.length === 0) socket.resume()
}
