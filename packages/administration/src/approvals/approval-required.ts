// The refusal of what a second person has to approve first. Whoever answers the request asks for the approval by it.
import { createHash } from 'node:crypto'
import { APPROVAL_REQUIRED } from '@clinic-data/console-contract/approval-operations'
import { Problem } from '@clinic-data/contract'
import type { Shown } from '@clinic-data/surface/require-approval'

/** Everything that is approved. A request that differs in anything is another one. */
export interface Subject {
  /** The name of its rows in the audit log. */
  readonly operation: string
  readonly params: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly shown: Shown
}

const WAIT =
  'Another owner or administrator of the clinic has to approve this first, and has been asked to. Nothing was changed. Send the same again once it is approved.'

export class ApprovalRequired extends Problem {
  readonly subject: Subject

  constructor(subject: Subject) {
    const detail = 'is of one person alone'
    super('forbidden', WAIT, { errors: [{ header: 'Cookie', code: APPROVAL_REQUIRED, detail }] })
    this.subject = subject
  }
}

export function hashOf({ operation, params, body, shown }: Subject): string {
  return createHash('sha256')
    .update(JSON.stringify([operation, params, body, shown], sorted))
    .digest('hex')
}

/** Two programs may write the members of one object in another order. */
function sorted(_name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
