// After secret keys were lost: a clinic's audit chain goes on under a key that is there. No key proves any more what was stored before, and
// the chain itself tells that: a row of the operator, which is sealed like all others.
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import { type ClinicDatabase, instant, sql, type Transaction, utcSession } from '@clinic-data/database'
import { BEGINNING, type Head, headOf, newHead, type Seal } from './audit-chain.ts'
import type { OperatorOperation } from './operator-audit.ts'
import { EVERYWHERE, searchSegments } from './segments/read-segments.ts'

/** The rows before the latest one of this name were proven by a key that was lost. */
export const RESTORED_WITHOUT_KEYS = 'operator.restore.without_keys' satisfies OperatorOperation

/**
 * Makes the MAC of the head anew. Its number stays, so that a chain whose last seals are missing is still found. Nobody else may use
 * the database.
 *
 * @returns whether a lost key had made it.
 */
export async function takeOverHead(
  tx: Transaction,
  clinic_id: string,
  { keys, isLost }: { keys: SigningKeys; isLost: (key_id: string) => boolean },
): Promise<boolean> {
  const [head] = (await tx.query<Head>(headOf(clinic_id))).rows
  if (head === undefined || !isLost(head.key_id)) return false
  const { rows: seals } = await tx.query<Pick<Seal, 'hash'>>(sql`select hash from audit_seal
    where clinic_id = ${clinic_id} order by number desc limit 1`)
  const { hash } = seals[0] ?? BEGINNING
  const { key_id, mac } = newHead(keys, clinic_id, { number: head.number, hash })
  await tx.query(sql`update audit_head set key_id = ${key_id}, mac = ${mac} where clinic_id = ${clinic_id}`)
  return true
}

/** The moment up to which no key proves a clinic's rows, in UTC. Null: every row is proven. */
export function unprovenBefore(database: ClinicDatabase, clinic_id: string): Promise<string | null> {
  return database.write(utcSession(clinic_id), async (tx) => {
    const { rows } = await tx.query<{ stored_at: string }>(sql`select stored_at from audit
      where clinic_id = ${clinic_id} and operation = ${RESTORED_WITHOUT_KEYS} order by id desc limit 1`)
    const [row] = rows
    if (row !== undefined) return instant(row.stored_at)
    const [packed] = await searchSegments(tx, clinic_id, {
      ...EVERYWHERE,
      kinds: { operations: [RESTORED_WITHOUT_KEYS] },
      limit: 1,
    })
    return packed === undefined ? null : zonedInstant(new Date(Math.floor(packed.stored_us / 1000)), 'UTC', 3)
  })
}
