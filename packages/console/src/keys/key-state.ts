// Says of each key in the list whether it works, and whether a newer one replaces it.
import type { ConsoleKey } from '../api.ts'

export type KeyState = 'active' | 'replaced' | 'revoked' | 'expired'

function isActive({ revoked_at, expires_at }: ConsoleKey, now: number): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > now)
}

export interface ListedKey extends ConsoleKey {
  state: KeyState
}

/** A key is being replaced while a newer one of the same name works too. */
export function statesOf(keys: readonly ConsoleKey[], now: number): ListedKey[] {
  const newest = new Map<string, string>()
  for (const key of keys) if (isActive(key, now) && !newest.has(key.name)) newest.set(key.name, key.id)
  return keys.map((key) => ({ ...key, state: stateOf(key, newest.get(key.name), now) }))
}

function stateOf(key: ConsoleKey, newest: string | undefined, now: number): KeyState {
  if (key.revoked_at !== null) return 'revoked'
  if (!isActive(key, now)) return 'expired'
  return newest === key.id ? 'active' : 'replaced'
}

/** The first and last characters, as the list of keys shows one. */
export const maskedKey = ({ first_characters, last_characters }: ConsoleKey) => `${first_characters}…${last_characters}`
