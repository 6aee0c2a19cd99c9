// One turn of the watch over a clinic: a page of its log, the sums of the days that are not learnt yet, and what its rules say. All in one
// transaction under the lock of the clinic's place: another dispatcher passes by, and a process that is killed leaves nothing half done.
import {
  type ClinicDatabase,
  type ClinicSession,
  instant,
  type Statement,
  sql,
  type Transaction,
} from '@clinic-data/database'
import { hoursBefore, KEPT_HOURS } from '../audit-hours.ts'
import { forgetAlerts, type Notice, storeAlerts } from './alerts.ts'
import { decideDays, QUIET_DAYS, type Standing } from './decide.ts'
import { isRule } from './facts.ts'
import { orderAfter } from './id-order.ts'
import { pageBehind, type WatchedRow } from './log-page.ts'
import type { EndedKey } from './rules.ts'
import { type DayUse, dayAfter, networkOf, newUsual, notSilent, openDay, type Usual } from './usual.ts'

/** Some tens of milliseconds, and some megabytes. */
const ROWS_OF_A_PAGE = 5_000
/** The rows of a day's end are sealed within minutes. Then the day is learnt. */
const SETTLED_MS = 60 * 60 * 1000
/** Older days were not watched while no dispatcher ran. Nobody acts on them any more. */
const CALLED_DAYS = 7
/** A key with more seen alerts in its days is looked through by people. */
const MOST_STANDING = 5_000

export type Turn =
  /** Another dispatcher is at it. */
  'taken' | 'done' | 'goes_on'

interface Place {
  last_id: number
  day: string
  today: string
  learns_before: string
  sealed: number
  isFirst: boolean
}

/** @param owner opened as the owner of the tables. @param clinic with its own zone. */
export async function watchClinic(owner: ClinicDatabase, clinic: ClinicSession, now: Date): Promise<Turn> {
  if (!(await hasNews(owner, clinic, now))) return 'done'
  return owner.write(clinic, async (tx) => {
    const place = await placeOf(tx, clinic.clinic_id, now)
    if (place === null) return 'taken'
    return watchFrom(tx, clinic, place, now)
  })
}

/** In most rounds most clinics have none: one statement says so. Sums and rows come with seals. */
async function hasNews(owner: ClinicDatabase, clinic: ClinicSession, now: Date): Promise<boolean> {
  const { clinic_id } = clinic
  const [quiet] = await owner.read(
    clinic,
    sql`select from audit_watch w where clinic_id = ${clinic_id} and day >= ${learnsBefore(now)}
      and last_id >= ${lastSealed(clinic_id)}
      and not exists (select from api_key k where k.clinic_id = ${clinic_id} and k.tried_at > w.watched_at)`,
  )
  return quiet === undefined
}

/** The clinic's day that has not ended, or has a moment ago. */
function learnsBefore(now: Date): Statement {
  return sql`${new Date(now.getTime() - SETTLED_MS)}::timestamptz::date`
}

function lastSealed(clinic_id: string): Statement {
  return sql`coalesce((select last_id from audit_seal where clinic_id = ${clinic_id} order by number desc limit 1), 0)`
}

async function watchFrom(tx: Transaction, clinic: ClinicSession, place: Place, now: Date): Promise<Turn> {
  const { clinic_id } = clinic
  const page = await pageBehind(tx, clinic, { after: place.last_id, upTo: place.sealed, limit: ROWS_OF_A_PAGE })
  const before = await usualOf(tx, clinic_id)
  const found = new Map(before)
  for (const row of page.rows) found.set(row.key_id, withRow(found.get(row.key_id) ?? newUsual(row.day), row))
  const uses = await usesOf(tx, clinic_id, place.day)
  const ended = await endedKeys(tx, clinic_id)
  const stopped = await stoppedKeys(tx, clinic_id)
  const standing = await standingAlerts(tx, clinic_id, place.day)
  const learnedBefore = page.isLast && place.learns_before > place.day ? place.learns_before : place.day
  const notices: Notice[] = []
  for (const key_id of new Set([...found.keys(), ...uses.keys(), ...ended.keys()])) {
    const days = daysTo(place)
    const theirs = uses.get(key_id) ?? new Map<string, DayUse>()
    const usual = found.get(key_id) ?? newUsual([...theirs.keys()].sort()[0] ?? place.today)
    const decided = decideDays({
      key_id,
      usual,
      days,
      uses: theirs,
      ended: ended.get(key_id) ?? null,
      standing: standing.get(key_id) ?? [],
      callsSince: place.isFirst ? place.today : dayAfter(place.today, -CALLED_DAYS),
      learnsBefore: learnedBefore,
    })
    notices.push(...decided.notices)
    if (theirs.size === 0 && !found.has(key_id)) continue
    found.set(key_id, stopped.has(key_id) ? notSilent(decided.usual, dayAfter(learnedBefore, -1)) : decided.usual)
  }
  await storeAlerts(tx, clinic_id, { notices, now })
  await storeUsual(tx, clinic_id, { before, after: found })
  await tx.query(sql`update audit_watch set last_id = ${page.last_id}, day = ${learnedBefore}, watched_at = ${now}
    where clinic_id = ${clinic_id}`)
  if (learnedBefore !== place.day) await forgetAlerts(tx, clinic_id, now)
  return page.isLast ? 'done' : 'goes_on'
}

