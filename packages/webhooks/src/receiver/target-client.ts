// The HTTP client that sends webhooks: it connects only to allowed addresses, follows no redirect, and always ends.

import type { AttemptError, AttemptOutcome } from './attempt-outcome.ts'
import { type KeepingBounds, KeptConnections } from './kept-connections.ts'
import { dnsResolver, type ResolveName } from './resolve-name.ts'
import { type AttemptBounds, SendAttempt } from './send-attempt.ts'
import { TargetAddresses } from './target-address.ts'
import { ConnectError, TargetConnector } from './target-connector.ts'
import { readTarget } from './target-url.ts'

export type { AttemptError, AttemptOutcome } from './attempt-outcome.ts'
export type { ResolveName } from './resolve-name.ts'

export interface TargetBounds extends AttemptBounds, KeepingBounds {
  dnsTimeoutMs: number
  /** For TCP and TLS together. */
  connectTimeoutMs: number
}

export interface TargetClientOptions {
  /** Addresses and CIDR blocks that are allowed anyway, for development and tests. They also allow plain http to loopback. */
  allowCidrs?: readonly string[]
  resolveName?: ResolveName
  /** This machine's addresses. Default: those of its network interfaces. */
  ownAddresses?: () => readonly string[]
  /** Trusted authorities as PEM. Default: those that Node.js trusts. */
  ca?: string
  bounds?: Partial<TargetBounds>
  /** Monotonic, in ms. Measures the age of connections. */
  now?: () => number
}

export interface PostAttempt {
  readonly url: string
  /** Names and values in visible ASCII. Host, Content-Length and Connection are added here. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Ends the attempt at once, as `aborted`. */
  readonly signal?: AbortSignal
  /** Called once, when the connection is ready and nothing is written yet. False: nothing is sent, and the outcome is `aborted`. */
  readonly mayStart?: () => boolean
}

/** Why a URL is refused for a subscription. */
export type RefusalReason = 'invalid_url' | 'dns' | 'blocked_address'

/** A receiver has 15 s in all. Head and body are read only so that the connection can be reused. */
export const TARGET_BOUNDS: TargetBounds = {
  dnsTimeoutMs: 3_000,
  connectTimeoutMs: 5_000,
  attemptTimeoutMs: 15_000,
  bodyTimeoutMs: 1_000,
  maxAnswerBytes: 64 * 1024,
  // A connection that the receiver closes just as it is reused costs an attempt. Servers that do not announce their idle time keep
  // connections for at least 2 s.
  idleTimeoutMs: 1_500,
  maxConnectionAgeMs: 60_000,
  // As many attempts as a clinic and a process may have under way: many receivers share an origin.
  maxIdlePerOrigin: 64,
  maxIdle: 256,
}

/**
 * @example
 * const client = new TargetClient()
 * await client.check('https://crm.example.com/hooks')   // null: may be subscribed
 * await client.post({ url: 'https://crm.example.com/hooks', headers: { 'content-type': 'application/json' }, body: '{}' })
 * // { response_status: 204, error: null, duration_ms: 83, retry_after: null }
 */
export class TargetClient {
  readonly #addresses: TargetAddresses
  readonly #connector: TargetConnector
  readonly #connections: KeptConnections
  readonly #bounds: TargetBounds
  readonly #underWay = new Set<SendAttempt>()
  #isClosed = false

  /** @throws Error, one line that names the entry of `allowCidrs` that is no address and no block. */
  constructor({ resolveName = dnsResolver(), ca, ...options }: TargetClientOptions = {}) {
    const now = options.now ?? (() => performance.now())
    this.#bounds = { ...TARGET_BOUNDS, ...options.bounds }
    this.#addresses = new TargetAddresses({ ...options, now })
    this.#connector = new TargetConnector({ addresses: this.#addresses, resolveName, ca, ...this.#bounds })
    this.#connections = new KeptConnections(this.#connector, this.#bounds, now)
  }

  /** Why no webhook may go there at present. Null when it may. Connects to nothing. Takes at most 3 s. */
  async check(url: string): Promise<RefusalReason | null> {
    const target = readTarget(url, this.#addresses)
    if (target === null) return 'invalid_url'
    try {
      await this.#connector.vet(target)
      return null
    } catch (error) {
      if (error instanceof ConnectError) return error.fault === 'dns' ? 'dns' : 'blocked_address'
      throw error
    }
  }

  /**
   * Sends one POST and ends within 15 s. A 2xx status decides. At most 64 KiB or 1 s of the body are read and discarded.
   *
   * @throws the HTTP client's error for headers that cannot be sent.
   */
  async post({ url, headers, body, signal, mayStart = () => true }: PostAttempt): Promise<AttemptOutcome> {
    const target = readTarget(url, this.#addresses)
    if (target === null) return notStarted('blocked_address')
    if (this.#isClosed || signal?.aborted) return notStarted('aborted')
    const attempt = new SendAttempt(this.#connections.take(target), this.#connections, this.#bounds)
    const abort = () => attempt.breakOff('aborted')
    this.#underWay.add(attempt)
    signal?.addEventListener('abort', abort)
    try {
      attempt.start({ path: target.path, headers, body }, mayStart)
      return await attempt.outcome
    } finally {
      signal?.removeEventListener('abort', abort)
      this.#underWay.delete(attempt)
    }
  }

  /** Ends running attempts as `aborted` and closes every connection. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const attempt of this.#underWay) attempt.breakOff('aborted')
    this.#connections.close()
  }
}

function notStarted(error: AttemptError): AttemptOutcome {
  return { response_status: null, error, duration_ms: 0, retry_after: null }
}
