// Lets through what a second person has approved, once (docs/decisions/0113).
import { rolesOf } from '@clinic-data/console-contract/roles'
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import type { ActiveSession } from '../sessions/sessions.ts'
import { ApprovalRequired, hashOf, type Subject } from './approval-required.ts'

interface Spending {
  /** The request's `Idempotency-Key`. Empty: it takes none. */
  idempotencyKey: string
  now: Date
}

/**
 * Uses an approval of this request up, where the clinic wants one. In the transaction of the change: what is not done has used none.
 *
 * @returns its id. Null where nobody has to approve.
 * @throws ApprovalRequired
 */
export async function spendApproval(
  tx: Transaction,
  { clinic: { clinic_id }, administrator }: ActiveSession,
  subject: Subject,
  { idempotencyKey, now }: Spending,
): Promise<string | null> {
  if (!(await needsApproval(tx, clinic_id))) return null
  const unused = sql`(p.used_at is null or (p.used_request = ${idempotencyKey} and p.used_request <> ''))`
  const { rows } = await tx.query<{ id: string }>(sql`select p.id from approval p
    where p.clinic_id = ${clinic_id} and p.asked_by = ${administrator.id} and p.request_hash = ${hashOf(subject)}
      and p.is_approved and p.expires_at > ${now} and ${unused} and ${stillMay(clinic_id)} order by p.asked_at limit 1`)
  const [approval] = rows
  if (approval === undefined) throw new ApprovalRequired(subject)
  // Another statement, which reads no other table: on a cluster it would lock that one for all clinics.
  const { rowCount } =
    await tx.query(sql`update approval p set used_at = coalesce(used_at, ${now}), used_request = ${idempotencyKey}
    where p.clinic_id = ${clinic_id} and p.id = ${approval.id} and p.is_approved and ${unused}`)
  // Two requests at once use it once.
  if (rowCount === 0) throw new ApprovalRequired(subject)
  return approval.id
}

/** Within a transaction: it counts what the clinic wants now, not what it wanted when the request came. */
async function needsApproval(tx: Transaction, clinic_id: string): Promise<boolean> {
  const { rows } = await tx.query<{ needs_approval: boolean }>(
    sql`select needs_approval from clinic where clinic_id = ${clinic_id}`,
  )
  return rows[0]?.needs_approval === true
}

/** Whoever approved may do so still. */
function stillMay(clinic_id: string): Statement {
  return sql`exists (select from administrator d where d.clinic_id = ${clinic_id} and d.id = p.decided_by
    and d.disabled_at is null and d.role = any(${rolesOf.approve}))`
}

/**
 * An approval lasts when its request was refused after all. For a change whose transaction is another one.
 *
 * @param usedAt when this request used it. What an earlier one did by it is done.
 */
export async function giveBack(tx: Transaction, clinic_id: string, id: string, usedAt: Date): Promise<void> {
  await tx.query(sql`update approval set used_at = null, used_request = null
    where clinic_id = ${clinic_id} and id = ${id} and used_at = ${usedAt}`)
}