/** The place, locked. Null: another has it. The first look begins at the end of the log, and learns the days whose sums are kept. */
async function placeOf(tx: Transaction, clinic_id: string, now: Date): Promise<Place | null> {
  const { rows: ends } = await tx.query<{ sealed: number; today: string; learns_before: string; oldest: string }>(sql`
    select ${lastSealed(clinic_id)} as sealed,
      ${now}::timestamptz::date::text as today, ${learnsBefore(now)}::text as learns_before,
      ${hoursBefore(now, KEPT_HOURS - 24)}::timestamptz::date::text as oldest`)
  const [end] = ends
  if (end === undefined) return null
  const { rowCount } = await tx.query(sql`insert into audit_watch (clinic_id, last_id, day, watched_at)
    values (${clinic_id}, ${end.sealed}, ${end.oldest}, ${now}) on conflict (clinic_id) do nothing`)
  const { rows } = await tx.query<{ last_id: number; day: string }>(sql`
    select last_id, day::text as day from audit_watch where clinic_id = ${clinic_id} for update skip locked`)
  const [place] = rows
  return place === undefined ? null : { ...end, ...place, isFirst: rowCount === 1 }
}

/** From the first day that is not learnt, to today. */
function daysTo({ day, today }: Place): string[] {
  const days: string[] = []
  for (let one = day; one <= today; one = dayAfter(one)) days.push(one)
  return days
}

async function usualOf(tx: Transaction, clinic_id: string): Promise<Map<string, Usual>> {
  const { rows } = await tx.query<{ key_id: string; learnt: Usual }>(sql`
    select key_id, learnt from audit_usual where clinic_id = ${clinic_id}`)
  return new Map(rows.map(({ key_id, learnt }) => [key_id, learnt]))
}

function withRow(usual: Usual, { day, address, patient_id }: WatchedRow): Usual {
  const { networks, order } = openDay(usual, day)
  const network = networkOf(address)
  const next = {
    day,
    networks: network === null || networks.includes(network) ? networks : [...networks, network],
    order: patient_id === null ? order : orderAfter(order, patient_id),
  }
  const others = usual.open.filter((one) => one.day !== day)
  return { ...usual, networks_since: usual.networks_since ?? day, open: [...others, next] }
}

interface SumRow extends DayUse {
  key_id: string
  day: string
}

/** The use of each key on the days from this one on, by the sums of the hours that began in them. */
async function usesOf(tx: Transaction, clinic_id: string, day: string): Promise<Map<string, Map<string, DayUse>>> {
  const { rows } = await tx.query<SumRow>(sql`
    select key_id, hour::date::text as day, sum(requests)::integer as requests,
      sum(refusals - failures)::integer as refusals, sum(patients)::integer as patients
    from audit_hour where clinic_id = ${clinic_id} and hour >= ${day}::date::timestamptz group by key_id, hour::date`)
  const uses = new Map<string, Map<string, DayUse>>()
  for (const { key_id, day: of, ...use } of rows)
    uses.set(key_id, (uses.get(key_id) ?? new Map<string, DayUse>()).set(of, use))
  return uses
}

async function stoppedKeys(tx: Transaction, clinic_id: string): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ id: string }>(
    sql`select id from api_key where clinic_id = ${clinic_id} and stopped_at is not null`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Those that were tried after their end. */
async function endedKeys(tx: Transaction, clinic_id: string): Promise<Map<string, EndedKey & { day: string }>> {
  const { rows } = await tx.query<EndedKey & { id: string; day: string }>(sql`
    select id, revoked_at, stopped_at, tried_at, tried_at::date::text as day from api_key
    where clinic_id = ${clinic_id} and tried_at > least(revoked_at, stopped_at)`)
  return new Map(
    rows.map(({ id, day, revoked_at, stopped_at, tried_at }) => [
      id,
      {
        day,
        revoked_at: instant(revoked_at),
        stopped_at: instant(stopped_at),
        tried_at: instant(tried_at) ?? '',
      },
    ]),
  )
}

/**
 * The alerts that say what is called already: those of the last weeks, and all that somebody has seen. Whoever resumed what a rule had stopped has
 * seen why.
 */
async function standingAlerts(tx: Transaction, clinic_id: string, day: string): Promise<Map<string, Standing[]>> {
  const isSeen = sql`(a.seen_at is not null or a.stopped_at is not null
    and exists (select from api_key k where k.clinic_id = ${clinic_id} and k.id = a.key_id and k.stopped_at is null))`
  const { rows } = await tx.query<Standing & { key_id: string; rule: string }>(sql`
    select a.key_id, a.rule, a.day::text as day, a.facts, ${isSeen} as is_seen from audit_alert a
    where a.clinic_id = ${clinic_id} and (a.day > ${day}::date - ${QUIET_DAYS}::integer or ${isSeen})
    order by a.noticed_at desc limit ${MOST_STANDING}`)
  const standing = new Map<string, Standing[]>()
  for (const { key_id, ...one } of rows)
    if (isRule(one.rule)) standing.set(key_id, [...(standing.get(key_id) ?? []), one])
  return standing
}

async function storeUsual(
  tx: Transaction,
  clinic_id: string,
  { before, after }: { before: ReadonlyMap<string, Usual>; after: ReadonlyMap<string, Usual> },
): Promise<void> {
  const changed = [...after].filter(([key_id, usual]) => before.get(key_id) !== usual)
  const stored = changed.map(([key_id, usual]) => [clinic_id, key_id, JSON.stringify(usual)])
  for (const some of sql.chunkRows(stored)) {
    await tx.query(sql`insert into audit_usual (clinic_id, key_id, learnt) values ${sql.values(some)}
      on conflict (clinic_id, key_id) do update set learnt = excluded.learnt`)
  }
}
