// Moves keys, connections and webhooks to an integration. It takes its locks in the order of Stop: first keys and connections, then lanes, then webhooks.
import { lockInTurn } from '@clinic-data/connect/tokens/connection-state'
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { holdLanes } from '@clinic-data/webhooks/integrations/hold-lanes'

export interface Moving {
  readonly to: string
  /** A condition on `api_key`, keys and connections. */
  readonly keys: Statement
  /** A condition on `subscription`. */
  readonly webhooks: Statement
}

/** Call it behind `lockIntegrations`. An exchange that gives a webhook to one of these connections comes before or after all of it. */
export async function moveMembers(tx: Transaction, clinic_id: string, { to, keys, webhooks }: Moving): Promise<void> {
  const { rows: held } = await tx.query<{ id: string }>(
    sql`select id from api_key where clinic_id = ${clinic_id} and ${keys} order by id`,
  )
  const ids = held.map(({ id }) => id)
  lockInTurn(tx, clinic_id, ids)
  await tx.query(
    sql`update api_key set integration_id = ${to} where clinic_id = ${clinic_id} and id = any(${ids}::text[])`,
  )
  const { rows: hooks } = await tx.query<{ id: string }>(
    sql`select id from subscription where clinic_id = ${clinic_id} and ${webhooks} order by id`,
  )
  holdLanes(
    tx,
    clinic_id,
    hooks.map(({ id }) => id),
  )
  await tx.query(sql`update subscription set integration_id = ${to} where clinic_id = ${clinic_id} and ${webhooks}`)
}
