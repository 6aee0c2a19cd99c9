// The reference backend: the port between gateway and clinic data, on PostgreSQL.

import { appendAudit } from '@clinic-data/audit/audit'
import type { AuditRow, Backend, ByteRange, FileReference, Grant } from '@clinic-data/contract'
import type { AnswerApp } from '@clinic-data/contract/app-request'
import type { SecretKeys } from '@clinic-data/contract/secret-keys'
import { type Database, sql } from '@clinic-data/database'
import { openFile } from '@clinic-data/records/file-bytes'
import type { Log } from '@clinic-data/surface/log'
import { tellingOutages } from '@clinic-data/surface/outage'
import type { StillValid } from '@clinic-data/surface/still-valid'
import { authenticator } from './authentication.ts'
import { migrations } from './migrations.ts'
import { handlers } from './operations/handlers.ts'
import { rehearsals } from './operations/rehearsals.ts'

export type { Log } from '@clinic-data/surface/log'

export interface BackendOptions {
  /** Opened with the owner's url: row level security binds requests, and the audit log is written as the owner. */
  database: Database
  /** The clock. */
  now: () => Date
  log: Log
  /** Checks in a write's transaction that its principal may still write. Default: that its key is neither revoked nor expired. */
  validOf?: (grant: Grant) => StillValid
  /** Called after the commit when a chat message of this clinic waits to be sent. */
  onMessageQueued?: (clinic_id: string) => void
  /** The installation's keys, which seal the secrets of webhook subscriptions. Without them no subscription can be made. */
  secretKeys?: SecretKeys
  /** Returns in a word why an address may get no webhooks, or null when it may. Without it every address may be subscribed. */
  checkTarget?: (url: string) => Promise<string | null>
  /** Called after the commit when deliveries of this clinic are due at once. */
  onDeliveriesDue?: (clinic_id: string) => void
  /** Called after the commit when a subscription has ended. Resolves when no request to it will start any more. */
  onSubscriptionEnded?: (clinic_id: string, subscription_id: string) => Promise<void>
  /** Answers connected apps. Without it none can be connected. */
  answerApp?: AnswerApp | undefined
}

/**
 * Opens nothing and starts no timer: it needs no closing apart from its database.
 *
 * @example
 * const database = await openDatabase({ url, ownerUrl })
 * const backend = createBackend({ database, now: () => new Date(), log })
 * await backend.ready()
 */
export function createBackend(options: BackendOptions): Backend {
  const { database, now, log, answerApp } = options
  return {
    authenticate: tellingOutages(authenticator({ database, now, log })),
    handlers: handlers(options),
    rehearse: rehearsals(options),
    audit: tellingOutages((rows: readonly AuditRow[]) => appendAudit(database, rows)),
    openFile: tellingOutages((file: FileReference, range: ByteRange | null, address: string | null = null) =>
      openFile(database, now(), file, { range, address }),
    ),
    ...(answerApp && { answerApp: tellingOutages(answerApp) }),
    ready: async () => void (await Promise.all([migrated(database), database.requireWritable()])),
  }
}

/** @throws when the database does not answer, or lacks a migration of this program. */
async function migrated(database: Database): Promise<void> {
  const { rows } = await database.query<{ id: string }>(sql`select id from schema_migration`)
  const done = new Set(rows.map(({ id }) => id))
  const missing = migrations.filter(({ id }) => !done.has(id))
  if (missing.length > 0) throw new Error(`the database lacks migrations: ${missing.map(({ id }) => id).join(', ')}`)
}
