// The clinics' table and the wall between clinics, which the tables of every package stand on.
import type { DistributedTable } from './distribute-tables.ts'
import { readMigrations } from './migrate.ts'

export const migrations = readMigrations(new URL('../migrations/', import.meta.url))

/** Read before the clinic of a request is known, and by every clinic's tables: a copy stands on every machine. */
export const tables: readonly DistributedTable[] = [{ table: 'clinic', kind: 'reference' }]
