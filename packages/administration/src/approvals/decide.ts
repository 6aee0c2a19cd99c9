// Approves, refuses and withdraws what somebody asked others to approve. Nobody approves what one has asked for oneself.
import { APPROVALS } from '@clinic-data/console-contract/approval-operations'
import { Problem } from '@clinic-data/contract'
import { type ClinicDatabase, type Statement, sql } from '@clinic-data/database'
import type { InSameTransaction } from '../credentials/credentials.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { findApproval } from './approvals.ts'

interface Deciding {
  id: string
  now: Date
  beside: InSameTransaction
}

interface Decision {
  /** Whether whoever asked decides it, or the others. */
  isAskers: boolean
  /** The columns and their values. */
  set: (administrator_id: string, now: Date) => Statement
  /** A condition on the approvals that it may change. */
  of: Statement
}

const SPENT_MS = APPROVALS.hours_to_use * 60 * 60 * 1000

const OWN = 'You have asked for this yourself. Another owner or administrator of the clinic decides it.'
const OTHERS = 'Somebody else has asked for this. Refuse it instead.'
const CLOSED = 'It is no longer open: it was decided, used or withdrawn, or has expired. Look at it again.'

/** Also one that was approved, as long as nobody has used it. */
const UNUSED = sql`is_approved is distinct from false and used_at is null`

/** From then on it lasts for a day. */
export const approve = deciding({
  isAskers: false,
  set: (id, now) => sql`is_approved = true, decided_by = ${id}, decided_at = ${now},
    expires_at = ${new Date(now.getTime() + SPENT_MS)}`,
  of: sql`decided_at is null`,
})

export const refuse = deciding({
  isAskers: false,
  set: (id, now) => sql`is_approved = false, decided_by = ${id}, decided_at = ${now}`,
  of: UNUSED,
})

export const withdraw = deciding({ isAskers: true, set: (_id, now) => sql`withdrawn_at = ${now}`, of: UNUSED })

/** @throws Problem 404, 403 for whom it is not to decide, 409 for one that is no longer open. */
function deciding({ isAskers, set, of }: Decision) {
  return async (database: ClinicDatabase, session: ActiveSession, { id, now, beside }: Deciding): Promise<void> => {
    const { clinic, administrator } = session
    const { clinic_id } = clinic
    const { asked_by } = await findApproval(database, session, id, now)
    if ((asked_by.id === administrator.id) !== isAskers) throw new Problem('forbidden', isAskers ? OTHERS : OWN)
    await database.write(clinic, async (tx) => {
      const { rowCount } = await tx.query(sql`update approval set ${set(administrator.id, now)}
        where clinic_id = ${clinic_id} and id = ${id} and withdrawn_at is null and expires_at > ${now} and ${of}`)
      if (rowCount === 0) throw new Problem('conflict', CLOSED)
      beside(tx, id)
    })
  }
}
