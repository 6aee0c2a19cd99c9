// Who asks: the key of a request, its form checked before the store is asked, and the addresses that send junk held off.
import { type Backend, type Principal, Problem } from '@clinic-data/contract'
import { hashKey, isWellFormedKey } from '@clinic-data/contract/key'
import type { FastifyRequest } from 'fastify'
import type { ClientAddress } from './client-address.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import { KeyCache } from './key-cache.ts'
import type { GatewayMetrics } from './metrics.ts'
import { unauthorized } from './problem-response.ts'

const BEARER = /^Bearer ([^\s]+)$/i

export interface AuthenticationParts {
  backend: Backend
  /** Epoch milliseconds. */
  now: () => number
  failedAttempts: FailedAttempts
  clientAddress: ClientAddress
  metrics: GatewayMetrics
}

export class Authentication {
  readonly #cache: KeyCache
  readonly #failedAttempts: FailedAttempts
  readonly #clientAddress: ClientAddress
  readonly #metrics: GatewayMetrics

  constructor({ backend, now, failedAttempts, clientAddress, metrics }: AuthenticationParts) {
    this.#cache = new KeyCache((keyHash) => backend.authenticate(keyHash), { now })
    this.#failedAttempts = failedAttempts
    this.#clientAddress = clientAddress
    this.#metrics = metrics
  }

  /**
   * The principal of a request's key: at once when the key was seen within the last second.
   *
   * @throws Problem 401, the same for every cause; 429 in its place once an address has failed too often.
   */
  identify(request: FastifyRequest): Principal | Promise<Principal> {
    const key = BEARER.exec(request.headers.authorization ?? '')?.[1]
    if (key === undefined || !isWellFormedKey(key)) throw this.#refuse(request, false)
    const found = this.#cache.find(hashKey(key))
    if (found instanceof Promise)
      return found.then((principal) => principal ?? Promise.reject(this.#refuse(request, true)))
    if (found === null) throw this.#refuse(request, true)
    return found
  }

  /** The client's address, as far as the trusted proxies tell it. */
  addressOf(request: FastifyRequest): string {
    return this.#clientAddress.of(request.raw)
  }

  #refuse(request: FastifyRequest, wellFormed: boolean): Problem {
    this.#metrics.countUnauthorized(wellFormed)
    const wait = this.#failedAttempts.fail(this.addressOf(request))
    if (wait === null) return unauthorized()
    return new Problem('rate-limited', `Too many requests without a valid key: retry after ${wait} seconds.`, {
      retry_after: wait,
    })
  }
}
