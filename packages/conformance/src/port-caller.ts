// Makes one call of the port under test. The caller may send anything, and gets the reply unchecked.
import { MAX } from '@clinic-data/contract'
import { bytesWithin } from '@clinic-data/contract/bytes-within'
import { PORT_LIMITS, portHeaders } from '@clinic-data/contract/port'

export interface Reply {
  status: number
  headers: Headers
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

export class PortCaller {
  readonly #prefix: string
  readonly #token: string
  /** No call is made after this time, on the monotonic clock. */
  until = Number.POSITIVE_INFINITY
  calls = 0

  constructor(url: string, token: string) {
    this.#prefix = url.replace(/\/+$/, '')
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
    const headers: Record<string, string> = {
      [portHeaders.deadline]: String(deadlineMs),
      [portHeaders.request_id]: 'req_conformance',
      'accept-encoding': 'identity',
    }
    if (authorization !== null) headers.authorization = authorization
    if (body !== undefined) headers['content-type'] = 'application/json'
    try {
      const response = await fetch(this.#prefix + path, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body === undefined ? {} : { body }),
      })
      const most = options.mostBytes ?? PORT_LIMITS.response_bytes
      const bytes = await bytesWithin(response.body ?? [], Math.min(most, MAX.file))
      if (bytes === null) throw new NoAnswer(`an answer of more than ${most} bytes`)
      return { status: response.status, headers: response.headers, bytes }
    } catch (error) {
      throw error instanceof NoAnswer ? error : new NoAnswer(reasonOf(error))
    }
  }
}

function reasonOf(error: unknown): string {
  const { name, cause } = (error ?? {}) as { name?: unknown; cause?: { code?: unknown; message?: unknown } }
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`
  // `fetch` refuses the ports of other services, as browsers do.
  if (cause?.message === 'bad port') return 'HTTP clients refuse this port number'
  const code = cause?.code
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed'
}
