// `clinicd restore FILE`: makes the embedded database of an empty data folder from a backup.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EmbeddedUrls } from '@clinic-data/database/embedded/embedded-postgres'
import { hasCluster, restoreEmbeddedPostgres } from '@clinic-data/database/embedded/restore-postgres'
import { type Config, readConfig } from '@clinic-data/installation/config'
import { consoleLogin } from '@clinic-data/installation/database/database-logins'
import { asOwner, inFolder, migrateStorage, retireStorageLogins } from '@clinic-data/installation/database/storage'
import { requireOwnDatabase } from '@clinic-data/installation/role'
import { givenSecretKeys, newSecretKeys, secretKeysPlace } from '@clinic-data/installation/secret-key-file'
import { Command } from 'commander'
import { archiveOf, type BackupFile, openBackup, verifyBackup } from '../backup/backup-file.ts'
import { missingKeys, requireProgram } from '../backup/backup-manifest.ts'
import { erasedAgain, keepErasedAgain } from '../backup/erased-again.ts'
import { type ErasedPatient, erasedPatients, eraseLine } from '../backup/erased-patients.ts'
import { type LostKeys, type PausedWebhook, replaceLostKeys } from '../backup/lost-keys.ts'
import { type StoppedIntegration, stopAll } from '../backup/stop-all.ts'
import { asAudited } from '../operator.ts'
import { printFault, printJson, printLine, printRows } from '../output.ts'
import { UsageError } from '../usage-error.ts'

export function restoreCommand(): Command {
  return new Command('restore')
    .summary('Make the embedded database from a backup, in a DATA_DIR without one.')
    .description(
      'Make the embedded database from a backup, in a DATA_DIR without one. First put the secret keys of its installation there ' +
        '(the file secret-keys), or set SECRET_KEYS. Nothing is changed before they have authenticated the whole file.',
    )
    .argument('<file>', 'the file that clinicd backup wrote')
    .option(
      '--without-keys',
      'go on although secret keys of its installation are lost: new ones are made, webhooks are paused until their secrets are rotated, and ' +
        'the audit log is proven from now on only',
    )
    .option(
      '--unauthenticated',
      'take also a file of which nothing shows whether somebody has changed it: one of an earlier version, or one whose secret keys are lost',
    )
    .option(
      '--stop-integrations',
      'stop every integration: a key or connection that was ended after the backup is open in it again. What may go on is resumed one by one',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nLine by line: docs/operate.md#backup-and-restore-of-the-embedded-database.\nWhoever has lost the secret keys: docs/operate.md#without-the-secret-keys.',
    )
    .action(restore)
}

interface RestoreOptions {
  withoutKeys?: boolean
  unauthenticated?: boolean
  stopIntegrations?: boolean
  json?: boolean
}

async function restore(file: string, options: RestoreOptions): Promise<void> {
  const config = readConfig()
  const { dataDir } = config
  requireOwnDatabase(config)
  if (config.databaseUrl !== null)
    throw new UsageError('restore is for the embedded database: DATABASE_URL names a server with tools of its own')
  if (hasCluster(dataDir))
    throw new UsageError(`DATA_DIR ${resolve(dataDir)} already holds a database: restore into a new folder`)
  if (!existsSync(file)) throw new UsageError(`there is no file ${resolve(file)}`)
  const backup = await openBackup(file)
  const { manifest } = backup
  const suppliedKeys = await givenSecretKeys(config)
  const lost = missingKeys(manifest, suppliedKeys)
  requireKeys(lost, {
    isGiven: suppliedKeys !== null,
    place: secretKeysPlace(config),
    withoutKeys: options.withoutKeys,
  })
  const authentication = lost.includes(manifest.mac_key) ? null : suppliedKeys
  const isProven = backup.isAuthenticated && authentication !== null
  if (!isProven && !options.unauthenticated) throw new UsageError(unproven(file, backup))
  // From here on the file is believed.
  await verifyBackup(backup, authentication)
  await requireProgram(manifest)
  const { stopIntegrations = false } = options
  let paused: readonly PausedWebhook[] = []
  let stopped: readonly StoppedIntegration[] = []
  // They are on the disk before anything is sealed with them.
  const keys = suppliedKeys ?? (await newSecretKeys(config, lost))
  const listed = await erasedPatients(dataDir)
  let erased: readonly ErasedPatient[] = []
  const isPrepared = lost.length > 0 || stopIntegrations || listed.length > 0
  const prepare = async (urls: EmbeddedUrls) => {
    if (lost.length > 0) paused = await replaceKeysAt(urls, config, { keys, lost, isProven, tell: asAudited })
    if (stopIntegrations) stopped = await stopAllAt(urls)
    if (listed.length > 0) erased = await asOwner(urls, (owner) => erasedAgain(owner, listed))
  }
  const archive = archiveOf(backup, authentication)
  await inFolder(dataDir, () => restoreEmbeddedPostgres({ dataDir, archive, ...(isPrepared && { prepare }) }))
  await keepErasedAgain(dataDir, erased)
  if (!isProven)
    printFault(`nothing shows that nobody has changed ${file}: make a new backup, and look through the administrators`)
  const { version, made_at } = manifest
  const replaced = { secret_keys: secretKeysPlace(config), lost_keys: lost, paused_webhooks: paused }
  const changed = {
    ...(lost.length > 0 && replaced),
    ...(stopIntegrations && { stopped_integrations: stopped }),
    ...(erased.length > 0 && { erased_patients: erased }),
  }
  if (options.json) return printJson({ file, data_dir: dataDir, version, made_at, ...changed })
  printLine(`Restored ${file} into ${dataDir}: everything up to ${made_at}. Start it with clinicd serve.`)
  printLine('Settings made with "alter system" are not restored: make them again.')
  if (stopIntegrations) tellStopped(stopped)
  else printLine(REOPENED)
  if (erased.length > 0) tellErased(erased)
  if (lost.length > 0) tellReplaced(replaced)
}

