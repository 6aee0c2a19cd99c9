// Reads all that belongs to a clinic's integrations, keys, connections and webhooks, with as much as lists and sums need: three statements,
// however many integrations there are.
import type { Scope } from '@clinic-data/contract'
import { type ClinicDatabase, type ClinicSession, instant, sql, withInstants } from '@clinic-data/database'
import { adoptOrphans } from '@clinic-data/webhooks/integrations/adopt'
import { disabledReasons } from '@clinic-data/webhooks/subscriptions/circuit'

export interface StoredIntegration {
  id: string
  name: string
  contact: string | null
  notes: string | null
  created_at: string
  stopped_at: string | null
  stopped_by: string | null
  stopped_by_name: string | null
}

/** A key, or a connection of an app. */
export interface KeyMember {
  id: string
  name: string
  integration_id: string
  is_connection: boolean
  /** An app took no tokens of it yet. Then it is a consent, and no list shows it. */
  is_consent: boolean
  /** It is neither revoked nor expired. It may be stopped. */
  goes_on: boolean
  scopes: Scope[]
  rate_limit: number | null
  created_at: string
  expires_at: string | null
  last_used_at: string | null
}

export interface WebhookMember {
  id: string
  name: string
  integration_id: string
  enabled: boolean
  is_paused: boolean
  is_stopped: boolean
  created_at: string
  disabled_at: string | null
  /** Its last attempt failed, or it was disabled for its failures. */
  is_failing: boolean
}

export interface Members {
  /** By name. */
  integrations: readonly StoredIntegration[]
  keys: readonly KeyMember[]
  webhooks: readonly WebhookMember[]
}

/** Those that only a consent without tokens belongs to are left out. */
export async function readMembers(database: ClinicDatabase, clinic: ClinicSession, now: Date): Promise<Members> {
  await adoptOrphans(database, clinic)
  const [stored, keys, webhooks] = await Promise.all([
    readIntegrations(database, clinic),
    readKeys(database, clinic, now),
    readWebhooks(database, clinic),
  ])
  const held = new Set([...keys.filter(({ is_consent }) => !is_consent), ...webhooks].map((one) => one.integration_id))
  const consents = new Set(keys.filter(({ is_consent }) => is_consent).map((one) => one.integration_id))
  const integrations = stored.filter(({ id }) => held.has(id) || !consents.has(id))
  return { integrations, keys: keys.filter(({ is_consent }) => !is_consent), webhooks }
}

async function readIntegrations(database: ClinicDatabase, clinic: ClinicSession): Promise<StoredIntegration[]> {
  const { clinic_id } = clinic
  const rows = await database.read<StoredIntegration>(
    clinic,
    sql`select i.id, i.name, i.contact, i.notes, i.created_at, i.stopped_at, i.stopped_by, a.name as stopped_by_name
      from integration i left join administrator a on a.clinic_id = ${clinic_id} and a.id = i.stopped_by
      where i.clinic_id = ${clinic_id} order by lower(i.name), i.id`,
  )
  return rows.map((row) => withInstants(row, 'created_at', 'stopped_at'))
}

async function readKeys(database: ClinicDatabase, clinic: ClinicSession, now: Date): Promise<KeyMember[]> {
  const { clinic_id } = clinic
  const rows = await database.read<KeyMember>(
    clinic,
    sql`select k.id, k.name, k.integration_id, c.id is not null as is_connection,
        c.id is not null and c.connected_at is null as is_consent,
        k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}) as goes_on,
        k.scopes, k.rate_limit, coalesce(c.connected_at, k.created_at) as created_at, k.expires_at, k.last_used_at
      from api_key k left join connection c on c.clinic_id = ${clinic_id} and c.id = k.id
      where k.clinic_id = ${clinic_id} and k.integration_id is not null`,
  )
  return rows.map((row) => withInstants(row, 'created_at', 'expires_at', 'last_used_at'))
}

async function readWebhooks(database: ClinicDatabase, clinic: ClinicSession): Promise<WebhookMember[]> {
  const { clinic_id } = clinic
  const rows = await database.read<WebhookMember>(
    clinic,
    sql`select s.id, coalesce(s.description, s.url) as name, s.integration_id, s.enabled, s.is_paused,
        s.stopped_at is not null and s.is_paused as is_stopped, s.created_at, s.disabled_at,
        s.enabled and lane.failing_since is not null
          or s.disabled_reason = any(${Object.values(disabledReasons)}::text[]) as is_failing
      from subscription s left join lane on lane.clinic_id = ${clinic_id} and lane.subscription_id = s.id
      where s.clinic_id = ${clinic_id} and s.integration_id is not null`,
  )
  return rows.map((row) => ({
    ...row,
    created_at: instant(row.created_at) ?? '',
    disabled_at: instant(row.disabled_at),
  }))
}
