// One bare call of the port under test: what is sent is the caller's to choose, and what comes is kept whatever it is.
import { MAX } from '@clinic-data/contract'
import { PORT_LIMITS, portHeaders } from '@clinic-data/contract/port'

export interface Reply {
  status: number
  headers: Headers
  bytes: Buffer
}

/** No answer at all; the message says why, and quotes nothing that was sent or came. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

export interface CallOptions {
  method?: 'GET' | 'POST'
  /** Written as JSON. */
  body?: unknown
  /** Sent as it is, in place of `body`. */
  text?: string
  /** Null: no such header. By default the token's. */
  authorization?: string | null
  /** What `x-deadline-ms` says; the caller waits all the same. */
  deadlineMs?: number
  /** The most bytes that are read. */
  mostBytes?: number
}

/** A backend answers within the port's own deadline; the rest is the way there and back. */
const TIMEOUT_MS = PORT_LIMITS.deadline_ms + 2000

export class PortCaller {
  readonly #prefix: string
  readonly #token: string
  /** On the monotonic clock: no call is made later. */
  until = Number.POSITIVE_INFINITY
  calls = 0

  constructor(url: string, token: string) {
    this.#prefix = url.replace(/\/+$/, '')
    this.#token = token
  }

  /** The header of a caller that is what it says. */
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
      const bytes = await bytesOf(response, options.mostBytes ?? PORT_LIMITS.response_bytes)
      return { status: response.status, headers: response.headers, bytes }
    } catch (error) {
      throw error instanceof NoAnswer ? error : new NoAnswer(reasonOf(error))
    }
  }
}

async function bytesOf(response: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > Math.min(most, MAX.file)) throw new NoAnswer(`an answer of more than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function reasonOf(error: unknown): string {
  const { name, cause } = (error ?? {}) as { name?: unknown; cause?: { code?: unknown; message?: unknown } }
  if (name === 'TimeoutError') return `no answer within ${TIMEOUT_MS / 1000} s`
  // The ports of other services, to which no browser connects either.
  if (cause?.message === 'bad port') return 'this port number is one that HTTP clients refuse'
  const code = cause?.code
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed'
}