const REOPENED =
  'Keys, connections and sign-ins that were ended after that, and integrations that were stopped, are open again. End them before you start it: ' +
  'docs/operate.md#what-was-ended-after-the-backup'

/** @throws UsageError */
function requireKeys(
  lost: readonly string[],
  { isGiven, place, withoutKeys = false }: { isGiven: boolean; place: string; withoutKeys: boolean | undefined },
): void {
  if (withoutKeys && lost.length === 0)
    throw new UsageError(`${place} has all secret keys of the backup's installation: restore without --without-keys`)
  if (withoutKeys || lost.length === 0) return
  if (!isGiven)
    throw new UsageError(
      `${place} is missing: put the secret keys of the backup's installation there, or, if they are lost, add --without-keys`,
    )
  throw new UsageError(
    `${place} lacks the secret key ${lost.join(', ')} of the backup's installation, or has another one of that name: ` +
      'without it the secrets of its webhooks cannot be opened. If it is lost, add --without-keys',
  )
}

function unproven(file: string, { isAuthenticated }: BackupFile): string {
  const reason = isAuthenticated
    ? `the secret key that authenticates ${file} is lost`
    : `an earlier version made ${file}, which does not authenticate its backups`
  return (
    `${reason}: whoever could write to the file may have changed the data and who may sign in. If nobody else could, restore it with ` +
    '--unauthenticated'
  )
}

function replaceKeysAt(urls: EmbeddedUrls, config: Config, lostKeys: LostKeys): Promise<PausedWebhook[]> {
  return asOwner(urls, async (owner) => {
    await migrateStorage({ login: null }, owner, () => undefined)
    await retireStorageLogins(owner, [consoleLogin(urls.ownerUrl, config, lostKeys.keys)])
    return replaceLostKeys(owner, lostKeys)
  })
}

function stopAllAt(urls: EmbeddedUrls): Promise<StoppedIntegration[]> {
  return asOwner(urls, async (owner) => {
    await migrateStorage({ login: null }, owner, () => undefined)
    return stopAll(owner, asAudited)
  })
}

function tellStopped(stopped: readonly StoppedIntegration[]): void {
  printLine('These integrations were stopped. Each goes on with clinicd integrations resume, or in the console:')
  printRows(stopped, ['clinic_id', 'id'], false)
  printLine('Sign-ins that were ended after that are open again: disable whoever was disabled since.')
}

function tellErased(erased: readonly ErasedPatient[]): void {
  printLine('These patients were erased, and are here again. Erase them before you start it:')
  for (const one of erased) printLine(eraseLine(one))
}

interface Replaced {
  secret_keys: string
  lost_keys: readonly string[]
  paused_webhooks: readonly PausedWebhook[]
}

function tellReplaced({ secret_keys, lost_keys, paused_webhooks }: Replaced): void {
  printLine(`What the lost secret keys (${lost_keys.join(', ')}) had sealed or signed:`)
  printLine(`- The secret keys are now those in ${secret_keys}. Keep a copy of it in another place.`)
  printLine('- The audit logs are proven from now on only. clinicd audit verify says so of the rows from before.')
  printLine('- Cursors and file links from before are refused. Readers of the event feed go on with since.')
  printLine('- Browsers of administrators are unknown until they sign in again.')
  if (paused_webhooks.length === 0) return
  printLine(
    '- These webhooks have a secret that nobody knows, and are paused. What waited for them has failed. For each:',
  )
  printLine('  rotate its secret, give the new one to its receiver, enable it, and replay the events that it missed.')
  printRows(paused_webhooks, ['clinic_id', 'id'], false)
}
