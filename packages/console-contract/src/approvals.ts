// What a second person approves, where a clinic wants it (docs/decisions/0113): each operation that may open patients' data wider. The page takes it, so
// no schema stands here.
import type { Scope } from '@clinic-data/contract/scopes'
import type { OpenOperationId } from './open-operations.ts'
import type { SessionOperation } from './roles.ts'

/**
 * The handler of each knows whether the request opens more: patients' data, or the approving itself. An ingest token opens none, and what undoes Stop
 * opens what was approved.
 */
export const approvedOperations = [
  'mintKey',
  'changeKey',
  'allowRequest',
  'allowDevice',
  'changeConnection',
  // A second account of one person would approve what the first one asks.
  'invite',
  'changeRole',
  'setApprovalRule',
] as const satisfies readonly SessionOperation[]

export type ApprovedOperation = (typeof approvedOperations)[number]

/** Events bring whole patients to the address of a webhook. */
export const approvedOpenOperations = [
  'webhooks.create',
  'webhooks.update',
] as const satisfies readonly OpenOperationId[]

/** An app's request has ended by then, and the app asks anew. */
const NOT_REPEATED: readonly string[] = ['console.connect.allow', 'console.device.allow']

/** Whether the page sends the request again by itself. @param operation its id. */
export const isRepeatable = (operation: string) => !NOT_REPEATED.includes(operation)

const WITHOUT_PATIENTS: readonly Scope[] = ['catalog:read', 'availability:read']

/** Whether any of them opens patients' data, or acts on patients. */
export const opensPatients = (scopes: readonly Scope[]) => scopes.some((scope) => !WITHOUT_PATIENTS.includes(scope))

export const APPROVALS = {
  /** A weekend and a day: whoever asks on a Thursday evening is answered on Sunday. */
  hours_to_decide: 96,
  /** Long enough to find it in the morning. */
  hours_to_use: 24,
  /** One person waits for at most so many. */
  most_waiting: 20,
  /** The list shows what was asked for in so many days. */
  days_shown: 30,
  most_shown: 200,
} as const

export const approvalStates = ['waiting', 'approved', 'used', 'refused', 'withdrawn', 'expired'] as const

export type ApprovalState = (typeof approvalStates)[number]
