// The names of the keys, connections and ingest tokens that alerts are about.
import { type ClinicDatabase, type ClinicSession, type Statement, sql } from '@clinic-data/database'

type OfKeys = readonly { readonly key_id: string }[]

/** By their ids. */
export async function keyNames(
  database: ClinicDatabase,
  clinic: ClinicSession,
  alerts: OfKeys,
): Promise<Map<string, string>> {
  if (alerts.length === 0) return new Map()
  const rows = await database.read<{ id: string; name: string }>(clinic, namesOf(clinic, alerts))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export function namesOf({ clinic_id }: ClinicSession, alerts: OfKeys): Statement {
  const ids = [...new Set(alerts.map(({ key_id }) => key_id))]
  return sql`select id, name from api_key where clinic_id = ${clinic_id} and id = any(${ids}::text[])
    union all select id, name from ingest_token where clinic_id = ${clinic_id} and id = any(${ids}::text[])`
}
