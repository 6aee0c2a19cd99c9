// Exported audit logs for tests: the text of a file, and what its verification says.

import type { FormatName, Period } from '@clinic-data/audit/export/entries'
import { AuditExport } from '@clinic-data/audit/export/export-log'
import { verifyFile } from '@clinic-data/audit/export/verify-file'
import type { Clinic } from '@clinic-data/contract'
import { owner } from './audit-ground.ts'

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

export function verified(text: string | Uint8Array, expected: string | null = null) {
  async function* chunks() {
    // Whatever the pieces in which a file is read.
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += 997) yield bytes.subarray(at, at + 997)
  }
  return verifyFile(chunks(), expected)
}
