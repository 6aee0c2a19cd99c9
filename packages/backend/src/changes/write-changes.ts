// The transaction of a change: the rows, then the events, in one commit; begun again when it met another in its way.
import type { Clinic } from '@clinic-data/contract'
import { type Database, DatabaseError, type Transaction } from '@clinic-data/database'
import { type Change, emit } from '@clinic-data/webhooks'

/** What a transaction did: its answer, and the changes that become events, in their order. */
export interface Changed<T> {
  readonly answer: T
  readonly changes: readonly Change[]
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

/**
 * Runs `work` in a transaction of the clinic and emits its changes as the last thing before the commit.
 *
 * `work` may run more than once: it changes nothing outside of its transaction.
 */
export async function writeChanges<T>(
  { database, now, onDeliveriesDue }: ChangeParts,
  clinic: Clinic,
  work: (tx: Transaction, now: Date) => Promise<Changed<T>>,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      const { answer, changes } = await database.write(clinic, async (tx) => {
        const at = now()
        const changed = await work(tx, at)
        await emit(tx, clinic, changed.changes, at)
        return changed
      })
      if (changes.length > 0) onDeliveriesDue?.(clinic.clinic_id)
      return answer
    } catch (error) {
      if (tried >= MOST_TRIES || !isInTheWay(error)) throw error
    }
  }
}

function isInTheWay(error: unknown): boolean {
  if (error instanceof Overtaken) return true
  return error instanceof DatabaseError && (error.code === DEADLOCK || error.code === SERIALIZATION_FAILURE)
}
