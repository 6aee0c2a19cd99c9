// Caches positive answers about keys for at most one second, so that the first request after an acknowledged revocation is refused.
//
//   const cache = new KeyCache((hash) => backend.authenticate(hash))
//   const found = cache.find(hashKey(key))
//   const principal = found instanceof Promise ? await found : found
//
// Why no revoked key passes: an answer is used only by requests that arrive within `maxAgeMs` of the moment of asking, and a
// revocation is acknowledged that long after its commit. So a request that comes after the acknowledgement asks again, or shares a
// call that was sent after the commit.

import { KEY_CACHE_MS, type Principal } from '@clinic-data/contract'

/**
 * Some kilobytes per key, so tens of megabytes at most. The key that was asked about longest ago is removed first: it expires next.
 */
const MAX_KEYS = 10_000

interface Entry {
  /** By the monotonic clock. */
  askedAt: number
  principal: Principal | null
  /** The key was valid at its last look-up. */
  wasValid: boolean
  /** Set until the backend has answered. */
  asking: Promise<Principal | null> | null
}

interface KeyCacheOptions {
  maxAgeMs?: number
  maxKeys?: number
  /** Milliseconds, never set back. */
  monotonic?: () => number
  /** Epoch milliseconds. */
  now?: () => number
}

export class KeyCache {
  readonly #authenticate: (keyHash: string) => Promise<Principal | null>
  readonly #maxAgeMs: number
  readonly #maxKeys: number
  readonly #monotonic: () => number
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()

  constructor(authenticate: (keyHash: string) => Promise<Principal | null>, options: KeyCacheOptions = {}) {
    this.#authenticate = authenticate
    this.#maxAgeMs = options.maxAgeMs ?? KEY_CACHE_MS
    this.#maxKeys = options.maxKeys ?? MAX_KEYS
    this.#monotonic = options.monotonic ?? (() => performance.now())
    this.#now = options.now ?? Date.now
  }

  /** Returns the holder of the key with this hash, or null. Answers at once when it is cached. Rejects as `authenticate` does. */
  find(keyHash: string): Principal | null | Promise<Principal | null> {
    const entry = this.#entries.get(keyHash)
    if (entry === undefined || this.#monotonic() - entry.askedAt >= this.#maxAgeMs) return this.#ask(keyHash)
    return entry.asking ?? this.#unexpired(entry.principal)
  }

  /** Whether the key was valid at its last look-up. Only `find` says whether it still is. */
  knows(keyHash: string): boolean {
    return this.#entries.get(keyHash)?.wasValid === true
  }

  /** Whether the key is being looked up. `find` then waits for that answer. */
  isAsking(keyHash: string): boolean {
    const entry = this.#entries.get(keyHash)
    return entry !== undefined && entry.asking !== null && this.#monotonic() - entry.askedAt < this.#maxAgeMs
  }

  #ask(keyHash: string): Promise<Principal | null> {
    const entry: Entry = {
      askedAt: this.#monotonic(),
      principal: null,
      wasValid: this.knows(keyHash),
      asking: null,
    }
    const asking = this.#authenticate(keyHash).then(
      (principal) => {
        if (principal === null) this.#forget(keyHash, entry)
        entry.principal = principal
        entry.wasValid = principal !== null
        entry.asking = null
        return this.#unexpired(principal)
      },
      (error) => {
        this.#forget(keyHash, entry)
        throw error
      },
    )
    entry.asking = asking
    this.#entries.delete(keyHash)
    this.#entries.set(keyHash, entry)
    if (this.#entries.size > this.#maxKeys) this.#forgetOldest()
    return asking
  }

  /** Removes only this very entry: a later one may have replaced it. */
  #forget(keyHash: string, entry: Entry): void {
    if (this.#entries.get(keyHash) === entry) this.#entries.delete(keyHash)
  }

  #forgetOldest(): void {
    const oldest = this.#entries.keys().next().value
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  /** An expiry is a date, so every use compares it with the wall clock. */
  #unexpired(principal: Principal | null): Principal | null {
    if (principal === null || principal.expires_at === null) return principal
    return this.#now() < principal.expires_at ? principal : null
  }
}
