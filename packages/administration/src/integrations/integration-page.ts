// The page of one integration: what it may do, what it did, from where, and all that belongs to it.
import { latestUse } from '@clinic-data/audit/latest-use'
import { listConnections } from '@clinic-data/connect/connections/connections'
import type { IntegrationPage } from '@clinic-data/console-contract/integration-operations'
import { allScopes, type Scope } from '@clinic-data/contract'
import { type ClinicDatabase, sql } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import { listConsoleKeys } from '../pages/console-keys.ts'
import { webhookHealth } from '../pages/console-webhooks.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { MONTH_DAYS, readUses, useTogether } from './integration-use.ts'
import { shownIntegration } from './list-integrations.ts'
import { readMembers, type WebhookMember } from './members.ts'

/** @throws Problem 404 */
export async function integrationPage(
  database: ClinicDatabase,
  session: ActiveSession,
  id: string,
  { now, usualRate }: { now: Date; usualRate: number },
): Promise<IntegrationPage> {
  const { clinic } = session
  const members = await readMembers(database, clinic, now)
  const stored = members.integrations.find((one) => one.id === id)
  if (stored === undefined) throw notFound('integration', id)
  const keys = members.keys.filter(({ integration_id }) => integration_id === id)
  const webhooks = members.webhooks.filter(({ integration_id }) => integration_id === id)
  const webhook_ids = webhooks.map((one) => one.id)
  const key_ids = keys.map((one) => one.id)
  const [today, month] = await Promise.all([
    readUses(database, clinic, { now, days: 1, key_ids }),
    readUses(database, clinic, { now, days: MONTH_DAYS, key_ids }),
  ])
  const shown = shownIntegration(stored, keys, webhooks, today)
  const searched = { key_ids, last_used_at: shown.last_used_at, now }
  const [key_list, connection_list, webhook_list, { addresses }] = await Promise.all([
    listConsoleKeys(database, session, now, key_ids),
    listConnections(database, clinic, now, { ids: key_ids }),
    shownWebhooks(database, session, webhooks, now),
    latestUse(database, clinic, searched),
  ])
  return {
    ...shown,
    notes: stored.notes,
    may: accessOf(keys.flatMap(({ goes_on, scopes }) => (goes_on ? scopes : []))),
    today: useTogether(today, keys, webhook_ids, usualRate),
    month: useTogether(month, keys, webhook_ids, usualRate),
    addresses,
    key_list,
    connection_list,
    webhook_list,
  }
}

/** A scope is `resource:what`. Everything but reading is a change. */
function accessOf(held: readonly Scope[]): IntegrationPage['may'] {
  const resources = [...new Set(allScopes.map((scope) => scope.split(':')[0] ?? ''))]
  const parts = held.map((scope) => scope.split(':'))
  return resources.map((resource) => ({
    resource,
    reads: parts.some(([of, what]) => of === resource && what === 'read'),
    writes: parts.some(([of, what]) => of === resource && what !== 'read'),
  }))
}

async function shownWebhooks(
  database: ClinicDatabase,
  session: ActiveSession,
  webhooks: readonly WebhookMember[],
  now: Date,
): Promise<IntegrationPage['webhook_list']> {
  if (webhooks.length === 0) return []
  const { clinic } = session
  const ids = webhooks.map(({ id }) => id)
  const [health, rows] = await Promise.all([
    webhookHealth(database, session, now),
    database.read<{ id: string; url: string; description: string | null }>(
      clinic,
      sql`select id, url, description from subscription
        where clinic_id = ${clinic.clinic_id} and id = any(${ids}::text[])`,
    ),
  ])
  return webhooks.flatMap(({ id, enabled, is_stopped }) => {
    const [one, row] = [health.find((each) => each.id === id), rows.find((each) => each.id === id)]
    return one === undefined || row === undefined ? [] : [{ ...one, ...row, enabled, is_stopped }]
  })
}
