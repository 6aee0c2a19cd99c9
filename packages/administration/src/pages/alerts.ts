// The alerts of a clinic as its people see them: with the names of keys, integrations and people.
import {
  alertColumns,
  alertsOf,
  listAlerts,
  markAlertsSeen,
  type Alert as StoredAlert,
} from '@clinic-data/audit/watch/alerts'
import { ALERTS, type Alert, type AlertFacts } from '@clinic-data/console-contract/alert-operations'
import { maySeeAlerts } from '@clinic-data/console-contract/roles'
import { type ClinicDatabase, type ClinicSession, sql } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import type { InSameTransaction } from '../credentials/credentials.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { findActors } from './actors.ts'

export async function shownAlerts(
  database: ClinicDatabase,
  { clinic }: ActiveSession,
  { limit = ALERTS.page, cursor }: { limit?: number; cursor?: string },
): Promise<{ data: Alert[]; meta: { next_cursor: string | null } }> {
  const { alerts, next_cursor } = await listAlerts(database, clinic, { limit, cursor })
  return { data: await withNames(database, clinic, alerts), meta: { next_cursor } }
}

/** The latest of those that nobody has looked at, and how many there are. None for whoever may not see alerts. */
export async function unseenAlerts(
  database: ClinicDatabase,
  { clinic, administrator }: ActiveSession,
): Promise<{ alerts: Alert[]; unseen_alerts: number }> {
  if (!maySeeAlerts(administrator.role)) return { alerts: [], unseen_alerts: 0 }
  const { alerts, unseen } = await listAlerts(database, clinic, { limit: ALERTS.most_on_home, isUnseen: true })
  return { alerts: await withNames(database, clinic, alerts), unseen_alerts: unseen }
}

interface Seeing {
  id: string
  now: Date
  beside: InSameTransaction
}

/** Whoever was first stays. Everybody who looks has a row in the log. @throws Problem 404 */
export async function markSeen(
  database: ClinicDatabase,
  { clinic, administrator }: ActiveSession,
  { id, now, beside }: Seeing,
): Promise<Alert> {
  await database.write(clinic, async (tx) => {
    const { rows } = await tx.query(
      sql`select id from audit_alert where clinic_id = ${clinic.clinic_id} and id = ${id}`,
    )
    if (rows.length === 0) throw notFound('alert', id)
    await markAlertsSeen(tx, clinic.clinic_id, { ids: [id], by: administrator.id, now })
    beside(tx, id)
  })
  const [alert] = await withNames(database, clinic, await readAlert(database, clinic, id))
  // One of a later version’s rules: it has no words here.
  if (alert === undefined) throw notFound('alert', id)
  return alert
}

async function readAlert(database: ClinicDatabase, clinic: ClinicSession, id: string): Promise<StoredAlert[]> {
  return alertsOf(
    await database.read(
      clinic,
      sql`select ${alertColumns} from audit_alert where clinic_id = ${clinic.clinic_id} and id = ${id}`,
    ),
  )
}

async function withNames(
  database: ClinicDatabase,
  clinic: ClinicSession,
  alerts: readonly StoredAlert[],
): Promise<Alert[]> {
  const key_ids = alerts.map(({ key_id }) => key_id)
  const [actorOf, integrations] = await Promise.all([
    findActors(database, clinic, [...key_ids, ...alerts.flatMap(({ seen_by }) => seen_by ?? [])]),
    integrationsOf(database, clinic, key_ids),
  ])
  return alerts.map((alert) => {
    const { id, rule, day, noticed_at, key_id, seen_at, seen_by, stopped_at } = alert
    return {
      id,
      rule,
      day,
      noticed_at,
      seen_at,
      key: actorOf(key_id),
      integration: integrations.get(key_id) ?? null,
      facts: factsOf(alert),
      seen_by: seen_by === null ? null : { id: seen_by, name: actorOf(seen_by).name ?? '' },
      stopped_at,
    }
  })
}

async function integrationsOf(
  database: ClinicDatabase,
  clinic: ClinicSession,
  key_ids: readonly string[],
): Promise<ReadonlyMap<string, { id: string; name: string }>> {
  if (key_ids.length === 0) return new Map()
  const { clinic_id } = clinic
  const rows = await database.read<{ key_id: string; id: string; name: string }>(
    clinic,
    sql`select k.id as key_id, i.id, i.name from api_key k
        join integration i on i.clinic_id = ${clinic_id} and i.id = k.integration_id
      where k.clinic_id = ${clinic_id} and k.id = any(${[...new Set(key_ids)]}::text[])`,
  )
  return new Map(rows.map(({ key_id, id, name }) => [key_id, { id, name }]))
}

const NONE: AlertFacts = {
  silence: null,
  new_network: null,
  many_patients: null,
  patients_in_order: null,
  many_refusals: null,
  ended_key: null,
  stopped_partner: null,
}

/** The compiler compares the facts of each rule with what the console tells. */
function factsOf(alert: StoredAlert): AlertFacts {
  switch (alert.rule) {
    case 'silence':
      return { ...NONE, silence: alert.facts }
    case 'new_network':
      return { ...NONE, new_network: alert.facts }
    case 'many_patients':
      return { ...NONE, many_patients: alert.facts }
    case 'patients_in_order':
      return { ...NONE, patients_in_order: alert.facts }
    case 'many_refusals':
      return { ...NONE, many_refusals: alert.facts }
    case 'ended_key':
      return { ...NONE, ended_key: alert.facts }
    case 'stopped_partner':
      return { ...NONE, stopped_partner: alert.facts }
  }
}
