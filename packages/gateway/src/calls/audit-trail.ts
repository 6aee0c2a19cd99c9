// Sends audit rows to the backend in groups, each as soon as the one before is stored, never on a timer. A request awaits its row
// before it answers, so every answer that left is on record.
//
//   await trail.add(row)   // rejects with the Problem to answer instead
//   await trail.drain()    // at shutdown, after the last request

import { setImmediate } from 'node:timers/promises'
import { type AuditRow, Problem } from '@clinic-data/contract'
import { PORT_LIMITS } from '@clinic-data/contract/port'

/** Five seconds' rows of a busy gateway. A backend with a longer backlog would miss the deadlines. */
const MAX_WAITING = 10_000

interface Group {
  readonly rows: AuditRow[]
  readonly stored: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

interface AuditTrailOptions {
  maxGroup?: number
  maxWaiting?: number
}

export class AuditTrail {
  readonly #store: (rows: readonly AuditRow[]) => Promise<void>
  readonly #maxGroup: number
  readonly #maxWaiting: number
  #waiting: Group[] = []
  #waitingRows = 0
  #storing: Promise<void> | null = null

  /** `store` is `Backend.audit`: it resolves once the rows are stored. */
  constructor(store: (rows: readonly AuditRow[]) => Promise<void>, options: AuditTrailOptions = {}) {
    this.#store = store
    this.#maxGroup = options.maxGroup ?? PORT_LIMITS.audit_rows
    this.#maxWaiting = options.maxWaiting ?? MAX_WAITING
  }

  /**
   * Resolves once the row is stored.
   *
   * @throws Problem `service-unavailable` when it could not be stored, or too many rows are already waiting.
   */
  add(row: AuditRow): Promise<void> {
    if (this.#waitingRows >= this.#maxWaiting) return Promise.reject(unavailable('too many audit rows wait'))
    let group = this.#waiting.at(-1)
    if (group === undefined || group.rows.length >= this.#maxGroup) {
      group = newGroup()
      this.#waiting.push(group)
    }
    group.rows.push(row)
    this.#waitingRows++
    this.#storing ??= this.#storeAll()
    return group.stored
  }

  /** The rows that wait for a group before theirs. */
  get waitingRows(): number {
    return this.#waitingRows
  }

  /** Resolves when every row that was added is stored or has failed. */
  async drain(): Promise<void> {
    await this.#storing
  }

  async #storeAll(): Promise<void> {
    // The answers that arrived together, on all connections, are handled in one turn of the event loop. All of them add their rows
    // before the first group leaves.
    await setImmediate()
    for (let group = this.#waiting.shift(); group !== undefined; group = this.#waiting.shift()) {
      this.#waitingRows -= group.rows.length
      try {
        await this.#store(group.rows)
        group.resolve()
      } catch (error) {
        group.reject(unavailable(error))
      }
    }
    this.#storing = null
  }
}

function newGroup(): Group {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { rows: [], stored: promise, resolve, reject }
}

function unavailable(cause: unknown): Problem {
  return new Problem('service-unavailable', 'The request could not be recorded.', { retry_after: 1 }, cause)
}
