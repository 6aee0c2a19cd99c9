// The exact rolling-window rate limit of a key: a request is admitted when fewer than `limit` admitted requests lie in the window
// before it. Refused ones do not count.
//
//   const taken = limit.take(id, 300)
//   const { admitted, remaining, resetSeconds } = taken instanceof Promise ? await taken : taken
//
// Key ids are unique only within a clinic, so the id given here includes the clinic's.

/** The window of the public limit. */
export const RATE_WINDOW_MS = 60_000

export interface Taken {
  admitted: boolean
  limit: number
  /** The requests left in the window. */
  remaining: number
  /** Whole seconds, rounded up, until the oldest admitted request leaves the window. Never 0. */
  resetSeconds: number
  /** 0 when admitted. Otherwise equal to `resetSeconds`: a request will be admitted then. */
  retryAfterSeconds: number
}

export interface RateLimit {
  /** Asks to admit one request of this key now. The memory limit answers at once. */
  take(id: string, limit: number): Taken | Promise<Taken>
}

/** Most keys are far below their limit, so a log starts with room for this many admissions and doubles. */
const FIRST_CAPACITY = 8
/** A log takes some 300 bytes, and 4 KiB when the default limit is reached: ten thousand busy keys take 40 MB. */
const MAX_LOGS = 100_000
/** Logs checked for each new one: idle ones are removed faster than new ones come. */
const PROBES = 2

interface MemoryRateLimitOptions {
  windowMs?: number
  maxLogs?: number
  /** Milliseconds, never set back. */
  monotonic?: () => number
}

/** The log of each key in this process. */
export class MemoryRateLimit implements RateLimit {
  readonly #windowMs: number
  readonly #maxLogs: number
  readonly #monotonic: () => number
  readonly #logs = new Map<string, AdmissionLog>()

  constructor(options: MemoryRateLimitOptions = {}) {
    this.#windowMs = options.windowMs ?? RATE_WINDOW_MS
    this.#maxLogs = options.maxLogs ?? MAX_LOGS
    this.#monotonic = options.monotonic ?? (() => performance.now())
  }

  take(id: string, limit: number): Taken {
    const now = this.#monotonic()
    const log = this.#logs.get(id) ?? this.#newLog(id, now)
    log.drop(this.#windowMs, now)
    const admitted = log.count < limit
    if (admitted) log.append(now)
    // In this order no rounding makes a window longer than it is.
    return taken(admitted, limit, log.count, this.#windowMs - (now - log.oldestOf(limit)))
  }

  /** The number of this key's admitted requests in the window. */
  held(id: string): number {
    const log = this.#logs.get(id)
    log?.drop(this.#windowMs, this.#monotonic())
    return log?.count ?? 0
  }

  /** The number of kept logs. */
  get size(): number {
    return this.#logs.size
  }

  #newLog(id: string, now: number): AdmissionLog {
    this.#forgetIdle(now)
    const log = new AdmissionLog()
    this.#logs.set(id, log)
    return log
  }

  /** Checks the logs one after the other and removes idle ones. If there is no room for one more, removes the first in any case. */
  #forgetIdle(now: number): void {
    let probes = PROBES
    for (const [id, log] of this.#logs) {
      if (probes-- === 0) return
      const full = this.#logs.size >= this.#maxLogs
      this.#logs.delete(id)
      if (!full && log.newest() + this.#windowMs > now) this.#logs.set(id, log)
    }
  }
}

/** The result for an admitted or refused request, with `count` requests now in the window. */
export function taken(admitted: boolean, limit: number, count: number, resetMs: number): Taken {
  const resetSeconds = Math.max(1, Math.ceil(resetMs / 1000))
  return {
    admitted,
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds,
    retryAfterSeconds: admitted ? 0 : resetSeconds,
  }
}

/** The times of admissions in the window, oldest first, in a ring buffer that grows as needed. */
class AdmissionLog {
  count = 0
  #times = new Float64Array(FIRST_CAPACITY)
  #first = 0

  drop(windowMs: number, now: number): void {
    while (this.count > 0 && this.#at(0) + windowMs <= now) {
      this.#first = (this.#first + 1) % this.#times.length
      this.count--
    }
  }

  append(time: number): void {
    if (this.count === this.#times.length) this.#grow()
    this.#times[(this.#first + this.count) % this.#times.length] = time
    this.count++
  }

  /** The admission that must leave before the next: the oldest, or a later one if the limit was lowered meanwhile. */
  oldestOf(limit: number): number {
    return this.#at(Math.max(0, this.count - limit))
  }

  newest(): number {
    return this.count === 0 ? Number.NEGATIVE_INFINITY : this.#at(this.count - 1)
  }

  #at(index: number): number {
    return this.#times[(this.#first + index) % this.#times.length] ?? Number.NEGATIVE_INFINITY
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2)
    const tail = this.#times.subarray(this.#first)
    times.set(tail)
    times.set(this.#times.subarray(0, this.#first), tail.length)
    this.#times = times
    this.#first = 0
  }
}
