// The operations that may open patients' data wider, or end it for good: where a clinic wants it, a second person approves them
// (docs/decisions/0113, 0124). The page takes this, so no schema stands here.
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
  // Whoever manages the groups at the provider would add somebody who approves.
  'setGroupRole',
  'setApprovalRule',
  // It opens nothing, and there is no way back.
  'erasePatient',
] as const satisfies readonly SessionOperation[]

export type ApprovedOperation = (typeof approvedOperations)[number]

/** Events bring whole patients to the address of a webhook. */
export const approvedOpenOperations = [
  'webhooks.create',
  'webhooks.update',
] as const satisfies readonly OpenOperationId[]

/** Whoever asks, and somebody else. */
export const FEWEST_APPROVERS = 2

const WITHOUT_PATIENTS: readonly Scope[] = ['catalog:read', 'availability:read']

/** Whether any of them opens patients' data, or acts on patients. */
export const opensPatients = (scopes: readonly Scope[]) => scopes.some((scope) => !WITHOUT_PATIENTS.includes(scope))
