// The audit log of a clinic, latest first: who read and changed what.
//
// No index serves the filters on rows: each would make every request of a key dearer, and under row level security none could find an id in
// an array. So a search passes a bounded number of rows, and days, and says how far it came. The next page goes on from there. Days that are
// packed have what finds their segments, and are searched to their end.

import type { LogRow } from '@clinic-data/audit/log-row'
import { recordsOnlyTo } from '@clinic-data/audit/read-segments'
import { namedIn, namesPatient, namesRecord, namesRecordsOnly, type SoughtPatient } from '@clinic-data/audit/stored-ids'
import { type ActivityPage, type ActivityQuery, INTEGRATIONS } from '@clinic-data/console-contract/console-activity'
import type { Static } from '@clinic-data/contract/schema'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import {
  type ClinicDatabase,
  type ClinicSession,
  instant,
  type Statement,
  sql,
  type Transaction,
} from '@clinic-data/database'
import { type NamedAs, recordsOf } from '@clinic-data/records/persons/records-of'
import { boundsOf } from './activity-period.ts'
import { findActors } from './actors.ts'
import { type PackedSearch, packedActivity } from './packed-activity.ts'

/** Some thirty milliseconds. Two busy days of a clinic, which are not packed yet, are searched at once. */
const MOST_SEARCHED = 40_000

/** Each day is a table of its own, and a statement that may need many of them takes long to plan. */
const DAYS_AT_ONCE = 31
const DAY_MS = 24 * 60 * 60 * 1000

export type ActivitySearch = Omit<Static<typeof ActivityQuery>, 'limit'> & {
  limit: number
  /** Records that mean the patient in rows that do not name them. Default: they are looked up. */
  records?: NamedAs
  /** Default: some tens of milliseconds' rows. */
  mostSearched?: number
}
type Page = Static<typeof ActivityPage>

/** Where a search goes on: rows behind `before` that were stored before `until`. */
interface Place {
  before: number
  /** About when the row at `before` was stored. */
  nearMs: number
  untilMs: number | null
}

interface StoredPlace {
  id: number
  stored_at: string
}

interface AuditedRow extends StoredPlace {
  at: string
  key_id: string
  operation: string
  surface: Page['data'][number]['surface']
  /** In the form of `stored-ids.ts`. */
  resource_ids: string[]
  count: number
  status: number
  request_id: string
  address: string
  duration_ms: number | null
}

/** A row wherever it lies, with RFC 3339's instants. */
type FoundRow = Omit<AuditedRow, 'stored_at'> & { storedMs: number }

/** @param consoleDatabase a database opened with the console’s login. */
export async function listActivity(
  consoleDatabase: ClinicDatabase,
  clinic: ClinicSession,
  criteria: ActivitySearch,
  now: Date,
): Promise<Page> {
  const { rows, cursor, searchedUntil, records_only_until } = await searchActivity(
    consoleDatabase,
    clinic,
    criteria,
    now,
  )
  const who = await findActors(
    consoleDatabase,
    clinic,
    rows.map(({ key_id }) => key_id),
  )
  return {
    data: rows.map(({ id, key_id, storedMs: _, resource_ids, ...row }) => ({
      id: String(id),
      who: who(key_id),
      ...row,
      ...shownNames(resource_ids),
    })),
    meta: {
      next_cursor: cursor,
      searched_until: searchedUntil === null ? null : zonedInstant(searchedUntil, clinic.time_zone, 3),
      records_only_until,
    },
  }
}

/** A page as it is stored, without the names of those who acted. */
export async function searchActivity(
  consoleDatabase: ClinicDatabase,
  clinic: ClinicSession,
  criteria: ActivitySearch,
  now: Date,
) {
  const { rows, next, isSearching, records_only_until } = await consoleDatabase.write(clinic, (tx) =>
    search(tx, clinic, criteria, now),
  )
  const searchedUntil = next !== null && isSearching ? new Date(next.untilMs ?? next.nearMs) : null
  return { rows, cursor: next === null ? null : cursorOf(next), searchedUntil, records_only_until }
}

function cursorOf({ before, nearMs, untilMs }: Place): string {
  return [before, nearMs, untilMs ?? ''].join('.')
}

/** Where a search begins that passes the row with this number first. */
export function cursorAt(id: number, now: Date): string {
  return cursorOf({ before: id + 1, nearMs: aheadOf(now), untilMs: null })
}

