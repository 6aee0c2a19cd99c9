// The operations of a second person's approval: who asked for what, the answer to it, and whether the clinic wants any.
import { MAX } from '@clinic-data/contract/limits'
import {
  about,
  choice,
  Id,
  Instant,
  list,
  NamedReference,
  nullable,
  object,
  type Static,
  strictObject,
  Type,
  text,
  whole,
} from '@clinic-data/contract/schema'
import { consoleOperation } from './console-operation.ts'

/** Its rows in the audit log: a refused request asks by itself. */
export const APPROVAL_ASKED = { operation: 'console.approvals.ask', status: 202 } as const

/** The row beside a webhook's own, which the approval let through. They have one request id. */
export const APPROVAL_SPENT = { operation: 'console.approvals.spend', status: 200 } as const

/** The code of the fault in a refusal (403) that has asked for it. The same request is taken once it is approved. */
export const APPROVAL_REQUIRED = 'approval_required'

export const APPROVALS = {
  /** A weekend and a day: whoever asks on a Thursday evening is answered on Sunday. */
  hours_to_decide: 96,
  /** Long enough to find it in the morning. */
  hours_to_use: 24,
  /** One person waits for at most so many. */
  most_waiting: 20,
  /** So many people are mailed about a request: somebody of them is there. */
  most_mailed: 20,
  /** So many requests of one person are mailed in an hour. */
  most_mailed_an_hour: 5,
  /** The list shows what was asked for in so many days. */
  days_shown: 30,
  most_shown: 200,
} as const

export const approvalStates = ['waiting', 'approved', 'used', 'refused', 'withdrawn', 'expired'] as const

export type ApprovalState = (typeof approvalStates)[number]

/** As JSON a request and what is shown beside it are hardly longer than a request may be. */
const REQUEST_CHARACTERS = 100_000

export const Approval = object({
  id: Id,
  operation: text(MAX.code, { description: 'The id of the operation that is asked for.' }),
  asked_by: NamedReference,
  asked_at: Instant,
  state: choice(approvalStates),
  decided_by: nullable(NamedReference),
  decided_at: nullable(Instant),
  expires_at: about('It is decided until then. Once it is approved, it is used until then.', Instant),
  request: text(REQUEST_CHARACTERS, {
    description:
      'JSON: `params` and `body`, as its operation takes them, and `shown`, what they are about: its name, its scopes, and as `former` how it is now.',
  }),
})

export type Approval = Static<typeof Approval>

export const ApprovalRule = object({
  is_on: Type.Boolean({ description: 'What opens patients’ data wider waits for a second person.' }),
  approvers: whole(0, MAX.seconds, { description: 'How many people may approve what others ask for.' }),
})

export type ApprovalRule = Static<typeof ApprovalRule>

const decided = object({ data: Approval })

export const approvalOperations = {
  /** The latest first. A member sees its own. */
  listApprovals: consoleOperation({
    id: 'console.approvals.list',
    method: 'GET',
    path: '/console/api/approvals',
    output: object({ data: list(Approval, APPROVALS.most_shown), rule: ApprovalRule }),
  }),
  /** 403 for one's own, 409 for one that is no longer open. */
  approve: consoleOperation({
    id: 'console.approvals.approve',
    method: 'POST',
    path: '/console/api/approvals/{id}/approve',
    audited: 'console.approvals.approve',
    output: decided,
  }),
  /** Also of one that was approved and not used yet. 403 for one's own, 409 for one that is no longer open. */
  refuseApproval: consoleOperation({
    id: 'console.approvals.refuse',
    method: 'POST',
    path: '/console/api/approvals/{id}/refuse',
    audited: 'console.approvals.refuse',
    output: decided,
  }),
  /** Only by whoever asked. 409 for one that is no longer open. */
  withdrawApproval: consoleOperation({
    id: 'console.approvals.withdraw',
    method: 'POST',
    path: '/console/api/approvals/{id}/withdraw',
    audited: 'console.approvals.withdraw',
    output: decided,
  }),
  /** Holds for every request from the answer on. 409 when nobody else could approve. Once it is on, another person approves that it ends. */
  setApprovalRule: consoleOperation({
    id: 'console.approvals.rule',
    method: 'POST',
    path: '/console/api/approval-rule',
    audited: 'console.approvals.rule',
    body: strictObject({ is_on: Type.Boolean() }),
    output: object({ data: ApprovalRule }),
  }),
} as const
