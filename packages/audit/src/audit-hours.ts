// Sums of the audit log by hour and key, so that nothing scans rows to show how much a key is used. The transaction that seals rows
// adds them to the sums: it passes each row exactly once. Rows that no seal covers yet are summed when somebody asks (docs/decisions/0055).
import { allOperations } from '@clinic-data/contract'
import { type ClinicDatabase, type ClinicSession, type Statement, sql, type Transaction } from '@clinic-data/database'
import { READS } from './latest-use.ts'
import { addPatientsRead, forgetPatientsRead, type NewlyRead, unsealedPatients } from './patients-read.ts'

/** The upper bounds of the durations that are counted together. One more counter has the longer ones. */
export const DURATION_BOUNDS_MS = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000]

/** The longest period that is shown, and the day that has begun. The audit log itself is kept for at least as long. */
export const KEPT_HOURS = 31 * 24

/** Limits the time of an answer while nobody seals: then the use of the latest rows is told. */
const MOST_UNSEALED = 20_000

/** How much a key was used in an hour or a day. */
export interface KeyUse {
  key_id: string
  /** When the hour or day begins, as PostgreSQL prints it. */
  at: string
  requests: number
  /** Those with a status from 400. */
  refusals: number
  /** Those with a status from 500. */
  failures: number
  /** Those whose data it read for the first time that day. */
  patients: number
  /** Those that changed something. */
  changes: number
  /** How many took up to each bound of `DURATION_BOUNDS_MS`, and how many longer. */
  durations: number[]
  busiest_minute: number
}

/** Requests that are alike, in one minute. */
interface Cell {
  key_id: string
  at: string
  minute: number
  status_class: number
  /** The place among the durations. Null: unknown. */
  duration: number | null
  requests: number
  changes: number
}

type Hour = KeyUse & { minutes: number[] }

const CHANGES = allOperations.map(({ id }) => id).filter((id) => !READS.includes(id))

/** The work of administrators in the console, and what is delivered to webhooks, is no use of a key. */
const counted = sql`surface not in ('console', 'webhook')`

function cellsOf(rows: Statement, at: Statement): Statement {
  const above = DURATION_BOUNDS_MS.map((bound) => bound + 1)
  return sql`select key_id, ${at} as at, minute, status_class, duration, count(*)::integer as requests,
      count(*) filter (where status < 400 and operation = any(${CHANGES}::text[]))::integer as changes
    from (select key_id, date_trunc('hour', stored_at, 'UTC') as hour,
        extract(minute from stored_at at time zone 'UTC')::integer as minute, status / 100 as status_class,
        width_bucket(duration_ms, ${above}::integer[]) as duration, status, operation
      from (${rows}) rows) cells
    group by 1, 2, 3, 4, 5`
}

/**
 * Adds the rows of a new seal. Whoever calls it holds the clinic's chain, so nobody else changes its sums.
 *
 * @param tx in UTC.
 */
export async function addToHours(
  tx: Transaction,
  clinic_id: string,
  { after, upTo }: { after: number; upTo: number },
): Promise<void> {
  const rows = sql`select key_id, stored_at, status, duration_ms, operation from audit
    where clinic_id = ${clinic_id} and id > ${after} and id <= ${upTo} and ${counted}`
  const { rows: cells } = await tx.query<Cell>(cellsOf(rows, sql`hour`))
  if (cells.length === 0) return
  const { rows: before } = await tx.query<Hour>(sql`
    select key_id, hour as at, requests, refusals, failures, patients, changes, durations, minutes,
      busiest_minute from audit_hour
    where clinic_id = ${clinic_id} and hour = any(${distinct(cells, 'at')}::timestamptz[])
      and key_id = any(${distinct(cells, 'key_id')}::text[])`)
  const read = await addPatientsRead(tx, clinic_id, { after, upTo })
  const stored = withPatients(summed(cells, before), read).map((hour) => [
    ...[clinic_id, hour.at, hour.key_id, hour.requests, hour.refusals, hour.failures, hour.patients, hour.changes],
    ...[hour.durations, hour.minutes, Math.max(...hour.minutes)],
  ])
  for (const some of sql.chunkRows(stored)) {
    await tx.query(sql`insert into audit_hour
      (clinic_id, hour, key_id, requests, refusals, failures, patients, changes, durations, minutes, busiest_minute)
      values ${sql.values(some)}
      on conflict (clinic_id, hour, key_id) do update set requests = excluded.requests, refusals = excluded.refusals,
        failures = excluded.failures, patients = excluded.patients, changes = excluded.changes, durations = excluded.durations, minutes = excluded.minutes,
        busiest_minute = excluded.busiest_minute`)
  }
}

