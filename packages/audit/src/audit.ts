// The audit log: rows are stored in batches, and days beyond the retention are dropped whole.
import { type AuditRow, allOperations } from '@clinic-data/contract'
import { type Database, type SqlValue, sql, type Transaction } from '@clinic-data/database'
import { Statement } from '@clinic-data/database/sql'
import { dropPackedDays } from './segments/pack-days.ts'
import { storedIds } from './stored-ids.ts'

/** A stored row: from the gateway, about a request of the clinic's own systems or of an administrator, or about a delivery. */
export type StoredAuditRow = AuditRow | OwnRow

/** A row that this program makes itself says whose data left or changed. */
type OwnRow = Omit<AuditRow, 'surface' | 'patient_ids'> & {
  surface: 'ingest' | 'console' | 'webhook'
  patient_ids: readonly string[]
}

/** The most rows of one statement. A statement for each number of rows up to this one stays prepared (docs/decisions/0127). */
const MOST_AT_ONCE = 32

/** The operations whose answers change nothing. */
const READS = new Set(allOperations.filter(({ effect }) => effect === 'none').map(({ id }): string => id))

/** The row is about a request that changed nothing and was not refused. */
export function isAnsweredRead({ operation, status }: Pick<StoredAuditRow, 'operation' | 'status'>): boolean {
  return status < 400 && READS.has(operation)
}

/**
 * Stores a batch, in order. When this resolves, everyone sees the rows. They are on disk too, unless all of them are about answered
 * reads or deliveries: then the disk follows within a second.
 */
export async function appendAudit(database: Database, rows: readonly StoredAuditRow[]): Promise<void> {
  // The outcome of a delivery is stored behind its row, and the disk takes both in that order.
  const isDurable = !rows.every((row) => row.surface === 'webhook' || isAnsweredRead(row))
  const chunks = Array.from({ length: Math.ceil(rows.length / MOST_AT_ONCE) }, (_, n) =>
    rows.slice(n * MOST_AT_ONCE, (n + 1) * MOST_AT_ONCE),
  )
  await Promise.all(chunks.map((some) => database.append(insertOf(some), { isDurable })))
}

/** Stores a row in the packet of the transaction's commit, or of its next statement: the change and its row stand or fall together. */
export function auditWithin(tx: Transaction, row: StoredAuditRow): void {
  tx.send(insertOf([row]))
}

/** The text of each number of rows. Making it anew would cost more than its values. */
const texts = new Map<number, readonly string[]>()

function insertOf(rows: readonly StoredAuditRow[]): Statement {
  const stored = rows.map((row): SqlValue[] => [
    row.clinic_id,
    row.at,
    row.key_id,
    row.operation,
    row.surface,
    storedIds(row),
    row.count,
    row.status,
    row.request_id,
    row.address,
    row.duration_ms ?? null,
  ])
  const known = texts.get(rows.length)
  if (known !== undefined) return new Statement(known, stored.flat(1))
  const insert = sql`insert into audit
    (clinic_id, at, key_id, operation, surface, resource_ids, count, status, request_id, address,
      duration_ms)
    values ${sql.values(stored)}`
  texts.set(rows.length, Object.freeze(insert.chunks))
  return insert
}

/**
 * One round: makes the partitions of the coming week, and drops the days beyond the retention whole. A day without a partition is no
 * error: its rows go to the default partition.
 */
export async function maintainAudit(owner: Database, retentionDays: number | null): Promise<void> {
  await owner.query(sql`select maintain_audit(${retentionDays}::integer)`)
  if (retentionDays !== null) await dropPackedDays(owner, retentionDays)
}
