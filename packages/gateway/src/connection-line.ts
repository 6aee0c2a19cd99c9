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
  return (request, response) => {
    const { socket } = request
    const line = lines.get(socket) ?? { running: 0, waiting: [] }
    lines.set(socket, line)
    const start = () => {
      line.running++
      response.once('close', () => {
        line.running--
        if (!socket.destroyed) line.waiting.shift()?.()
        if (line.waiting.length === 0) socket.resume()
      })
      handler(request, response)
    }
    if (line.running < AT_ONCE && line.waiting.length === 0) start()
    else if (line.waiting.push(start) <= MAX_WAITING) socket.pause()
    else socket.destroy()
  }
}