/** A clock may have been ahead when a row was stored. */
const aheadOf = (now: Date) => now.getTime() + DAY_MS

const SHOWN_IDS = 100

function shownNames(stored: readonly string[]) {
  const { resource_ids, patient_ids, ...refusal } = namedIn(stored)
  return {
    resource_ids,
    patient_ids: patient_ids?.slice(0, SHOWN_IDS) ?? null,
    patient_count: patient_ids?.length ?? null,
    ...refusal,
  }
}

async function search(tx: Transaction, clinic: ClinicSession, criteria: ActivitySearch, now: Date) {
  const { clinic_id } = clinic
  const { limit, mostSearched = MOST_SEARCHED } = criteria
  const members = criteria.integration === undefined ? null : await membersOf(tx, clinic_id, criteria.integration)
  const patient = await patientOf(tx, clinic, criteria)
  const place = placeOf(criteria.cursor) ?? { before: null, nearMs: aheadOf(now), untilMs: null }
  const { since, until } = await boundsOf(tx, criteria)
  const nearMs = Math.min(place.nearMs, until ?? place.nearMs)
  const firstMs = nearMs - DAYS_AT_ONCE * DAY_MS
  const beginMs = Math.max(firstMs, since ?? firstMs)
  const endMs = Math.min(place.untilMs ?? Number.POSITIVE_INFINITY, until ?? Number.POSITIVE_INFINITY)
  const passed = sql.join(
    [
      sql`clinic_id = ${clinic_id} and stored_at >= ${new Date(beginMs)}`,
      ...(endMs === Number.POSITIVE_INFINITY ? [] : [sql`stored_at < ${new Date(endMs)}`]),
      ...(place.before === null ? [] : [sql`id < ${place.before}`]),
    ],
    AND,
  )
  // The index gives the rows of a clinic in order. On a day without statistics the planner would read all to sort them.
  await tx.script('set local enable_sort to off')
  const { rows } = await tx.query<AuditedRow>(sql`
    select id, stored_at, at, key_id, operation, surface, resource_ids, count, status, request_id, address, duration_ms
    from (select * from audit where ${passed} order by id desc limit ${mostSearched}) searched
    where ${sql.join([sql`true`, ...filtersOf(criteria, members, patient)], AND)} order by id desc limit ${limit + 1}`)
  const { untilMs } = place
  const last = rows[limit - 1]
  // When the page is whole, only segments are searched that may have rows between its own.
  const end =
    rows.length > limit && last !== undefined
      ? { ...placeAt(last), untilMs }
      : await nextPlace(tx, clinic_id, { passed, mostSearched, firstMs, beginMs, since, untilMs })
  const numbers = { after: (end?.before ?? 1) - 1, before: place.before ?? Number.MAX_SAFE_INTEGER }
  const bounds = { ...numbers, since, until, limit: limit + 1 }
  const packed = await packedActivity(tx, clinic_id, { filters: criteria, patient, members, ...bounds })
  const records_only_until =
    patient === null ? null : await recordsOnlyUntil(tx, clinic_id, { passed, mostSearched, ...bounds })
  const all = [...rows.map(fromTable), ...packed.map((row) => fromSegment(row, clinic.time_zone))].sort(
    (a, b) => b.id - a.id,
  )
  const lastShown = all[limit - 1]
  if (all.length > limit && lastShown !== undefined) {
    const next = { before: lastShown.id, nearMs: lastShown.storedMs, untilMs }
    return { rows: all.slice(0, limit), next, isSearching: false, records_only_until }
  }
  return { rows: all, next: end, isSearching: end !== null, records_only_until }
}

function fromTable({ stored_at, at, ...row }: AuditedRow): FoundRow {
  return { ...row, at: instant(at) ?? '', storedMs: Date.parse(instant(stored_at) ?? '') }
}

function fromSegment({ stored_us, at_ms, surface, resource_ids, ...row }: LogRow, time_zone: string): FoundRow {
  return {
    ...row,
    at: zonedInstant(new Date(at_ms), time_zone, 3),
    storedMs: Math.floor(stored_us / 1000),
    // Their table checks which there are.
    surface: surface as FoundRow['surface'],
    resource_ids: [...resource_ids],
  }
}

interface Searched {
  passed: Statement
  mostSearched: number
  firstMs: number
  beginMs: number
  since: number | null
  untilMs: number | null
}

