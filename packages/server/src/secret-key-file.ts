// The secret keys of an installation on the embedded database: made once, kept in `DATA_DIR`, readable by its owner alone.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSecretKeys, type SecretKeys } from '@clinic-data/contract/secret-keys'
import { keepFolder, keepNewFile } from '@clinic-data/disk/kept-file'
import { type Config, ConfigError } from './config.ts'
import { inFolder } from './storage.ts'

const FILE_NAME = 'secret-keys'

/** The installation's keys. @throws ConfigError when there are none where there must be. */
export async function secretKeysOf(config: Config): Promise<SecretKeys> {
  if (config.secretKeys) return config.secretKeys
  if (config.databaseUrl === null && config.backendUrls.length === 0)
    return inFolder(config.dataDir, () => secretKeysIn(config.dataDir))
  throw new ConfigError(
    'SECRET_KEYS is required where the database is not the embedded one: every gateway and backend needs the same keys',
  )
}

/** The keys in `dataDir`, made when there are none yet. They are on the disk before anything is sealed with them. */
export async function secretKeysIn(dataDir: string): Promise<SecretKeys> {
  const path = join(dataDir, FILE_NAME)
  await keepFolder(dataDir)
  await keepNewFile(path, `a:${randomBytes(32).toString('base64')}\n`)
  const list = (await readFile(path, 'utf8')).trim()
  // New keys would open nothing that the lost ones have sealed: that is for the operator to decide.
  if (list === '') {
    throw new ConfigError(
      `${path} is empty: restore it from a backup, or remove it and set every webhook's secret anew`,
    )
  }
  return parseSecretKeys(list)
}
