// Calls one backend's port: within a deadline, behind a bulkhead and a breaker.
//
//   bulkhead (calls at once, and waiting) → breaker → one of few kept connections
//
// To a backend that takes several calls in one message, those of one turn of the event loop go together (`call-group.ts`).

import type { IncomingHttpHeaders } from 'node:http'
import type { LookupFunction } from 'node:net'
import { isIPv6 } from 'node:net'
import { Problem } from '@clinic-data/contract'
import { PORT_LIMITS, portHeaders } from '@clinic-data/contract/port'
import { isRefusedCall, type PortReply } from '@clinic-data/contract/port-answer'
import { context, propagation, SpanKind, type SpanOptions } from '@opentelemetry/api'
import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { type Dispatcher, Pool } from 'undici'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { Log } from '../telemetry/log.ts'
import { inSpan, isTraced } from '../telemetry/spans.ts'
import { CallGroups } from './call-group.ts'
import type { Call } from './port-call.ts'
import { failureOf, PortFailure } from './port-failure.ts'
import { type SharedSettings, SharedSettingsWatch } from './shared-settings.ts'
import { ShedLog } from './shed-log.ts'

export interface PortClientOptions {
  url: string
  /** Its address, when the name in `url` has several. Null: wherever the name points. */
  address?: string | null
  /** Sent with every call. */
  token: string
  log: Pick<Log, 'warn' | 'info'>
  /** Compared with the backend's. Absent: nothing is. */
  shared?: SharedSettings
  /** Kept connections, and so the number of simultaneous calls. */
  connections?: number
  /** Calls that may wait for a connection. More are refused at once. */
  waiting?: number
  connectTimeoutMs?: number
  /** How long the breaker stays open before one call tries again. */
  breakMs?: number
  maxResponseBytes?: number
}

/** A file's answer names up to 50 patients, each with up to 128 characters of six bytes. */
const HEADERS_BYTES = 64 * 1024

export type Answered = Dispatcher.ResponseData<unknown>

/** Reads an answer: when it is whole, or while it arrives. */
export type Read<T> =
  | { whole: (reply: PortReply) => T | Problem }
  | { streamed: (answered: Answered) => Promise<T | Problem> }

/** `draining`: it still answers, but says that it is about to stop. `broken`: it did not answer lately. */
export type Condition = 'well' | 'draining' | 'broken'

/** All calls share one line of places. */
const PLACES = 'calls'
const CONNECTIONS = 64
/** Four times the connections: at 8 ms per call the last of them waits 32 ms. */
const WAITING = 256
/** A reachable backend accepts within milliseconds. One that does not will not within the deadline either. */
const CONNECT_TIMEOUT_MS = 2000
/** Consecutive failures that open the breaker. */
const BREAK_AFTER = 5
const BREAK_MS = 1000
/** A late call that started with less time than this says nothing about the backend. */
const FAIR_MS = 1000

export class PortClient {
  readonly #pool: Pool
  readonly #prefix: string
  readonly #authorization: string
  /** The bulkhead. */
  readonly #places: ConcurrencyLimit
  readonly #connections: number
  readonly #breaker
  readonly #log: PortClientOptions['log']
  /** The backend's name in the log. */
  readonly #name: string
  readonly #shed: ShedLog
  readonly #shared: SharedSettingsWatch | null
  /** For messages of several calls: each line of their answers is limited, not the whole. */
  readonly #poolOfGroups: Pool
  readonly #groups: CallGroups
  #takesCalls = false
  #recordsReads = false
  #isDraining = false
  /** When the backend said so last. */
  #drainingSince = 0
  #pending = 0

