// The audit rows of the console: what an administrator changed, and refused sign-ins.
import { appendAudit } from '../audit/audit.ts'
import { tellingOutages } from '../outage.ts'
import type { ConsoleParts } from './console-parts.ts'

export interface AuditedChange {
  clinic_id: string
  administrator_id: string
  operation: string
  ids: readonly string[]
  status: number
  request_id: string
  address: string
}

/** Store this before the answer leaves. */
export const auditChange = tellingOutages(
  async ({ owner, now }: ConsoleParts, change: AuditedChange): Promise<void> => {
    const { administrator_id: key_id, ids, ...row } = change
    const at = now().toISOString()
    await appendAudit(owner, [{ ...row, at, key_id, surface: 'console', resource_ids: [...ids], count: ids.length }])
  },
)
