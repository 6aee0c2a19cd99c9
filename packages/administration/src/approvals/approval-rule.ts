// Whether a clinic wants a second person's approval. An owner says so, and ends it only with one.
import type { ApprovalRule } from '@clinic-data/console-contract/approval-operations'
import { FEWEST_APPROVERS } from '@clinic-data/console-contract/approvals'
import { rolesOf } from '@clinic-data/console-contract/roles'
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, sql } from '@clinic-data/database'
import type { RequireApproval } from '@clinic-data/surface/require-approval'
import type { Holder } from '@clinic-data/surface/still-valid'
import type { InSameTransaction } from '../credentials/credentials.ts'
import type { ActiveSession } from '../sessions/sessions.ts'

interface Person {
  id: string
  may_approve: boolean
}

const ALONE =
  'Nobody could approve what you ask for: you are the only owner or administrator of the clinic. Invite another one first.'

export async function approvalRule(database: ClinicDatabase, { clinic }: ActiveSession): Promise<ApprovalRule> {
  const { clinic_id } = clinic
  const [rule] = await database.read<ApprovalRule>(
    clinic,
    sql`select c.needs_approval as is_on, (select count(*)::integer from administrator a
        where a.clinic_id = ${clinic_id} and a.role = any(${rolesOf.approve}) and a.disabled_at is null) as approvers
      from clinic c where c.clinic_id = ${clinic_id}`,
  )
  return rule ?? { is_on: false, approvers: 0 }
}

interface Setting {
  requireApproval: RequireApproval
  beside: InSameTransaction
}

/**
 * @returns the rule, and whose requests are under way. `untilAllWritesEnd` comes after the commit.
 * @throws Problem 409 when nobody else may approve.
 */
export async function setApprovalRule(
  database: ClinicDatabase,
  { clinic }: ActiveSession,
  is_on: boolean,
  { requireApproval, beside }: Setting,
): Promise<{ rule: ApprovalRule; others: Holder[] }> {
  const { clinic_id } = clinic
  return database.write(clinic, async (tx) => {
    const { rows } =
      await tx.query<Person>(sql`select id, role = any(${rolesOf.approve}) as may_approve from administrator
      where clinic_id = ${clinic_id} and disabled_at is null`)
    const approvers = rows.filter(({ may_approve }) => may_approve).length
    if (is_on && approvers < FEWEST_APPROVERS) throw new Problem('conflict', ALONE)
    await requireApproval(tx, { isNeeded: !is_on, shown: { name: clinic.name } })
    await tx.query(sql`update clinic set needs_approval = ${is_on} where clinic_id = ${clinic_id}`)
    beside(tx, clinic_id)
    return { rule: { is_on, approvers }, others: rows.map(({ id }) => ({ clinic_id, id })) }
  })
}
