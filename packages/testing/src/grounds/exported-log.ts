// Exported audit logs for tests: the text of a file, and what its verification says.
import type { FormatName, Period } from '@clinic-data/audit/export/entries'
import { AuditExport } from '@clinic-data/audit/export/export-log'
import type { Clinic } from '@clinic-data/contract'
import { owner } from './audit-ground.ts'

export { verified } from './exported-file.ts'

export const ALL: Period = { since: null, until: null }

export async function exported({ clinic_id }: Clinic, format: FormatName = 'ndjson', period = ALL): Promise<string> {
  const parts = {
    format,
    period,
    program: '0.2.0',
    now: new Date('2026-07-12T06:30:00Z'),
    audit: async () => undefined,
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of new AuditExport(owner, clinic_id, parts).content()) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
