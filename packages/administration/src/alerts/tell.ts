// Tells a clinic's people by mail, and the operator by a webhook, what the watch over the log has noticed: at most three times a day each, and three
// times more what a rule has stopped. Whatever comes together is told together, and the rest stands in the console (docs/decisions/0119, 0126).
import { type Alert, alertColumns, alertsOf } from '@clinic-data/audit/watch/alerts'
import type { ClinicDatabase, ClinicSession } from '@clinic-data/database'
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import type { Log } from '@clinic-data/surface/log'
import type { Mail } from '../sign-in/mail.ts'
import { type AlertBundle, alertMail, type NamedClinic } from './alert-text.ts'
import type { AlertWebhook } from './alert-webhook.ts'
import { namesOf } from './key-names.ts'

/** A day and clinic, by each way. Whoever gets more of them reads none. */
export const MOST_A_DAY = 3
/** Beyond that a message comes only of what a rule has stopped: a partner that works no more cannot wait until tomorrow. */
export const MOST_WITH_STOPS = 6
/** A message names some of them, and counts the others. */
const MOST_AT_ONCE = 100
/** A receiver that does not answer may be busy for a while. */
const AGAIN_MS = 15 * 60_000
/** Nobody acts on what is older. */
const TOLD_MS = 7 * 24 * 60 * 60 * 1000

type Way = 'mail' | 'webhook'

const columnOf = { mail: sql`mailed_at`, webhook: sql`posted_at` } as const satisfies Record<Way, Statement>

export interface Telling {
  /** Null: no mail server is set. */
  mail: Mail | null
  /** Null: the operator has set none. */
  webhook: AlertWebhook | null
  /** Where browsers reach the console. Null: nobody has said. */
  consoleUrl: string | null
  log: Log
  now: () => Date
}

/** How often one way was used on a day. */
interface Count {
  day: string
  count: number
  again_at: string | null
}

/** One clinic. @param owner opened as the owner of the tables. */
export async function tellAlerts(owner: ClinicDatabase, clinic: NamedClinic, telling: Telling): Promise<void> {
  const { mail, webhook } = telling
  if (mail !== null && (await isUntold(owner, clinic, 'mail', telling.now())))
    await tellByMail(owner, clinic, mail, telling)
  if (webhook !== null && (await isUntold(owner, clinic, 'webhook', telling.now())))
    await tellByWebhook(owner, clinic, webhook, telling)
}

async function isUntold(owner: ClinicDatabase, clinic: ClinicSession, way: Way, now: Date): Promise<boolean> {
  const rows = await owner.read(clinic, sql`select from audit_alert where ${untold(clinic, way, now)} limit 1`)
  return rows.length > 0
}

function untold({ clinic_id }: ClinicSession, way: Way, now: Date): Statement {
  const since = new Date(now.getTime() - TOLD_MS)
  return sql`clinic_id = ${clinic_id} and ${columnOf[way]} is null and seen_at is null and noticed_at > ${since}`
}

/**
 * From the commit on a mail counts as sent: a process that is killed now sends none, and no other a second one. What the server has surely not taken
 * is tried again.
 */
async function tellByMail(owner: ClinicDatabase, clinic: NamedClinic, mail: Mail, telling: Telling): Promise<void> {
  const { consoleUrl, log, now } = telling
  const taken = await owner.write(clinic, async (tx) => {
    const found = await take(tx, clinic, 'mail', now())
    if (found === null) return null
    const { rows } = await tx.query<{ email: string }>(sql`select email from administrator
      where clinic_id = ${clinic.clinic_id} and role in ('owner', 'administrator') and disabled_at is null and removed_at is null
      order by id`)
    await note(tx, clinic, 'mail', { ...found, again_at: null, now: now() })
    return { ...found, to: rows.map(({ email }) => email) }
  })
  if (taken === null) return
  let isRefused = taken.to.length > 0
  for (const to of taken.to) {
    try {
      await mail.send({ to, ...alertMail(taken, { consoleUrl }) })
      isRefused = false
    } catch (error) {
      if (!isClear(error)) isRefused = false
      // No address and no text of the server's, which may repeat it.
      log.warn({ reason: (error as { code?: string }).code ?? 'unknown' }, 'a mail about alerts could not be sent')
    }
  }
  // Nobody has it.
  if (isRefused) await owner.write(clinic, (tx) => takeBack(tx, clinic, taken, now()))
}

