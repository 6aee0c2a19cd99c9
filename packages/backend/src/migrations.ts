// The migrations of the clinic's schema in order, and the distribution of its tables on a cluster.
import type { DistributedTable } from '@clinic-data/database/schema/distribute-tables'
import { type Migration, readMigrations } from '@clinic-data/database/schema/migrate'
import { migrations as webhookMigrations, tables as webhookTables } from '@clinic-data/webhooks/migrations'
import { clinicTables } from './clinic-tables.ts'

/** Their numbers share one sequence with the migrations of the webhooks. */
export const migrations: readonly Migration[] = [
  ...readMigrations(new URL('../migrations/', import.meta.url)),
  ...webhookMigrations,
].sort((a, b) => (a.id < b.id ? -1 : 1))

/** Programs that know this migration also run on today's tables, while they are migrated and afterwards: `rollback.long.test.ts`. */
export const RUNS_ON_ITS_TABLES = '0028_quiet_audit'

/** Read before a request's clinic is known, so every machine has a copy. */
const REFERENCES = ['ingest_token']

const ofOthers = new Set(webhookTables.map(({ table }) => table))

/** All that hold a clinic's rows, distributed by clinic, and those of apps, which are no clinic's. */
export const tables: readonly DistributedTable[] = [
  ...webhookTables,
  ...Object.keys(clinicTables)
    .filter((table) => !ofOthers.has(table))
    .map((table) => ({ table, kind: REFERENCES.includes(table) ? ('reference' as const) : ('distributed' as const) })),
  // Read beside each clinic's segments, so every machine has a copy.
  { table: 'audit_packed_day', kind: 'reference' },
  { table: 'app', kind: 'local' },
  { table: 'device_request', kind: 'local' },
]
