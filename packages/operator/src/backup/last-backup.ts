// When the embedded database was backed up last. A file beside it tells: who makes backups need not be who serves, and nobody reads it.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { clusterPath } from '@clinic-data/database/embedded/cluster-folder'
import { keepFile } from '@clinic-data/disk/kept-file'

const markOf = (dataDir: string) => join(dataDir, 'last-backup')

/** @param made_at RFC 3339. */
export async function markBackup(dataDir: string, made_at: string): Promise<void> {
  await keepFile(markOf(dataDir), `${made_at}\n`, 'folder')
}

/** Milliseconds of the epoch. Where no backup was made: when the database was. Null: there is none. */
export function lastBackupAt(dataDir: string): number | null {
  return changedAt(markOf(dataDir)) ?? changedAt(join(clusterPath(dataDir), 'PG_VERSION'))
}

/** Null where none is known here. */
export function knownBackupAt(dataDir: string): number | null {
  return changedAt(markOf(dataDir))
}

function changedAt(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null
}
