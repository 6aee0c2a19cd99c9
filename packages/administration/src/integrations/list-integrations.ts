// The integrations of a clinic as the console lists them, and one of them.
import { WATCH } from '@clinic-data/audit/watch-audit'
import { INTEGRATIONS_LISTED, type Integration } from '@clinic-data/console-contract/integration-operations'
import type { ClinicDatabase, ClinicSession } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import { patientsReadBy, readUses, type Uses } from './integration-use.ts'
import { type KeyMember, type Members, readMembers, type StoredIntegration, type WebhookMember } from './members.ts'

/** By name. */
export async function listIntegrations(
  database: ClinicDatabase,
  clinic: ClinicSession,
  now: Date,
): Promise<Integration[]> {
  return shownIntegrations(...(await readAll(database, clinic, now)))
}

/** @throws Problem 404 */
export async function findIntegration(
  database: ClinicDatabase,
  clinic: ClinicSession,
  id: string,
  now: Date,
): Promise<Integration> {
  const [members, uses] = await readAll(database, clinic, now)
  // The list ends somewhere, and it may stand behind that.
  const [found] = shownIntegrations(
    { ...members, integrations: members.integrations.filter((one) => one.id === id) },
    uses,
  )
  if (found === undefined) throw notFound('integration', id)
  return found
}

function readAll(database: ClinicDatabase, clinic: ClinicSession, now: Date): Promise<[Members, Uses]> {
  return Promise.all([readMembers(database, clinic, now), readUses(database, clinic, { now, days: 1 })])
}

export function shownIntegrations({ integrations, keys, webhooks }: Members, uses: Uses): Integration[] {
  const keysOf = Map.groupBy(keys, ({ integration_id }) => integration_id)
  const webhooksOf = Map.groupBy(webhooks, ({ integration_id }) => integration_id)
  return integrations
    .slice(0, INTEGRATIONS_LISTED)
    .map((one) => shownIntegration(one, keysOf.get(one.id) ?? [], webhooksOf.get(one.id) ?? [], uses))
}

export function shownIntegration(
  { notes: _, stopped_by, stopped_by_name, ...stored }: StoredIntegration,
  keys: readonly KeyMember[],
  webhooks: readonly WebhookMember[],
  uses: Uses,
): Integration {
  const live = keys.filter(({ goes_on }) => goes_on)
  return {
    ...stored,
    stopped_by: stopped_by === null || stopped_by === WATCH ? null : { id: stopped_by, name: stopped_by_name ?? '' },
    is_stopped_by_rule: stopped_by === WATCH,
    keys: live.filter(({ is_connection }) => !is_connection).length,
    connections: live.filter(({ is_connection }) => is_connection).length,
    webhooks: webhooks.filter(({ enabled, is_paused, is_failing }) => enabled || is_paused || is_failing).length,
    failing_webhooks: webhooks.filter(({ is_failing }) => is_failing).length,
    last_used_at: latest(keys.map(({ last_used_at }) => last_used_at)),
    expires_at: earliest(live.map(({ expires_at }) => expires_at)),
    patients_read_today: patientsReadBy(
      uses,
      keys.map(({ id }) => id),
    ),
  }
}

function latest(instants: readonly (string | null)[]): string | null {
  return ordered(instants).at(-1) ?? null
}

function earliest(instants: readonly (string | null)[]): string | null {
  return ordered(instants)[0] ?? null
}

/** Their texts may bear different offsets from UTC. */
function ordered(instants: readonly (string | null)[]): string[] {
  return instants.filter((one) => one !== null).sort((a, b) => Date.parse(a) - Date.parse(b))
}
