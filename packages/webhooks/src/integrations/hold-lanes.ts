// Holds the lanes of webhooks that are given to another integration: lanes come before webhooks, as for Stop and for each claim.
import { sql, type Transaction } from '@clinic-data/database'

/**
 * Waits, with the transaction's next statement, for all who change these subscriptions. By a change that changes nothing: on a cluster the
 * console's login may lock no row otherwise.
 */
export function holdLanes(tx: Transaction, clinic_id: string, subscription_ids: readonly string[]): void {
  tx.send(sql`update lane set is_stopped = is_stopped
    where clinic_id = ${clinic_id} and subscription_id = any(${subscription_ids}::text[])`)
}
