// The key that `sc login` stored: a private file (0600, in a folder 0700), written whole or not at all.
import { chmod, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { keepFile, keepFolder } from '@clinic-data/disk/kept-file'
import type { Environment } from './config.ts'
import { UsageError } from './usage-error.ts'

export interface StoredKey {
  readonly base_url: string
  readonly api_key: string
}

export function keyFile({ folder }: Pick<Environment, 'folder'>): string {
  return join(folder, 'config.json')
}

/** Reads the stored key. Null when there is none. @throws UsageError when the file cannot be read, or `sc` did not write it */
export async function readStoredKey(environment: Environment): Promise<StoredKey | null> {
  const file = keyFile(environment)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new UsageError(`${file} cannot be read (${code})`)
  }
  const stored = parsed(text)
  if (stored === null) throw new UsageError(`${file} does not hold a key`, 'sc login stores one')
  return stored
}

function parsed(text: string): StoredKey | null {
  try {
    const { base_url, api_key } = JSON.parse(text)
    return typeof base_url === 'string' && typeof api_key === 'string' ? { base_url, api_key } : null
  } catch {
    return null
  }
}

/** Replaces the stored key. Nobody ever reads half of it. */
export async function storeKey(environment: Environment, stored: StoredKey): Promise<void> {
  const { folder, ownsFolder } = environment
  await keepFolder(folder)
  if (ownsFolder) await chmod(folder, 0o700)
  await keepFile(keyFile(environment), `${JSON.stringify(stored, null, 2)}\n`)
}

/** Returns whether there was a file to remove. */
export async function removeStoredKey(environment: Environment): Promise<boolean> {
  try {
    await rm(keyFile(environment))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
