// One POST from its start to its outcome. The time limit holds for every receiver.
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { type AttemptError, type AttemptOutcome, errorOfStatus, retryAfterOf } from './attempt-outcome.ts'
import type { AnswerReader, PostRequest, TargetConnection } from './target-connection.ts'
import { ConnectError } from './target-connector.ts'

export interface AttemptBounds {
  /** Time for everything, from resolving the name to the end of the body. */
  attemptTimeoutMs: number
  /** Time for the body, once the status is known. */
  bodyTimeoutMs: number
}

/** Handles the connection after the attempt. */
export interface ConnectionKeeper {
  give(connection: TargetConnection): void
}

export class SendAttempt implements AnswerReader {
  /** @throws the HTTP client's error for a request that cannot be written, such as one with a line break in a header. */
  readonly outcome: Promise<AttemptOutcome>
  readonly #resolve: (outcome: AttemptOutcome) => void
  readonly #reject: (error: Error) => void
  readonly #connection: TargetConnection
  readonly #keeper: ConnectionKeeper
  readonly #bounds: AttemptBounds
  readonly #startedAt = performance.now()
  #timer: NodeJS.Timeout
  #status: number | null = null
  #retryAfter: string | null = null
  #mayStart = () => true
  #isOver = false

  constructor(connection: TargetConnection, keeper: ConnectionKeeper, bounds: AttemptBounds) {
    const { promise, resolve, reject } = Promise.withResolvers<AttemptOutcome>()
    this.outcome = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#connection = connection
    this.#keeper = keeper
    this.#bounds = bounds
    this.#timer = setTimeout(() => this.breakOff('timeout'), bounds.attemptTimeoutMs)
  }

  /** @param mayStart called when the connection is ready, just before the request is written. */
  start(request: PostRequest, mayStart: () => boolean): void {
    this.#mayStart = mayStart
    this.#connection.send(request, this)
  }

  /** Ends the attempt now. A status that has already arrived counts. */
  breakOff(error: AttemptError): void {
    this.#end(error, false)
  }

  onRequestStart(): void {
    // Without its connection the client does not write the request.
    if (!this.#mayStart()) this.breakOff('aborted')
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#isOver || status < 200) return
    this.#status = status
    this.#retryAfter = retryAfterOf(headers)
    clearTimeout(this.#timer)
    const { attemptTimeoutMs, bodyTimeoutMs } = this.#bounds
    const left = Math.max(0, this.#startedAt + attemptTimeoutMs - performance.now())
    this.#timer = setTimeout(() => this.breakOff('timeout'), Math.min(bodyTimeoutMs, left))
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    this.#end(null, true)
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (codeOf(error) === 'UND_ERR_INVALID_ARG') this.#reject(error)
    this.#end(errorOf(error), false)
  }

  onTooLong(): void {
    this.#end('invalid_response', false)
  }

  #end(error: AttemptError | null, isReadWhole: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    const said = this.#status === null ? error : errorOfStatus(this.#status)
    if (isReadWhole && said !== 'invalid_response') this.#keeper.give(this.#connection)
    else this.#connection.destroy()
    this.#resolve({
      response_status: said === 'invalid_response' ? null : this.#status,
      error: said,
      duration_ms: Math.round(performance.now() - this.#startedAt),
      retry_after: this.#retryAfter,
    })
  }
}

function errorOf(error: Error): AttemptError {
  if (error instanceof ConnectError) return error.fault
  const isNoAnswer = error.name === 'HTTPParserError' || UNUSABLE.has(codeOf(error)) || UNASKED.has(error.message)
  return isNoAnswer ? 'invalid_response' : 'connection_lost'
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}

const UNUSABLE = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'])
/** undici's errors for an unexpected 100 or 101. They carry the code of a lost connection. */
const UNASKED = new Set(['bad response', 'bad upgrade'])
