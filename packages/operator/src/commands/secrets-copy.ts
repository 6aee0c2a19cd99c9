// `clinicd secrets copy FILE`: writes a copy of the embedded database's secret keys, or checks one that is there.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { parseSecretKeys, type SecretKey, type SecretKeys, secretKeysText } from '@clinic-data/contract/secret-keys'
import { keepFile } from '@clinic-data/disk/kept-file'
import type { Config } from '@clinic-data/installation/config'
import { markCopied } from '../backup/copied-keys.ts'
import { STREAM } from '../destination.ts'
import { requireNewFile } from '../new-file.ts'
import { firstLineOf, printFault } from '../output.ts'
import { UsageError } from '../usage-error.ts'

export interface CopiedKeys {
  readonly file: string
  /** The ids of the keys that the file holds now. */
  readonly ids: readonly string[]
  /** False: the file was there, and holds them. */
  readonly written: boolean
}

/**
 * @throws UsageError where no copy of the keys can be made there, or what is there is none.
 */
export async function copyKeys(config: Config, keys: SecretKeys, file: string): Promise<CopiedKeys> {
  const { dataDir, secretKeys } = config
  if (secretKeys !== null)
    throw new UsageError('the secret keys are those of SECRET_KEYS: keep a copy of the file that sets it')
  if (file === STREAM) throw new UsageError('a copy of the secret keys goes into a file: name one')
  if (!isOutside(dataDir, file))
    throw new UsageError(`${file} is in DATA_DIR: a copy must outlive that folder, so name another place`)
  const written = !existsSync(file)
  if (written) {
    requireNewFile(file, 'a copy of the secret keys')
    await keepFile(resolve(file), `${secretKeysText(keys)}\n`)
  } else {
    const missing = await missingIn(file, keys)
    if (missing.length > 0)
      throw new UsageError(`${file} is no copy: it lacks ${missing.join(', ')}. Name a new file to make one`)
  }
  await remember(dataDir, keys)
  return { file, ids: keys.map(({ id }) => id), written }
}

export function lineOf({ file, ids, written }: CopiedKeys): string {
  if (!written) return `${file} holds the secret keys ${ids.join(', ')}.`
  return `Wrote the secret keys ${ids.join(', ')} to ${file}. Take it to another place than the backups: who has both reads everything.`
}

function isOutside(folder: string, file: string): boolean {
  const way = relative(resolve(folder), resolve(file))
  return isAbsolute(way) || way.startsWith(`..${sep}`)
}

/** The copy is whole, whatever becomes of its mark. */
async function remember(dataDir: string, keys: SecretKeys): Promise<void> {
  await markCopied(dataDir, keys).catch((error) =>
    printFault(`the copy is whole, but ${dataDir} cannot tell that it is there: ${firstLineOf(error)}`),
  )
}

/** The ids of keys that the file does not hold, with the same bytes. */
async function missingIn(file: string, keys: SecretKeys): Promise<string[]> {
  let held: readonly SecretKey[]
  try {
    held = parseSecretKeys((await readFile(file, 'utf8')).trim())
  } catch (error) {
    throw new UsageError(`${file} is no copy: ${firstLineOf(error)}`)
  }
  const isHeld = ({ id, key }: SecretKey) => held.some((one) => one.id === id && one.key.equals(key))
  return keys.filter((one) => !isHeld(one)).map(({ id }) => id)
}
