// The refusal of what a second person has to approve first. Whoever answers the request asks for the approval by it.
import { APPROVAL_REQUIRED } from '@clinic-data/console-contract/approval-operations'
import { Problem } from '@clinic-data/contract'
import { contentHash } from '@clinic-data/surface/content-hash'
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
  return contentHash([operation, params, body, shown])
}
