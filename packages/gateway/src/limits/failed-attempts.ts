// Counts unknown keys by address, and by the wider block that it lies in. After sixty a minute the address gets 429 instead of 401, and its further keys are looked up
// separately. A valid key is never refused because of its address.

import { boundsOf } from '@clinic-data/contract/address-block'
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
    // The narrow block first: what it may not do any more counts for no wider one, in which others are.
    for (const { block, most } of boundsOf(address, this.#limit)) {
      const { admitted, retryAfterSeconds } = this.#log.take(block, most)
      if (!admitted) return retryAfterSeconds
    }
    return null
  }

  /** Whether this address would reach its limit if all its running look-ups failed. */
  isExhausted(address: string): boolean {
    return boundsOf(address, this.#limit).some(
      ({ block, most }) => this.#log.held(block) + (this.#pending.get(block) ?? 0) >= most,
    )
  }

  /** Runs a look-up for this address and counts it as a failure while it runs. */
  async during<T>(address: string, lookUp: () => Promise<T> | T): Promise<T> {
    const bounds = boundsOf(address, this.#limit)
    for (const { block } of bounds) this.#pending.set(block, (this.#pending.get(block) ?? 0) + 1)
    try {
      return await lookUp()
    } finally {
      for (const { block } of bounds) this.#end(block)
    }
  }

  #end(block: string): void {
    const others = (this.#pending.get(block) ?? 1) - 1
    if (others === 0) this.#pending.delete(block)
    else this.#pending.set(block, others)
  }
}
