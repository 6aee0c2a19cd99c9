// Makes the segments of a clinic's day from its sealed rows. Nobody reads them before the whole day is packed (`pack-days.ts`).
import { type Database, type Statement, sql, type Transaction, utcSession } from '@clinic-data/database'
import { rowsBehind, rowsHash, type Seal } from '../audit-chain.ts'
import { namedIn } from '../stored-ids.ts'
import { slotsOf } from './fingerprints.ts'
import { kindsOf } from './kinds.ts'
import { canonicalText, type LogRow, momentOf, parseCanonical } from './log-row.ts'
import { Segment } from './segment.ts'
import { writeSegment } from './write-segment.ts'

/** Ids that many rows name take the less room, the more rows share a segment. More rows than a seal may have would take long to read. */
const MOST_ROWS = 10_000

/** Whoever adds a segment shares this lock, and whoever lets a day give way holds it alone. */
export const GIVING_WAY = 7_251_964_312

export async function isPacked(tx: Transaction, day: string): Promise<boolean> {
  return (await tx.query(sql`select from audit_packed_day where day = ${day}`)).rowCount > 0
}

export interface ClinicDay {
  clinic_id: string
  /** UTC's: `2026-10-21`. */
  day: string
}

/** A seal, and where its rows begin. */
type Stretch = Pick<Seal, 'number' | 'last_id' | 'row_count' | 'rows_hash'> & { after: number }

/**
 * Makes those segments of the day that are not made yet. Each is stored in a transaction of its own, so that a crash leaves whole ones.
 *
 * @param rowCount the clinic's rows of the day in the table.
 * @returns false: some of them have no seal yet.
 * @throws Error when the rows are not those that were sealed.
 */
export async function prepareSegments(
  owner: Database,
  { clinic_id, day }: ClinicDay,
  rowCount: number,
): Promise<boolean> {
  const session = utcSession(clinic_id)
  const stretches = await owner.read<Stretch>(session, stretchesOf(clinic_id, day))
  const sealed = stretches.reduce((sum, { row_count }) => sum + row_count, 0)
  if (sealed !== rowCount) return false
  const [made] = await owner.read<{ last_id: number | null }>(
    session,
    sql`select max(last_id) as last_id from audit_segment where clinic_id = ${clinic_id} and day = ${day}`,
  )
  const rest = stretches.filter(({ last_id }) => last_id > (made?.last_id ?? 0))
  for (const some of inSegments(rest)) {
    const rows = await rowsOf(owner, clinic_id, some)
    const made = madeOf(clinic_id, rows)
    if (!(await store(owner, { clinic_id, day }, made))) return false
  }
  return true
}

function stretchesOf(clinic_id: string, day: string): Statement {
  return sql`select number, last_id, row_count, rows_hash, coalesce((select last_id from audit_seal before
      where before.clinic_id = ${clinic_id} and before.number = seal.number - 1), 0) as after
    from audit_seal seal where clinic_id = ${clinic_id} and day = ${day} order by number`
}

/** Whole seals, so that a segment is proven by its own seals. */
function inSegments(stretches: readonly Stretch[]): Stretch[][] {
  const segments: Stretch[][] = []
  let rows = 0
  for (const stretch of stretches) {
    const last = segments.at(-1)
    rows += stretch.row_count
    if (last !== undefined && last.at(-1)?.last_id === stretch.after && rows <= MOST_ROWS) last.push(stretch)
    else {
      segments.push([stretch])
      rows = stretch.row_count
    }
  }
  return segments
}

/** A row as the seals know it, in the order of numbers. */
interface Sealed {
  content: string
  /** Outside of the seal. */
  duration_ms: number | null
}

