// The longest life of a clinic's new keys and connections, as its administrators have set it (docs/decisions/0107). Those of before stay.
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { sql, type Transaction } from '@clinic-data/database'

const DAY_MS = 24 * 60 * 60 * 1000
/** The clock of the browser that counts the days may be ahead. */
const SLACK_MS = 60 * 60 * 1000

export interface Wanted {
  clinic_id: string
  /** Null: it lasts until somebody ends it. */
  expires_at: Date | null
  /** The field of the request that says how long. */
  pointer: '#/expires_at' | '#/days'
  now: Date
}

/** Nothing is committed that lasts longer. @throws Problem 422, with the transaction's next statement or its commit. */
export function requireLife(tx: Transaction, { clinic_id, expires_at, pointer, now }: Wanted): void {
  const statement = sql`select longest_life_days as days from clinic where clinic_id = ${clinic_id}`
  tx.require<{ days: number | null }>(statement, ([clinic]) => {
    const days = clinic?.days ?? null
    if (days === null) return
    if (expires_at !== null && expires_at.getTime() <= now.getTime() + days * DAY_MS + SLACK_MS) return
    const detail = `must be within ${days} days: no new key and no new connection of the clinic lasts longer`
    throw faultProblem('unprocessable', [{ pointer, code: 'too_long', detail }])
  })
}
