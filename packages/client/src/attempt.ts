// Sends a request once. Reads the whole answer within the time limit, or throws the error that explains the failure.
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
  /** The key or the token. It is never part of an error. */
  readonly secret: string
}

/** An answer whose status is not a success. */
export interface Failure {
  readonly error: ClinicDataError
  readonly retryAfterMs: number | null
}

/** @throws only the reason of the caller's signal. */
export async function attempt(request: PreparedRequest): Promise<Answer | Failure> {
  try {
    return await within(request, async (signal) => {
      const response = await request.fetch(request.url, { ...request.init, signal })
      return read(response, await response.text(), addressOf(request))
    })
  } catch (error) {
    if (error instanceof TimeoutError) return { error, retryAfterMs: null }
    if (request.signal?.aborted) throw request.signal.reason
    return { error: connectionError(error, request), retryAfterMs: null }
  }
}

/** Ends with the work, at the time limit, or with the caller's signal, even when `fetch` ignores its signal. */
function within<T>(request: PreparedRequest, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { timeoutMs, signal } = request
  return new Promise((resolve, reject) => {
    const controller = new AbortController()
    const end = (reason: unknown) => {
      fail(reason)
      controller.abort(reason)
    }
    const abort = () => end(signal?.reason)
    const late = () => end(new TimeoutError(`no whole answer of ${addressOf(request)} came within ${timeoutMs} ms`))
    const timer = setTimeout(late, timeoutMs)
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

function read(response: Response, text: string, address: string): Answer | Failure {
  const { status, headers } = response
  const request_id = headers.get('x-request-id')
  if (status === 204) return { body: undefined, status, headers, request_id }
  const body = parsed(text)
  if (response.ok && body !== undefined) return { body, status, headers, request_id }
  const error = isProblem(body)
    ? problemError(body, status, request_id)
    : new UnexpectedAnswerError(whatCame(response, address), status, request_id)
  return { error, retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()) }
}

/** Undefined when the text is not JSON. */
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

/** Describes the answer without quoting it: it may come from anyone and be about anyone. */
function whatCame({ status, type }: Response, address: string): string {
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    return `the answer of ${address} is a redirect, which the client does not follow: it would carry the key elsewhere`
  }
  return `the answer of ${address}, of status ${status}, is not one of the service: is baseUrl its address?`
}

/** Replaces the error that `fetch` threw: that one may hold the request, and with it the key. */
function connectionError(error: unknown, request: PreparedRequest): ConnectionError {
  const chain: Error[] = []
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at)
  const messages = chain.map(({ message }) => message.replaceAll(request.secret, '…')).filter(Boolean)
  const code = chain.map((one) => (one as NodeJS.ErrnoException).code).find((one) => typeof one === 'string')
  const cause = Object.assign(new Error(messages.join(': ')), code === undefined ? {} : { code })
  const why = code === undefined ? '' : ` (${code})`
  return new ConnectionError(`the connection to the service failed: ${addressOf(request)}${why}`, { cause })
}

/** Without the path, which may hold a patient's id. The settings allow no credentials in it. */
function addressOf({ url }: PreparedRequest): string {
  return new URL(url).origin
}
