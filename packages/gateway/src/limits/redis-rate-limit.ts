// The rolling-window rate limit of a key, shared by all gateways through Redis (or Valkey). While Redis is unreachable, each
// gateway counts alone with its share of the limit, and no request fails because of it. Neither side knows the other's admissions,
// so around a change a key may get one extra share in the window.
//
//   const limit = new RedisRateLimit({ url: REDIS_URL, gateways: 2, log })
//   const taken = await limit.take(id, 300)
//   limit.close()

import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel'
import { Redis, type Result } from 'ioredis'
import type { Log } from '../telemetry/log.ts'
import { MemoryRateLimit, RATE_WINDOW_MS, type RateLimit, type Taken, taken } from './rate-limit.ts'
import { observeRateLimit } from './rate-limit-metrics.ts'
import { redisTls } from './redis-tls.ts'

/**
 * One list per key holds the times of its admissions, in microseconds of Redis's clock, oldest first. Times that have left the
 * window are removed in growing steps, so that a million of them do not delay other keys. A time more than a window ahead was
 * written before the clock was set back, and is removed too.
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
  /** The number of gateways that share the limit while each counts alone. */
  gateways?: number
  windowMs?: number
  /** How long an answer of Redis is awaited. */
  patienceMs?: number
  /** Microseconds. Default: Redis's clock, the same for all gateways. */
  nowUs?: () => number
}

/** The script takes microseconds, and the way to Redis at most some milliseconds. Anything slower is not awaited. */
const PATIENCE_MS = 150
/** A connection that is silent for this long is closed and reopened. */
const SILENCE_MS = 1000
const CONNECT_TIMEOUT_MS = 1000
const LONGEST_RECONNECT_PAUSE_MS = 1000
/** Consecutive failures after which Redis is not asked for a while. */
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

  constructor(options: RedisRateLimitOptions) {
    const { url, log, gateways = 1, windowMs = RATE_WINDOW_MS, patienceMs = PATIENCE_MS, nowUs } = options
    this.#gateways = gateways
    this.#windowUs = windowMs * 1000
    this.#nowUs = nowUs
    this.#local = new MemoryRateLimit({ windowMs })
    this.#redis = new Redis(url, {
      commandTimeout: patienceMs,
      socketTimeout: Math.max(SILENCE_MS, patienceMs),
      connectTimeout: CONNECT_TIMEOUT_MS,
      retryStrategy: (times) => Math.min(100 * times, LONGEST_RECONNECT_PAUSE_MS),
      // Without a connection there is nothing to wait for, and commands sent before it broke are not repeated.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      ...redisTls(url),
    })
    this.#redis.defineCommand('takeFromRateLimit', { numberOfKeys: 1, lua: SCRIPT })
    // An error is followed by a close.
    this.#redis.on('error', () => undefined)
    let answered = true
    const doesAnswer = () => this.#redis.status === 'ready' && this.#breaker.state === CircuitState.Closed
    observeRateLimit(() => !doesAnswer())
    const tell = () => {
      const answers = doesAnswer()
      if (answers && !answered) log.info({}, 'Redis answers again')
      if (!answers && answered) log.warn({}, 'Redis does not answer: each gateway counts by itself')
      answered = answers
    }
    this.#redis.on('ready', tell)
    this.#redis.on('close', tell)
    this.#breaker.onStateChange(tell)
  }

  async take(id: string, limit: number): Promise<Taken> {
    // While one call tests whether Redis is back, the breaker would make the others wait for it.
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

  /** Admits from this gateway's own share. */
  #share(id: string, limit: number): Taken {
    const share = Math.max(1, Math.floor(limit / this.#gateways))
    return { ...this.#local.take(id, share), limit }
  }

  close(): void {
    this.#redis.removeAllListeners('close')
    this.#redis.disconnect()
  }
}
