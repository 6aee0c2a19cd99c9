// The requests for approval of a clinic, as its people see them.
import type { Approval } from '@clinic-data/console-contract/approval-operations'
import { APPROVALS, type ApprovalState } from '@clinic-data/console-contract/approval-operations'
import { mayApprove } from '@clinic-data/console-contract/roles'
import { type ClinicDatabase, type Statement, sql, withInstants } from '@clinic-data/database'
import { notFound } from '@clinic-data/surface/not-found'
import type { ActiveSession } from '../sessions/sessions.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Those of the last days, the latest first. Whoever may not approve sees its own. */
export function listApprovals(database: ClinicDatabase, session: ActiveSession, now: Date): Promise<Approval[]> {
  const since = new Date(now.getTime() - APPROVALS.days_shown * DAY_MS)
  return approvalsWhere(database, session, now, sql`p.asked_at > ${since} and ${seenBy(session)}`)
}

/** @throws Problem 404 */
export async function findApproval(
  database: ClinicDatabase,
  session: ActiveSession,
  id: string,
  now: Date,
): Promise<Approval> {
  const [found] = await approvalsWhere(database, session, now, sql`p.id = ${id} and ${seenBy(session)}`)
  if (found === undefined) throw notFound('approval', id)
  return found
}

/** Those of others that wait for whoever may approve them. */
export async function countWaiting(database: ClinicDatabase, session: ActiveSession, now: Date): Promise<number> {
  const { clinic, administrator } = session
  if (!mayApprove(administrator.role)) return 0
  const [row] = await database.read<{ count: number }>(
    clinic,
    sql`select count(*)::integer as count from approval where clinic_id = ${clinic.clinic_id} and asked_by <> ${administrator.id}
      and decided_at is null and withdrawn_at is null and expires_at > ${now}`,
  )
  return row?.count ?? 0
}

function seenBy({ administrator: { id, role } }: ActiveSession): Statement {
  return mayApprove(role) ? sql`true` : sql`p.asked_by = ${id}`
}

interface ApprovalRow {
  id: string
  operation: string
  asked_by_id: string
  asked_by_name: string
  asked_at: string
  decided_by_id: string | null
  decided_by_name: string | null
  decided_at: string | null
  expires_at: string
  state: ApprovalState
  request: string
}

async function approvalsWhere(
  database: ClinicDatabase,
  { clinic }: ActiveSession,
  now: Date,
  condition: Statement,
): Promise<Approval[]> {
  const { clinic_id } = clinic
  const rows = await database.read<ApprovalRow>(
    clinic,
    sql`select p.id, p.operation, p.asked_at, p.decided_at, p.expires_at, p.request::text as request, ${stateAt(now)} as state,
        a.id as asked_by_id, a.name as asked_by_name, d.id as decided_by_id, d.name as decided_by_name
      from approval p join administrator a on a.clinic_id = ${clinic_id} and a.id = p.asked_by
        left join administrator d on d.clinic_id = ${clinic_id} and d.id = p.decided_by
      where p.clinic_id = ${clinic_id} and ${condition} order by p.asked_at desc, p.id limit ${APPROVALS.most_shown}`,
  )
  return rows.map(({ asked_by_id, asked_by_name, decided_by_id, decided_by_name, ...row }) => ({
    ...withInstants(row, 'asked_at', 'decided_at', 'expires_at'),
    asked_by: { id: asked_by_id, name: asked_by_name },
    decided_by: decided_by_id === null ? null : { id: decided_by_id, name: decided_by_name ?? '' },
  }))
}

/** A column of the relation `p`. */
function stateAt(now: Date): Statement {
  return sql`case when p.used_at is not null then 'used' when p.withdrawn_at is not null then 'withdrawn'
    when not p.is_approved then 'refused' when p.expires_at <= ${now} then 'expired'
    when p.is_approved then 'approved' else 'waiting' end`
}
