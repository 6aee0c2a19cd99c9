// A request that another person may have to approve: lets through what was approved, and asks for what was not.
import { APPROVAL_ASKED } from '@clinic-data/console-contract/approval-operations'
import type { ClinicDatabase } from '@clinic-data/database'
import type { RequireApproval } from '@clinic-data/surface/require-approval'
import { ApprovalRequired } from '../approvals/approval-required.ts'
import { askForApproval } from '../approvals/ask-for-approval.ts'
import { spendApproval } from '../approvals/spend-approval.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { auditWithChange } from './console-audit.ts'

interface Requested {
  /** The name of its rows in the audit log. */
  operation: string
  params: Readonly<Record<string, unknown>>
  body: unknown
  idempotencyKey: string
  now: Date
}

export class Approving {
  /** Whether the handler has said if it opens more. */
  isWeighed = false
  /** The approval that let it through. */
  spent: string | null = null
  readonly #session: ActiveSession
  readonly #requested: Requested

  constructor(session: ActiveSession, requested: Requested) {
    this.#session = session
    this.#requested = requested
  }

  readonly require: RequireApproval = async (tx, { isNeeded, shown, body = this.#requested.body as object }) => {
    this.isWeighed = true
    if (!isNeeded) return
    const { operation, params } = this.#requested
    this.spent = await spendApproval(tx, this.#session, { operation, params, body, shown }, this.#requested)
  }
}

export interface AskingParts extends Pick<ConsoleParts, 'now'> {
  /** Its writes check the session again. */
  consoleDatabase: ClinicDatabase
}

interface Refused {
  session: ActiveSession
  request_id: string
  address: string
}

/**
 * Asks for the approval that a refusal wants, with its row in the audit log.
 *
 * @returns the refusal, or the one of whoever waits for too many.
 */
export async function askedFor(
  error: unknown,
  { consoleDatabase, now }: AskingParts,
  { session, request_id, address }: Refused,
): Promise<unknown> {
  if (!(error instanceof ApprovalRequired)) return error
  const who = { clinic_id: session.clinic.clinic_id, administrator_id: session.administrator.id }
  const row = { ...who, request_id, address, operation: APPROVAL_ASKED, status: 202 }
  try {
    await askForApproval(consoleDatabase, session, error.asked, {
      now: now(),
      beside: (tx, id) => auditWithChange({ now }, tx, { ...row, ids: [id] }),
    })
    return error
  } catch (other) {
    return other
  }
}
