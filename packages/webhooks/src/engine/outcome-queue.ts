// Outcomes of attempts on their way to the database: stored together, clinic by clinic, and retried while it cannot be reached.

import { LEASE_MS } from '../subscriptions/leases.ts'
import type { DeliveryOutcome } from './complete.ts'
import { FLUSH } from './engine-limits.ts'

export interface OutcomeQueueOptions {
  /** Stores outcomes of one clinic. */
  readonly store: (clinic_id: string, outcomes: readonly DeliveryOutcome[]) => Promise<void>
  /** Called when outcomes could not be stored. They are retried until their leases expire. */
  readonly onFailure: (error: unknown) => void
  readonly pause: (ms: number) => Promise<unknown>
}

/** The pause after a failure. */
const PAUSE_MS = 500

/** After its lease an outcome is useless: another worker has the delivery. */
const MOST_TRIES = LEASE_MS / PAUSE_MS

interface Line {
  waiting: DeliveryOutcome[]
  flushing: Promise<void> | null
  timer: NodeJS.Timeout | null
}

export class OutcomeQueue {
  readonly #options: OutcomeQueueOptions
  readonly #lines = new Map<string, Line>()

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
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      try {
        return await this.#options.store(clinic_id, outcomes)
      } catch (error) {
        this.#options.onFailure(error)
        await this.#options.pause(PAUSE_MS)
      }
    }
  }
}
