// The audit log: rows are stored in batches, and days beyond the retention are dropped whole.
import type { AuditRow } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import type { Log } from '../log.ts'

/** A stored row: from the gateway, or about a request of the clinic's own systems. */
export type StoredAuditRow = Omit<AuditRow, 'surface'> & { surface: AuditRow['surface'] | 'ingest' }

/** Stores a batch with one statement: all of its rows or none. */
export async function appendAudit(database: Database, rows: readonly StoredAuditRow[]): Promise<void> {
  const stored = rows.map((row) => [
    row.clinic_id,
    row.at,
    row.key_id,
    row.operation,
    row.surface,
    row.resource_ids,
    row.count,
    row.status,
    row.request_id,
    row.address,
  ])
  for (const some of sql.chunkRows(stored)) {
    await database.append(sql`insert into audit
      (clinic_id, at, key_id, operation, surface, resource_ids, count, status, request_id, address)
      values ${sql.values(some)}`)
  }
}

interface Keeping {
  database: Database
  now: () => Date
  log: Log
  auditRetentionDays: number | null
}

/**
 * Await this before storing rows. At the first rows of a day it makes the partitions of the coming days. That does not delay the
 * request, except the very first time, when the day's own partition may be missing. A day without one is no error: its rows go to
 * the default partition.
 */
export function auditPartitions({ database, now, log, auditRetentionDays }: Keeping): () => Promise<void> {
  let day = ''
  let first: Promise<void> | undefined

  function maintain(): Promise<void> {
    return database.append(sql`select maintain_audit(${auditRetentionDays}::integer)`).then(
      () => undefined,
      (error: unknown) => log.error({ err: error }, 'creating the partitions of the audit log failed'),
    )
  }

  return () => {
    const today = now().toISOString().slice(0, 10)
    if (today !== day) {
      day = today
      const maintained = maintain()
      first ??= maintained
    }
    return first ?? Promise.resolve()
  }
}
