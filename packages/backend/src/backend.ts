// The reference backend: the port between gateway and clinic data, on PostgreSQL.
import type { AuditRow, Backend, ByteRange, FileReference } from '@clinic-data/contract'
import type { SecretKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql } from '@clinic-data/database'
import { appendAudit, auditPartitions } from './audit.ts'
import { authenticator } from './authentication.ts'
import { openFile } from './files.ts'
import type { Log } from './log.ts'
import { migrations } from './migrations.ts'
import { handlers } from './operations/handlers.ts'
import { tellingOutages } from './outage.ts'

export type { Log } from './log.ts'

export interface BackendOptions {
  /** Opened with the owner's url: requests are bound by row level security, the audit log is written as the owner. */
  database: Database
  /** The clock. */
  now: () => Date
  log: Log
  /** Days of audit rows that are kept; older days are dropped whole. Null keeps all. */
  auditRetentionDays?: number | null
  /** Called when a chat message of this clinic waits to be sent, after the commit. */
  onMessageQueued?: (clinic_id: string) => void
  /** The installation's: the secrets of webhook subscriptions are sealed with them. Without them none can be made. */
  secretKeys?: SecretKeys
  /** Why no webhook may be sent to an address, in a word; null when it may. Without it every address may be subscribed. */
  checkTarget?: (url: string) => Promise<string | null>
  /** Called when deliveries of this clinic are due at once, after the commit. */
  onDeliveriesDue?: (clinic_id: string) => void
  /** Called when a subscription has ended, after the commit; resolves when no request to it will start any more. */
  onSubscriptionEnded?: (clinic_id: string, subscription_id: string) => Promise<void>
}

/**
 * Opens nothing and starts no timer: it lives as long as the database it is given.
 *
 * @example
 * const database = await openDatabase({ url, ownerUrl })
 * const backend = createBackend({ database, now: () => new Date(), log })
 * await backend.ready()
 */
export function createBackend(options: BackendOptions): Backend {
  const { database, now, log, auditRetentionDays = null } = options
  const maintainPartitions = auditPartitions({ database, now, log, auditRetentionDays })
  return {
    authenticate: tellingOutages(authenticator({ database, now, log })),
    handlers: handlers(options),
    audit: tellingOutages(async (rows: readonly AuditRow[]) => {
      await maintainPartitions()
      await appendAudit(database, rows)
    }),
    openFile: tellingOutages((file: FileReference, range: ByteRange | null) => openFile(database, now(), file, range)),
    ready: () => migrated(database),
  }
}

/** @throws when the database does not answer, or lacks a migration of this program. */
async function migrated(database: Database): Promise<void> {
  const { rows } = await database.query<{ id: string }>(sql`select id from schema_migration`)
  const done = new Set(rows.map(({ id }) => id))
  const missing = migrations.filter(({ id }) => !done.has(id))
  if (missing.length > 0) throw new Error(`the database lacks migrations: ${missing.map(({ id }) => id).join(', ')}`)
}
