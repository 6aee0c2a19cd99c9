// Counts unknown keys by address. After sixty a minute the address gets 429 instead of 401, and its further keys are looked up
// separately. A valid key is never refused because of its address.

import { isIPv6 } from 'node:net'
import { MemoryRateLimit } from './rate-limit.ts'

const FAILURES_A_WINDOW = 60
/** A log takes some 700 bytes, so 14 MB in all. An attacker with more addresses evicts its own older ones. */
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
  /** Running look-ups by address. Each may still fail. */
  readonly #pending = new Map<string, number>()

  constructor({ limit = FAILURES_A_WINDOW, maxAddresses = MAX_ADDRESSES, ...clock }: FailedAttemptsOptions = {}) {
    this.#log = new MemoryRateLimit({ maxLogs: maxAddresses, ...clock })
    this.#limit = limit
  }

  /** Counts a failure of this address. Null while the answer is 401, otherwise the seconds to wait (429). */
  fail(address: string): number | null {
    const { admitted, retryAfterSeconds } = this.#log.take(addressBlock(address), this.#limit)
    return admitted ? null : retryAfterSeconds
  }

  /** Whether this address would reach its limit if all its running look-ups failed. */
  isExhausted(address: string): boolean {
    const block = addressBlock(address)
    return this.#log.held(block) + (this.#pending.get(block) ?? 0) >= this.#limit
  }

  /** Runs a look-up for this address and counts it as a failure while it runs. */
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
 * The block that one client controls: an IPv4 address, or the /64 of an IPv6 address, in which a client can choose addresses
 * freely. Takes addresses in the spelling of `ClientAddress`.
 *
 * @example addressBlock('2001:db8::7') // '2001:db8:0:0'
 */
export function addressBlock(address: string): string {
  if (!isIPv6(address)) return address
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