/** @throws Error when they are not those that were sealed. */
async function rowsOf(owner: Database, clinic_id: string, stretches: readonly Stretch[]): Promise<Sealed[]> {
  const [first, last] = [stretches[0]?.after ?? 0, stretches.at(-1)?.last_id ?? 0]
  // All in one value: to take ten thousand rows from the driver one by one costs as much as to pack them. No text of a row has a line's end.
  const [all] = await owner.read<{ contents: string | null; durations: (number | null)[] | null }>(
    utcSession(clinic_id),
    sql`select string_agg(content, e'\n' order by id) as contents, array_agg(duration_ms order by id) as durations
      from (${rowsBehind(clinic_id, first, last, 2 * MOST_ROWS)}) as sealed_row`,
  )
  const durations = all?.durations ?? []
  const rows = (all?.contents?.split('\n') ?? []).map((content, n) => ({ content, duration_ms: durations[n] ?? null }))
  let from = 0
  for (const { number, row_count, rows_hash } of stretches) {
    const own = rows.slice(from, from + row_count)
    from += row_count
    if (rowsHash(own) !== rows_hash) throw new Error(`${cannot(clinic_id)}: the rows of seal ${number} were changed`)
  }
  if (from !== rows.length) throw new Error(`${cannot(clinic_id)}: there are rows that no seal counts`)
  return rows
}

const cannot = (clinic_id: string) => `the audit log of the clinic ${clinic_id} cannot be packed`

interface Made {
  rows: LogRow[]
  content: Buffer
  names: readonly string[]
}

/** @throws Error when the segment does not give back, byte for byte, what was sealed: nothing would prove it any more. */
function madeOf(clinic_id: string, sealed: readonly Sealed[]): Made {
  const rows = sealed.map(({ content, duration_ms }) => parseCanonical(content, duration_ms))
  const content = writeSegment(rows)
  const segment = new Segment(content)
  for (const [place, row] of segment.rows().entries()) {
    if (canonicalText(row) !== sealed[place]?.content || row.duration_ms !== sealed[place].duration_ms)
      throw new Error(`${cannot(clinic_id)}: its segment does not give back row ${row.id}`)
  }
  if (segment.rowCount !== sealed.length) throw new Error(`${cannot(clinic_id)}: its segment has other rows`)
  return { rows, content, names: segment.names }
}

/** @returns false: a day is giving way, so not now. */
function store(owner: Database, { clinic_id, day }: ClinicDay, { rows, content, names }: Made): Promise<boolean> {
  const { first_id, last_id, stored_from, stored_to, records_only_to } = boundsOf(rows)
  return owner.write(utcSession(clinic_id), async (tx) => {
    // The day may have given way meanwhile, to the segments of another dispatcher. A segment that came later would double its rows.
    const { rows: locks } = await tx.query<{ is_held: boolean }>(
      sql`select pg_try_advisory_xact_lock_shared(${GIVING_WAY}) as is_held`,
    )
    if (locks[0]?.is_held !== true) return false
    if (await isPacked(tx, day)) return true
    // Another dispatcher may have made it at the same time.
    const { rowCount } = await tx.query(sql`insert into audit_segment
      (clinic_id, first_id, last_id, day, row_count, stored_from, stored_to, kinds, records_only_to, content)
      values (${clinic_id}, ${first_id}, ${last_id}, ${day}, ${rows.length}, ${stored_from}, ${stored_to},
        ${kindsOf(rows)}, ${records_only_to}, ${content}) on conflict (clinic_id, last_id) do nothing`)
    if (rowCount === 0) return true
    const slots = slotsOf(names).map(({ slot, fingerprints }) => [clinic_id, slot, last_id, day, fingerprints])
    for (const some of sql.chunkRows(slots))
      await tx.query(
        sql`insert into audit_segment_names (clinic_id, slot, last_id, day, fingerprints) values ${sql.values(some)}`,
      )
    return true
  })
}

/** The columns beside the content, which follow from it. */
export interface SegmentBounds {
  first_id: number
  last_id: number
  stored_from: string
  stored_to: string
  records_only_to: string | null
}

/** Rows are in the order of their numbers, and a clock may have jumped between them. */
export function boundsOf(rows: readonly LogRow[]): SegmentBounds {
  const times = rows.map(({ stored_us }) => stored_us)
  const recordsOnly = rows.filter(({ resource_ids }) => namedIn(resource_ids).patient_ids === null)
  return {
    first_id: rows[0]?.id ?? 0,
    last_id: rows.at(-1)?.id ?? 0,
    stored_from: momentOf(times.reduce((least, us) => Math.min(least, us))),
    stored_to: momentOf(times.reduce((most, us) => Math.max(most, us))),
    records_only_to: recordsOnly.length === 0 ? null : momentOf(Math.max(...recordsOnly.map((row) => row.stored_us))),
  }
}
