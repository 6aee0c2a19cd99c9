// How long a claimed attempt may still start: within a second of its claim, or of the last check that its claim still holds. So
// however slow a connection is, nothing starts later than that after its subscription was deleted or disabled.
import { type Database, sql, utcSession } from '@clinic-data/database'
import { makerLasts } from '../subscriptions/makers.ts'
import type { Claimed } from './claim.ts'
import { START_WINDOW_MS } from './engine-limits.ts'

/** Twice per window, so that a slow check does not close it. */
const LOOK_MS = START_WINDOW_MS / 2

export class StartWindow {
  #seenAt: number
  readonly #looking: NodeJS.Timeout

  /** @param claimedAt the monotonic time in ms before the claim was sent. */
  constructor(database: Database, claimed: Claimed, claimedAt: number, now: () => Date) {
    this.#seenAt = claimedAt
    this.#looking = setInterval(() => {
      const askedAt = performance.now()
      isHeld(database, claimed, now()).then(
        (isOurs) => {
          if (isOurs) this.#seenAt = askedAt
        },
        // A database that does not answer confirms nothing: the window closes.
        () => undefined,
      )
    }, LOOK_MS)
  }

  get isOpen(): boolean {
    return performance.now() - this.#seenAt < START_WINDOW_MS
  }

  /** The attempt starts now if this returns true. */
  pass(): boolean {
    this.close()
    return this.isOpen
  }

  close(): void {
    clearInterval(this.#looking)
  }
}

/** When its subscription ends, a delivery is removed or loses its lease. When its maker's connection expires, nothing is stored at once. */
async function isHeld(database: Database, claimed: Claimed, now: Date): Promise<boolean> {
  const { clinic_id, subscription_id, created_at, event_id, lease_id } = claimed
  const rows = await database.read(
    utcSession(clinic_id),
    sql`select from delivery where clinic_id = ${clinic_id} and subscription_id = ${subscription_id}
      and created_at = ${created_at} and event_id = ${event_id} and lease_id = ${lease_id}
      and exists (select from subscription
        where clinic_id = ${clinic_id} and id = ${subscription_id} and ${makerLasts(clinic_id, now)})`,
  )
  return rows.length > 0
}
