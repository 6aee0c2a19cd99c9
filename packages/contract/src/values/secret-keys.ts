// An installation's secret keys (`SECRET_KEYS`) and their subkeys, one per purpose: they sign cursors, file links, backups and the challenges of the console, and
// seal the secrets of webhook subscriptions and the heads of audit chains.
//
//   const keys = parseSecretKeys('2026b:<base64 of 32 bytes>,2026a:<base64 of 32 bytes>')
//   const signing = signingKeys(keys, 'cursor')

import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** HMAC-SHA256 and AES-256 both take keys of this length. */
const KEY_BYTES = 32
/** A key's id is part of every cursor and link. */
const ENTRY = /^([A-Za-z0-9_-]{1,16}):([A-Za-z0-9+/]{43}=)$/

export interface SecretKey {
  readonly id: string
  readonly key: KeyObject
}

/** Newest first: the first one signs, all of them verify. */
export type SecretKeys = readonly [SecretKey, ...SecretKey[]]

/** A subkey serves one purpose only: a signature or seal for one is worthless for another. */
export type SigningPurpose =
  | 'cursor'
  | 'file-link'
  | 'webhook-secret'
  | 'audit-head'
  | 'database-login'
  | 'console-login'
  | 'console-sign-in'
  | 'backup'
  | 'backup-file'
  | 'fingerprint'

export interface SigningKeys {
  readonly current: SecretKey
  readonly byId: ReadonlyMap<string, SecretKey>
}

/**
 * Reads `id:key,id:key`: ids of at most 16 of `A-Z a-z 0-9 _ -`, keys of 32 bytes in base64. The first one is current. The others
 * stay as long as their signatures should be accepted.
 *
 * @throws Error, one line that says which entry is wrong and never quotes a key.
 * @example parseSecretKeys(`a:${randomBytes(32).toString('base64')}`)
 */
export function parseSecretKeys(list: string): SecretKeys {
  const keys = list.split(',').map((entry, index) => {
    const [, id = '', text = ''] = ENTRY.exec(entry.trim()) ?? []
    const bytes = Buffer.from(text, 'base64')
    if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== text) {
      throw new Error(`entry ${index + 1} of SECRET_KEYS is not <id>:<base64 of ${KEY_BYTES} bytes>`)
    }
    return { id, key: createSecretKey(bytes) }
  })
  const [first, ...others] = keys
  if (first === undefined || new Set(keys.map(({ id }) => id)).size !== keys.length) {
    throw new Error('two entries of SECRET_KEYS have the same id')
  }
  return [first, ...others]
}

/** The text that `parseSecretKeys` reads. It is as secret as the keys. */
export function secretKeysText(keys: SecretKeys): string {
  return keys.map(({ id, key }) => `${id}:${key.export().toString('base64')}`).join(',')
}

/** The subkeys of one purpose, by HKDF-SHA256. */
export function signingKeys(keys: SecretKeys, purpose: SigningPurpose): SigningKeys {
  const derive = ({ id, key }: SecretKey): SecretKey => ({
    id,
    key: createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `clinic-data ${purpose}`, KEY_BYTES))),
  })
  const byId = new Map(keys.map((key) => [key.id, derive(key)]))
  return { current: byId.get(keys[0].id) ?? derive(keys[0]), byId }
}

/** HMAC-SHA256 of the parts in order. */
export function mac({ key }: SecretKey, ...parts: readonly (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest()
}
