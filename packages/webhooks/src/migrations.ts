// The engine's schema: the clinics' table and its own tables, with their distribution on a cluster. It needs no table of the backend.

import * as clinics from '@clinic-data/database/migrations'
import type { DistributedTable } from '@clinic-data/database/schema/distribute-tables'
import { type Migration, readMigrations } from '@clinic-data/database/schema/migrate'

/** Numbered together with the backend's. */
export const migrations: readonly Migration[] = [
  ...clinics.migrations,
  ...readMigrations(new URL('../migrations/', import.meta.url)),
]

export const tables: readonly DistributedTable[] = [
  ...clinics.tables,
  ...[
    'integration',
    'subscription',
    'former_subscription',
    'lane',
    'event_counter',
    'event',
    'delivery',
    'attempt',
    'attempt_hour',
  ].map((table) => ({
    table,
    kind: 'distributed' as const,
  })),
  { table: 'dispatcher', kind: 'local' },
]
