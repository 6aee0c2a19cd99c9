// The audit rows of the operator: what `clinicd` changes for a clinic. A change and its row are stored together.
import { newId } from '@clinic-data/contract/new-id'
import type { Transaction } from '@clinic-data/database'
import { auditWithin } from './audit.ts'

export const OPERATOR_OPERATIONS = [
  'operator.admins.create',
  'operator.admins.disable',
  'operator.admins.link',
  'operator.admins.role',
  'operator.admins.unbind',
  'operator.apps.disable',
  'operator.audit.export',
  'operator.audit.follow',
  'operator.clinics.delete',
  'operator.clinics.export',
  'operator.clinics.update',
  'operator.ingest_tokens.mint',
  'operator.ingest_tokens.revoke',
  'operator.integrations.resume',
  'operator.integrations.stop',
  'operator.keys.mint',
  'operator.keys.revoke',
  'operator.patients.erase',
  'operator.patients.export',
  'operator.restore.webhook_secrets',
  'operator.restore.without_keys',
] as const

export type OperatorOperation = (typeof OPERATOR_OPERATIONS)[number]

const OPERATOR = 'operator'

export interface OperatorAct {
  clinic_id: string
  operation: OperatorOperation
  /** The name of the account on the machine, if it has one. */
  user: string | null
  /** The machine's name. */
  machine: string
  now: Date
}

/**
 * @returns what stores the row. It runs in the transaction of the change, last, with the ids of what was changed, and of the patients
 * whose data left.
 */
export function besideOperator({ clinic_id, operation, user, machine, now }: OperatorAct) {
  return (tx: Transaction, changed: string | readonly string[], patient_ids: readonly string[] = []): void => {
    const resource_ids = [changed].flat()
    auditWithin(tx, {
      at: now.toISOString(),
      clinic_id,
      operation,
      resource_ids,
      count: resource_ids.length,
      status: 200,
      patient_ids,
      key_id: user === null ? OPERATOR : `${OPERATOR}:${user}`,
      // The keys, tokens and administrators of the console: their rows count as no use of a key.
      surface: 'console',
      request_id: newId('req', now),
      address: machine,
    })
  }
}

export function isOperator(key_id: string): boolean {
  return key_id === OPERATOR || key_id.startsWith(`${OPERATOR}:`)
}
