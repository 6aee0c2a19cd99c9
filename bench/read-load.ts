// A load of the same request over kept connections, in short turns, for servers that take turns within one run.
import { connect, type Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'

/** A read that has a body is a POST. */
export interface Read {
  path: string
  body?: object
}

export class ReadLoad {
  /** Answers other than 200: a busy machine may let a server refuse for lack of time. */
  refused = 0
  readonly #request: Buffer
  readonly #sockets: Socket[] = []
  #until = 0
  #underWay = 0
  #answered = 0
  #ended = Promise.withResolvers<void>()

  private constructor(request: string) {
    this.#request = Buffer.from(request)
  }

  static async open(port: number, { path, body }: Read, key: string, connections: number): Promise<ReadLoad> {
    const lines = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${key}`]
    const text = body === undefined ? '' : JSON.stringify(body)
    if (body !== undefined) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`)
    const method = body === undefined ? 'GET' : 'POST'
    const load = new ReadLoad([`${method} ${path} HTTP/1.1`, ...lines].join('\r\n') + HEAD_END + text)
    for (let n = 0; n < connections; n++) await load.#connect(port)
    return load
  }

  /** @returns the number of answers and the milliseconds. The last requests of a turn are answered before it ends. */
  async turn(ms: number): Promise<{ answers: number; ms: number }> {
    const startedAt = performance.now()
    this.#until = startedAt + ms
    this.#answered = 0
    this.#underWay = this.#sockets.length
    this.#ended = Promise.withResolvers()
    for (const socket of this.#sockets) socket.write(this.#request)
    await this.#ended.promise
    return { answers: this.#answered, ms: performance.now() - startedAt }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async #connect(port: number): Promise<void> {
    const socket = connect(port, '127.0.0.1')
    await new Promise((resolve) => socket.once('connect', resolve))
    let missing = 0
    socket.on('data', (bytes) => {
      if (missing === 0) missing = this.#lengthOf(bytes)
      missing -= bytes.length
      if (missing === 0) this.#next(socket)
    })
    this.#sockets.push(socket)
  }

  /** An answer's head comes in one piece. */
  #lengthOf(bytes: Buffer): number {
    const end = bytes.indexOf(HEAD_END) + HEAD_END.length
    const head = bytes.toString('latin1', 0, end)
    if (!head.startsWith('HTTP/1.1 200 ')) this.refused++
    return end + Number(/^content-length: (\d+)/im.exec(head)?.[1])
  }

  #next(socket: Socket): void {
    this.#answered++
    if (performance.now() < this.#until) socket.write(this.#request)
    else if (--this.#underWay === 0) this.#ended.resolve()
  }
}
