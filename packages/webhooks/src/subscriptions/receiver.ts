// Whose a webhook is: of the key or connection that makes it or sends it to another address. Stop of who receives stops it (docs/decisions/0100).
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import { requireGoingOn, stopped } from '../integrations/integration.ts'

/**
 * Call it behind `lockIntegrations`.
 *
 * @returns null for a person. The integration is null where an older version stored the key: then it is found later.
 * @throws Problem 409 when it was stopped meanwhile.
 */
export async function integrationOfKey(
  tx: Transaction,
  clinic_id: string,
  id: string | null,
): Promise<{ integration_id: string | null } | null> {
  const { rows } = await tx.query<{ integration_id: string | null; is_stopped: boolean }>(
    sql`select integration_id, stopped_at is not null as is_stopped from api_key
      where clinic_id = ${clinic_id} and id = ${id}`,
  )
  const [key] = rows
  // Stop came first, and has found all webhooks that there were.
  if (key?.is_stopped) throw stopped()
  return key ?? null
}

/**
 * Gives a webhook that is locked for a change to the key or connection that sends it to another address. A person's change leaves it where it is.
 *
 * @throws Problem 409 while its own integration is stopped: nothing moves out of it.
 */
export async function giveToSender(tx: Transaction, { clinic_id }: Clinic, id: string, sender: string): Promise<void> {
  const key = await integrationOfKey(tx, clinic_id, sender)
  if (key === null) return
  await requireGoingOn(tx, clinic_id, id)
  await tx.query(sql`update subscription set made_by = ${sender}, integration_id = ${key.integration_id}
    where clinic_id = ${clinic_id} and id = ${id}`)
}
