// Checks what stands beside the content of segments, by which searches find them. No seal covers it, and all of it follows from the rows,
// which the chain proves.
import { type Database, sql, type Transaction, utcSession } from '@clinic-data/database'
import { type Slot, slotsOf } from './fingerprints.ts'
import { kindsOf } from './kinds.ts'
import { boundsOf } from './prepare-segments.ts'
import { inSegment, isInPlace, type StoredSegment, UnreadableSegment } from './read-segments.ts'
import type { Segment } from './segment.ts'

export interface SegmentFault {
  /** The number of the seal that covers the segment's last row. Null: none does. */
  number: number | null
  reason: string
}

interface Stored extends StoredSegment {
  number: number | null
  row_count: number
  stored_from: string
  stored_to: string
  records_only_to: string | null
  kinds: string
}

/** The first segment of a clinic that no seal covers, or that would not be found by what it holds. Null: there is none. */
export async function faultOfSegments(
  database: Pick<Database, 'write'>,
  clinic_id: string,
): Promise<SegmentFault | null> {
  for (let last_id = 0; ; ) {
    const next = await database.write(utcSession(clinic_id), (tx) => checkNext(tx, clinic_id, last_id))
    if (next === null) return null
    const { number, reason } = next
    if (reason !== null) return { number, reason }
    last_id = next.last_id
  }
}

interface Checked {
  last_id: number
  number: number | null
  reason: string | null
}

async function checkNext(tx: Transaction, clinic_id: string, after: number): Promise<Checked | null> {
  const { rows } = await tx.query<Stored>(sql`
    select (select number from audit_seal where clinic_id = ${clinic_id} and audit_seal.last_id >= audit_segment.last_id
        order by number limit 1) as number,
      first_id, last_id, row_count, to_jsonb(stored_from) #>> '{}' as stored_from, to_jsonb(stored_to) #>> '{}' as stored_to,
      to_jsonb(records_only_to) #>> '{}' as records_only_to, kinds, content
    from audit_segment where clinic_id = ${clinic_id} and last_id > ${after} and ${isInPlace} order by last_id limit 1`)
  const [stored] = rows
  if (stored === undefined) return null
  const { last_id, number } = stored
  if (number === null) return { last_id, number, reason: 'a segment has rows that no seal covers' }
  const { rows: slots } = await tx.query<Slot>(sql`select slot, fingerprints from audit_segment_names
    where clinic_id = ${clinic_id} and last_id = ${last_id} order by slot`)
  return { last_id, number, reason: faultOf(clinic_id, stored, slots) }
}

function faultOf(clinic_id: string, stored: Stored, slots: readonly Slot[]): string | null {
  try {
    return inSegment(clinic_id, stored, (segment) => faultBeside(segment, stored, slots))
  } catch (error) {
    if (error instanceof UnreadableSegment) return UNREADABLE
    throw error
  }
}

export const UNREADABLE = 'the segment of its rows cannot be read'

function faultBeside(segment: Segment, stored: Stored, slots: readonly Slot[]): string | null {
  const rows = segment.rows()
  if (rows.length !== stored.row_count) return `its segment counts ${stored.row_count} rows and holds ${rows.length}`
  const bounds = boundsOf(rows)
  for (const name of Object.keys(bounds) as (keyof typeof bounds)[])
    if (bounds[name] !== stored[name]) return `${name} of its segment was changed`
  if (kindsOf(rows) !== stored.kinds) return 'the kinds of its segment were changed'
  const names = slotsOf(segment.names)
  const isFound = names.every(
    ({ slot, fingerprints }, n) => slots[n]?.slot === slot && slots[n].fingerprints.equals(fingerprints),
  )
  return isFound && names.length === slots.length ? null : 'the names of its segment were changed'
}
