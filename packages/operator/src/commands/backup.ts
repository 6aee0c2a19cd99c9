// `clinicd backup FILE|-`: writes the embedded database into one file, or to standard output, while the service runs.
import { resolve } from 'node:path'
import { openBaseBackup } from '@clinic-data/database/embedded/base-backup'
import { hasCluster } from '@clinic-data/database/embedded/restore-postgres'
import { readConfig } from '@clinic-data/installation/config'
import { asOwner } from '@clinic-data/installation/database/storage'
import { secretKeysOf, secretKeysPlace } from '@clinic-data/installation/secret-key-file'
import { Command } from 'commander'
import { backupContent } from '../backup/backup-file.ts'
import { appliedMigrations, manifestOf } from '../backup/backup-manifest.ts'
import { areCopied } from '../backup/copied-keys.ts'
import { markBackup } from '../backup/last-backup.ts'
import { destinationOf, nameOf } from '../destination.ts'
import { megabytes } from '../new-file.ts'
import { withStorage } from '../operator.ts'
import { firstLineOf, printFault, printJson, printLine } from '../output.ts'
import { Progress } from '../progress.ts'
import { UsageError } from '../usage-error.ts'

export function backupCommand(): Command {
  return new Command('backup')
    .summary('Write the embedded database into one file, while the service runs.')
    .description(
      'Write the embedded database into one file, while the service runs. The file holds everything that was acknowledged before ' +
        'the command began. It holds patients in the clear, and not the secret keys, which authenticate it: keep a copy of them elsewhere.',
    )
    .argument(
      '<file>',
      'the new file, which only its owner can read. - is standard output: what is told then goes to standard error',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nLine by line: docs/operate.md#backup-and-restore-of-the-embedded-database.')
    .action(backup)
}

async function backup(file: string, { json }: { json?: boolean }): Promise<void> {
  const config = readConfig()
  if (config.databaseUrl !== null)
    throw new UsageError('backup is for the embedded database: DATABASE_URL names a server with tools of its own')
  if (!hasCluster(config.dataDir)) throw new UsageError(`there is no database in DATA_DIR ${resolve(config.dataDir)}`)
  const { output, write } = destinationOf(file, 'backup', 'clinicd backup -')
  const secretKeys = await secretKeysOf(config)
  const progress = new Progress()
  const made = await withStorage((storage) =>
    asOwner(storage, async (owner) => {
      const manifest = await manifestOf(owner, secretKeys)
      const requireSameTables = async () => {
        if (JSON.stringify(await appliedMigrations(owner)) !== JSON.stringify(manifest.migrations))
          throw new Error('the tables were migrated during the backup: repeat it')
      }
      const content = backupContent(manifest, secretKeys, await openBaseBackup(storage.ownerUrl), requireSameTables)
      return { bytes: await keepCounted(write, content, progress), ...manifest }
    }),
  ).finally(() => progress.end())
  const place = secretKeysPlace(config)
  const { bytes, version, made_at } = made
  // The backup is whole, whatever becomes of its mark.
  await markBackup(config.dataDir, made_at).catch((error) =>
    printFault(`the backup is whole, but ${config.dataDir} cannot tell when it was made: ${firstLineOf(error)}`),
  )
  // SECRET_KEYS is set by the operator, and nothing here knows of its copies.
  const keys_copied = config.secretKeys === null ? await areCopied(config.dataDir, secretKeys) : null
  if (json) return printJson({ file, bytes, version, made_at, secret_keys: place, keys_copied }, output)
  printLine(`Wrote ${nameOf(file)}: ${megabytes(bytes)}, everything up to ${made_at}.`, output)
  printLine(`The secret keys are not in it. ${aboutCopies(keys_copied, place)}`, output)
}

/** @param keys_copied - null: nothing here knows. */
function aboutCopies(keys_copied: boolean | null, place: string): string {
  if (keys_copied === null) return `Keep a copy of ${place} in another place: a restore needs it.`
  if (keys_copied) return 'A restore needs the copy that you made of them.'
  return `No copy of ${place} is known, and a restore needs one: clinicd secrets copy <file> makes it, or checks one that you have.`
}

async function keepCounted(
  keep: (content: AsyncIterable<Uint8Array>) => Promise<void>,
  content: AsyncIterable<Uint8Array>,
  progress: Progress,
): Promise<number> {
  let bytes = 0
  async function* counted() {
    for await (const chunk of content) {
      bytes += chunk.length
      progress.show(`${megabytes(bytes)} written`)
      yield chunk
    }
  }
  await keep(counted())
  return bytes
}
