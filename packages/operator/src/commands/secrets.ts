// `clinicd secrets list|copy|rotate`: the keys that protect cursors, links, webhook secrets and the heads of audit chains.
import { randomBytes } from 'node:crypto'
import { parseSecretKeys, type SecretKeys } from '@clinic-data/contract/secret-keys'
import { type Config, readConfig } from '@clinic-data/installation/config'
import { consoleLogin } from '@clinic-data/installation/database/database-logins'
import { type KeyUse, newKeyId, secretKeyUses } from '@clinic-data/installation/database/secret-key-uses'
import { asOwner, retireStorageLogins } from '@clinic-data/installation/database/storage'
import {
  givenSecretKeys,
  isRestartDue,
  keepSecretKeys,
  secretKeysPlace,
} from '@clinic-data/installation/secret-key-file'
import { Command } from 'commander'
import { asOperator, withStorage } from '../operator.ts'
import { printJson, printLine, printRows } from '../output.ts'
import { UsageError } from '../usage-error.ts'
import { copyKeys, lineOf } from './secrets-copy.ts'

const COLUMNS = ['id', 'state', 'webhook_secrets', 'audit_heads', 'former_since']
const DAY_MS = 86_400_000

interface RotateOptions {
  drop?: string
  atOnce?: boolean
  json?: boolean
}

export function secretsCommand(): Command {
  const command = new Command('secrets')
    .description("List, copy and rotate the installation's secret keys.")
    .addHelpText('after', '\nWhat they protect: docs/operate.md#secret-keys.')
  command
    .command('list')
    .description('List the secret keys by their ids, and what still needs each.')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const keys = await requireKeys(readConfig())
      printRows(await asOperator((owner) => secretKeyUses(owner, keys)), COLUMNS, json)
    })
  command
    .command('copy')
    .summary('Write a copy of the secret keys to a new file, or check that a file is one.')
    .description(
      'Write a copy of the embedded database’s secret keys to a new file, or check that a file is one. clinicd backup warns while no copy is known.',
    )
    .argument('<file>', 'a file outside DATA_DIR, which only its owner can read')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const config = readConfig()
      const copied = await copyKeys(config, await requireKeys(config), file)
      if (json) printJson(copied)
      else printLine(lineOf(copied))
    })
  command
    .command('rotate')
    .summary('Make a new first key, or drop a former one that nothing needs any more.')
    .description(
      'Make a new first key. A service uses it from its next start on, and then seals the secrets of webhooks with it; the former ' +
        'keys go on opening what they have signed and sealed. With SECRET_KEYS, prints the new entry and what to do with it.',
    )
    .option('--drop <id>', 'instead, remove a former key that nothing needs any more')
    .option(
      '--at-once',
      'with --drop: although links and cursors that it signed may still be in use; they stop working',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nWhy it waits for the next start:\ndocs/decisions/0059-a-new-secret-key-is-used-from-the-next-start.md.',
    )
    .action(rotate)
  return command
}

async function rotate({ drop: id, atOnce = false, json }: RotateOptions): Promise<void> {
  if (id === undefined && atOnce) throw new UsageError('--at-once goes with --drop')
  const config = readConfig()
  const keys = await requireKeys(config)
  const done = id === undefined ? await addKey(config, keys) : await dropKey(config, keys, id, atOnce)
  if (json) printJson(done)
  else for (const line of done.lines) printLine(line)
}

interface Done {
  /** The new key's id, or the dropped one's. */
  readonly id: string
  /** They say what was done, and what the operator has to do. */
  readonly lines: readonly string[]
}

async function addKey(config: Config, keys: SecretKeys): Promise<Done> {
  const ids = keys.map((one) => one.id)
  const id = newKeyId(ids, new Date().toISOString().slice(0, 10))
  const entry = `${id}:${randomBytes(32).toString('base64')}`
  if (config.secretKeys !== null)
    return {
      id,
      lines: [
        `The new entry: ${entry}`,
        '1. Put it at the end of SECRET_KEYS of every process, and restart them: all can then open what it seals.',
        '2. Put it at the beginning instead, and restart them again: it signs and seals from then on.',
        `3. When clinicd secrets list shows that nothing needs ${ids.join(', ')}: clinicd secrets rotate --drop <id>.`,
      ],
    }
  const [added] = parseSecretKeys(entry)
  await keepSecretKeys(config.dataDir, [added, ...keys])
  const restart = (await isRestartDue(config.dataDir))
    ? 'Restart the service now: until then it goes on with the keys that it knows.'
    : 'No service is running here: the next one to start uses it.'
  const place = secretKeysPlace(config)
  return {
    id,
    lines: [
      `The key ${id} is now the first one in ${place}. Earlier copies lack it: clinicd secrets copy <file> makes a new one.`,
      restart,
    ],
  }
}

async function dropKey(config: Config, keys: SecretKeys, id: string, atOnce: boolean): Promise<Done> {
  const uses = await asOperator((owner) => secretKeyUses(owner, keys))
  const use = uses.find((one) => one.id === id && one.state !== 'missing')
  const reason = use === undefined ? 'no key has that id' : await reasonToKeep(config, use, atOnce)
  if (reason !== null) throw new UsageError(`the key ${id} stays: ${reason}`)
  if (config.secretKeys !== null)
    return {
      id,
      lines: [
        `Nothing needs the key ${id}: remove its entry from SECRET_KEYS of every process, and restart them.`,
        'Then clinicd migrate drops the logins of the database that were derived from it, if there are any.',
      ],
    }
  const [current, ...others] = keys
  const kept: SecretKeys = [current, ...others.filter((one) => one.id !== id)]
  await keepSecretKeys(config.dataDir, kept)
  await withStorage((storage) =>
    asOwner(storage, (owner) => retireStorageLogins(owner, [consoleLogin(storage.ownerUrl, config, kept)])),
  )
  return {
    id,
    lines: [
      `Dropped the key ${id}. Backups from before need it: keep a copy of it for as long as them.`,
      'A running service forgets it at its next start.',
    ],
  }
}

/** Null when nothing needs the key. */
async function reasonToKeep(config: Config, use: KeyUse, atOnce: boolean): Promise<string | null> {
  if (use.state === 'current') return 'it is the current one; clinicd secrets rotate makes another'
  if (config.secretKeys === null && (await isRestartDue(config.dataDir)))
    return 'the running service has not been restarted since the keys were changed, and may still use it'
  if (use.webhook_secrets > 0)
    return `${use.webhook_secrets} secrets of webhooks are sealed with it; a service seals them with the current key when it starts`
  if (use.audit_heads > 0)
    return `it proves the heads of ${use.audit_heads} audit chains; a running service renews them within two minutes of its start`
  if (atOnce) return null
  const days = config.eventRetentionDays
  const advice = 'add --at-once to drop it nevertheless: then they stop working'
  if (use.former_since === null)
    return `its id does not tell since when it no longer signs, and cursors of the event feed are used for ${days} days; ${advice}`
  const until = new Date(Date.parse(use.former_since) + (days + 1) * DAY_MS)
  if (until.getTime() <= Date.now()) return null
  return `cursors of the event feed that it signed may be used until ${until.toISOString().slice(0, 10)}; ${advice}`
}

async function requireKeys(config: Config): Promise<SecretKeys> {
  const keys = await givenSecretKeys(config)
  if (keys !== null) return keys
  throw new UsageError(
    config.databaseUrl === null
      ? `there are no secret keys in ${secretKeysPlace(config)}: clinicd serve makes the first one`
      : 'SECRET_KEYS is required with DATABASE_URL',
  )
}
