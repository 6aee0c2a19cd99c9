// A clinic has at least one owner. Whoever changes who its people are waits for the others who do, and looks again then.
import { Problem } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'

/** Until the transaction ends. First in it, before any row is locked. */
export async function lockPeople(tx: Transaction, clinic_id: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${clinic_id}::text || ' people', 0))`)
}

const LAST_OWNER = 'This is the last owner of the clinic. Make somebody else an owner first.'

/** Under the lock of the clinic's people. @throws Problem 409 when this person is an owner and nobody else is. */
export async function refuseLastOwner(tx: Transaction, clinic_id: string, id: string): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(sql`select id from administrator
    where clinic_id = ${clinic_id} and role = 'owner' and disabled_at is null limit 2`)
  if (rows.length === 1 && rows[0]?.id === id) throw new Problem('conflict', LAST_OWNER)
}
