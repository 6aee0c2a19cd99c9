// The audit rows of the console: what an administrator changed, and refused sign-ins.

import { appendAudit, auditWithin, type StoredAuditRow } from '@clinic-data/audit/audit'
import type { ProblemSlug } from '@clinic-data/contract'
import type { Transaction } from '@clinic-data/database'
import { tellingOutages } from '@clinic-data/surface/outage'
import type { ConsoleParts } from '../sign-in/console-parts.ts'

export interface AuditedChange {
  clinic_id: string
  administrator_id: string
  operation: string
  ids: readonly string[]
  /** Whose data is shown. Default: nobody's. */
  patient_ids?: readonly string[]
  status: number
  /** Only a refused request has one. */
  problem?: ProblemSlug
  request_id: string
  address: string
}

/** Stores the row of a refusal. Await this before the answer leaves. */
export const auditRefusal = tellingOutages(
  async ({ consoleDatabase, now }: ConsoleParts, change: AuditedChange): Promise<void> => {
    await appendAudit(consoleDatabase, [rowOf(change, now())])
  },
)

/** Stores the row of a change with the change: nothing is changed without its row. Call it last in the transaction. */
export function auditWithChange({ now }: Pick<ConsoleParts, 'now'>, tx: Transaction, change: AuditedChange): void {
  auditWithin(tx, rowOf(change, now()))
}

/** As of another role that an owner gives. */
const CHANGED_STATUS = 200

/** Stores, in the person's name, the row of what the person's groups have changed. */
export function auditGroupChange(
  parts: Pick<ConsoleParts, 'now'>,
  tx: Transaction,
  change: Omit<AuditedChange, 'ids' | 'status'>,
): void {
  auditWithChange(parts, tx, { ...change, ids: [change.administrator_id], status: CHANGED_STATUS })
}

function rowOf({ administrator_id: key_id, ids, patient_ids = [], ...row }: AuditedChange, now: Date): StoredAuditRow {
  const named = { resource_ids: [...ids], patient_ids, count: ids.length }
  return { ...row, at: now.toISOString(), key_id, surface: 'console', ...named }
}
