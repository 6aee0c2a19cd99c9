// The connections of a clinic, as the console lists them.
import { requestsOfDay } from '@clinic-data/audit/audit-hours'
import { CONNECTIONS, type Connection } from '@clinic-data/console-contract/connect-operations'
import { type ClinicDatabase, type ClinicSession, type Statement, sql, withInstants } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'

/** The connections that are shown: everybody's, a person's own, or these. */
export type SeenConnections = { of: string } | { ids: readonly string[] } | 'all'

/** The latest first, also ended ones. A consent whose app took no tokens is none. */
export async function listConnections(
  database: ClinicDatabase,
  clinic: ClinicSession,
  now: Date,
  seen: SeenConnections = 'all',
): Promise<Connection[]> {
  const [rows, counts] = await Promise.all([
    database.read<ConnectionRow>(clinic, connectionsWhere(clinic.clinic_id, isSeen(seen))),
    requestsOfDay(database, clinic, now, typeof seen === 'object' && 'ids' in seen ? seen.ids : undefined),
  ])
  return rows.map((row) => shownConnection(row, counts.get(row.id) ?? 0))
}

/** @throws Problem 404 */
export async function findConnection(
  database: ClinicDatabase,
  clinic: ClinicSession,
  id: string,
  now: Date,
  seen: SeenConnections = 'all',
): Promise<Connection> {
  const [rows, counts] = await Promise.all([
    database.read<ConnectionRow>(clinic, connectionsWhere(clinic.clinic_id, sql`c.id = ${id} and ${isSeen(seen)}`)),
    requestsOfDay(database, clinic, now),
  ])
  const [row] = rows
  if (row === undefined) throw notFound('connection', id)
  return shownConnection(row, counts.get(id) ?? 0)
}

function isSeen(seen: SeenConnections): Statement {
  if (seen === 'all') return sql`true`
  return 'ids' in seen ? sql`c.id = any(${seen.ids}::text[])` : sql`c.administrator_id = ${seen.of}`
}

type ConnectionRow = Pick<
  Connection,
  | 'id'
  | 'scopes'
  | 'audience'
  | 'rate_limit'
  | 'networks'
  | 'connected_at'
  | 'place'
  | 'connected_from'
  | 'last_used_at'
  | 'expires_at'
  | 'ended_at'
  | 'end_reason'
  | 'stopped_at'
> & {
  app_id: string
  app_name: string
  app_host: string | null
  is_verified: boolean
  administrator_id: string
  administrator_name: string
  integration_id: string | null
  integration_name: string | null
}

function connectionsWhere(clinic_id: string, condition: Statement): Statement {
  return sql`select c.id, k.scopes, c.audience, k.rate_limit, k.networks, c.connected_at, c.place, c.connected_from, k.last_used_at, k.expires_at,
      k.revoked_at as ended_at, c.end_reason, k.stopped_at, k.integration_id, i.name as integration_name,
      c.app_id, c.app_name, c.app_host, c.is_verified, c.administrator_id, a.name as administrator_name
    from connection c
      join api_key k on k.clinic_id = ${clinic_id} and k.id = c.id
      left join integration i on i.clinic_id = ${clinic_id} and i.id = k.integration_id
      join administrator a on a.clinic_id = ${clinic_id} and a.id = c.administrator_id
    where c.clinic_id = ${clinic_id} and c.connected_at is not null and ${condition}
    order by c.connected_at desc, c.id limit ${CONNECTIONS}`
}

function shownConnection(row: ConnectionRow, requests_24h: number): Connection {
  const { app_id, app_name, app_host, is_verified, administrator_id, administrator_name, ...rest } = row
  const { integration_id, integration_name, ...shown } = rest
  return {
    ...withInstants(shown, 'connected_at', 'last_used_at', 'expires_at', 'ended_at', 'stopped_at'),
    app: { id: app_id, name: app_name, host: app_host, is_verified },
    connected_by: { id: administrator_id, name: administrator_name },
    integration: integration_id === null ? null : { id: integration_id, name: integration_name ?? '' },
    requests_24h,
  }
}