/** At least once: the receiver knows a message that comes again by its id. */
async function tellByWebhook(
  owner: ClinicDatabase,
  clinic: NamedClinic,
  webhook: AlertWebhook,
  { log, now }: Telling,
): Promise<void> {
  const again_at = new Date(now().getTime() + AGAIN_MS).toISOString()
  const taken = await owner.write(clinic, async (tx) => {
    const found = await take(tx, clinic, 'webhook', now())
    // While it is under way nobody else sends it.
    if (found !== null) await storeCount(tx, clinic, 'webhook', { ...found.before, again_at })
    return found
  })
  if (taken === null) return
  const reason = await webhook.post(taken, now())
  if (reason === null)
    await owner.write(clinic, (tx) => note(tx, clinic, 'webhook', { ...taken, again_at: null, now: now() }))
  else
    log.warn({ reason, clinic_id: clinic.clinic_id }, 'alerts could not be posted to ALERT_URL; they are posted again')
}

interface Taken extends AlertBundle {
  before: Count
  ids: readonly string[]
}

/** Those that wait to be told, under the lock of the clinic's place. Null: nothing may be told now, or another dispatcher is at it. */
async function take(tx: Transaction, clinic: NamedClinic, way: Way, now: Date): Promise<Taken | null> {
  const { clinic_id } = clinic
  const { rows: places } = await tx.query<{ counts: Partial<Record<Way, Count>>; today: string }>(sql`
    select counts, ${now}::timestamptz::date::text as today from audit_watch where clinic_id = ${clinic_id} for update skip locked`)
  const [place] = places
  if (place === undefined) return null
  const stored = place.counts[way]
  const before =
    stored?.day === place.today ? stored : { day: place.today, count: 0, again_at: stored?.again_at ?? null }
  if (before.count >= MOST_WITH_STOPS || (before.again_at !== null && Date.parse(before.again_at) > now.getTime()))
    return null
  const wanted = before.count < MOST_A_DAY ? sql`true` : sql`stopped_at is not null`
  const { rows } = await tx.query<Alert>(sql`select ${alertColumns} from audit_alert
    where ${untold(clinic, way, now)} and ${wanted} order by stopped_at is null, noticed_at, id limit ${MOST_AT_ONCE}`)
  if (rows.length === 0) return null
  const ids = rows.map(({ id }) => id)
  const { rows: named } = await tx.query<{ id: string; name: string }>(namesOf(clinic, rows))
  const names = new Map(named.map(({ id, name }) => [id, name]))
  const alerts = alertsOf(rows).map((alert) => ({ ...alert, key_name: names.get(alert.key_id) ?? alert.key_id }))
  return { clinic, alerts, ids, before, isLast: before.count + 1 >= MOST_A_DAY }
}

async function note(
  tx: Transaction,
  clinic: ClinicSession,
  way: Way,
  { ids, before, again_at, now }: Pick<Taken, 'ids' | 'before'> & { again_at: string | null; now: Date },
): Promise<void> {
  await tx.query(sql`update audit_alert set ${columnOf[way]} = ${now}
    where clinic_id = ${clinic.clinic_id} and id = any(${ids}::text[])`)
  await storeCount(tx, clinic, way, { day: before.day, count: before.count + 1, again_at })
}

async function takeBack(tx: Transaction, clinic: ClinicSession, { ids, before }: Taken, now: Date): Promise<void> {
  await tx.query(
    sql`update audit_alert set mailed_at = null where clinic_id = ${clinic.clinic_id} and id = any(${ids}::text[])`,
  )
  await storeCount(tx, clinic, 'mail', { ...before, again_at: new Date(now.getTime() + AGAIN_MS).toISOString() })
}

async function storeCount(tx: Transaction, { clinic_id }: ClinicSession, way: Way, count: Count): Promise<void> {
  await tx.query(
    sql`update audit_watch set counts = counts || ${JSON.stringify({ [way]: count })}::jsonb where clinic_id = ${clinic_id}`,
  )
}

/** The server has said that it does not take the mail, or nobody spoke to it. After anything else it may have it. */
function isClear(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown }
  return typeof responseCode === 'number' || command === 'CONN'
}
