// Reads the segments of a clinic that are in the place of rows. Whoever reads the table and the segments in one transaction looks into the
// table first: then no day changes its place before the end of the transaction.
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { mayNameOne, type Slot, wantedFor } from './fingerprints.ts'
import { type KindFilter, kindPattern } from './kinds.ts'
import type { LogRow } from './log-row.ts'
import { Segment } from './segment.ts'

/** Segments of one answer: some megabytes. */
const AT_ONCE = 4

/** Condition on `audit_segment`: the rows of its day are not in the table any more. */
export const isInPlace = sql`exists (select from audit_packed_day packed where packed.day = audit_segment.day)`

export interface StoredSegment {
  first_id: number
  last_id: number
  content: Buffer
}

/** The rows of segments with numbers from `after` (left out) to `upTo`, in their order. */
export async function packedRows(
  tx: Transaction,
  clinic_id: string,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<LogRow[]> {
  const rows: LogRow[] = []
  for (let from = after; rows.length < limit; ) {
    const { rows: segments } = await tx.query<StoredSegment>(sql`select first_id, last_id, content from audit_segment
      where clinic_id = ${clinic_id} and last_id > ${from} and first_id <= ${upTo} and ${isInPlace}
      order by last_id limit 1`)
    const [stored] = segments
    if (stored === undefined) break
    const rest = limit - rows.length
    rows.push(...inSegment(clinic_id, stored, (segment) => segment.rowsBetween(after, upTo, rest)))
    from = stored.last_id
  }
  return rows
}

export interface SegmentSearch {
  /** Only rows with numbers between these. */
  after: number
  before: number
  /** Epoch milliseconds. The rows were stored since then, and before `untilMs`. */
  sinceMs: number | null
  untilMs: number | null
  kinds: KindFilter
  /** Each row names one of each list, as a record or as a patient. */
  names: readonly (readonly string[])[]
  /** How the row must name them. */
  isWanted: (row: LogRow) => boolean
  limit: number
}

/** All rows of a clinic. */
export const EVERYWHERE: Omit<SegmentSearch, 'kinds' | 'limit'> = {
  after: 0,
  before: Number.MAX_SAFE_INTEGER,
  sinceMs: null,
  untilMs: null,
  names: [],
  isWanted: () => true,
}

/** The latest rows of segments that are searched for, the latest first. */
export async function searchSegments(tx: Transaction, clinic_id: string, search: SegmentSearch): Promise<LogRow[]> {
  const { sinceMs, untilMs, kinds, names, isWanted, limit } = search
  if (Object.values(kinds).some((wanted: readonly unknown[] | undefined) => wanted?.length === 0)) return []
  const candidates = names.length === 0 ? null : await segmentsNaming(tx, clinic_id, names)
  const since_us = (sinceMs ?? 0) * 1000
  const until_us = untilMs === null ? Number.POSITIVE_INFINITY : untilMs * 1000
  const found: LogRow[] = []
  let before = search.before
  while (found.length < limit) {
    const { rows: segments } = await tx.query<StoredSegment>(sql`select first_id, last_id, content from audit_segment
      where ${conditionOf(clinic_id, search, before, candidates)} order by last_id desc limit ${AT_ONCE}`)
    for (const stored of segments) {
      inSegment(clinic_id, stored, (segment) => {
        const named = names.length === 0 ? undefined : inAll(names.map((some) => segment.rowsNaming(some)))
        for (const row of segment.rowsAt(segment.rowsOfKind(kinds, since_us, until_us, named).reverse())) {
          if (found.length === limit) return
          if (row.id < search.before && row.id > search.after && isWanted(row)) found.push(row)
        }
      })
      if (found.length === limit) return found
    }
    const last = segments.at(-1)
    if (last === undefined || segments.length < AT_ONCE) return found
    before = last.first_id
  }
  return found
}

function conditionOf(
  clinic_id: string,
  { after, sinceMs, untilMs, kinds }: Pick<SegmentSearch, 'after' | 'sinceMs' | 'untilMs' | 'kinds'>,
  before: number,
  candidates: readonly number[] | null,
): Statement {
  const pattern = kindPattern(kinds)
  return sql.join(
    [
      sql`clinic_id = ${clinic_id} and first_id < ${before} and last_id > ${after}
        and ${isInPlace}`,
      ...(candidates === null ? [] : [sql`last_id = any(${candidates}::bigint[])`]),
      ...(sinceMs === null ? [] : [sql`stored_to >= ${new Date(sinceMs)}`]),
      ...(untilMs === null ? [] : [sql`stored_from < ${new Date(untilMs)}`]),
      ...(pattern === null ? [] : [sql`kinds ~ ${pattern}`]),
    ],
    sql` and `,
  )
}

/** Up to when rows of the searched segments name records only. Null: none does. */
export async function recordsOnlyTo(
  tx: Transaction,
  clinic_id: string,
  { after, before, sinceMs, untilMs }: Pick<SegmentSearch, 'after' | 'before' | 'sinceMs' | 'untilMs'>,
): Promise<string | null> {
  const searched = conditionOf(clinic_id, { after, sinceMs, untilMs, kinds: {} }, before, null)
  const until = untilMs === null ? sql`'infinity'` : sql`${new Date(untilMs)}`
  const { rows } = await tx.query<{ moment: string | null }>(sql`
    select max(least(records_only_to, ${until}::timestamptz)) as moment from audit_segment
    where ${searched} and records_only_to is not null`)
  return rows[0]?.moment ?? null
}

/** The segments that may name one of each list. */
async function segmentsNaming(tx: Transaction, clinic_id: string, names: SegmentSearch['names']): Promise<number[]> {
  const lists: number[][] = []
  for (const some of names) {
    const wanted = wantedFor(some)
    const { rows } = await tx.query<Slot & { last_id: number }>(sql`select slot, last_id, fingerprints
      from audit_segment_names where clinic_id = ${clinic_id} and slot = any(${[...wanted.keys()]}::integer[])`)
    const found = new Set(rows.filter((row) => mayNameOne(row, wanted)).map(({ last_id }) => last_id))
    lists.push([...found])
  }
  return inAll(lists)
}

/** The numbers that all lists have, in the order of the first one. */
function inAll([first = [], ...others]: readonly (readonly number[])[]): number[] {
  const sets = others.map((other) => new Set(other))
  return first.filter((one) => sets.every((set) => set.has(one)))
}

/** A segment's content is not what was written. */
export class UnreadableSegment extends Error {
  readonly last_id: number

  constructor(clinic_id: string, last_id: number, cause: unknown) {
    super(`the segment ${last_id} of the audit log of the clinic ${clinic_id} cannot be read`, { cause })
    this.last_id = last_id
  }
}

/** Whatever the reading finds wrong with the content is an `UnreadableSegment`. */
export function inSegment<T>(clinic_id: string, { last_id, content }: StoredSegment, read: (segment: Segment) => T): T {
  try {
    return read(new Segment(content))
  } catch (cause) {
    throw new UnreadableSegment(clinic_id, last_id, cause)
  }
}
