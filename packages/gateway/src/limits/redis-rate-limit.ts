// The rolling-window rate limit of a key, counted in Redis (or Valkey) by all gateways together. While Redis cannot be
// reached each gateway counts by itself, with its share of the limit: no request fails for it. Neither knows what the
// other has admitted, so a key may be admitted its share more in the window around a change.
//
//   const limit = new RedisRateLimit({ url: REDIS_URL, gateways: 2, log })
//   const taken = await limit.take(id, 300)
//   limit.close()

import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel'
import { Redis, type Result } from 'ioredis'
import type { Log } from '../telemetry/log.ts'
import { MemoryRateLimit, RATE_WINDOW_MS, type RateLimit, type Taken, taken } from './rate-limit.ts'

/**
 * A list a key holds the times of its admissions, in microseconds of the clock of Redis, oldest first. Those that have
 * left the window are cut off in growing steps, so that a million of them do not hold up the others. A time beyond the
 * window ahead was written before the clock was set back, and goes too.
 */
const SCRIPT = `
local key, limit, window, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000000 + time[2]
end
local step = 1
while step >= 1 do
  local time = tonumber(redis.call('LINDEX', key, step - 1))
  if time and (time + window <= now or time > now + window) then
    redis.call('LTRIM', key, step, -1)
    step = step * 2
  else
    step = math.floor(step / 2)
  end
end
local count = redis.call('LLEN', key)
local admitted = count < limit
if admitted then
  count = redis.call('RPUSH', key, now)
  redis.call('PEXPIRE', key, math.ceil(window / 1000))
end
local first = tonumber(redis.call('LINDEX', key, math.max(0, count - limit)))
return { admitted and 1 or 0, count, first + window - now }
`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    takeFromRateLimit(
      key: string,
      limit: number,
      windowUs: number,
      nowUs: number | '',
    ): Result<[admitted: number, count: number, resetUs: number], Context>
  }
}

export interface RedisRateLimitOptions {
  url: string
  log: Pick<Log, 'warn' | 'info'>
  /** How many gateways share the limit while each counts by itself. */
  gateways?: number
  windowMs?: number
  /** Microseconds; by default the clock of Redis, the same for all gateways. */
  nowUs?: () => number
}

/** The script takes microseconds, the way to Redis at most some milliseconds: what takes longer is not waited for. */
const COMMAND_TIMEOUT_MS = 150
/** A connection on which nothing comes back for this long is given up and made anew. */
const SILENCE_MS = 1000
const CONNECT_TIMEOUT_MS = 1000
const LONGEST_RECONNECT_PAUSE_MS = 1000
/** Failures in a row after which Redis is not asked for a while. */
const BREAK_AFTER = 3
const BREAK_MS = 1000

export class RedisRateLimit implements RateLimit {
  readonly #redis: Redis
  readonly #local: MemoryRateLimit
  readonly #gateways: number
  readonly #windowUs: number
  readonly #nowUs: (() => number) | undefined
  readonly #breaker = circuitBreaker(handleAll, {
    halfOpenAfter: BREAK_MS,
    breaker: new ConsecutiveBreaker(BREAK_AFTER),
  })

  constructor({ url, log, gateways = 1, windowMs = RATE_WINDOW_MS, nowUs }: RedisRateLimitOptions) {
    this.#gateways = gateways
    this.#windowUs = windowMs * 1000
    this.#nowUs = nowUs
    this.#local = new MemoryRateLimit({ windowMs })
    this.#redis = new Redis(url, {
      commandTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      retryStrategy: (times) => Math.min(100 * times, LONGEST_RECONNECT_PAUSE_MS),
      // Without a connection there is nothing to wait for, and what was sent before it broke is not sent again.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
    })
    this.#redis.defineCommand('takeFromRateLimit', { numberOfKeys: 1, lua: SCRIPT })
    // An error is followed by a close.
    this.#redis.on('error', () => undefined)
    let answered = true
    const tell = () => {
      const answers = this.#redis.status === 'ready' && this.#breaker.state === CircuitState.Closed
      if (answers && !answered) log.info({}, 'Redis answers again')
      if (!answers && answered) log.warn({}, 'Redis does not answer: each gateway counts by itself')
      answered = answers
    }
    this.#redis.on('ready', tell)
    this.#redis.on('close', tell)
    this.#breaker.onStateChange(tell)
  }

  async take(id: string, limit: number): Promise<Taken> {
    // While one call tries whether Redis is back, the breaker would let the others wait for it.
    if (this.#redis.status !== 'ready' || this.#breaker.state === CircuitState.HalfOpen) return this.#share(id, limit)
    try {
      const [admitted, count, resetUs] = await this.#breaker.execute(() =>
        this.#redis.takeFromRateLimit(`clinicd:rate:${id}`, limit, this.#windowUs, this.#nowUs?.() ?? ''),
      )
      return taken(admitted === 1, limit, count, resetUs / 1000)
    } catch {
      return this.#share(id, limit)
    }
  }

  /** What this gateway admits by itself. */
  #share(id: string, limit: number): Taken {
    const share = Math.max(1, Math.floor(limit / this.#gateways))
    return { ...this.#local.take(id, share), limit }
  }

  close(): void {
    this.#redis.removeAllListeners('close')
    this.#redis.disconnect()
  }
}
