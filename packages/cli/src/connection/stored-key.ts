// Keeps what `sc login` stores, a key or the tokens of a connection: a private file (0600, in a folder 0700), whole or not at all.
import { access, chmod, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { keepFile, keepFolder } from '@clinic-data/disk/kept-file'
import { DEFAULT_PROFILE, type Environment } from '../config.ts'
import { UsageError } from '../usage-error.ts'

export interface StoredKey {
  readonly base_url: string
  readonly api_key: string
}

/** A connection that a person has allowed in a browser. */
export interface StoredLogin {
  readonly base_url: string
  readonly access_token: string
  readonly refresh_token: string
  /** When the access token ends. */
  readonly expires_at: string
  readonly token_endpoint: string
  readonly revocation_endpoint: string
  /** Stays the same while the tokens change. */
  readonly seed: string
}

export type Stored = StoredKey | StoredLogin

export function isLogin(stored: Stored): stored is StoredLogin {
  return 'refresh_token' in stored
}

type Place = Pick<Environment, 'folder' | 'profile'>

const PROFILES = 'profiles'
const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/

/** The file of a profile. @throws UsageError for an impossible name */
export function keyFile({ folder, profile }: Place): string {
  if (!NAME.test(profile)) throw new UsageError('a profile is named in a-z, 0-9, - and _, with at most 32 of them')
  return profile === DEFAULT_PROFILE ? join(folder, 'config.json') : join(folder, PROFILES, `${profile}.json`)
}

/** The names of the stored profiles, the default one first. */
export async function listProfiles({ folder }: Pick<Environment, 'folder'>): Promise<string[]> {
  const files = await readdir(join(folder, PROFILES)).catch(() => [])
  const named = files.flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []).filter((name) => NAME.test(name))
  const hasDefault = await access(keyFile({ folder, profile: DEFAULT_PROFILE })).then(
    () => true,
    () => false,
  )
  return [...(hasDefault ? [DEFAULT_PROFILE] : []), ...named.sort()]
}

/** Reads what is stored. Null when there is none. @throws UsageError when the file cannot be read, or `sc` did not write it */
export async function readStoredKey(environment: Environment): Promise<Stored | null> {
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

const LOGIN = [
  'access_token',
  'refresh_token',
  'expires_at',
  'token_endpoint',
  'revocation_endpoint',
  'seed',
] as const satisfies (keyof StoredLogin)[]

function parsed(text: string): Stored | null {
  try {
    const stored = JSON.parse(text)
    const has = (name: string) => typeof stored[name] === 'string'
    return has('base_url') && (has('api_key') || LOGIN.every(has)) ? stored : null
  } catch {
    return null
  }
}

/** Replaces what is stored in one step, so a reader never gets half of it. */
export async function storeKey(environment: Environment, stored: Stored): Promise<void> {
  const { folder, ownsFolder } = environment
  await keepFolder(folder)
  if (ownsFolder) await chmod(folder, 0o700)
  const file = keyFile(environment)
  await keepFolder(dirname(file))
  await keepFile(file, `${JSON.stringify(stored, null, 2)}\n`)
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
