// Stores audit rows in groups, each as soon as the one before is stored, never on a timer. An answer waits for its row, so every answer
// that left is on record. The gateway has one, and a backend that records the reads of a gateway apart.
//
//   await trail.add(row)   // rejects with the Problem to answer instead
//   await trail.drain()    // at shutdown, after the last request
//   trail.giveUp()         // at shutdown, when nobody waits any longer

import { setImmediate } from 'node:timers/promises'
import type { AuditRow } from '../backend.ts'
import { Problem } from '../problems.ts'
import { PORT_LIMITS } from './port-limits.ts'

/** Five seconds' rows of a busy gateway. A backend with a longer backlog would miss the deadlines. */
const MAX_WAITING = 10_000
/**
 * The rows of a group name at most so many together, so that its message stays far below the port's limit. One row may name 5,000
 * patients.
 */
const MAX_GROUP_IDS = 50_000

/**
 * For so long after a failure this process counts as not ready. Then requests come again, and show whether rows can be stored. A
 * failure of one clinic's rows does not count while another clinic's are stored.
 */
const FAILING_MS = 5_000

interface Group {
  readonly rows: AuditRow[]
  ids: number
  /** The clinics whose rows could not be stored. */
  readonly stored: Promise<ReadonlyMap<string, Problem>>
  readonly resolve: (failed: ReadonlyMap<string, Problem>) => void
}

const NONE: ReadonlyMap<string, Problem> = new Map()

interface AuditTrailOptions {
  maxGroup?: number
  maxWaiting?: number
  /** Milliseconds from any beginning. */
  monotonic?: () => number
}

export class AuditTrail {
  readonly #store: (rows: readonly AuditRow[]) => Promise<void>
  readonly #maxGroup: number
  readonly #maxWaiting: number
  readonly #monotonic: () => number
  #waiting: Group[] = []
  #waitingRows = 0
  #storing: Promise<void> | null = null
  /** The group that is being stored. */
  #current: Group | null = null
  readonly #givenUp = Promise.withResolvers<void>()
  #isGivenUp = false
  /** When no row of the last group could be stored. */
  #failedAt: number | null = null

  /** `store` is `Backend.audit`: it resolves once the rows are stored. */
  constructor(store: (rows: readonly AuditRow[]) => Promise<void>, options: AuditTrailOptions = {}) {
    this.#store = store
    this.#maxGroup = options.maxGroup ?? PORT_LIMITS.audit_rows
    this.#maxWaiting = options.maxWaiting ?? MAX_WAITING
    this.#monotonic = options.monotonic ?? (() => performance.now())
  }

  /**
   * Resolves once the row is stored.
   *
   * @throws Problem `service-unavailable` when it could not be stored, too many rows are already waiting, or the trail was given up.
   */
  add(row: AuditRow): Promise<void> {
    if (this.#isGivenUp) return Promise.reject(unavailable('the process ends'))
    if (this.#waitingRows >= this.#maxWaiting) return Promise.reject(unavailable('too many audit rows wait'))
    const ids = row.resource_ids.length + (row.patient_ids?.length ?? 0)
    let group = this.#waiting.at(-1)
    if (group === undefined || group.rows.length >= this.#maxGroup || group.ids + ids > MAX_GROUP_IDS) {
      group = newGroup()
      this.#waiting.push(group)
    }
    group.rows.push(row)
    group.ids += ids
    this.#waitingRows++
    this.#storing ??= this.#storeAll()
    return group.stored.then((failed) => {
      const problem = failed.get(row.clinic_id)
      if (problem !== undefined) throw problem
    })
  }

  /** The rows that wait for a group before theirs. */
  get waitingRows(): number {
    return this.#waitingRows
  }

  /** Whether no row could be stored a moment ago. */
  get isFailing(): boolean {
    return this.#failedAt !== null && this.#monotonic() - this.#failedAt < FAILING_MS
  }

  /** Resolves when every row that was added is stored, has failed or was given up. */
  async drain(): Promise<void> {
    await Promise.race([this.#storing, this.#givenUp.promise])
  }

  /** Refuses the rows that wait, and all that come. @returns the requests whose rows are not known to be stored. */
  giveUp(): readonly string[] {
    this.#isGivenUp = true
    const left = [...(this.#current === null ? [] : [this.#current]), ...this.#waiting.splice(0)]
    this.#waitingRows = 0
    const problem = unavailable('the row was given up as the process ended')
    for (const { rows, resolve } of left) resolve(new Map(rows.map(({ clinic_id }) => [clinic_id, problem])))
    this.#givenUp.resolve()
    return left.flatMap(({ rows }) => rows.map(({ request_id }) => request_id))
  }

  async #storeAll(): Promise<void> {
    // The answers that arrived together, on all connections, are handled in one turn of the event loop. All of them add their rows
    // before the first group leaves.
    await setImmediate()
    for (let group = this.#waiting.shift(); group !== undefined; group = this.#waiting.shift()) {
      this.#waitingRows -= group.rows.length
      this.#current = group
      const { rows } = group
      const failed = await this.#store(rows).then(
        () => NONE,
        (error) => this.#storeApart(rows, error),
      )
      this.#failedAt = rows.every(({ clinic_id }) => failed.has(clinic_id)) ? this.#monotonic() : null
      group.resolve(failed)
    }
    this.#current = null
    this.#storing = null
  }

  /**
   * A group stands and falls together, but its failure may be about one clinic's place alone (the machine of its shard). So every
   * clinic's rows are tried once more by themselves. Rows of which nobody knows whether they were stored may be stored twice.
   */
  async #storeApart(rows: readonly AuditRow[], error: unknown): Promise<ReadonlyMap<string, Problem>> {
    const failed = new Map<string, Problem>()
    const clinics = Map.groupBy(rows, ({ clinic_id }) => clinic_id)
    const again = clinics.size === 1 ? () => Promise.reject(error) : this.#store
    await Promise.all(
      [...clinics].map(([clinic_id, own]) =>
        again(own).catch((cause) => void failed.set(clinic_id, unavailable(cause))),
      ),
    )
    return failed
  }
}

function newGroup(): Group {
  const { promise, resolve } = Promise.withResolvers<ReadonlyMap<string, Problem>>()
  return { rows: [], ids: 0, stored: promise, resolve }
}

function unavailable(cause: unknown): Problem {
  return new Problem('service-unavailable', 'The request could not be recorded.', { retry_after: 1 }, cause)
}
