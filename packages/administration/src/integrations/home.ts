// The page that an administrator sees first: which integrations there are, what is new since the last visit, what ends soon.
import type { Home } from '@clinic-data/console-contract/integration-operations'
import { type ClinicDatabase, type ClinicSession, instant, sql } from '@clinic-data/database'
import { countWaiting } from '../approvals/approvals.ts'
import { unseenAlerts } from '../pages/alerts.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { readUses } from './integration-use.ts'
import { shownIntegrations } from './list-integrations.ts'
import { type Members, readMembers } from './members.ts'

const SOON_MS = 14 * 24 * 60 * 60 * 1000
const MOST_SHOWN = 50
const WEEK_DAYS = 7

export async function readHome(database: ClinicDatabase, session: ActiveSession, now: Date): Promise<Home> {
  const { clinic } = session
  const [members, uses, since, unseen, waiting_approvals] = await Promise.all([
    readMembers(database, clinic, now),
    readUses(database, clinic, { now, days: 1 }),
    lastVisit(database, session),
    unseenAlerts(database, session),
    countWaiting(database, session, now),
  ])
  return {
    integrations: shownIntegrations(members, uses),
    since,
    news: since === null ? [] : newsOf(members, Date.parse(since)),
    expiring: expiringOf(members, now),
    ...unseen,
    waiting_approvals,
  }
}

/** The same for a week, for whoever is not here: the patients that each has read are those of the week. */
export async function readWeek(
  database: ClinicDatabase,
  clinic: ClinicSession,
  now: Date,
): Promise<Pick<Home, 'integrations' | 'news' | 'expiring'>> {
  const [members, uses] = await Promise.all([
    readMembers(database, clinic, now),
    readUses(database, clinic, { now, days: WEEK_DAYS }),
  ])
  const since = now.getTime() - WEEK_DAYS * 24 * 60 * 60 * 1000
  return {
    integrations: shownIntegrations(members, uses),
    news: newsOf(members, since),
    expiring: expiringOf(members, now),
  }
}

/** When the administrator was here before the session began. Null: never, or nobody knows. */
async function lastVisit(database: ClinicDatabase, { clinic, token_hash }: ActiveSession): Promise<string | null> {
  const [row] = await database.read<{ before_at: string | null }>(
    clinic,
    sql`select before_at from administrator_session where clinic_id = ${clinic.clinic_id} and token_hash = ${token_hash}`,
  )
  return instant(row?.before_at ?? null)
}

function newsOf(members: Members, sinceMs: number): Home['news'] {
  const integration = nameOf(members)
  const { integrations, keys, webhooks } = members
  const all = [
    ...keys.map((one) => ({
      ...one,
      kind: one.is_connection ? ('connection' as const) : ('key' as const),
      at: one.created_at,
    })),
    ...webhooks.map((one) => ({ ...one, kind: 'webhook' as const, at: one.created_at })),
    ...webhooks.flatMap((one) =>
      one.is_failing && one.disabled_at !== null
        ? [{ ...one, kind: 'disabled_webhook' as const, at: one.disabled_at }]
        : [],
    ),
    ...integrations.flatMap((one) =>
      one.stopped_at === null ? [] : [{ ...one, integration_id: one.id, kind: 'stopped' as const, at: one.stopped_at }],
    ),
  ]
  return all
    .filter(({ at }) => Date.parse(at) > sinceMs)
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, MOST_SHOWN)
    .map(({ kind, id, name, at, integration_id }) => ({ kind, id, name, at, integration: integration(integration_id) }))
}

function expiringOf(members: Members, now: Date): Home['expiring'] {
  const integration = nameOf(members)
  return members.keys
    .flatMap(({ goes_on, expires_at, id, name, is_connection, integration_id }) =>
      goes_on && expires_at !== null && Date.parse(expires_at) <= now.getTime() + SOON_MS
        ? [{ kind: is_connection ? ('connection' as const) : ('key' as const), id, name, expires_at, integration_id }]
        : [],
    )
    .sort((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at))
    .slice(0, MOST_SHOWN)
    .map(({ integration_id, ...one }) => ({ ...one, integration: integration(integration_id) }))
}

function nameOf({ integrations }: Members): (id: string) => { id: string; name: string } {
  const names = new Map(integrations.map(({ id, name }) => [id, name]))
  return (id) => ({ id, name: names.get(id) ?? '' })
}
