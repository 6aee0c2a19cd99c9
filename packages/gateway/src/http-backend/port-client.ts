// One call of the backend's port: within its deadline, behind a bulkhead and a breaker, reads repeated once.
//
//   bulkhead (calls at once, and waiting) → breaker → one of few kept connections

import { PORT_LIMITS, portHeaders } from '@clinic-data/contract/port'
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  TaskCancelledError,
} from 'cockatiel'
import { type Dispatcher, Pool } from 'undici'
import type { Log } from '../log.ts'
import { failureOf, PortFailure } from './port-failure.ts'
import { RetryBudget } from './retry-budget.ts'

export interface PortClientOptions {
  url: string
  /** Sent with every call. */
  token: string
  log: Pick<Log, 'warn' | 'info'>
  /** Kept open to the backend: as many calls run at once. */
  connections?: number
  /** Calls that wait for a connection; more are refused at once. */
  waiting?: number
  connectTimeoutMs?: number
  /** How long the breaker stays open before one call tries again. */
  breakMs?: number
}

export interface Call {
  method: 'GET' | 'POST'
  path: string
  body?: string
  requestId?: string
  /** On the monotonic clock. */
  deadline: number
  /** Repeating it changes nothing: a read. */
  isRepeatable: boolean
}

export type Answered = Dispatcher.ResponseData<unknown>

const CONNECTIONS = 64
/** Four times the connections: at 8 ms a call the last of them waits 32 ms. */
const WAITING = 256
/** A backend in reach accepts within milliseconds; one that does not will not within the deadline either. */
const CONNECT_TIMEOUT_MS = 2000
/** Failures in a row that open the breaker. */
const BREAK_AFTER = 5
const BREAK_MS = 1000
/** A call that had less time than this when it began says nothing of the backend when it was late. */
const FAIR_MS = 1000

export class PortClient {
  readonly #pool: Pool
  readonly #prefix: string
  readonly #authorization: string
  readonly #bulkhead
  readonly #breaker
  readonly #retries = new RetryBudget()

  constructor({ url, token, log, ...options }: PortClientOptions) {
    const { origin, pathname } = new URL(url)
    const connections = options.connections ?? CONNECTIONS
    this.#prefix = pathname.replace(/\/+$/, '')
    this.#authorization = `Bearer ${token}`
    this.#pool = new Pool(origin, {
      connections,
      connectTimeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      headersTimeout: PORT_LIMITS.deadline_ms,
      bodyTimeout: PORT_LIMITS.deadline_ms,
      maxResponseSize: PORT_LIMITS.response_bytes,
      allowH2: false,
    })
    this.#bulkhead = bulkhead(connections, options.waiting ?? WAITING)
    this.#breaker = circuitBreaker(
      handleWhen((error) => error instanceof PortFailure && error.isSymptom),
      { halfOpenAfter: options.breakMs ?? BREAK_MS, breaker: new ConsecutiveBreaker(BREAK_AFTER) },
    )
    this.#breaker.onBreak(() => log.warn({}, 'the backend cannot be reached: calls are refused at once'))
    this.#breaker.onReset(() => log.info({}, 'the backend can be reached again'))
  }

  /**
   * What `read` makes of the answer.
   *
   * @throws PortFailure, or what `read` throws.
   */
  async call<T>(call: Call, read: (answered: Answered) => Promise<T>): Promise<T> {
    this.#retries.earn()
    try {
      return await this.#guarded(call, read)
    } catch (error) {
      const again = error instanceof PortFailure && error.kind === 'unreachable' && call.isRepeatable
      if (!again || !this.#retries.spend()) throw error
      return await this.#guarded(call, read)
    }
  }

  /** Once, whatever the breaker and the bulkhead say: to learn whether the backend lives. */
  probe<T>(call: Call, read: (answered: Answered) => Promise<T>): Promise<T> {
    return within(call.deadline, (signal) => this.#send(call, signal, read))
  }

  /** Waits for the calls under way. */
  close(): Promise<void> {
    return this.#pool.close()
  }

  #guarded<T>(call: Call, read: (answered: Answered) => Promise<T>): Promise<T> {
    const isFair = call.deadline - performance.now() >= FAIR_MS
    return within(call.deadline, async (signal) => {
      try {
        return await this.#bulkhead.execute(() => {
          // While one call tries whether the backend is back, the breaker would let the others wait for it.
          if (this.#breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
          return this.#breaker.execute(() => this.#send(call, signal, read, isFair))
        }, signal)
      } catch (error) {
        throw isRefusal(error) ? new PortFailure('shed', error.message, { cause: error }) : error
      }
    })
  }

  async #send<T>(
    { method, path, body, requestId, deadline }: Call,
    signal: AbortSignal,
    read: (answered: Answered) => Promise<T>,
    isFair = true,
  ): Promise<T> {
    const headers: Record<string, string> = {
      authorization: this.#authorization,
      [portHeaders.deadline]: String(Math.max(0, Math.floor(deadline - performance.now()))),
    }
    if (requestId !== undefined) headers[portHeaders.request_id] = requestId
    if (body !== undefined) headers['content-type'] = 'application/json'
    try {
      return await read(
        await this.#pool.request({ method, path: this.#prefix + path, headers, body: body ?? null, signal }),
      )
    } catch (error) {
      if (signal.aborted) throw new PortFailure('late', 'the deadline passed', { cause: error, isSymptom: isFair })
      throw isProblem(error) ? error : failureOf(error)
    }
  }
}
