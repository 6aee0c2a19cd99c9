// The time of a change. It is never earlier than the clinic's previous change, even if the clock is. So a mirror that has read
// up to one change's time meets every change that is committed later.
//
// The latest time of a clinic's changes is stored with them. It is read where it is written, at the end of the transaction, so a
// correct clock costs nothing. If the clock turns out to be behind, the transaction starts again (docs/decisions/0032).
import type { Clinic } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { takePlaces } from '@clinic-data/webhooks/events/event-counter'

/**
 * How far a change's time may lie behind that of one committed before it: the longest transaction. Clients that follow
 * `updated_since` read the last 60 seconds again.
 */
const MOST_BEHIND_MS = 30_000

/** This process's clock is behind the clinic's latest change. */
export class ClockBehind extends Error {
  readonly latest: Date

  constructor(latest: Date) {
    super('the clock is behind the latest change of the clinic')
    this.latest = latest
  }
}

/** The time for rows stored without `writeChanges`, by an import. It continues from the clinic's latest change. */
export interface ImportTimes {
  now(): Date
  /** Call this when everything is stored: later changes get later times. */
  end(): Promise<void>
}

export async function importTimes(database: Database, clinic: Clinic, now: () => Date): Promise<ImportTimes> {
  const tell = (at: Date) => database.write(clinic, (tx) => takePlaces(tx, clinic, 0, at))
  const latest = await tell(now())
  const time = () => {
    const clock = now()
    return clock > latest ? clock : new Date(latest.getTime() + 1)
  }
  return {
    now: time,
    end: async () => {
      await tell(time())
    },
  }
}

export class ChangeTimes {
  /** The latest change of each clinic for which this process's clock is behind, in epoch milliseconds. */
  readonly #latest = new Map<string, number>()

  /** The time for a change that begins now: the clock's, or the first one after the latest change. */
  timeOf(clinic_id: string, now: Date): Date {
    const latest = this.#latest.get(clinic_id)
    if (latest === undefined) return now
    if (latest < now.getTime()) {
      this.#latest.delete(clinic_id)
      return now
    }
    this.#latest.set(clinic_id, latest + 1)
    return new Date(latest + 1)
  }

  /** @throws ClockBehind when a client that has read up to the latest change would miss one at this time. */
  require(clinic_id: string, at: Date, latest: Date): void {
    const isTooFar = latest.getTime() - at.getTime() > MOST_BEHIND_MS
    if (isTooFar || this.#latest.has(clinic_id)) this.#latest.set(clinic_id, latest.getTime())
    if (isTooFar) throw new ClockBehind(latest)
  }
}
