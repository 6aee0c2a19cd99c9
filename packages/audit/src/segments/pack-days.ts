// Packs the days of the audit log: first the segments of all clinics are made beside the rows, then the day's partition gives way to them
// in one transaction. So a row stands in exactly one place at every moment, and no row is deleted by itself.
import { type Database, type Statement, sql } from '@clinic-data/database'
import { markForm } from '@clinic-data/database/schema/form-of-rows'
import { GIVING_WAY, isPacked, prepareSegments } from './prepare-segments.ts'

/** A day is packed so long after its end: its last rows are sealed within minutes, unless nobody seals. */
const SETTLED_HOURS = 6

/**
 * Dropping a partition waits for everybody who reads or writes the log, and lets nobody pass meanwhile. So it gives up soon, and the
 * next round tries again.
 */
const LOCK_MS = 200

/** As `maintain_audit` keeps them. */
const FEWEST_DAYS = 30

/** Counts the rows of a day of all clinics. */
const COUNT_MS = 10 * 60 * 1000

export interface Packing {
  /** Why rows of a clinic or a day cannot be packed. The segments of the others are made all the same. */
  failures: Error[]
  /** UTC's days, which are packed now. */
  packed: string[]
  /** These wait for their seals, or for a moment in which nobody uses the log; or the first versions sealed rows of theirs. */
  waiting: string[]
}

/**
 * One round over all days that have ended.
 *
 * @param owner a database opened as the owner of the tables.
 */
export async function packDays(owner: Database, now: Date, stopping?: AbortSignal): Promise<Packing> {
  const packing: Packing = { failures: [], packed: [], waiting: [] }
  const rowsUntil = await formerlySealed(owner)
  for (const day of await daysToPack(owner, now)) {
    if (stopping?.aborted) return packing
    const isPacked =
      rowsUntil < day &&
      (await packDay(owner, day, packing.failures, stopping).catch((error: unknown) => {
        packing.failures.push(errorOf(error))
        return false
      }))
    packing[isPacked ? 'packed' : 'waiting'].push(day)
  }
  return packing
}

/** The last day with seals of the first versions, whose rows are proven in the order of their times, from the table. */
async function formerlySealed(owner: Database): Promise<string> {
  const [last] = await owner.readAsDispatcher<{ day: string | null }>(
    sql`select (max(last_stored_at) at time zone 'UTC')::date::text as day from audit_former_seal`,
  )
  return last?.day ?? ''
}

async function packDay(owner: Database, day: string, failures: Error[], stopping?: AbortSignal): Promise<boolean> {
  return (await prepareDay(owner, day, failures, stopping)) && giveWay(owner, day)
}

const errorOf = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

/**
 * The days with a partition that ended long enough ago, the oldest first. A day is packed once: a clock that went back may bring it another
 * partition, and the rows in it stay there.
 */
export async function daysToPack(owner: Database, now: Date): Promise<string[]> {
  const last = new Date(now.getTime() - (24 + SETTLED_HOURS) * 60 * 60 * 1000).toISOString().slice(0, 10)
  const { rows } = await owner.query<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.audit'::regclass and c.relname ~ '^audit_[0-9]{8}$'
      and not exists (select from audit_packed_day where c.relname = 'audit_' || to_char(day, 'YYYYMMDD')) order by 1`)
  return rows.map(({ name }) => name.replace(/^audit_(....)(..)(..)$/, '$1-$2-$3')).filter((day) => day <= last)
}

/** @returns whether all rows of the day are in segments. */
async function prepareDay(owner: Database, day: string, failures: Error[], stopping?: AbortSignal): Promise<boolean> {
  const clinics = await owner.maintainAsDispatcher(async (tx) => {
    await tx.query(sql`select set_config('statement_timeout', ${String(COUNT_MS)}, true)`)
    return (await tx.query<{ clinic_id: string; row_count: number }>(rowCounts(day))).rows
  })
  let isReady = true
  for (const { clinic_id, row_count } of clinics) {
    if (stopping?.aborted) return false
    try {
      isReady = (await prepareSegments(owner, { clinic_id, day }, row_count)) && isReady
    } catch (error) {
      isReady = false
      // Another dispatcher has packed the day meanwhile, so its rows are gone from the table.
      if (!(await owner.maintain((tx) => isPacked(tx, day)))) failures.push(errorOf(error))
    }
  }
  return isReady
}

/**
 * Puts the segments of a day in the place of its rows. Rows that came to the day meanwhile, because a clock went back, keep it waiting, and
 * its segments are made anew: two dispatchers may have made some that overlap.
 *
 * @returns false: not now.
 */
function giveWay(owner: Database, day: string): Promise<boolean> {
  const partition = sql.identifier(`audit_${day.replaceAll('-', '')}`)
  return owner
    .maintainAsDispatcher(async (tx) => {
      await tx.query(sql`select set_config('statement_timeout', ${String(COUNT_MS)}, true),
        set_config('lock_timeout', ${String(LOCK_MS)}, true)`)
      await tx.query(sql`select pg_advisory_xact_lock(${GIVING_WAY})`)
      if (await isPacked(tx, day)) return true
      await tx.query(sql`lock table ${partition} in share mode`)
      const { rows: others } = await tx.query(sql`
        select from (${rowCounts(day)}) there
        full join (select clinic_id, sum(row_count) as row_count from audit_segment where day = ${day} group by clinic_id) made
          on made.clinic_id = there.clinic_id
        where made.row_count is distinct from there.row_count limit 1`)
      if (others.length > 0) {
        for (const table of ['audit_segment_names', 'audit_segment'])
          await tx.query(sql`delete from ${sql.identifier(table)} where day = ${day}`)
        return false
      }
      await tx.query(sql`drop table ${partition}`)
      await tx.query(sql`insert into audit_packed_day (day) values (${day})`)
      await markForm(tx, 'audit-segments')
      return true
    })
    .catch((error: unknown) => {
      if (isLockTimeout(error)) return false
      throw error
    })
}

/**
 * Drops the packed days beyond the retention, and segments of days that were never packed. The days are UTC's, and younger ones than 30 are
 * kept whatever it says.
 */
export function dropPackedDays(owner: Database, retentionDays: number): Promise<void> {
  return owner.maintainAsDispatcher(async (tx) => {
    const { rows } = await tx.query<{ kept_since: string }>(sql`
      select ((now() at time zone 'UTC')::date - ${Math.max(retentionDays, FEWEST_DAYS)}::integer)::text as kept_since`)
    const kept_since = rows[0]?.kept_since ?? null
    for (const table of ['audit_segment_names', 'audit_segment', 'audit_packed_day'])
      await tx.query(sql`delete from ${sql.identifier(table)} where day < ${kept_since}::date`)
  })
}

function rowCounts(day: string): Statement {
  const from = sql`${`${day}T00:00:00Z`}::timestamptz`
  return sql`select clinic_id, count(*)::integer as row_count from audit
    where stored_at >= ${from} and stored_at < ${from} + interval '24 hours' group by clinic_id`
}

/** 55P03: lock_not_available. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
