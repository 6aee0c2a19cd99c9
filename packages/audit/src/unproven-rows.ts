// After secret keys were lost: a clinic's audit chain goes on under a key that is there. No key proves any more what was stored before, and
// the chain itself tells that: a row of the operator, which is sealed like all others.
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { BEGINNING, type Head, headOf, newHead, type Seal } from './audit-chain.ts'
import type { OperatorOperation } from './operator-audit.ts'

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

/** The moment up to which no key proves a clinic's rows. */
export function unprovenBefore(clinic_id: string): Statement {
  return sql`select stored_at from audit where clinic_id = ${clinic_id} and operation = ${RESTORED_WITHOUT_KEYS}
    order by id desc limit 1`
}
