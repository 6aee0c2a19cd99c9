// Two values that a clinic keeps for all its changes: the place of the last event in its feed, and the latest time of a change.
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import { dateOf } from '../subscriptions/lane.ts'

/**
 * Reserves places for events (possibly none) and records the time `at` of the changes. Call this as one of the last steps of a
 * transaction: the clinic's other changes wait until the commit.
 *
 * @returns the latest time of any change of the clinic, including this one.
 */
export async function takePlaces(tx: Transaction, { clinic_id }: Clinic, count: number, at: Date): Promise<Date> {
  const { rows } = await tx.query<{ last_at: string }>(sql`
    insert into event_counter as counter (clinic_id, last_position, last_at) values (${clinic_id}, ${count}, ${at})
    on conflict (clinic_id) do update set last_position = counter.last_position + excluded.last_position,
      last_at = greatest(counter.last_at, excluded.last_at)
    returning last_at`)
  return dateOf(rows[0]?.last_at ?? null) ?? at
}
