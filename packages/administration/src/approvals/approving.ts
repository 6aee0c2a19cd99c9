// A request that another person may have to approve: lets through what was approved, and asks for what was not.
import type { ClinicDatabase } from '@clinic-data/database'
import { tellingOutages } from '@clinic-data/surface/outage'
import type { RequireApproval } from '@clinic-data/surface/require-approval'
import type { InSameTransaction } from '../credentials/credentials.ts'
import type { ActiveSession } from '../sessions/sessions.ts'
import { type MailParts, mailApprovers } from './approval-mail.ts'
import { ApprovalRequired } from './approval-required.ts'
import { askForApproval } from './ask-for-approval.ts'
import { spendApproval } from './spend-approval.ts'

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

  readonly require: RequireApproval = async (tx, { isNeeded, shown, body = withoutKnown(this.#requested.body) }) => {
    this.isWeighed = true
    if (!isNeeded) return
    const { operation, params } = this.#requested
    this.spent = await spendApproval(tx, this.#session, { operation, params, body, shown }, this.#requested)
  }
}

/** It is compared by then, and `shown` says how it was. */
function withoutKnown(body: unknown): unknown {
  const { known: _known, ...wanted } = body as { known?: object }
  return wanted
}

const ask = tellingOutages(askForApproval)

interface Asking extends MailParts {
  now: Date
  /** Adds the audit row. */
  beside: InSameTransaction
}

/**
 * Asks for the approval that a refusal wants.
 *
 * @returns the refusal, or that of whoever waits for too many.
 */
export async function asking(
  error: unknown,
  consoleDatabase: ClinicDatabase,
  session: ActiveSession,
  by: Asking,
): Promise<unknown> {
  if (!(error instanceof ApprovalRequired)) return error
  try {
    const isNew = await ask(consoleDatabase, session, error.subject, by)
    if (isNew) await mailApprovers(by, consoleDatabase, session, by.now)
    return error
  } catch (other) {
    return other
  }
}
