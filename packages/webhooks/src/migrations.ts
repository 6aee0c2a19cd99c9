// The migrations of the engine's own tables, numbered together with the backend's, and the tables' distribution on a cluster.
import { readMigrations } from '@clinic-data/database/migrate'

export const migrations = readMigrations(new URL('../migrations/', import.meta.url))

/** All of them are distributed by clinic. */
export const tables = ['subscription', 'lane', 'event_counter', 'event', 'delivery', 'attempt'].map((table) => ({
  table,
  kind: 'distributed' as const,
}))
