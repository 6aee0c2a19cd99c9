// The transaction of a change: the rows, then the events, in one commit; begun again when it met another in its way.
import type { Clinic } from '@clinic-data/contract'
import { type Database, DatabaseError, type Transaction } from '@clinic-data/database'
import { type Change, emit } from '@clinic-data/webhooks'
import { takePlaces } from '@clinic-data/webhooks/event-counter'
import { ChangeTimes, ClockBehind } from './change-times.ts'

/** What a transaction did: its answer, and the changes that become events, in their order. */
export interface Changed<T> {
  readonly answer: T
  readonly changes: readonly Change[]
  /** Nothing that has changed bears the time of its change where others can see it: a queue, say. */
  readonly isUndated?: true
}

export interface ChangeParts {
  /** As the application's role. */
  readonly database: Database
  readonly now: () => Date
  /** Called when deliveries of a clinic are due at once, after the commit: whoever sends need not look for them. */
  readonly onDeliveriesDue?: ((clinic_id: string) => void) | undefined
}

/** The row that was to be new has come from elsewhere meanwhile: what was known of it before is wrong. */
export class Overtaken extends Error {}

const DEADLOCK = '40P01'
const SERIALIZATION_FAILURE = '40001'

/** Two transactions that meet part at the second try; more than a few meetings are a fault. */
const MOST_TRIES = 5

/** The clocks of a database's clinics: one for all who write to it in this process. */
const timesOf = new WeakMap<Database, ChangeTimes>()

/**
 * Runs `work` in a transaction of the clinic and emits its changes as the last thing before the commit.
 *
 * `work` may run more than once: it changes nothing outside of its transaction. It is given the time that its changes bear,
 * and what the clock says, which differs only after a clock has jumped: what is due, expires or is refused goes by the clock.
 */
export async function writeChanges<T>(
  { database, now, onDeliveriesDue }: ChangeParts,
  clinic: Clinic,
  work: (tx: Transaction, at: Date, now: Date) => Promise<Changed<T>>,
): Promise<T> {
  const times = timesOf.get(database) ?? new ChangeTimes()
  timesOf.set(database, times)
  for (let tried = 1; ; tried++) {
    try {
      const { answer, changes } = await database.write(clinic, async (tx) => {
        const clock = now()
        const at = times.timeOf(clinic.clinic_id, clock)
        const changed = await work(tx, at, clock)
        if (changed.isUndated !== true) times.require(clinic.clinic_id, at, await tell(tx, clinic, changed, clock, at))
        return changed
      })
      if (changes.length > 0) onDeliveriesDue?.(clinic.clinic_id)
      return answer
    } catch (error) {
      if (tried >= MOST_TRIES || !isInTheWay(error)) throw error
    }
  }
}

/** @returns the latest time of the clinic's changes. */
function tell(tx: Transaction, clinic: Clinic, { changes }: Changed<unknown>, now: Date, at: Date): Promise<Date> {
  return changes.length > 0 ? emit(tx, clinic, changes, now, at) : takePlaces(tx, clinic, 0, at)
}

function isInTheWay(error: unknown): boolean {
  if (error instanceof Overtaken || error instanceof ClockBehind) return true
  return error instanceof DatabaseError && (error.code === DEADLOCK || error.code === SERIALIZATION_FAILURE)
}
