// Limits a key's simultaneous requests. Further ones wait in order, for a while.
//
//   const waiting = limit.enter(id, signal)   // undefined: entered
//   if (waiting) await waiting                // rejects with the Problem to answer, or the signal's reason
//   try { … } finally { limit.leave(id) }     // once for each entry, never after a rejection

import { Problem, RATE } from '@clinic-data/contract'

const WAIT_MS = 2000
/** A key with 20 running requests of 40 ms each completes 1,000 within the longest wait. More would not be served in time. */
const MAX_WAITING = 1000

interface Waiter {
  readonly admit: () => void
}

interface Running {
  count: number
  /** In order of arrival. An array, and no Set, for the same reason as in `deadline.ts`. */
  readonly waiters: Waiter[]
}

interface ConcurrencyLimitOptions {
  maxRunning?: number
  waitMs?: number
  maxWaiting?: number
  /** The problem's text when there is no room. */
  busy?: string
}

export class ConcurrencyLimit {
  readonly #maxRunning: number
  readonly #waitMs: number
  readonly #maxWaiting: number
  readonly #busyDetail: string
  readonly #running = new Map<string, Running>()

  constructor(options: ConcurrencyLimitOptions = {}) {
    this.#maxRunning = options.maxRunning ?? RATE.at_once
    this.#waitMs = options.waitMs ?? WAIT_MS
    this.#maxWaiting = options.maxWaiting ?? MAX_WAITING
    this.#busyDetail = options.busy ?? `This key already has ${this.#maxRunning} requests running. Send fewer at once.`
  }

  /**
   * Enters at once, or returns a promise of having entered.
   *
   * @throws (rejects) Problem `service-unavailable` when the wait was too long or the queue is full; the signal's reason when the client has gone.
   */
  enter(id: string, signal?: AbortSignal): Promise<void> | undefined {
    const running = this.#running.get(id)
    if (running === undefined) {
      this.#running.set(id, { count: 1, waiters: [] })
      return undefined
    }
    if (running.count < this.#maxRunning) {
      running.count++
      return undefined
    }
    if (running.waiters.length >= this.#maxWaiting) return Promise.reject(this.#busy())
    return this.#wait(running.waiters, signal)
  }

  /** Passes the place to the request that has waited longest, or frees it. */
  leave(id: string): void {
    const running = this.#running.get(id)
    if (running === undefined) throw new Error('a place was given back twice')
    const next = running.waiters.shift()
    if (next !== undefined) next.admit()
    else if (--running.count === 0) this.#running.delete(id)
  }

  /** The number of keys with running requests. */
  get size(): number {
    return this.#running.size
  }

  #wait(waiters: Waiter[], signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
      const giveUp = (reason: unknown) => {
        settle()
        waiters.splice(waiters.indexOf(waiter), 1)
        reject(reason)
      }
      const waiter: Waiter = {
        admit: () => {
          settle()
          resolve()
        },
      }
      const abort = () => giveUp(signal?.reason)
      const timer = setTimeout(() => giveUp(this.#busy()), this.#waitMs)
      signal?.addEventListener('abort', abort)
      waiters.push(waiter)
    })
  }

  #busy(): Problem {
    return new Problem('service-unavailable', this.#busyDetail, { retry_after: 1 })
  }
}
