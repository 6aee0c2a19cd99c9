// Outcomes of attempts on their way to the database: stored together, clinic by clinic, and retried while it cannot be reached.

import { LEASE_MS } from '../subscriptions/leases.ts'
import type { DeliveryOutcome, RecordHandedOver } from './complete.ts'
import { FLUSH } from './engine-limits.ts'

export interface OutcomeQueueOptions {
  /** Called before an outcome is stored, and until it has succeeded once. */
  readonly record?: RecordHandedOver | undefined
  /** Stores outcomes of one clinic. */
  readonly store: (clinic_id: string, outcomes: readonly DeliveryOutcome[]) => Promise<void>
  /** Called when outcomes could not be stored. They are retried. */
  readonly onFailure: (error: unknown) => void
  /** Called at the deadline with outcomes whose events were handed over, which could not be put on record. */
  readonly onLost: (outcomes: readonly DeliveryOutcome[]) => void
  readonly pause: (ms: number) => Promise<unknown>
  /** Aborted when the process that stops waits for the database no longer. */
  readonly deadline: AbortSignal
  /** A clock that never goes back, in milliseconds. */
  readonly elapsed?: () => number
}

/** The pause after a failure. */
const PAUSE_MS = 500

/** A statement that is under way at the deadline has this long to end. */
const LAST_MS = 1_000

interface Line {
  waiting: DeliveryOutcome[]
  storing: readonly DeliveryOutcome[]
  flushing: Promise<void> | null
  /** Ends the flush, whatever the database does. */
  abandon: () => void
  timer: NodeJS.Timeout | null
}

export class OutcomeQueue {
  readonly #options: OutcomeQueueOptions & { elapsed: () => number }
  readonly #lines = new Map<string, Line>()
  readonly #recorded = new WeakSet<DeliveryOutcome>()
  /** Clinics whose outcomes could not be stored yet. */
  readonly #failing = new Set<string>()

  constructor(options: OutcomeQueueOptions) {
    this.#options = { elapsed: () => performance.now(), ...options }
    const end = async () => {
      await options.pause(LAST_MS)
      for (const line of this.#lines.values()) if (line.flushing !== null) this.#abandon(line)
    }
    options.deadline.addEventListener('abort', () => void end())
  }

  add(outcome: DeliveryOutcome): void {
    const { clinic_id } = outcome.claimed
    const line = this.#lines.get(clinic_id) ?? newLine()
    this.#lines.set(clinic_id, line)
    line.waiting.push(outcome)
    if (line.flushing !== null) return
    if (line.waiting.length >= FLUSH.rows) this.#flush(clinic_id, line)
    else line.timer ??= setTimeout(() => this.#flush(clinic_id, line), FLUSH.ms)
  }

  /** Whether outcomes of a clinic could not be stored, and are tried again. */
  get isFailing(): boolean {
    return this.#failing.size > 0
  }

  /** Resolves when everything that was added is stored, useless or lost. */
  async settled(): Promise<void> {
    while (this.#lines.size > 0) {
      for (const [clinic_id, line] of this.#lines) if (line.flushing === null) this.#flush(clinic_id, line)
      await Promise.all([...this.#lines.values()].map(({ flushing }) => flushing))
    }
  }

  #flush(clinic_id: string, line: Line): void {
    if (line.timer !== null) clearTimeout(line.timer)
    line.timer = null
    line.storing = line.waiting.splice(0, FLUSH.rows)
    const { promise: abandoned, resolve } = Promise.withResolvers<void>()
    line.abandon = resolve
    line.flushing = Promise.race([this.#store(clinic_id, line.storing), abandoned]).finally(() => {
      line.flushing = null
      this.#failing.delete(clinic_id)
      if (line.waiting.length > 0) this.#flush(clinic_id, line)
      else this.#lines.delete(clinic_id)
    })
  }

  async #store(clinic_id: string, outcomes: readonly DeliveryOutcome[]): Promise<void> {
    const { store, onFailure, pause, elapsed, deadline } = this.#options
    // Then another worker has the delivery. Whom data was handed to is still to be put on record.
    const uselessAt = elapsed() + LEASE_MS
    for (let left = outcomes; left.length > 0; ) {
      try {
        await this.#record(left)
        return await store(clinic_id, left)
      } catch (error) {
        this.#failing.add(clinic_id)
        onFailure(error)
      }
      if (deadline.aborted) return this.#lose(left)
      if (elapsed() >= uselessAt) left = this.#unrecorded(left)
      await pause(PAUSE_MS)
    }
  }

  #abandon(line: Line): void {
    this.#lose([...line.storing, ...line.waiting.splice(0)])
    line.abandon()
  }

  #lose(outcomes: readonly DeliveryOutcome[]): void {
    const lost = this.#unrecorded(outcomes)
    if (lost.length > 0) this.#options.onLost(lost)
  }

  async #record(outcomes: readonly DeliveryOutcome[]): Promise<void> {
    const handed = this.#unrecorded(outcomes)
    const rows = handed.flatMap(({ claimed, handed_over }) => (handed_over ? { claimed, ...handed_over } : []))
    if (rows.length > 0) await this.#options.record?.(rows)
    for (const outcome of handed) this.#recorded.add(outcome)
  }

  #unrecorded(outcomes: readonly DeliveryOutcome[]): readonly DeliveryOutcome[] {
    return outcomes.filter((outcome) => outcome.handed_over !== undefined && !this.#recorded.has(outcome))
  }
}

function newLine(): Line {
  return { waiting: [], storing: [], flushing: null, abandon: () => undefined, timer: null }
}
