// Gives each key, connection and webhook that belongs to no integration one of its own: the version before writes such rows.
import { type ClinicDatabase, type ClinicSession, sql, type Transaction } from '@clinic-data/database'
import { lockIntegrations, ownIntegration, storeIntegrations } from './integration.ts'

interface Orphan {
  id: string
  name: string
  created_at: string
}

/** Mostly there is none, and nothing is written. Repeating it changes nothing. */
export async function adoptOrphans(database: ClinicDatabase, clinic: ClinicSession): Promise<void> {
  const { clinic_id } = clinic
  const none = sql`clinic_id = ${clinic_id} and integration_id is null`
  const found = await database.read(
    clinic,
    sql`select id from api_key where ${none} union all select id from subscription where ${none} limit 1`,
  )
  if (found.length > 0) await database.write(clinic, (tx) => adoptWithin(tx, clinic_id))
}

/** A webhook goes to the integration of the key or the connection that made it. */
export async function adoptWithin(tx: Transaction, clinic_id: string): Promise<void> {
  await lockIntegrations(tx, clinic_id)
  const { rows: keys } = await tx.query<Orphan>(
    sql`select id, name, created_at from api_key where clinic_id = ${clinic_id} and integration_id is null`,
  )
  await storeIntegrations(
    tx,
    clinic_id,
    keys.map((key) => ({ ...key, id: ownIntegration(key.id) })),
  )
  const ids = keys.map(({ id }) => id)
  if (ids.length > 0)
    await tx.query(sql`update api_key set integration_id = 'int_' || id
      where clinic_id = ${clinic_id} and id = any(${ids}::text[]) and integration_id is null`)
  const { rows: made } = await tx.query<Orphan & { of_maker: string | null }>(sql`
    select s.id, coalesce(s.description, s.url) as name, s.created_at, k.integration_id as of_maker
    from subscription s left join api_key k on k.clinic_id = ${clinic_id} and k.id = s.made_by
    where s.clinic_id = ${clinic_id} and s.integration_id is null`)
  await storeIntegrations(
    tx,
    clinic_id,
    made.filter(({ of_maker }) => of_maker === null).map((one) => ({ ...one, id: ownIntegration(one.id) })),
  )
  for (const { id, of_maker } of made)
    await tx.query(sql`update subscription set integration_id = ${of_maker ?? ownIntegration(id)}
      where clinic_id = ${clinic_id} and id = ${id} and integration_id is null`)
}