function distinct(cells: readonly Cell[], name: 'at' | 'key_id'): string[] {
  return [...new Set(cells.map((cell) => cell[name]))]
}

/** The hours that the cells belong to, with what they held before. */
function summed(cells: readonly Cell[], before: readonly Hour[]): Hour[] {
  const hours = new Map(before.map((hour) => [`${hour.at} ${hour.key_id}`, hour]))
  for (const { at, key_id, minute, requests, changes, status_class, duration } of cells) {
    const name = `${at} ${key_id}`
    const hour = hours.get(name) ?? { ...noUse(key_id, at), minutes: Array<number>(60).fill(0) }
    hours.set(name, hour)
    hour.requests += requests
    hour.changes += changes
    if (status_class >= 4) hour.refusals += requests
    if (status_class >= 5) hour.failures += requests
    if (duration !== null) hour.durations[duration] = (hour.durations[duration] ?? 0) + requests
    hour.minutes[minute] = (hour.minutes[minute] ?? 0) + requests
  }
  return [...hours.values()]
}

function withPatients<H extends KeyUse>(hours: readonly H[], read: readonly NewlyRead[]): readonly H[] {
  const counts = new Map(read.map(({ at, key_id, patients }) => [`${at} ${key_id}`, patients]))
  return hours.map((hour) => ({ ...hour, patients: hour.patients + (counts.get(`${hour.at} ${hour.key_id}`) ?? 0) }))
}

export function noUse(key_id: string, at: string): KeyUse {
  const durations = Array<number>(DURATION_BOUNDS_MS.length + 1).fill(0)
  return { key_id, at, requests: 0, refusals: 0, failures: 0, patients: 0, changes: 0, durations, busiest_minute: 0 }
}

export interface AskedUse {
  readonly since: Date
  readonly step: 'hour' | 'day'
  /** Looks for patients in the latest rows too. Those of sealed rows are counted already. */
  readonly countsPatients?: boolean
  /** Default: true. Their sums cost most of the time. */
  readonly hasDurations?: boolean
  /** Only these keys. */
  readonly key_ids?: readonly string[] | undefined
}

/**
 * The use of each key since a full hour, by hour or by the clinic's days. A key may come twice for one hour or day: with the rows that
 * are summed already, and with the latest ones. Those are the rows of a minute or two.
 *
 * @param owner a database opened as the owner of the tables.
 */
export async function readKeyUse(
  owner: ClinicDatabase,
  clinic: ClinicSession,
  { since, step, countsPatients = false, hasDurations = true, key_ids }: AskedUse,
): Promise<KeyUse[]> {
  const { clinic_id } = clinic
  const at = step === 'hour' ? sql`hour` : sql`date_trunc('day', hour)`
  const theirs = key_ids === undefined ? sql`true` : sql`key_id = any(${key_ids}::text[])`
  return owner.write(clinic, async (tx) => {
    // The sums, and up to where they go, are of one moment. Rows behind that are not in them, whatever is sealed meanwhile.
    const { rows } = await tx.query<(KeyUse | Record<keyof KeyUse, null>) & { sealed: number }>(sql`
      select sealed.last_id as sealed, used.* from (${lastSealed(clinic_id)}) sealed
      left join (${sumsOf(clinic_id, { since, at, theirs, hasDurations })}) used on true`)
    const after = rows[0]?.sealed ?? 0
    // The index gives the latest rows of a clinic in order. On a day without statistics the planner would read all to sort them.
    await tx.script('set local enable_sort to off')
    const latest = sql`select key_id, stored_at, status, duration_ms, operation from audit where clinic_id = ${clinic_id}
      and id > ${after} and stored_at >= ${since} and ${counted} and ${theirs} order by id desc limit ${MOST_UNSEALED}`
    const { rows: cells } = await tx.query<Cell>(cellsOf(latest, at))
    const sealed = rows.filter((row): row is KeyUse & { sealed: number } => row.key_id !== null)
    const read = countsPatients ? await unsealedPatients(tx, clinic_id, { after, since, at }) : []
    const fresh = summed(cells, []).map((hour) => ({ ...hour, busiest_minute: Math.max(...hour.minutes) }))
    return [...sealed, ...withPatients(fresh, read)]
  })
}

