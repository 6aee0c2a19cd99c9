// What a clinic counts for all its changes: the place of the last event in its feed, and the latest time that a change bears.
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import { dateOf } from './lane.ts'

/**
 * Takes places for events, none at all perhaps, and tells that changes bear the time `at`. To be called as one of the last of a
 * transaction: from here to the commit, the clinic's other changes wait.
 *
 * @returns the latest time that a change of the clinic bears, this one included.
 */
export async function takePlaces(tx: Transaction, { clinic_id }: Clinic, count: number, at: Date): Promise<Date> {
  const { rows } = await tx.query<{ last_at: string }>(sql`
    insert into event_counter as counter (clinic_id, last_position, last_at) values (${clinic_id}, ${count}, ${at})
    on conflict (clinic_id) do update set last_position = counter.last_position + excluded.last_position,
      last_at = greatest(counter.last_at, excluded.last_at)
    returning last_at`)
  return dateOf(rows[0]?.last_at ?? null) ?? at
}
