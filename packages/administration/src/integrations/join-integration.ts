// Moves keys, connections and webhooks from their integrations to another one.
import type { Integration } from '@clinic-data/console-contract/integration-operations'
import type { Fault } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { type ClinicDatabase, type ClinicSession, sql, type Transaction } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import { adoptWithin } from '@clinic-data/webhooks/integrations/adopt'
import { removeEmpty, stopped } from '@clinic-data/webhooks/integrations/integration'
import type { Recorded } from './change-integration.ts'
import { findIntegration } from './list-integrations.ts'
import { moveMembers } from './move-members.ts'

/**
 * A key or a connection takes along the webhooks that it made, where they are in the same integration. One that is left with nothing is
 * removed, unless somebody has written something down about it.
 *
 * @throws Problem 404, 422 for ids of nothing here, 409 while one of the integrations is stopped.
 */
export async function joinIntegration(
  database: ClinicDatabase,
  clinic: ClinicSession,
  { id, ids }: { readonly id: string; readonly ids: readonly string[] },
  { now, record }: Recorded,
): Promise<Integration> {
  const { clinic_id } = clinic
  await database.write(clinic, async (tx) => {
    await adoptWithin(tx, clinic_id)
    const members = await membersOf(tx, clinic_id, ids)
    const from = [...new Set(members.map(({ integration_id }) => integration_id))]
    await requireGoingOn(tx, clinic_id, id, from)
    const named = new Set(members.map((one) => one.id))
    const faults = ids.flatMap((one, place): Fault[] =>
      named.has(one)
        ? []
        : [{ pointer: `#/ids/${place}`, code: 'unknown', detail: 'is no key, connection or webhook of this clinic' }],
    )
    if (faults.length > 0) throw faultProblem('unprocessable', faults)
    await moveMembers(tx, clinic_id, {
      to: id,
      keys: sql`id = any(${ids}::text[])`,
      webhooks: sql`(id = any(${ids}::text[]) or made_by = any(${ids}::text[]) and integration_id = any(${from}::text[]))`,
    })
    await removeEmpty(
      tx,
      clinic_id,
      from.filter((one) => one !== id),
    )
    record(tx, [id, ...ids])
  })
  return findIntegration(database, clinic, id, now)
}

async function membersOf(tx: Transaction, clinic_id: string, ids: readonly string[]) {
  const theirs = sql`clinic_id = ${clinic_id} and id = any(${ids}::text[])`
  const { rows } = await tx.query<{ id: string; integration_id: string }>(
    sql`select id, integration_id from api_key where ${theirs}
      union all select id, integration_id from subscription where ${theirs}`,
  )
  return rows
}

/** Nothing moves out of a stopped one, or into it: it would be neither stopped nor undone with it. */
async function requireGoingOn(tx: Transaction, clinic_id: string, id: string, from: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ id: string; is_stopped: boolean }>(sql`
    select id, stopped_at is not null as is_stopped from integration
    where clinic_id = ${clinic_id} and id = any(${[id, ...from]}::text[])`)
  if (!rows.some((row) => row.id === id)) throw notFound('integration', id)
  if (rows.some(({ is_stopped }) => is_stopped)) throw stopped()
}
