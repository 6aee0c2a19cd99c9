// Positive answers about keys, kept for at most one second, so that a revoked key is refused by the first request after
// the revocation was acknowledged.
//
//   const cache = new KeyCache((hash) => backend.authenticate(hash))
//   const found = cache.find(hashKey(key))
//   const principal = found instanceof Promise ? await found : found
//
// Why no revoked key passes: an answer is used by requests that arrive within `maxAgeMs` of the moment of asking, and a
// revocation is acknowledged that long after its commit. A request that comes after the acknowledgement therefore asks
// anew, or shares a call that was asked after the commit.

import { KEY_CACHE_MS, type Principal } from '@clinic-data/contract'

/** Some kilobytes a key: tens of megabytes at most. The key asked for longest ago goes first: it is the next to expire. */
const MAX_KEYS = 10_000

interface Entry {
  /** On the monotonic clock. */
  askedAt: number
  principal: Principal | null
  /** The key was valid when it was last looked up. */
  wasValid: boolean
  /** While the backend has not answered. */
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

  /** The holder of the key with this hash, or null. At once when it is known; rejects as `authenticate` does. */
  find(keyHash: string): Principal | null | Promise<Principal | null> {
    const entry = this.#entries.get(keyHash)
    if (entry === undefined || this.#monotonic() - entry.askedAt >= this.#maxAgeMs) return this.#ask(keyHash)
    return entry.asking ?? this.#unexpired(entry.principal)
  }

  /** Whether the key was valid when it was last looked up. It may not be any more: only `find` tells. */
  knows(keyHash: string): boolean {
    return this.#entries.get(keyHash)?.wasValid === true
  }

  /** Whether the key is being looked up: `find` waits for that answer and asks nothing more. */
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

  /** Only this very entry: a later one may have taken its place. */
  #forget(keyHash: string, entry: Entry): void {
    if (this.#entries.get(keyHash) === entry) this.#entries.delete(keyHash)
  }

  #forgetOldest(): void {
    const oldest = this.#entries.keys().next().value
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  /** Expiry is a date, so it is the wall clock's to tell, at every use. */
  #unexpired(principal: Principal | null): Principal | null {
    if (principal === null || principal.expires_at === null) return principal
    return this.#now() < principal.expires_at ? principal : null
  }
}
