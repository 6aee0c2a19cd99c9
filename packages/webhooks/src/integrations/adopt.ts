// Gives each key, connection and webhook that belongs to no integration, or to one that is gone, one of its own: the version before writes such rows.
import { type ClinicDatabase, type ClinicSession, type Statement, sql, type Transaction } from '@clinic-data/database'
import { holdLanes } from './hold-lanes.ts'
import { lockIntegrations, ownIntegration, storeIntegrations } from './integration.ts'

interface Orphan {
  id: string
  name: string
  created_at: string
}

/** A condition: the member names no integration, or one that is gone. */
function orphans(clinic_id: string, member: Statement): Statement {
  return sql`${member}.clinic_id = ${clinic_id} and not exists (select from integration i
    where i.clinic_id = ${clinic_id} and i.id = ${member}.integration_id)`
}

const key = sql`k`
const webhook = sql`s`

/** Mostly there is none, and nothing is written. Repeating it changes nothing. */
export async function adoptOrphans(database: ClinicDatabase, clinic: ClinicSession): Promise<void> {
  const { clinic_id } = clinic
  const found = await database.read(
    clinic,
    sql`select k.id from api_key k where ${orphans(clinic_id, key)}
      union all select s.id from subscription s where ${orphans(clinic_id, webhook)} limit 1`,
  )
  if (found.length > 0) await database.write(clinic, (tx) => adoptWithin(tx, clinic_id))
}

/** A webhook goes to the integration of the key or the connection that made it. */
export async function adoptWithin(tx: Transaction, clinic_id: string): Promise<void> {
  await lockIntegrations(tx, clinic_id)
  const { rows: keys } = await tx.query<Orphan>(
    sql`select k.id, k.name, k.created_at from api_key k where ${orphans(clinic_id, key)}`,
  )
  await storeIntegrations(
    tx,
    clinic_id,
    keys.map((one) => ({ ...one, id: ownIntegration(one.id) })),
  )
  const ids = keys.map(({ id }) => id)
  if (ids.length > 0)
    await tx.query(sql`update api_key set integration_id = 'int_' || id
      where clinic_id = ${clinic_id} and id = any(${ids}::text[])`)
  const { rows: made } = await tx.query<Orphan & { was: string | null; of_maker: string | null }>(sql`
    select s.id, coalesce(s.description, s.url) as name, s.created_at, s.integration_id as was, m.integration_id as of_maker
    from subscription s left join api_key m on m.clinic_id = ${clinic_id} and m.id = s.made_by
    where ${orphans(clinic_id, webhook)}`)
  if (made.length === 0) return
  await storeIntegrations(
    tx,
    clinic_id,
    made.filter(({ of_maker }) => of_maker === null).map((one) => ({ ...one, id: ownIntegration(one.id) })),
  )
  holdLanes(
    tx,
    clinic_id,
    made.map(({ id }) => id),
  )
  for (const { id, was, of_maker } of made)
    await tx.query(sql`update subscription set integration_id = ${of_maker ?? ownIntegration(id)}
      where clinic_id = ${clinic_id} and id = ${id} and integration_id is not distinct from ${was}::text`)
}
