// A receiver that records requests, checks every signature, and decides itself when it has seen enough.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { verifyWebhook } from '@clinic-data/client'

export interface Arrival {
  /** The URL's path, which identifies the subscription. */
  readonly path: string
  readonly event_id: string
  readonly body: string
  readonly at: number
}

export class EventReceiver {
  readonly arrivals: Arrival[] = []
  readonly faults: string[] = []
  /** By path. Without a secret, signatures are not checked. */
  readonly secrets = new Map<string, string>()
  /** Resolves when the request with this number, from 1, may be answered. */
  beforeAnswer: (number: number) => Promise<void> | void = () => undefined
  /** Called when the answer with this number is on its way. */
  onAnswered: (number: number) => void = () => undefined
  status: (arrival: Arrival) => { status: number; headers?: Record<string, string> } = () => ({ status: 204 })
  clock: () => Date = () => new Date()
  readonly #server = createServer((request, response) => void this.#receive(request, response))
  readonly #waiting: (() => void)[] = []

  /** Listens on 127.0.0.1 until the file's tests end. */
  async listen(): Promise<this> {
    this.#server.keepAliveTimeout = 60_000
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    after(() => {
      this.#server.closeAllConnections()
      this.#server.close()
    })
    return this
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`
  }

  /** How often each event arrived, by path and event. */
  counts(): Map<string, number> {
    const counts = new Map<string, number>()
    for (const { path, event_id } of this.arrivals) {
      const key = `${path} ${event_id}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }

  /** Resolves when enough has arrived. */
  async until(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Forgets all requests and resets its behaviour. */
  clear(): void {
    this.arrivals.length = 0
    this.beforeAnswer = () => undefined
    this.onAnswered = () => undefined
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now()
    let body = ''
    try {
      for await (const piece of request.setEncoding('utf8')) body += piece
    } catch {
      return
    }
    const path = request.url ?? ''
    const arrival = { path, event_id: this.#verified(path, request.headers, body), body, at }
    const number = this.arrivals.push(arrival)
    await this.beforeAnswer(number)
    const { status, headers = {} } = this.status(arrival)
    response.writeHead(status, headers).end(() => this.onAnswered(number))
    for (const wake of this.#waiting.splice(0)) wake()
  }

  #verified(path: string, headers: IncomingHttpHeaders, body: string): string {
    const id = String(headers['x-service-event-id'])
    const secret = this.secrets.get(path)
    if (secret === undefined) return id
    try {
      const event = verifyWebhook({ secret, headers, body, now: this.clock(), require_signed_timestamp: true })
      if (event.id !== id || headers['webhook-id'] !== id) this.faults.push(`${path}: another id`)
    } catch (error) {
      this.faults.push(`${path}: ${error}`)
    }
    return id
  }
}
