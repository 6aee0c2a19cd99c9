// The secret keys of an installation on the embedded database: made once, kept in `DATA_DIR`, readable by its owner alone.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSecretKeys, type SecretKeys } from '@clinic-data/contract/secret-keys'

const FILE_NAME = 'secret-keys'

/** The keys in `dataDir`, made when there are none yet. */
export async function secretKeysIn(dataDir: string): Promise<SecretKeys> {
  const path = join(dataDir, FILE_NAME)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  try {
    await writeFile(path, `a:${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return parseSecretKeys((await readFile(path, 'utf8')).trim())
}