const HOUR_MS = 60 * 60 * 1000

/** The beginning of an hour, so many before the one that has begun. */
export function hoursBefore(now: Date, hours: number): Date {
  return new Date((Math.floor(now.getTime() / HOUR_MS) - hours) * HOUR_MS)
}

function lastSealed(clinic_id: string): Statement {
  return sql`select coalesce((select last_id from audit_seal where clinic_id = ${clinic_id}
    order by number desc limit 1), 0) as last_id`
}

interface Summed {
  since: Date
  at: Statement
  theirs: Statement
  hasDurations: boolean
}

function sumsOf(clinic_id: string, { since, at, theirs, hasDurations }: Summed): Statement {
  const counters = [...DURATION_BOUNDS_MS, 0].map((_, place) => (hasDurations ? sumOfCounter(place + 1) : sql`0`))
  return sql`select key_id, ${at} as at, sum(requests)::integer as requests, sum(refusals)::integer as refusals,
      sum(failures)::integer as failures, sum(patients)::integer as patients, sum(changes)::integer as changes, array[${sql.join(counters)}] as durations,
      max(busiest_minute) as busiest_minute
    from audit_hour where clinic_id = ${clinic_id} and hour >= ${since} and ${theirs} group by 1, 2`
}

function sumOfCounter(place: number): Statement {
  return sql`sum(durations[${place}::integer])::integer`
}

/** Removes the sums that are too old to be shown. */
export async function forgetHours(owner: ClinicDatabase, clinic: ClinicSession, now: Date): Promise<void> {
  const { clinic_id } = clinic
  await owner.write(clinic, (tx) =>
    tx.query(sql`delete from audit_hour where clinic_id = ${clinic_id} and hour < ${hoursBefore(now, KEPT_HOURS)}`),
  )
  await forgetPatientsRead(owner, clinic, now)
}

/**
 * The duration that a share of the counted requests did not exceed, evenly spread between the bounds. Null when none is known.
 *
 * @example percentile(durations, 0.99) // 184
 */
export function percentile(durations: readonly number[], share: number): number | null {
  const all = durations.reduce((sum, count) => sum + count, 0)
  if (all === 0) return null
  let below = 0
  for (const [place, count] of durations.entries()) {
    const from = DURATION_BOUNDS_MS[place - 1] ?? 0
    const to = DURATION_BOUNDS_MS[place] ?? from
    if (count > 0 && below + count >= share * all) {
      return Math.max(1, Math.round(from + (to - from) * ((share * all - below) / count)))
    }
    below += count
  }
  return DURATION_BOUNDS_MS.at(-1) ?? null
}

/** The requests of each key and connection, by its id, in the hour that has begun and the 23 before it. */
export async function requestsOfDay(
  owner: ClinicDatabase,
  clinic: ClinicSession,
  now: Date,
  key_ids?: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  const wanted = { since: hoursBefore(now, 23), step: 'day', hasDurations: false, key_ids } as const
  for (const { key_id, requests } of await readKeyUse(owner, clinic, wanted)) {
    counts.set(key_id, (counts.get(key_id) ?? 0) + requests)
  }
  return counts
}
