// The alerts of a clinic: what its keys did that is unusual for them, as it is stored, listed and marked as seen (docs/decisions/0119).
//
//   const { alerts, next_cursor, unseen } = await listAlerts(database, clinic, { limit: 50 })
//   await markAlertsSeen(tx, clinic_id, { ids, by: administrator_id, now })
import { newId } from '@clinic-data/contract/new-id'
import {
  type ClinicDatabase,
  type ClinicSession,
  instant,
  type Statement,
  sql,
  type Transaction,
  withInstants,
} from '@clinic-data/database'
import { type Facts, isRule, type Rule } from './facts.ts'

/** Beyond the year over which somebody compares. A rule calls at most once a key and day. */
const KEPT_DAYS = 400

/** A rule has noticed this on a day. */
export type Notice = { [R in Rule]: { rule: R; key_id: string; day: string; facts: Facts[R] } }[Rule]

export type Alert = Notice & {
  id: string
  noticed_at: string
  seen_at: string | null
  /** The administrator's id. */
  seen_by: string | null
  /** When the rule stopped the integration of the key. Null: it did not. */
  stopped_at: string | null
  mailed_at: string | null
  posted_at: string | null
}

type AlertRow = Omit<Alert, 'rule' | 'facts'> & { rule: string; facts: unknown }

export const alertColumns = sql`id, rule, key_id, day::text as day, noticed_at, facts, seen_at, seen_by, stopped_at, mailed_at, posted_at`

/**
 * Stores what was noticed. A rule calls once a key and day: later facts of the same day take the place of earlier ones. One that somebody has seen
 * comes back as noticed now, to be seen and told again, because then it is much worse.
 *
 * @param tx of the owner of the tables.
 */
export async function storeAlerts(
  tx: Transaction,
  clinic_id: string,
  { notices, now }: { notices: readonly Notice[]; now: Date },
): Promise<void> {
  const stored = notices.map(({ rule, key_id, day, facts }) => [
    ...[clinic_id, newId('alert', now), rule, key_id, day, now, JSON.stringify(facts)],
  ])
  for (const some of sql.chunkRows(stored)) {
    await tx.query(sql`insert into audit_alert (clinic_id, id, rule, key_id, day, noticed_at, facts)
      values ${sql.values(some)}
      on conflict (clinic_id, rule, key_id, day) do update set facts = excluded.facts, seen_at = null, seen_by = null,
        noticed_at = case when audit_alert.seen_at is null then audit_alert.noticed_at else excluded.noticed_at end,
        stopped_at = case when audit_alert.seen_at is null then audit_alert.stopped_at end,
        mailed_at = case when audit_alert.seen_at is null then audit_alert.mailed_at end,
        posted_at = case when audit_alert.seen_at is null then audit_alert.posted_at end`)
  }
}

export interface AskedAlerts {
  readonly limit: number
  /** Where the page before ended. */
  readonly cursor?: string | undefined
  /** Only those that nobody has seen. */
  readonly isUnseen?: boolean | undefined
}

/** The moment of the last one of a page, in milliseconds, and its id. */
const cursorOf = ({ noticed_at, id }: AlertRow) => `${Date.parse(instant(noticed_at) ?? '')}.${id}`

function isBehind(cursor: string | undefined): Statement {
  if (cursor === undefined) return sql`true`
  const dot = cursor.indexOf('.')
  return sql`(noticed_at, id) < (${new Date(Number(cursor.slice(0, dot)))}::timestamptz, ${cursor.slice(dot + 1)})`
}

/** The latest first. `unseen` counts those of the whole clinic. */
export async function listAlerts(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { limit, cursor, isUnseen = false }: AskedAlerts,
): Promise<{ alerts: Alert[]; next_cursor: string | null; unseen: number }> {
  const { clinic_id } = clinic
  const wanted = isUnseen ? sql`seen_at is null` : sql`true`
  const [rows, unseen] = await Promise.all([
    database.read<AlertRow>(
      clinic,
      sql`select ${alertColumns} from audit_alert where clinic_id = ${clinic_id} and ${isBehind(cursor)} and ${wanted}
        order by noticed_at desc, id desc limit ${limit + 1}`,
    ),
    countUnseenAlerts(database, clinic),
  ])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next_cursor = last !== undefined && rows.length > limit ? cursorOf(last) : null
  return { alerts: alertsOf(page), next_cursor, unseen }
}

export async function countUnseenAlerts(database: ClinicDatabase, clinic: ClinicSession): Promise<number> {
  const [row] = await database.read<{ count: number }>(
    clinic,
    sql`select count(*)::integer as count from audit_alert where clinic_id = ${clinic.clinic_id} and seen_at is null`,
  )
  return row?.count ?? 0
}

/** A rule of a later version is left out: this program has no words for it. */
export function alertsOf(rows: readonly AlertRow[]): Alert[] {
  return rows.flatMap((row) => {
    if (!isRule(row.rule)) return []
    const moments = withInstants(row, 'noticed_at', 'seen_at', 'stopped_at', 'mailed_at', 'posted_at')
    // The program stores the facts of each rule in its own form.
    return [moments as Alert]
  })
}

export interface SeeingAlerts {
  readonly ids: readonly string[]
  /** The administrator. */
  readonly by: string
  readonly now: Date
}

/** Marks those that nobody has seen yet, and returns their ids. From then on what they tell counts as usual. */
export async function markAlertsSeen(
  tx: Transaction,
  clinic_id: string,
  { ids, by, now }: SeeingAlerts,
): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(sql`
    update audit_alert set seen_at = ${now}, seen_by = ${by}
    where clinic_id = ${clinic_id} and id = any(${ids}::text[]) and seen_at is null returning id`)
  return rows.map(({ id }) => id)
}

/** Removes those that are too old to be compared. @param tx of the owner of the tables. */
export async function forgetAlerts(tx: Transaction, clinic_id: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - KEPT_DAYS * 24 * 60 * 60 * 1000)
  await tx.query(sql`delete from audit_alert where clinic_id = ${clinic_id} and noticed_at < ${since}`)
}
