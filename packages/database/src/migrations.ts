// The tables that every package's tables refer to: the clinics, their keys, and the wall between clinics.
import type { DistributedTable } from './schema/distribute-tables.ts'
import { readMigrations } from './schema/migrate.ts'

export const migrations = readMigrations(new URL('../migrations/', import.meta.url))

/** Both are read before a request's clinic is known, so every machine has a copy. */
export const tables: readonly DistributedTable[] = [
  { table: 'clinic', kind: 'reference' },
  { table: 'api_key', kind: 'reference' },
]