/** Null when the search has passed all rows. */
async function nextPlace(tx: Transaction, clinic_id: string, searched: Searched): Promise<Place | null> {
  const { passed, mostSearched, firstMs, beginMs, since, untilMs } = searched
  const { rows: ends } = await tx.query<StoredPlace>(sql`select id, stored_at from audit where ${passed}
    order by id desc offset ${mostSearched - 1} limit 1`)
  const [end] = ends
  if (end !== undefined) return { ...placeAt(end), untilMs }
  if (since !== null && since >= firstMs) return null
  // All rows of these days were passed. Months without any are passed at once.
  const { rows: earlier } = await tx.query<StoredPlace>(sql`select id, stored_at from audit
    where clinic_id = ${clinic_id} and stored_at < ${new Date(beginMs)} and stored_at >= ${new Date(since ?? 0)}
    order by id desc limit 1`)
  const [before] = earlier
  if (before === undefined) return null
  const from = placeAt(before)
  return { ...from, before: from.before + 1, untilMs: beginMs }
}

type Bounded = Pick<Searched, 'passed' | 'mostSearched' | 'since'> & Pick<PackedSearch, 'after' | 'before' | 'until'>

/** When the latest of the searched rows was stored that names records only. Null: there is none. */
async function recordsOnlyUntil(
  tx: Transaction,
  clinic_id: string,
  { passed, mostSearched, since, until, ...numbers }: Bounded,
): Promise<string | null> {
  const { rows } = await tx.query<StoredPlace>(sql`select id, stored_at
    from (select * from audit where ${passed} order by id desc limit ${mostSearched}) searched
    where ${namesRecordsOnly} order by id desc limit 1`)
  const moments = [
    rows[0]?.stored_at ?? null,
    await recordsOnlyTo(tx, clinic_id, { ...numbers, sinceMs: since, untilMs: until }),
  ].map(instant)
  return moments.reduce((latest, moment) => (epochOf(moment) > epochOf(latest) ? moment : latest), null)
}

const AND = sql` and `

function placeOf(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null
  const [before, nearMs, untilMs] = cursor.split('.')
  return { before: Number(before), nearMs: Number(nearMs), untilMs: untilMs === '' ? null : Number(untilMs) }
}

function placeAt({ id, stored_at }: StoredPlace): { before: number; nearMs: number } {
  return { before: id, nearMs: Date.parse(instant(stored_at) ?? '') }
}

/** The text is RFC 3339's. */
const epochOf = (moment: string | null) => (moment === null ? Number.NEGATIVE_INFINITY : Date.parse(moment))

/** The ids by which the log names what belongs to an integration now. */
export async function membersOf(tx: Transaction, clinic_id: string, integration: string): Promise<string[]> {
  const theirs = sql`clinic_id = ${clinic_id} and integration_id = ${integration}`
  const { rows } = await tx.query<{ id: string }>(
    sql`select id from api_key where ${theirs} union all select id from subscription where ${theirs}`,
  )
  return rows.map(({ id }) => id)
}

async function patientOf(
  tx: Transaction,
  clinic: ClinicSession,
  { patient_id, records }: ActivitySearch,
): Promise<SoughtPatient | null> {
  if (patient_id === undefined) return null
  return { patient_id, records: records ?? (await recordsOf(tx, clinic, patient_id)) }
}

function filtersOf(
  { actor, operation, surface, resource_id, outcome }: ActivitySearch,
  members: readonly string[] | null,
  patient: SoughtPatient | null,
): Statement[] {
  return [
    ...(members === null ? [] : [sql`key_id = any(${members}::text[])`]),
    ...(actor === undefined ? [] : [sql`key_id = ${actor}`]),
    ...(operation === undefined ? [] : [sql`operation = ${operation}`]),
    ...(surface === undefined
      ? []
      : [surface === INTEGRATIONS ? sql`surface <> 'console'` : sql`surface = ${surface}`]),
    ...(patient === null ? [] : [namesPatient(patient)]),
    ...(outcome === undefined ? [] : [OUTCOMES[outcome]]),
    ...(resource_id === undefined ? [] : [namesRecord(resource_id)]),
  ]
}

const OUTCOMES = {
  done: sql`status < 400`,
  refused: sql`status >= 400 and status < 500`,
  failed: sql`status >= 500`,
}
