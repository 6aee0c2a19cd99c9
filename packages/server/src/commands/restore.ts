// `clinicd restore FILE`: makes the embedded database of an empty data folder from a backup.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { hasCluster, restoreEmbeddedPostgres } from '@clinic-data/database/embedded/restore-postgres'
import { Command } from 'commander'
import { archiveOf, openBackup, verifyBackup } from '../backup/backup-file.ts'
import { requireKeys, requireProgram } from '../backup/backup-manifest.ts'
import { readConfig } from '../config.ts'
import { inFolder } from '../database/storage.ts'
import { printFault, printJson, printLine } from '../output.ts'
import { givenSecretKeys, secretKeysPlace } from '../secret-key-file.ts'
import { UsageError } from '../usage-error.ts'

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'Make the embedded database from a backup, in a DATA_DIR without one. First put the secret keys of its installation there ' +
        '(the file secret-keys), or set SECRET_KEYS. Nothing is changed before they have authenticated the whole file.',
    )
    .argument('<file>', 'the file that clinicd backup wrote')
    .option(
      '--unauthenticated',
      'take a file of an earlier version too, although nothing shows whether somebody has changed it',
    )
    .option('--json', 'print JSON')
    .action(restore)
}

interface RestoreOptions {
  unauthenticated?: boolean
  json?: boolean
}

async function restore(file: string, { unauthenticated = false, json }: RestoreOptions): Promise<void> {
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
  if (!backup.isAuthenticated && !unauthenticated)
    throw new UsageError(
      `an earlier version made ${file}, which does not authenticate its backups: whoever could write to the file may have changed ` +
        'the data and who may sign in. If nobody else could, restore it with --unauthenticated',
    )
  // From here on the file is believed.
  await verifyBackup(backup, given)
  await requireProgram(manifest)
  await inFolder(dataDir, () => restoreEmbeddedPostgres({ dataDir, archive: archiveOf(backup, given) }))
  if (!backup.isAuthenticated)
    printFault(`nothing shows that nobody has changed ${file}: make a new backup, and look through the administrators`)
  const { version, made_at } = manifest
  if (json) printJson({ file, data_dir: dataDir, version, made_at })
  else {
    printLine(`Restored ${file} into ${dataDir}: everything up to ${made_at}. Start it with clinicd serve.`)
    printLine('Settings made with "alter system" are not restored: make them again.')
  }
}
