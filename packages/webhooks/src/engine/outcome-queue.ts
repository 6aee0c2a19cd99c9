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
  /** Called when the process ends before it could be put on record that these events were handed over. */
  readonly onLost: (event_ids: readonly string[]) => void
  readonly pause: (ms: number) => Promise<unknown>
}

/** The pause after a failure. */
const PAUSE_MS = 500

/** After its lease an outcome is useless: another worker has the delivery. Whom data was handed to is still to be put on record. */
const MOST_TRIES = LEASE_MS / PAUSE_MS

interface Line {
  waiting: DeliveryOutcome[]
  flushing: Promise<void> | null
  timer: NodeJS.Timeout | null
}

export class OutcomeQueue {
  readonly #options: OutcomeQueueOptions
  readonly #lines = new Map<string, Line>()
  readonly #recorded = new WeakSet<DeliveryOutcome>()
  #isEnding = false

  constructor(options: OutcomeQueueOptions) {
    this.#options = options
  }

  add(outcome: DeliveryOutcome): void {
    const { clinic_id } = outcome.claimed
    const line = this.#lines.get(clinic_id) ?? { waiting: [], flushing: null, timer: null }
    this.#lines.set(clinic_id, line)
    line.waiting.push(outcome)
    if (line.flushing !== null) return
    if (line.waiting.length >= FLUSH.rows) this.#flush(clinic_id, line)
    else line.timer ??= setTimeout(() => this.#flush(clinic_id, line), FLUSH.ms)
  }

  /** Waits no longer than a lease for what is still to be put on record. */
  end(): void {
    this.#isEnding = true
  }

  /** Resolves when everything that was added is stored or useless. */
  async settled(): Promise<void> {
    while (this.#lines.size > 0) {
      for (const [clinic_id, line] of this.#lines) if (line.flushing === null) this.#flush(clinic_id, line)
      await Promise.all([...this.#lines.values()].map(({ flushing }) => flushing))
    }
  }

  #flush(clinic_id: string, line: Line): void {
    if (line.timer !== null) clearTimeout(line.timer)
    line.timer = null
    const outcomes = line.waiting.splice(0, FLUSH.rows)
    line.flushing = this.#store(clinic_id, outcomes).finally(() => {
      line.flushing = null
      if (line.waiting.length > 0) this.#flush(clinic_id, line)
      else this.#lines.delete(clinic_id)
    })
  }

  async #store(clinic_id: string, outcomes: readonly DeliveryOutcome[]): Promise<void> {
    const { store, onFailure, onLost, pause } = this.#options
    let left = outcomes
    for (let tries = 1; left.length > 0; tries++) {
      try {
        await this.#record(left)
        return await store(clinic_id, left)
      } catch (error) {
        onFailure(error)
      }
      if (tries >= MOST_TRIES) {
        left = this.#unrecorded(left)
        if (this.#isEnding && left.length > 0) return onLost(left.map(({ claimed }) => claimed.event_id))
      }
      await pause(PAUSE_MS)
    }
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
