// The engine's own tables: their migrations, numbered in one row with the backend's, and how they lie on a cluster.
import { readMigrations } from '@clinic-data/database/migrate'

export const migrations = readMigrations(new URL('../migrations/', import.meta.url))

/** All of them lie with their clinic. */
export const tables = ['subscription', 'lane', 'event_counter', 'event', 'delivery', 'attempt'].map((table) => ({
  table,
  kind: 'distributed' as const,
}))
