// Says of each key in the list whether it works, and whether a newer one replaces it.
import type { ConsoleKey } from '@clinic-data/console-parts/api'

export type KeyState = 'active' | 'stopped' | 'replaced' | 'revoked' | 'expired'

/** Whether it is neither revoked nor expired. A stopped one is refused until its integration goes on. */
export function isUsable({ revoked_at, expires_at }: ConsoleKey, now: number): boolean {
  return revoked_at === null && (expires_at === null || Date.parse(expires_at) > now)
}

const DAY_MS = 86_400_000
/** Clocks differ, and a key that was minted a moment ago lasts just as long as is allowed. */
const SLACK_MS = 3_600_000

/** Whether it still lasts longer than the clinic lets a new one. */
export function isBeyond(key: ConsoleKey, longest: number | null, now: number): boolean {
  if (longest === null || !isUsable(key, now)) return false
  return key.expires_at === null || Date.parse(key.expires_at) > now + longest * DAY_MS + SLACK_MS
}

export interface ListedKey extends ConsoleKey {
  state: KeyState
}

/** A key is being replaced while a newer one of the same name works too. */
export function statesOf(keys: readonly ConsoleKey[], now: number): ListedKey[] {
  const newest = new Map<string, string>()
  for (const key of keys) if (isUsable(key, now) && !newest.has(key.name)) newest.set(key.name, key.id)
  return keys.map((key) => ({ ...key, state: stateOf(key, newest.get(key.name), now) }))
}

function stateOf(key: ConsoleKey, newest: string | undefined, now: number): KeyState {
  if (key.revoked_at !== null) return 'revoked'
  if (!isUsable(key, now)) return 'expired'
  if (newest !== key.id) return 'replaced'
  return key.stopped_at === null ? 'active' : 'stopped'
}

/** The first and last characters, as the list of keys shows one. */
export const maskedKey = ({ first_characters, last_characters }: ConsoleKey) => `${first_characters}…${last_characters}`

/** The part of the address that shows one. */
export const searchOf = (id: string) => `?${new URLSearchParams({ key: id })}`
