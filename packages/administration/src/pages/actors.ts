// The names behind the ids of the audit log: keys, connected apps, administrators, webhooks, the tokens of the clinic's own systems.

import { isOperator } from '@clinic-data/audit/operator-audit'
import { WATCH } from '@clinic-data/audit/watch-audit'
import { ACTORS, type Actor } from '@clinic-data/console-contract/console-activity'
import { type ClinicDatabase, type ClinicSession, type Statement, sql } from '@clinic-data/database'

/** The reports of a messaging platform bear these names instead of a token's id. */
const PLATFORMS: Readonly<Record<string, string>> = { whatsapp: 'WhatsApp' }

/** All of them by name, also those that have ended. */
export function listActors(consoleDatabase: ClinicDatabase, clinic: ClinicSession): Promise<Actor[]> {
  return consoleDatabase.read<Actor>(clinic, sql`${actorsWhere(clinic, sql`true`)} order by name, id limit ${ACTORS}`)
}

/** Finds those with these ids. @returns who an id is, also if nobody has it. */
export async function findActors(
  consoleDatabase: ClinicDatabase,
  clinic: ClinicSession,
  ids: readonly string[],
): Promise<(id: string) => Actor> {
  const wanted = sql`id = any(${[...new Set(ids)]}::text[])`
  const rows = ids.length === 0 ? [] : await consoleDatabase.read<Actor>(clinic, actorsWhere(clinic, wanted))
  const found = new Map(rows.map((actor) => [actor.id, actor]))
  return (id) => found.get(id) ?? unnamed(id)
}

function unnamed(id: string): Actor {
  if (isOperator(id)) return { id, name: id, kind: 'operator', connected_by: null }
  if (id === WATCH) return { id, name: id, kind: 'watch', connected_by: null }
  const name = PLATFORMS[id] ?? null
  return { id, name, kind: name === null ? 'unknown' : 'platform', connected_by: null }
}

function actorsWhere({ clinic_id }: ClinicSession, condition: Statement): Statement {
  return sql`select id, name, 'key' as kind, null as connected_by from api_key where clinic_id = ${clinic_id} and ${condition}
      and not exists (select from connection c where c.clinic_id = ${clinic_id} and c.id = api_key.id)
    union all select id, app_name, 'connection', (select a.name from administrator a
        where a.clinic_id = ${clinic_id} and a.id = connection.administrator_id)
      from connection where clinic_id = ${clinic_id} and ${condition}
    union all select id, name, 'administrator', null from administrator where clinic_id = ${clinic_id} and ${condition}
    union all select id, name, 'token', null from ingest_token where clinic_id = ${clinic_id} and ${condition}
    union all select id, coalesce(description, url), 'webhook', null from subscription
      where clinic_id = ${clinic_id} and ${condition}`
}
