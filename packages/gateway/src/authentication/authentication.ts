// Authenticates requests: checks a key's form before asking the store, and slows down addresses that send junk (docs/decisions/0087).
import { setTimeout as delay } from 'node:timers/promises'
import { type Audience, type Backend, type Principal, Problem } from '@clinic-data/contract'
import { hashKey, isWellFormedKey } from '@clinic-data/contract/key'
import type { FastifyRequest } from 'fastify'
import { unauthorized } from '../answers/problem-response.ts'
import type { ClientAddress } from '../connections/client-address.ts'
import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'
import type { FailedAttempts } from '../limits/failed-attempts.ts'
import type { GatewayMetrics } from '../telemetry/metrics.ts'
import { KeyCache } from './key-cache.ts'

const BEARER = /^Bearer ([^\s]+)$/i

/** For keys from addresses that sent too many unknown ones. Two, so that one look-up that hangs does not stop the line. */
const APART_AT_ONCE = 2
/**
 * A look-up takes some milliseconds, and costs the backend and the database as much as a request that is served. A short line is soon
 * empty again after a flood, and then serves whoever comes next.
 */
const APART_WAITING = 16
const APART_WAIT_MS = 1_000
/** They share one line. */
const LANE = 'apart'

export interface AuthenticationParts {
  backend: Backend
  /** Epoch milliseconds. */
  now: () => number
  failedAttempts: FailedAttempts
  clientAddress: ClientAddress
  metrics: GatewayMetrics
  /** Resolves after this many milliseconds. Default: by a timer. */
  pause?: (ms: number) => Promise<void>
}

export class Authentication {
  readonly #cache: KeyCache
  readonly #failedAttempts: FailedAttempts
  readonly #clientAddress: ClientAddress
  readonly #metrics: GatewayMetrics
  readonly #pause: (ms: number) => Promise<void>
  readonly #apart = new ConcurrencyLimit({
    maxRunning: APART_AT_ONCE,
    maxWaiting: APART_WAITING,
    waitMs: APART_WAIT_MS,
    busy: 'Too many requests without a valid key come from this address. Retry with exponential backoff.',
  })

  constructor({ backend, now, failedAttempts, clientAddress, metrics, pause = delay }: AuthenticationParts) {
    this.#cache = new KeyCache((keyHash) => backend.authenticate(keyHash), { now })
    this.#failedAttempts = failedAttempts
    this.#clientAddress = clientAddress
    this.#metrics = metrics
    this.#pause = pause
  }

  /**
   * Returns the principal of a request's key, at once when the key was seen within the last second.
   *
   * @param audience where the request asks. The token of an app may be for the other place alone.
   * @throws Problem 401, which tells apart what is wrong with the header, but not with a well-formed key. For an unknown key also 429 if its address has sent too many, and 503 if too many
   * such keys wait to be looked up.
   */
  identify(request: FastifyRequest, audience: Audience = 'api'): Principal | Promise<Principal> {
    const { authorization } = request.headers
    if (!authorization) throw this.#refuseForm('missing')
    const key = BEARER.exec(authorization)?.[1]
    if (key === undefined) throw this.#refuseForm('scheme')
    const isToken = isWellFormedKey(key, 'oat_live_')
    if (!isToken && !isWellFormedKey(key)) throw this.#refuseForm('malformed')
    const hash = hashKey(key)
    const found = this.#cache.knows(hash) ? this.#cache.find(hash) : this.#lookUp(hash, this.addressOf(request))
    if (found instanceof Promise) return found.then((principal) => this.#meant(principal, audience, isToken, request))
    return this.#meant(found, audience, isToken, request)
  }

  /** @throws Problem for nobody, and for whoever has a token for the other place alone. */
  #meant(principal: Principal | null, audience: Audience, isToken: boolean, request: FastifyRequest): Principal {
    if (principal === null) throw this.#refuse(this.addressOf(request), isToken)
    if (principal.audience === undefined || principal.audience === audience) return principal
    this.#metrics.countUnauthorized(true)
    throw unauthorized(principal.audience === 'mcp' ? 'mcp_only' : 'api_only')
  }

  /** The client's address, as far as the trusted proxies report it. */
  addressOf(request: FastifyRequest): string {
    return this.#clientAddress.of(request.raw)
  }

  /** Looks up a key that is not known to be valid. Keys from addresses that sent too many unknown ones wait in a separate line. */
  async #lookUp(hash: string, address: string): Promise<Principal | null> {
    return this.#cache.isAsking(hash) ? this.#cache.find(hash) : this.#ask(hash, address)
  }

  /** Counts each look-up as a possible failure of the address. */
  #ask(hash: string, address: string): Promise<Principal | null> {
    const find = () => this.#failedAttempts.during(address, () => this.#cache.find(hash))
    return this.#failedAttempts.isExhausted(address) ? this.#inLane(find) : find()
  }

  async #inLane<T>(find: () => Promise<T>): Promise<T> {
    await this.#apart.enter(LANE)?.catch((busy) => this.#refuseLater(busy))
    try {
      return await find()
    } finally {
      this.#apart.leave(LANE)
    }
  }

  /** Spreads the refusals of a flood over time. All at once they would keep the processors from everybody else. */
  async #refuseLater(busy: unknown): Promise<never> {
    await this.#pause(Math.random() * APART_WAIT_MS)
    throw busy
  }

  /** Costs nothing, so it does not count against the address. */
  #refuseForm(cause: 'missing' | 'scheme' | 'malformed'): Problem {
    this.#metrics.countUnauthorized(false)
    return unauthorized(cause)
  }

  /** A token ends every hour, and its app must learn that to take the next one: many apps may come from the address of one cloud. */
  #refuse(address: string, isToken: boolean): Problem {
    this.#metrics.countUnauthorized(true)
    const wait = this.#failedAttempts.fail(address)
    if (wait === null || isToken) return unauthorized(isToken ? 'token_refused' : 'refused')
    return new Problem('rate-limited', `Too many requests without a valid key: retry after ${wait} seconds.`, {
      retry_after: wait,
    })
  }
}
