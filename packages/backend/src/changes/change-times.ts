// The time that a change bears: not before an earlier change's of the clinic, whatever the clock says. A mirror that has read as far as
// one change's time meets every change that is committed later.
//
// The latest time of a clinic's changes is stored with them. It is read where it is written, at the end of the transaction, so
// that a clock that is right pays nothing: one that turns out to be behind is told, and the transaction is begun again.
import type { Clinic } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { takePlaces } from '@clinic-data/webhooks/event-counter'

/**
 * How far the time of a change may lie behind another's that was committed before it: as long as a transaction may take. Who
 * follows `updated_since` reads the last 60 seconds again.
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

/** The time for what is stored beside `writeChanges`: an import's. It goes on from the clinic's latest change. */
export interface ImportTimes {
  now(): Date
  /** To be told when all is stored: later changes bear later times. */
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
  /** The latest time of each clinic that this process's clock is known to be behind of, in epoch milliseconds. */
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

  /** @throws ClockBehind when a change at this time would be missed by who has read up to the latest. */
  require(clinic_id: string, at: Date, latest: Date): void {
    const isTooFar = latest.getTime() - at.getTime() > MOST_BEHIND_MS
    if (isTooFar || this.#latest.has(clinic_id)) this.#latest.set(clinic_id, latest.getTime())
    if (isTooFar) throw new ClockBehind(latest)
  }
}