  constructor({ url, address = null, token, log, shared, ...options }: PortClientOptions) {
    const { origin, pathname } = new URL(url)
    const connections = options.connections ?? CONNECTIONS
    this.#prefix = pathname.replace(/\/+$/, '')
    this.#authorization = `Bearer ${token}`
    this.#log = log
    this.#name = address === null ? origin : `${origin} (${address})`
    this.#shed = new ShedLog(log, this.#name)
    this.#shared = shared === undefined ? null : new SharedSettingsWatch(shared, log, this.#name)
    const poolOptions: Pool.Options = {
      connections,
      connect: {
        timeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
        ...(address === null ? {} : { lookup: lookupOf(address) }),
      },
      headersTimeout: PORT_LIMITS.deadline_ms,
      bodyTimeout: PORT_LIMITS.deadline_ms,
      allowH2: false,
    }
    const maxResponseSize = options.maxResponseBytes ?? PORT_LIMITS.response_bytes
    this.#pool = new Pool(origin, { ...poolOptions, maxResponseSize, maxHeaderSize: HEADERS_BYTES })
    this.#poolOfGroups = new Pool(origin, poolOptions)
    this.#connections = connections
    this.#places = new ConcurrencyLimit({
      maxRunning: connections,
      maxWaiting: options.waiting ?? WAITING,
      waitMs: PORT_LIMITS.deadline_ms,
    })
    this.#breaker = circuitBreaker(
      handleWhen((error) => error instanceof PortFailure && error.isSymptom),
      { halfOpenAfter: options.breakMs ?? BREAK_MS, breaker: new ConsecutiveBreaker(BREAK_AFTER) },
    )
    this.#groups = new CallGroups({
      dispatcher: this.#poolOfGroups,
      prefix: this.#prefix,
      authorization: this.#authorization,
      heed: (headers, sentAt) => this.#heed(headers, sentAt),
      guard: (ask) => this.#unbroken(ask),
    })
    const backend = this.#name
    this.#breaker.onBreak(() => log.warn({ backend }, 'the backend cannot be reached: calls are refused at once'))
    this.#breaker.onReset(() => log.info({ backend }, 'the backend can be reached again'))
  }

  get condition(): Condition {
    if (this.#breaker.state !== CircuitState.Closed) return 'broken'
    return this.#isDraining ? 'draining' : 'well'
  }

  /** The number of running and waiting calls. */
  get pending(): number {
    return this.#pending
  }

  /**
   * Returns the result of `read`. To the breaker, a returned problem is an answer like any other.
   *
   * @throws Problem of the backend; PortFailure when there was no answer.
   */
  async call<T>(call: Call, read: Read<T>): Promise<T> {
    this.#pending++
    try {
      await this.#enter(call)
      try {
        const asking = () => this.#askRecording(call, read)
        return orThrow(await inSpan(`${call.method} ${call.path}`, this.#spanOf(call), asking))
      } finally {
        this.#places.leave(PLACES)
      }
    } finally {
      this.#pending--
    }
  }

  /** Calls once, past the breaker and the bulkhead, to learn whether the backend lives. */
  async probe<T>(call: Call, read: Read<T>): Promise<T> {
    return orThrow(await within(call.deadline, (signal) => this.#send(call, signal, read)))
  }

  /** Waits for the running calls. */
  async close(): Promise<void> {
    this.#groups.send()
    await Promise.all([this.#pool.close(), this.#poolOfGroups.close()])
  }

  /** Aborts the running calls. */
  async destroy(): Promise<void> {
    await Promise.all([this.#pool.destroy(), this.#poolOfGroups.destroy()])
  }

  /** Takes one of the places, at once or in turn. */
  #enter({ deadline }: Call): Promise<void> | undefined {
    const remaining = deadline - performance.now()
    if (remaining <= 0) throw new PortFailure('late', 'the deadline had passed')
    if (this.#pending <= this.#connections) return this.#places.enter(PLACES)
    const signal = AbortSignal.timeout(Math.ceil(remaining))
    return this.#places.enter(PLACES, signal)?.catch(() => {
      if (signal.aborted) throw new PortFailure('late', 'the deadline passed before its turn')
      this.#shed.add()
      throw notAsked()
    })
  }

  /** Asks a backend that records reads to record this one, unless an earlier version has taken its place and refuses that. */
  async #askRecording<T>(call: Call, read: Read<T>): Promise<T | Problem> {
    if (call.record === undefined || !this.#recordsReads || !('whole' in read)) return this.#ask(call, read)
    const body = `${call.body?.slice(0, -1)},"record":${call.record}}`
    const reading = (reply: PortReply) => (isRefusedCall(reply, 400) ? NOT_TAKEN : read.whole(reply))
    const recorded = await this.#ask({ ...call, body }, { whole: reading })
    return recorded === NOT_TAKEN ? this.#ask(call, read) : recorded
  }

  async #ask<T>(call: Call, read: Read<T>): Promise<T | Problem> {
    const isFair = call.deadline - performance.now() >= FAIR_MS
    try {
      const shared = 'whole' in read && this.#mayShare(call) ? await this.#groups.ask(call, isFair, read.whole) : null
      if (shared !== null) return shared.value
      return await this.#unbroken(() =>
        within(call.deadline, (signal) => this.#send(call, signal, read, isFair), isFair),
      )
    } catch (error) {
      throw error instanceof BrokenCircuitError ? notAsked() : error
    }
  }

  #spanOf({ method, path }: Call): SpanOptions {
    const attributes = { 'http.request.method': method, 'url.template': path, 'server.address': this.#name }
    return { kind: SpanKind.CLIENT, attributes }
  }

  /** Whether this call may go with others. The breaker tests a backend with a single call, and a trace follows a single call. */
  #mayShare({ body }: Call): boolean {
    const isShort = body !== undefined && body.length <= PORT_LIMITS.call_characters
    return isShort && !isTraced() && this.#takesCalls && this.#breaker.state === CircuitState.Closed
  }

  /** While one call tests whether the backend is back, the breaker would make the others wait for it. */
  async #unbroken<T>(work: () => Promise<T>): Promise<T> {
    if (this.#breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
    return this.#breaker.execute(work)
  }

  async #send<T>(
    { method, path, body, requestId, clientAddress = null, deadline }: Call,
    signal: AbortSignal,
    read: Read<T>,
    isFair = true,
  ): Promise<T | Problem> {
    const headers: Record<string, string> = {
      authorization: this.#authorization,
      [portHeaders.compares_networks]: '1',
      [portHeaders.deadline]: String(Math.max(0, Math.floor(deadline - performance.now()))),
    }
    if (requestId !== undefined) headers[portHeaders.request_id] = requestId
    if (clientAddress !== null) headers[portHeaders.client_address] = clientAddress
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (isTraced()) propagation.inject(context.active(), headers)
    const sentAt = performance.now()
    try {
      const answered = await this.#pool.request({
        method,
        path: this.#prefix + path,
        headers,
        body: body ?? null,
        signal,
      })
      this.#heed(answered.headers, sentAt)
      if ('streamed' in read) return await read.streamed(answered)
      return read.whole({ status: answered.statusCode, text: await answered.body.text() })
    } catch (error) {
      if (signal.aborted) throw new PortFailure('late', 'the deadline passed', { cause: error, isSymptom: isFair })
      throw failureOf(error)
    }
  }

  /** The answer to a call that was sent before the backend's announcement may have left before it, too. */
  #heed(headers: IncomingHttpHeaders, sentAt: number): void {
    if (headers[portHeaders.draining] !== undefined) {
      if (!this.#isDraining) this.#log.info({ backend: this.#name }, 'the backend is about to stop')
      this.#isDraining = true
      this.#drainingSince = performance.now()
    } else if (sentAt > this.#drainingSince) this.#isDraining = false
    this.#shared?.heed(headers)
    this.#takesCalls = headers[portHeaders.takes_calls] !== undefined
    this.#recordsReads = headers[portHeaders.records_reads] !== undefined
  }
}

/** TLS and the `host` header still get the name. */
function lookupOf(address: string): LookupFunction {
  const family = isIPv6(address) ? 6 : 4
  return (_name, options, done) => (options.all ? done(null, [{ address, family }]) : done(null, address, family))
}

/** The answer of a backend that does not take a body with `record`. */
const NOT_TAKEN = Symbol('not taken')

function orThrow<T>(result: T | Problem): T {
  if (result instanceof Problem) throw result
  return result
}

/** The breaker is open, or too many calls wait. */
function notAsked(): PortFailure {
  return new PortFailure('shed', 'not asked')
}

/** Ends with the work, or at the deadline. Running work is then aborted. */
async function within<T>(deadline: number, work: (signal: AbortSignal) => Promise<T>, isFair = true): Promise<T> {
  const remaining = deadline - performance.now()
  if (remaining <= 0) throw new PortFailure('late', 'the deadline had passed')
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      abort.abort()
      reject(new PortFailure('late', 'the deadline passed', { isSymptom: isFair }))
    }, remaining)
  })
  try {
    return await Promise.race([work(abort.signal), late])
  } finally {
    clearTimeout(timer)
  }
}
