// Unknown keys, counted by address: after sixty a minute they are answered 429 in place of 401, and further keys of that address
// are looked up apart. A valid key is never refused for its address.

import { isIPv6 } from 'node:net'
import { MemoryRateLimit } from './rate-limit.ts'

const FAILURES_A_WINDOW = 60
/** A log takes some 700 bytes: 14 MB. An attacker with more addresses than this makes room for them by losing others. */
const MAX_ADDRESSES = 20_000

interface FailedAttemptsOptions {
  limit?: number
  maxAddresses?: number
  /** Milliseconds, never set back. */
  monotonic?: () => number
}

export class FailedAttempts {
  readonly #log: MemoryRateLimit
  readonly #limit: number
  /** Lookups under way, by address: each may yet fail. */
  readonly #pending = new Map<string, number>()

  constructor({ limit = FAILURES_A_WINDOW, maxAddresses = MAX_ADDRESSES, ...clock }: FailedAttemptsOptions = {}) {
    this.#log = new MemoryRateLimit({ maxLogs: maxAddresses, ...clock })
    this.#limit = limit
  }

  /** Counts a failure from this address: null while 401 is the answer, else the seconds to wait (429). */
  fail(address: string): number | null {
    const { admitted, retryAfterSeconds } = this.#log.take(addressBlock(address), this.#limit)
    return admitted ? null : retryAfterSeconds
  }

  /** Whether this address has as many failures as it may, if all its lookups under way fail too. */
  isExhausted(address: string): boolean {
    const block = addressBlock(address)
    return this.#log.held(block) + (this.#pending.get(block) ?? 0) >= this.#limit
  }

  /** Runs a lookup for this address, which counts as a failure while it is under way. */
  async during<T>(address: string, lookUp: () => Promise<T> | T): Promise<T> {
    const block = addressBlock(address)
    this.#pending.set(block, (this.#pending.get(block) ?? 0) + 1)
    try {
      return await lookUp()
    } finally {
      const others = (this.#pending.get(block) ?? 1) - 1
      if (others === 0) this.#pending.delete(block)
      else this.#pending.set(block, others)
    }
  }
}

/**
 * What one client holds: an IPv4 address, or the /64 of an IPv6 address, within which it picks addresses as it likes.
 * Takes addresses in the spelling of `ClientAddress`.
 *
 * @example addressBlock('2001:db8::7') // '2001:db8:0:0'
 */
export function addressBlock(address: string): string {
  if (!isIPv6(address)) return address
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
