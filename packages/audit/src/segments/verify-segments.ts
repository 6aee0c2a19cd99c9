// Checks what stands beside the content of segments, by which searches find them. No seal covers it, and all of it follows from the rows,
// which the chain proves.
import { type Database, sql, type Transaction, utcSession } from '@clinic-data/database'
import { type Slot, slotsOf } from './fingerprints.ts'
import { kindsOf } from './kinds.ts'
import { boundsOf } from './prepare-segments.ts'
import { isInPlace, UnreadableSegment } from './read-segments.ts'
import { Segment } from './segment.ts'

export interface SegmentFault {
  /** The number of the segment's last row. */
  last_id: number
  reason: string
}

interface Stored {
  first_id: number
  last_id: number
  row_count: number
  stored_from: string
  stored_to: string
  records_only_to: string | null
  kinds: string
  content: Buffer
}

/** The first segment of a clinic that would not be found by what it holds. Null: there is none. */
export async function faultOfSegments(
  database: Pick<Database, 'write'>,
  clinic_id: string,
): Promise<SegmentFault | null> {
  for (let last_id = 0; ; ) {
    const next = await database.write(utcSession(clinic_id), (tx) => faultOfNext(tx, clinic_id, last_id))
    if (next === null) return null
    if (next.reason !== null) return { last_id: next.last_id, reason: next.reason }
    last_id = next.last_id
  }
}

async function faultOfNext(
  tx: Transaction,
  clinic_id: string,
  after: number,
): Promise<{ last_id: number; reason: string | null } | null> {
  const { rows } = await tx.query<Stored>(sql`
    select first_id, last_id, row_count, to_jsonb(stored_from) #>> '{}' as stored_from, to_jsonb(stored_to) #>> '{}' as stored_to,
      to_jsonb(records_only_to) #>> '{}' as records_only_to, kinds, content
    from audit_segment where clinic_id = ${clinic_id} and last_id > ${after} and ${isInPlace} order by last_id limit 1`)
  const [stored] = rows
  if (stored === undefined) return null
  const { rows: slots } = await tx.query<Slot>(sql`select slot, fingerprints from audit_segment_names
    where clinic_id = ${clinic_id} and last_id = ${stored.last_id} order by slot`)
  return { last_id: stored.last_id, reason: faultOf(clinic_id, stored, slots) }
}

function faultOf(clinic_id: string, stored: Stored, slots: readonly Slot[]): string | null {
  const { row_count, kinds, content, ...bounds } = stored
  const segment = new Segment(content)
  const rows = readRows(clinic_id, stored.last_id, segment)
  if (rows.length !== row_count) return `its segment counts ${row_count} rows and holds ${rows.length}`
  const expected = boundsOf(rows)
  for (const name of Object.keys(expected) as (keyof typeof expected)[])
    if (expected[name] !== bounds[name]) return `${name} of its segment was changed`
  if (kindsOf(rows) !== kinds) return 'the kinds of its segment were changed'
  const names = slotsOf(segment.names)
  const isFound = names.every(
    ({ slot, fingerprints }, n) => slots[n]?.slot === slot && slots[n].fingerprints.equals(fingerprints),
  )
  return isFound && names.length === slots.length ? null : 'the names of its segment were changed'
}

function readRows(clinic_id: string, last_id: number, segment: Segment) {
  try {
    return segment.rows()
  } catch (cause) {
    throw new UnreadableSegment(clinic_id, last_id, cause)
  }
}
