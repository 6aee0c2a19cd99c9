// The next rows of a clinic's log that no watch has looked at, wherever they lie: a bounded page of sealed rows, which are all there.
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import { type ClinicSession, sql, type Transaction } from '@clinic-data/database'
import { packedRows } from '../segments/read-segments.ts'
import { peopleIn, peopleNamed } from '../stored-ids.ts'

/** A row, as far as the watch looks at it. */
export interface WatchedRow {
  id: number
  /** The clinic's. */
  day: string
  key_id: string
  address: string
  /** The patient or lead, when the row names exactly one. */
  patient_id: string | null
}

/** The work of administrators, and what is delivered to webhooks, is no use of a key. */
const NO_USE = ['console', 'webhook']

/** @param tx in the clinic's zone. */
export async function pageBehind(
  tx: Transaction,
  { clinic_id, time_zone }: ClinicSession,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<{ rows: WatchedRow[]; last_id: number; isLast: boolean }> {
  const { rows } = await tx.query<WatchedRow & { surface: string }>(sql`
    select id, stored_at::date::text as day, key_id, address, surface,
      case when cardinality(${peopleIn}) = 1 then (${peopleIn})[1] end as patient_id
    from audit where clinic_id = ${clinic_id} and id > ${after} and id <= ${upTo} order by id limit ${limit}`)
  // The table was looked at first: no day changes its place before the end of the transaction.
  const packed = await packedRows(tx, clinic_id, { after, upTo, limit })
  const all = [
    ...rows,
    ...packed.map(({ stored_us, resource_ids, operation, ...row }) => {
      const [patient_id = null, ...others] = peopleNamed({ operation, resource_ids })
      const day = zonedInstant(new Date(Math.floor(stored_us / 1000)), time_zone, 0).slice(0, 10)
      const { id, key_id, address, surface } = row
      return { id, day, key_id, address, surface, patient_id: others.length > 0 ? null : patient_id }
    }),
  ]
  const page = all.sort((a, b) => a.id - b.id).slice(0, limit)
  const isLast = page.length < limit
  return {
    rows: page.flatMap(({ surface, ...row }) => (NO_USE.includes(surface) ? [] : [row])),
    last_id: isLast ? upTo : (page.at(-1)?.id ?? upTo),
    isLast,
  }
}
