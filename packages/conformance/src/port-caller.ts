// Makes one call of the port under test. The caller may send anything, and gets the reply unchecked.
import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { request as requestSecurely, Agent as SecureAgent } from 'node:https'
import { MAX } from '@clinic-data/contract'
import { bytesWithin } from '@clinic-data/contract/bytes-within'
import { PORT_LIMITS, portHeaders } from '@clinic-data/contract/port'

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** No reply came. The message says why, and quotes nothing that was sent or received. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

export interface CallOptions {
  method?: 'GET' | 'POST'
  /** Sent as JSON. */
  body?: unknown
  /** Sent instead of `body`, as it is. */
  text?: string
  /** Null leaves the header out. By default it carries the token. */
  authorization?: string | null
  /** The value of `x-deadline-ms`. The caller waits longer. */
  deadlineMs?: number
  /** Reads at most this many bytes. */
  mostBytes?: number
}

/** A backend answers within the port's deadline. The rest is for the network. */
const TIMEOUT_MS = PORT_LIMITS.deadline_ms + 2000
/** A connection that waited longer may be closed by the backend just when it is used again. */
const IDLE_MS = 4000

export class PortCaller {
  readonly #prefix: string
  /** Not `fetch`, which takes twice as long for a small answer: a run asks thousands. */
  readonly #send: typeof request
  readonly #agent: Agent
  readonly #token: string
  /** No call is made after this time, on the monotonic clock. */
  until = Number.POSITIVE_INFINITY
  calls = 0

  constructor(url: string, token: string) {
    this.#prefix = url.replace(/\/+$/, '')
    const isSecure = /^https:/i.test(url)
    const kept = { keepAlive: true, timeout: IDLE_MS }
    this.#send = isSecure ? requestSecurely : request
    this.#agent = isSecure ? new SecureAgent(kept) : new Agent(kept)
    this.#token = token
  }

  /** The header with the right token. */
  get authorization(): string {
    return `Bearer ${this.#token}`
  }

  /** @throws NoAnswer */
  async call(path: string, options: CallOptions = {}): Promise<Reply> {
    const { method = 'POST', authorization = this.authorization, deadlineMs = PORT_LIMITS.deadline_ms } = options
    if (performance.now() > this.until) throw new NoAnswer('this rule took too long')
    this.calls += 1
    const body = options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const headers: OutgoingHttpHeaders = {
      [portHeaders.deadline]: String(deadlineMs),
      [portHeaders.request_id]: 'req_conformance',
      'accept-encoding': 'identity',
    }
    if (authorization !== null) headers.authorization = authorization
    if (body !== undefined) headers['content-type'] = 'application/json'
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const call = this.#send(this.#prefix + path, { method, headers, agent: this.#agent, signal })
      call.end(body)
      const [reply] = (await once(call, 'response')) as [IncomingMessage]
      const most = options.mostBytes ?? PORT_LIMITS.response_bytes
      const bytes = await bytesWithin(reply, Math.min(most, MAX.file))
      if (bytes === null) throw new NoAnswer(`an answer of more than ${most} bytes`)
      return { status: reply.statusCode ?? 0, headers: reply.headers, bytes }
    } catch (error) {
      if (error instanceof NoAnswer) throw error
      throw new NoAnswer(signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error))
    }
  }
}

function reasonOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed'
}
