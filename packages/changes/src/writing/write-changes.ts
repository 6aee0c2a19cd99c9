// The transaction of a change: the rows, then the events, in one commit. It starts again when it meets another one.
import type { Clinic } from '@clinic-data/contract'
import { type Database, DatabaseError, sql, type Transaction } from '@clinic-data/database'
import type { StillValid } from '@clinic-data/surface/still-valid'
import { type Change, sendEvents } from '@clinic-data/webhooks'
import { takePlaces } from '@clinic-data/webhooks/events/event-counter'
import { ChangeTimes, ClockBehind } from './change-times.ts'

/** The result of a transaction: its answer, and the changes that become events, in order. */
export interface Changed<T> {
  readonly answer: T
  readonly changes: readonly Change[]
  /** The clinic's latest change, if the work has taken the places of its changes itself (`takePlaces`). */
  readonly latest?: Date
  /** No changed row shows the time of its change to others, like a queue's row. */
  readonly isUndated?: true
}

export interface ChangeParts {
  /** Opened with the application's role. */
  readonly database: Database
  readonly now: () => Date
  /** Called after the commit when deliveries of a clinic are due at once, so that a sender need not look for them. */
  readonly onDeliveriesDue?: ((clinic_id: string) => void) | undefined
  /** Does everything but the commit: the answer, or the refusal, is that of a change which nobody sees. */
  readonly isRehearsal?: boolean
}

/** Ends the transaction of a rehearsal. */
class Rehearsed<T> extends Error {
  readonly answer: T

  constructor(answer: T) {
    super('the change was only rehearsed')
    this.answer = answer
  }
}

/** Another transaction has created the row meanwhile, so the earlier reading is wrong. */
export class Overtaken extends Error {}

const DEADLOCK = '40P01'
const SERIALIZATION_FAILURE = '40001'
/** A value that was free when it was looked for has been taken meanwhile. The next attempt finds it. */
const UNIQUE_VIOLATION = '23505'
const MEETINGS: readonly (string | undefined)[] = [DEADLOCK, SERIALIZATION_FAILURE, UNIQUE_VIOLATION]

/** Two transactions that meet are separated by the second attempt. More than a few meetings are a bug. */
const MOST_TRIES = 5

/** The change times of a database's clinics, shared by all writers of this process. */
const timesOf = new WeakMap<Database, ChangeTimes>()

/**
 * Runs `work` in a transaction of the clinic and emits its changes right before the commit.
 *
 * `work` may run more than once, so it must change nothing outside of its transaction. It gets the time of its changes and the
 * clock's time. The two differ only after a clock has jumped. Due times, expiries and refusals follow the clock.
 *
 * @param valid checks first that whoever asked for the change may still write. Without it the change is the program's own.
 */
export async function writeChanges<T>(
  { database, now, onDeliveriesDue, isRehearsal = false }: ChangeParts,
  clinic: Clinic,
  work: (tx: Transaction, at: Date, now: Date) => Promise<Changed<T>>,
  valid?: StillValid,
): Promise<T> {
  const times = timesOf.get(database) ?? new ChangeTimes()
  timesOf.set(database, times)
  for (let tried = 1; ; tried++) {
    try {
      const { answer, deliveries } = await database.write(clinic, async (tx) => {
        await valid?.(tx)
        const clock = now()
        const at = times.timeOf(clinic.clinic_id, clock)
        const changed = await work(tx, at, clock)
        const { latest, deliveries } = changed.isUndated ? UNDATED : await tell(tx, clinic, changed, clock, at)
        if (latest !== null) times.require(clinic.clinic_id, at, latest)
        if (isRehearsal) throw await rehearsed(tx, changed.answer)
        return { answer: changed.answer, deliveries }
      })
      if (deliveries() > 0) onDeliveriesDue?.(clinic.clinic_id)
      return answer
    } catch (error) {
      if (error instanceof Rehearsed) return error.answer
      if (tried >= MOST_TRIES || !isInTheWay(error)) throw error
    }
  }
}

/** Statements that would leave with the commit are sent before: they may be refused too. */
async function rehearsed<T>(tx: Transaction, answer: T): Promise<Rehearsed<T>> {
  await tx.query(sql`select`)
  return new Rehearsed(answer)
}

interface Emitted {
  /** The latest time of the clinic's changes. Null: none of these is dated. */
  readonly latest: Date | null
  /** How many deliveries are due of them, once they are committed. Most changes have none: nobody subscribes to them. */
  readonly deliveries: () => number
}

const NO_DELIVERIES = () => 0
const UNDATED: Emitted = { latest: null, deliveries: NO_DELIVERIES }

async function tell(tx: Transaction, clinic: Clinic, changed: Changed<unknown>, now: Date, at: Date): Promise<Emitted> {
  const { changes, latest = await takePlaces(tx, clinic, changes.length, at) } = changed
  const deliveries = changes.length > 0 ? sendEvents(tx, clinic, changes, now, latest) : NO_DELIVERIES
  return { latest, deliveries }
}

function isInTheWay(error: unknown): boolean {
  if (error instanceof Overtaken || error instanceof ClockBehind) return true
  return error instanceof DatabaseError && MEETINGS.includes(error.code)
}
