// Makes the secret keys of an installation on the embedded database, once. `DATA_DIR` keeps them, readable by its owner only.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseSecretKeys, type SecretKeys, secretKeysText } from '@clinic-data/contract/secret-keys'
import { findEmbeddedPostgres } from '@clinic-data/database/embedded/embedded-postgres'
import { heldSince } from '@clinic-data/database/embedded/folder-lock'
import { keepFile, keepFolder, keepNewFile } from '@clinic-data/disk/kept-file'
import { type Config, ConfigError } from './config.ts'
import { newKeyId } from './database/secret-key-uses.ts'
import { inFolder } from './database/storage.ts'

const FILE_NAME = 'secret-keys'

/** Reads the installation's keys. @throws ConfigError when they are required and missing. */
export async function secretKeysOf(config: Config): Promise<SecretKeys> {
  if (config.secretKeys) return config.secretKeys
  if (config.databaseUrl === null && config.backendUrls.length === 0)
    return inFolder(config.dataDir, () => secretKeysIn(config.dataDir))
  throw new ConfigError(
    'SECRET_KEYS is required with DATABASE_URL or BACKEND_URL: every gateway and backend needs the same keys',
  )
}

/** Where an operator finds the keys of an installation on the embedded database. */
export function secretKeysPlace({ secretKeys, dataDir }: Config): string {
  return secretKeys ? 'SECRET_KEYS' : resolve(dataDir, FILE_NAME)
}

/** Like `secretKeysOf` for the embedded database, but makes no keys. Null when there are none. */
export async function givenSecretKeys(config: Config): Promise<SecretKeys | null> {
  const isThere = config.databaseUrl === null && existsSync(join(config.dataDir, FILE_NAME))
  return config.secretKeys ?? (isThere ? secretKeysIn(config.dataDir) : null)
}

/** Makes the keys of an installation whose keys were lost. @param taken - ids of those: they may be found again, and stand beside the new one. */
export async function newSecretKeys({ dataDir }: Config, taken: readonly string[]): Promise<SecretKeys> {
  return inFolder(dataDir, () => secretKeysIn(dataDir, newKeyId(taken, new Date().toISOString().slice(0, 10))))
}

/** Replaces the file. Processes that run read it at their next start. */
export async function keepSecretKeys(dataDir: string, keys: SecretKeys): Promise<void> {
  await keepFile(join(dataDir, FILE_NAME), `${secretKeysText(keys)}\n`, 'folder')
}

/** Whether the running service has begun before the file was last changed. */
export async function isRestartDue(dataDir: string): Promise<boolean> {
  const [since, { mtime }] = await Promise.all([heldSince(dataDir), stat(join(dataDir, FILE_NAME))])
  return since !== null && since < mtime && (await findEmbeddedPostgres(dataDir)) !== null
}

/** Reads the keys in `dataDir`, or makes them. They are on the disk before anything is sealed with them. */
export async function secretKeysIn(dataDir: string, id = 'a'): Promise<SecretKeys> {
  const path = join(dataDir, FILE_NAME)
  // Where they are, nothing is written: they are read and copied on a full disk too.
  if (!existsSync(path)) {
    await keepFolder(dataDir)
    await keepNewFile(path, `${id}:${randomBytes(32).toString('base64')}\n`, 'folder')
  }
  const list = (await readFile(path, 'utf8')).trim()
  // New keys would open nothing that the lost ones sealed: the operator must decide.
  if (list === '') {
    throw new ConfigError(
      `${path} is empty: restore it from a backup, or remove it and set every webhook's secret again`,
    )
  }
  return parseSecretKeys(list)
}
