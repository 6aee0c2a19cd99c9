// `clinicd restore FILE`: makes the embedded database of an empty data folder from a backup.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { hasCluster, restoreEmbeddedPostgres } from '@clinic-data/database/embedded/restore-postgres'
import { Command } from 'commander'
import { archiveOf, openBackup, verifyBackup } from '../backup/backup-file.ts'
import { requireKeys, requireProgram } from '../backup/backup-manifest.ts'
import { readConfig } from '../config.ts'
import { inFolder } from '../database/storage.ts'
import { printJson, printLine } from '../output.ts'
import { givenSecretKeys, secretKeysPlace } from '../secret-key-file.ts'
import { UsageError } from '../usage-error.ts'

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'Make the embedded database from a backup, in a DATA_DIR without one. First put the secret keys of its installation there ' +
        '(the file secret-keys), or set SECRET_KEYS. Nothing is changed before the whole file has been checked.',
    )
    .argument('<file>', 'the file that clinicd backup wrote')
    .option('--json', 'print JSON')
    .action(restore)
}

async function restore(file: string, { json }: { json?: boolean }): Promise<void> {
  const config = readConfig()
  const { dataDir } = config
  if (config.databaseUrl !== null)
    throw new UsageError('restore is for the embedded database: DATABASE_URL names a server with tools of its own')
  if (hasCluster(dataDir))
    throw new UsageError(`DATA_DIR ${resolve(dataDir)} already holds a database: restore into a new folder`)
  if (!existsSync(file)) throw new UsageError(`there is no file ${resolve(file)}`)
  const backup = await openBackup(file)
  const { manifest } = backup
  const place = secretKeysPlace(config)
  const given = await givenSecretKeys(config)
  if (given === null)
    throw new UsageError(`${place} is missing: put the secret keys of the backup's installation there`)
  requireKeys(manifest, given, place)
  await requireProgram(manifest)
  await verifyBackup(backup)
  await inFolder(dataDir, () => restoreEmbeddedPostgres({ dataDir, archive: archiveOf(backup) }))
  const { version, made_at } = manifest
  if (json) printJson({ file, data_dir: dataDir, version, made_at })
  else printLine(`Restored ${file} into ${dataDir}: everything up to ${made_at}. Start it with clinicd serve.`)
}
