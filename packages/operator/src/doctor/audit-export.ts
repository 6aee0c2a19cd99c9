// Looks at the continuous export of the audit log: how far its destination is behind.
import { clinicsBehind } from '@clinic-data/audit/follow/places'
import { type Database, sql } from '@clinic-data/database'
import type { Config } from '@clinic-data/installation/config'
import { type Finding, ok, warning } from './finding.ts'

/** Seals are made once a minute, and exported twice a minute. */
const USUAL_MS = 15 * 60 * 1000

/** None where nothing is exported. */
export async function auditExportFindings({ auditExport }: Pick<Config, 'auditExport'>, owner: Database, now: Date) {
  return auditExport === null ? [] : [await findingOf(owner, now)]
}

async function findingOf(owner: Database, now: Date): Promise<Finding> {
  const { rows } = await owner.query(sql`select from pg_class where oid = to_regclass('public.audit_export_place')`)
  if (rows.length === 0) return ok('audit_export', 'a start makes its table')
  const behind = await clinicsBehind(owner)
  const times = behind.flatMap(({ since }) => (since === null ? [] : [Date.parse(since)]))
  const oldest = times.length === 0 ? now.getTime() : Math.min(...times)
  const lost = behind.filter(({ since }) => since === null)
  if (lost.length > 0)
    return warning(
      'audit_export',
      `a seal of ${lost.map(({ clinic_id }) => clinic_id).join(', ')} is missing: run clinicd audit verify`,
    )
  if (now.getTime() - oldest <= USUAL_MS)
    return ok('audit_export', 'has all that was sealed, but for the latest minutes')
  const since = new Date(oldest).toISOString()
  return warning(
    'audit_export',
    `${behind.length} clinics wait since ${since}: the log of the service says why. Nothing is lost before AUDIT_RETENTION_DAYS drops it`,
  )
}
