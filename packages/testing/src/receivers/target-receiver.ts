// A receiver on a real socket with a scripted behaviour for each connection, and the client that sends to it.
import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { TargetClient, type TargetClientOptions } from '@clinic-data/webhooks/receiver/target-client'

/** Everything received on one connection. */
export class Received {
  readonly socket: Socket
  readonly #waiting: (() => void)[] = []
  text = ''

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (bytes: Buffer) => {
      this.text += bytes.toString('latin1')
      for (const check of this.#waiting.splice(0)) check()
    })
  }

  /** The complete requests so far, as they arrived. */
  get requests(): string[] {
    const found: string[] = []
    let rest = this.text
    for (;;) {
      const head = rest.indexOf('\r\n\r\n') + 4
      const length = Number(/^content-length: (\d+)$/im.exec(rest.slice(0, head))?.[1] ?? Number.NaN)
      if (head < 4 || !(rest.length >= head + length)) return found
      found.push(rest.slice(0, head + length))
      rest = rest.slice(head + length)
    }
  }

  /** Resolves with the request with this number, from 1, when it is complete. */
  async request(number = 1): Promise<string> {
    for (;;) {
      const request = this.requests[number - 1]
      if (request !== undefined) return request
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  /** Resolves when the connection is closed. */
  async closed(): Promise<void> {
    if (!this.socket.closed) await new Promise<void>((resolve) => this.socket.once('close', () => resolve()))
  }
}

export class Receiver {
  readonly connections: Received[] = []
  readonly #server: Server
  readonly #waiting: (() => void)[] = []

  constructor(server: Server) {
    this.#server = server
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get open(): number {
    return this.connections.filter(({ socket }) => !socket.closed).length
  }

  /** Resolves when at most this many connections are open. */
  async openAtMost(count: number): Promise<void> {
    while (this.open > count) {
      await Promise.race(this.connections.filter(({ socket }) => !socket.closed).map((each) => each.closed()))
    }
  }

  /** Resolves with the connection with this number, from 1, when it is open. */
  async connection(number = 1): Promise<Received> {
    for (;;) {
      const received = this.connections[number - 1]
      if (received !== undefined) return received
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  url(path = '/hook', host = '127.0.0.1', scheme = 'http'): string {
    return `${scheme}://${host}:${this.port}${path}`
  }

  accept(socket: Socket): Received {
    socket.on('error', () => undefined)
    const received = new Received(socket)
    this.connections.push(received)
    for (const check of this.#waiting.splice(0)) check()
    return received
  }
}

/** Listens on 127.0.0.1 until the test ends. Uses TLS if a certificate is given. */
export async function receive(
  t: TestContext,
  behave: (received: Received) => unknown,
  tls?: TlsOptions,
): Promise<Receiver> {
  const server = tls ? createTlsServer({ ...tls }) : createServer()
  const receiver = new Receiver(server)
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => behave(receiver.accept(socket)))
  const raw = new Set<Socket>()
  server.on('connection', (socket: Socket) => raw.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of raw) socket.destroy()
    server.close()
  })
  return receiver
}

/** Answers each request on each connection with the same bytes. */
export function answering(bytes: string): (received: Received) => Promise<void> {
  return async (received) => {
    for (let number = 1; ; number++) {
      await received.request(number)
      received.socket.write(bytes, 'latin1')
    }
  }
}

export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

export const LOOPBACK = ['127.0.0.0/8', '::1']

/** A client that may send to loopback. */
export function client(t: TestContext, options: TargetClientOptions = {}): TargetClient {
  const made = new TargetClient({ allowCidrs: LOOPBACK, ...options })
  t.after(() => made.close())
  return made
}

export const REQUEST = {
  headers: { 'content-type': 'application/json', 'x-service-event-id': 'evt1' },
  body: '{"id":"evt1"}',
}

/** The sockets that the client opens from now on, as undici reports them. */
export function connectedSockets(t: TestContext): Socket[] {
  const connected = channel('undici:client:connected')
  const sockets: Socket[] = []
  const onConnected = (message: unknown) => sockets.push((message as { socket: Socket }).socket)
  connected.subscribe(onConnected)
  t.after(() => connected.unsubscribe(onConnected))
  return sockets
}
