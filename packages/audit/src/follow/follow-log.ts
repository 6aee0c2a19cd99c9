// Exports the audit logs of all clinics continuously, each in its order and at least once: a stretch is handed over, and when the destination has
// acknowledged it, the clinic's place moves behind it (docs/decisions/0121).
import type { Database, Transaction } from '@clinic-data/database'
import { type Destination, Unreachable } from './destination.ts'
import { type Behind, clinicsBehind, type Place, placeClinics, withPlace } from './places.ts'
import { Stretch, type StretchParts } from './stretch.ts'

/** Longer than the largest stretch takes over a slow line. Another dispatcher waits so long for one that hangs. */
const SEND_MS = 120_000

export interface FollowParts extends Omit<StretchParts, 'now'> {
  readonly destination: Destination
  readonly now: () => Date
  /** Stores the audit row that says from where on, and to where, a clinic's log is exported. */
  readonly audit: (tx: Transaction, place: Place) => void
  /** Told of a stretch that will not verify, or that lacks rows. */
  readonly onFault: (clinic_id: string, fault: string) => void
  readonly sendMs?: number
}

/** As the last round left it. */
export interface ExportLag {
  /** Clinics with sealed rows that are not exported. */
  clinics: number
  /** When the oldest seal of them was made (epoch milliseconds). */
  since: number | null
}

export class LogFollower {
  readonly #parts: FollowParts
  readonly #startedAt: Date
  #behind: readonly Behind[] = []
  /** Ids begin behind it. */
  #failedLast = ''
  #rows = 0

  constructor(parts: FollowParts) {
    this.#parts = parts
    this.#startedAt = parts.now()
  }

  get lag(): ExportLag {
    const times = this.#behind.flatMap(({ since }) => (since === null ? [] : [Date.parse(since)]))
    return { clinics: this.#behind.length, since: times.length === 0 ? null : Math.min(...times) }
  }

  /** Rows that the destination has acknowledged since the start. */
  get exportedRows(): number {
    return this.#rows
  }

  /**
   * One round: a stretch of each clinic that has one.
   *
   * @param owner a database opened as the owner of the tables.
   * @throws what kept clinics from being exported. The others had their turn, unless nobody can be.
   */
  async round(owner: Database, clinics: readonly { clinic_id: string }[], stopping: AbortSignal): Promise<void> {
    const { destination, now, audit } = this.#parts
    await placeClinics(owner, clinics, {
      destination: destination.name,
      now: now(),
      startedAt: this.#startedAt,
      audit,
    })
    this.#behind = await clinicsBehind(owner)
    const failures: unknown[] = []
    for (const { clinic_id } of this.#inTurn()) {
      if (stopping.aborted) break
      try {
        await this.#export(owner, clinic_id, stopping)
      } catch (error) {
        // Nothing is lost: the place stays where it is.
        if (stopping.aborted) break
        failures.push(error)
        this.#failedLast = clinic_id
        if (error instanceof Unreachable) break
      }
    }
    this.#behind = await clinicsBehind(owner)
    if (failures.length > 0) throw new AggregateError(failures, messagesOf(failures))
  }

  /** A clinic whose lines the destination does not take must not keep it from those of others: next time they come first. */
  #inTurn(): readonly Behind[] {
    const isLater = ({ clinic_id }: Behind) => clinic_id > this.#failedLast
    return [...this.#behind.filter(isLater), ...this.#behind.filter((one) => !isLater(one))]
  }

  async #export(owner: Database, clinic_id: string, stopping: AbortSignal): Promise<void> {
    const { destination, now, audit, onFault, sendMs = SEND_MS } = this.#parts
    await withPlace(
      owner,
      clinic_id,
      async (tx, place) => {
        const stretch = await Stretch.behind(owner, clinic_id, place.number, { ...this.#parts, now: now() })
        if (stretch === null) return null
        const next = { clinic_id, number: stretch.last, destination: destination.name }
        if (place.destination !== destination.name) audit(tx, { ...next, number: place.number })
        const late = AbortSignal.timeout(sendMs)
        await destination.send(clinic_id, stretch.batches(), AbortSignal.any([stopping, late])).catch((error) => {
          if (!late.aborted) throw error
          throw new Unreachable(`${destination.name} has not taken ${stretch.name} within ${sendMs / 1000} s`)
        })
        this.#look(clinic_id, stretch, onFault)
        return next
      },
      now,
    )
  }

  #look(clinic_id: string, stretch: Stretch, onFault: FollowParts['onFault']): void {
    const verdict = stretch.verdict()
    if (!verdict.sound) {
      onFault(clinic_id, `in ${stretch.name} ${verdict.reason}`)
      return
    }
    this.#rows += verdict.rows
    const { dropped } = verdict
    if (dropped !== null)
      onFault(clinic_id, `rows of the seals ${dropped.first} to ${dropped.last} were gone before they were exported`)
  }
}

function messagesOf(failures: readonly unknown[]): string {
  const messages = failures.map((error) => (error instanceof Error ? error.message : String(error)))
  return [...new Set(messages)].slice(0, MOST_TOLD).join('; ')
}

/** Many clinics mostly fail alike. */
const MOST_TOLD = 3
