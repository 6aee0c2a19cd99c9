// One of the workers as the primary sees it: the process that runs now, and the next one when it has ended.
import cluster, { type Worker } from 'node:cluster'
import type { Log } from '@clinic-data/gateway/telemetry/log'
import { ConfigError } from '@clinic-data/installation/config'
import type { ScopeMetrics } from '@opentelemetry/sdk-metrics'
import { Link } from './link.ts'
import type { Fault, ToPrimary, ToWorker } from './topics.ts'

/** The pause before a worker is started again doubles up to the longest, until one has run for a while. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
const STEADY_MS = 60_000
/** A worker that is late is not awaited: its last measurements count. */
const MEASURE_MS = 1_000

export interface WorkerParts {
  /** The answers to a worker's questions, besides those about its life. */
  answers: Omit<ToPrimary, 'listening' | 'failed'>
  log: Log
  /** Called when a worker has ended that was not told to, with what it had counted. */
  onLost: (counted: readonly ScopeMetrics[]) => void
}

export class WorkerProcess {
  readonly #parts: WorkerParts
  readonly #listening = Promise.withResolvers<string>()
  #worker: Worker | null = null
  #link: Link<ToWorker> | null = null
  #measured: readonly ScopeMetrics[] = []
  #fault: Fault | null = null
  #isListening = false
  #hasListened = false
  #isStopping = false
  #pauseMs = FIRST_PAUSE_MS
  #restart: NodeJS.Timeout | undefined
  #ended = Promise.resolve()

  constructor(parts: WorkerParts) {
    this.#parts = parts
  }

  /** Resolves with the address that it listens on. @throws (rejects) when the first process ends before that. */
  start(): Promise<string> {
    this.#fork()
    return this.#listening.promise
  }

  get isListening(): boolean {
    return this.#isListening
  }

  drain(): void {
    this.#link?.tell('drain', null)
  }

  /** Resolves when the process has finished its requests and has ended. @throws (rejects) Error when it ended with one. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#restart)
    if (this.#isListening) this.#link?.tell('stop', null)
    else this.kill()
    await this.#ended
    if (this.#hasListened && this.#fault !== null) throw new Error(this.#fault.message)
  }

  kill(): void {
    this.#worker?.process.kill('SIGKILL')
  }

  /** Brings `measured` up to date, unless the process is late. */
  async measure(): Promise<void> {
    const link = this.#link
    if (link === null) return
    const late = Promise.withResolvers<null>()
    const timer = setTimeout(late.resolve, MEASURE_MS, null)
    const measured = await Promise.race([link.ask('measure', null), late.promise]).catch(() => null)
    clearTimeout(timer)
    // The measurements of a process that has ended meanwhile are counted elsewhere.
    if (measured !== null && link === this.#link) this.#measured = measured
  }

  /** The last measurements of the process that runs now. */
  get measured(): readonly ScopeMetrics[] {
    return this.#measured
  }

  #fork(): void {
    const worker = cluster.fork()
    const startedAt = performance.now()
    this.#worker = worker
    this.#fault = null
    this.#link = new Link<ToWorker>(worker.process, {
      ...this.#parts.answers,
      listening: (address) => {
        this.#isListening = true
        this.#hasListened = true
        this.#listening.resolve(address)
      },
      failed: (fault) => {
        this.#fault = fault
      },
    } satisfies ToPrimary)
    this.#ended = new Promise((resolve) => {
      worker.once('exit', (code, signal) => {
        this.#end({ code, signal, ranMs: performance.now() - startedAt })
        resolve()
      })
    })
  }

  #end({ code, signal, ranMs }: { code: number | null; signal: string | null; ranMs: number }): void {
    const pid = this.#worker?.process.pid
    this.#link?.close()
    this.#link = null
    this.#isListening = false
    const { message = 'a worker ended before it listened', isConfig = false } = this.#fault ?? {}
    // Nobody waits for it after the first time.
    this.#listening.reject(isConfig ? new ConfigError(message) : new Error(message))
    const counted = this.#measured
    this.#measured = []
    // A start that fails is not repeated: its error is the operator's.
    if (this.#isStopping || !this.#hasListened) return
    this.#parts.onLost(counted)
    if (ranMs > STEADY_MS) this.#pauseMs = FIRST_PAUSE_MS
    const facts = { worker: pid, code, signal, fault: this.#fault?.message, restart_in_ms: this.#pauseMs }
    this.#parts.log.warn(facts, 'a worker has ended: another one is started')
    this.#fault = null
    this.#restart = setTimeout(() => this.#fork(), this.#pauseMs)
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS)
  }
}
