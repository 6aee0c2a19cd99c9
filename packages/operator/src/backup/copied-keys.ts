// Which secret keys an operator has a copy of. A file beside them names those, each by its id and a hash: a backup warns of the others.
import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecretKey, SecretKeys } from '@clinic-data/contract/secret-keys'
import { keepFile } from '@clinic-data/disk/kept-file'

const markOf = (dataDir: string) => join(dataDir, 'secret-keys.copied')
/** An id alone may be given again, where keys were lost. A hash of 32 random bytes tells nothing of them. */
const lineOf = ({ id, key }: SecretKey) => `${id} ${hash('sha256', key.export())}`

export async function markCopied(dataDir: string, keys: SecretKeys): Promise<void> {
  await keepFile(markOf(dataDir), `${keys.map(lineOf).join('\n')}\n`, 'folder')
}

/** Whether a copy holds all of these keys. A rotation makes one that no earlier copy has. */
export async function areCopied(dataDir: string, keys: SecretKeys): Promise<boolean> {
  const copied = (await readFile(markOf(dataDir), 'utf8').catch(() => '')).split('\n')
  return keys.every((one) => copied.includes(lineOf(one)))
}
