// One attempt of a request: its answer read whole within its time, or the error that it is.
import {
  type ClinicDataError,
  ConnectionError,
  type ProblemDocument,
  problemError,
  TimeoutError,
  UnexpectedAnswerError,
} from './errors.ts'
import type { Answer } from './request.ts'
import { retryAfterMs } from './retry.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface PreparedRequest {
  readonly fetch: Fetch
  readonly url: string
  readonly init: RequestInit
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  /** The key: never part of an error. */
  readonly secret: string
}

/** An answer that is no success. */
export interface Failure {
  readonly error: ClinicDataError
  readonly retryAfterMs: number | null
}

/** @throws the reason of the caller's signal, and nothing else. */
export async function attempt(request: PreparedRequest): Promise<Answer | Failure> {
  try {
    return await within(request, async (signal) => {
      const response = await request.fetch(request.url, { ...request.init, signal })
      return read(response, await response.text())
    })
  } catch (error) {
    if (error instanceof TimeoutError) return { error, retryAfterMs: null }
    if (request.signal?.aborted) throw request.signal.reason
    return { error: connectionError(error, request.secret), retryAfterMs: null }
  }
}

/** Ends with the work, at the time-out, or with the caller's signal, also where `fetch` heeds none. */
function within<T>({ timeoutMs, signal }: PreparedRequest, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController()
    const end = (reason: unknown) => {
      fail(reason)
      controller.abort(reason)
    }
    const abort = () => end(signal?.reason)
    const timer = setTimeout(() => end(new TimeoutError(`no whole answer came within ${timeoutMs} ms`)), timeoutMs)
    signal?.addEventListener('abort', abort)
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    const fail = (reason: unknown) => {
      settle()
      reject(reason)
    }
    work(controller.signal).then((value) => {
      settle()
      resolve(value)
    }, fail)
  })
}

function read(response: Response, text: string): Answer | Failure {
  const { status, headers } = response
  const request_id = headers.get('x-request-id')
  if (status === 204) return { body: undefined, status, headers, request_id }
  const body = parsed(text)
  if (response.ok && body !== undefined) return { body, status, headers, request_id }
  const error = isProblem(body)
    ? problemError(body, status, request_id)
    : new UnexpectedAnswerError(whatCame(response), status, request_id)
  return { error, retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()) }
}

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isProblem(body: unknown): body is ProblemDocument {
  if (typeof body !== 'object' || body === null) return false
  const { type, title } = body as Partial<Record<string, unknown>>
  return typeof type === 'string' && typeof title === 'string'
}

/** Without a word of the answer itself: it may be of anyone, about anyone. */
function whatCame({ status, type }: Response): string {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return 'the answer is a redirect, which the client does not follow: it would carry the key elsewhere'
  }
  return `the answer, of status ${status}, is not one of the service: is baseUrl its address?`
}

/** What `fetch` threw, told again: its own error may hold the request, and with it the key. */
function connectionError(error: unknown, secret: string): ConnectionError {
  const chain: Error[] = []
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at)
  const told = chain.map(({ message }) => message.replaceAll(secret, '…')).filter(Boolean)
  const code = chain.map((one) => (one as NodeJS.ErrnoException).code).find((one) => typeof one === 'string')
  const cause = Object.assign(new Error(told.join(': ')), code === undefined ? {} : { code })
  return new ConnectionError(`the connection to the service failed${code ? ` (${code})` : ''}`, { cause })
}
