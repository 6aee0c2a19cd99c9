// The audit log of a clinic, latest first: who read and changed what.
//
// No index serves the filters: each would make every request of a key dearer, and under row level security none could find an id in an
// array. So a search passes a bounded number of rows, and days, and says how far it came. The next page goes on from there.

import { namedIn, namesPatient, namesRecord, namesRecordsOnly } from '@clinic-data/audit/stored-ids'
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
import { firstInstant } from '@clinic-data/records/filters/period'
import { findActors } from './actors.ts'

/** Some fifteen milliseconds: two busy processors take several times as long. */
const MOST_SEARCHED = 20_000

/** Each day is a table of its own, and a statement that may need many of them takes long to plan. */
const DAYS_AT_ONCE = 31
const DAY_MS = 24 * 60 * 60 * 1000

export type ActivitySearch = Omit<Static<typeof ActivityQuery>, 'limit'> & {
  limit: number
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

/** @param consoleDatabase a database opened with the console’s login. */
export async function listActivity(
  consoleDatabase: ClinicDatabase,
  clinic: ClinicSession,
  criteria: ActivitySearch,
  now: Date,
): Promise<Page> {
  const { rows, next, isSearching, records_only_until } = await consoleDatabase.write(clinic, (tx) =>
    search(tx, clinic.clinic_id, criteria, now),
  )
  const who = await findActors(
    consoleDatabase,
    clinic,
    rows.map(({ key_id }) => key_id),
  )
  return {
    data: rows.map(({ id, at, key_id, stored_at: _, resource_ids, ...row }) => ({
      id: String(id),
      at: instant(at) ?? '',
      who: who(key_id),
      ...row,
      ...shownNames(resource_ids),
    })),
    meta: {
      next_cursor: next === null ? null : [next.before, next.nearMs, next.untilMs ?? ''].join('.'),
      searched_until:
        next !== null && isSearching ? zonedInstant(new Date(next.untilMs ?? next.nearMs), clinic.time_zone, 3) : null,
      records_only_until: instant(records_only_until),
    },
  }
}

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

async function search(tx: Transaction, clinic_id: string, criteria: ActivitySearch, now: Date) {
  const { limit, mostSearched = MOST_SEARCHED } = criteria
  const members = criteria.integration === undefined ? null : await membersOf(tx, clinic_id, criteria.integration)
  const place = placeOf(criteria.cursor) ?? { before: null, nearMs: now.getTime() + DAY_MS, untilMs: null }
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
    where ${sql.join([sql`true`, ...filtersOf(criteria, members)], AND)} order by id desc limit ${limit + 1}`)
  const older = criteria.patient_id === undefined ? [] : await olderRows(tx, passed, mostSearched)
  const records_only_until = older[0]?.stored_at ?? null
  const { untilMs } = place
  const last = rows[limit - 1]
  if (rows.length > limit && last !== undefined) {
    const next = { ...placeAt(last), untilMs }
    return { rows: rows.slice(0, limit), next, isSearching: false, records_only_until }
  }
  const next = await nextPlace(tx, clinic_id, { passed, mostSearched, firstMs, beginMs, since, untilMs })
  return { rows, next, isSearching: next !== null, records_only_until }
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

/** The latest of the searched rows that name records only, if there is one. */
async function olderRows(tx: Transaction, passed: Statement, mostSearched: number): Promise<StoredPlace[]> {
  const { rows } = await tx.query<StoredPlace>(sql`select id, stored_at
    from (select * from audit where ${passed} order by id desc limit ${mostSearched}) searched
    where ${namesRecordsOnly} order by id desc limit 1`)
  return rows
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

/** The asked period: from `since`, before `until`. Days are the clinic's. */
async function boundsOf(
  tx: Transaction,
  { from, to }: ActivitySearch,
): Promise<{ since: number | null; until: number | null }> {
  if (from === undefined && to === undefined) return { since: null, until: null }
  const { rows } = await tx.query<{ since: string | null; until: string | null }>(sql`
    select ${from === undefined ? NONE : usual(beginOf(from))} as since,
      ${to === undefined ? NONE : usual(endOf(to))} as until`)
  const [bounds] = rows
  return { since: epoch(bounds?.since), until: epoch(bounds?.until) }
}

const NONE = sql`null::timestamptz`
/** A year of four digits, which `Date` reads. No row is older or newer. */
const usual = (moment: Statement) => sql`least(greatest(${moment}, '1900-01-01Z'), '9000-01-01Z')`
const isDay = (moment: string) => moment.length === 10

function beginOf(from: string): Statement {
  return isDay(from) ? firstInstant(sql`${from}::date`) : sql`${from}::timestamptz`
}

function endOf(to: string): Statement {
  return isDay(to) ? firstInstant(sql`${to}::date + 1`) : sql`${to}::timestamptz + interval '1 millisecond'`
}

function epoch(moment: string | null | undefined): number | null {
  return moment == null ? null : Date.parse(instant(moment) ?? '')
}

/** The ids by which the log names what belongs to an integration now. */
async function membersOf(tx: Transaction, clinic_id: string, integration: string): Promise<string[]> {
  const theirs = sql`clinic_id = ${clinic_id} and integration_id = ${integration}`
  const { rows } = await tx.query<{ id: string }>(
    sql`select id from api_key where ${theirs} union all select id from subscription where ${theirs}`,
  )
  return rows.map(({ id }) => id)
}

function filtersOf(
  { actor, operation, surface, resource_id, patient_id, outcome }: ActivitySearch,
  members: readonly string[] | null,
): Statement[] {
  return [
    ...(members === null ? [] : [sql`key_id = any(${members}::text[])`]),
    ...(actor === undefined ? [] : [sql`key_id = ${actor}`]),
    ...(operation === undefined ? [] : [sql`operation = ${operation}`]),
    ...(surface === undefined
      ? []
      : [surface === INTEGRATIONS ? sql`surface <> 'console'` : sql`surface = ${surface}`]),
    ...(patient_id === undefined ? [] : [namesPatient(patient_id)]),
    ...(outcome === undefined ? [] : [OUTCOMES[outcome]]),
    ...(resource_id === undefined ? [] : [namesRecord(resource_id)]),
  ]
}

const OUTCOMES = {
  done: sql`status < 400`,
  refused: sql`status >= 400 and status < 500`,
  failed: sql`status >= 500`,
}
