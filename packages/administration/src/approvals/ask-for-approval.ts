// Asks the others of a clinic to approve what one of them may not do alone. Asking for the same again is one request, which lasts longer.
import { APPROVALS } from '@clinic-data/console-contract/approval-operations'
import { Problem } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import { type ClinicDatabase, sql } from '@clinic-data/database'
import type { InSameTransaction } from '../credentials/credentials.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { hashOf, type Subject } from './approval-required.ts'

const HOUR_MS = 60 * 60 * 1000
const DECIDED_MS = APPROVALS.hours_to_decide * HOUR_MS

const TOO_MANY = `You wait for ${APPROVALS.most_waiting} approvals already. Withdraw one, or wait until they are decided.`

/** @returns whether it is a new request. @throws Problem 429 for whoever waits for too many. */
export async function askForApproval(
  consoleDatabase: ClinicDatabase,
  { clinic, administrator }: ActiveSession,
  subject: Subject,
  { now, beside }: { now: Date; beside: InSameTransaction },
): Promise<boolean> {
  const { clinic_id } = clinic
  const { operation, params, body, shown } = subject
  const request_hash = hashOf(subject)
  const expires_at = new Date(now.getTime() + DECIDED_MS)
  return consoleDatabase.write(clinic, async (tx) => {
    const { rows: waiting } = await tx.query<{ request_hash: string }>(sql`select request_hash from approval
      where clinic_id = ${clinic_id} and asked_by = ${administrator.id} and decided_at is null and withdrawn_at is null
        and expires_at > ${now} limit ${APPROVALS.most_waiting}`)
    const isKnown = waiting.some((one) => one.request_hash === request_hash)
    if (!isKnown && waiting.length >= APPROVALS.most_waiting)
      throw new Problem('rate-limited', TOO_MANY, { retry_after: HOUR_MS / 1000 })
    const { rows } = await tx.query<{ id: string }>(sql`
      insert into approval (clinic_id, id, operation, request, request_hash, asked_by, asked_at, expires_at)
      values (${clinic_id}, ${newId('apr', now)}, ${operation}, ${JSON.stringify({ params, body, shown })}::jsonb, ${request_hash},
        ${administrator.id}, ${now}, ${expires_at})
      on conflict (clinic_id, asked_by, request_hash) where decided_at is null and withdrawn_at is null
        do update set asked_at = excluded.asked_at, expires_at = excluded.expires_at returning id`)
    beside(tx, rows[0]?.id ?? '')
    return !isKnown
  })
}
