// The engine as a process runs it: signs deliveries, posts them with the guarded client, and measures.
import type { SigningKeys } from '@clinic-data/contract/secret-keys'
import { deliveryHeaders } from '@clinic-data/contract/webhook-signature'
import type { Database } from '@clinic-data/database'
import type { Claimed } from './engine/claim.ts'
import type { RecordHandedOver } from './engine/complete.ts'
import { Dispatcher, type DispatcherOptions, type Log, type Sent } from './engine/dispatcher.ts'
import { EngineMetrics } from './engine/engine-metrics.ts'
import { parseRetryAfter } from './engine/retry-schedule.ts'
import type { Receiver } from './receiver/example-receiver.ts'
import { openSecret } from './subscriptions/sealed-secret.ts'

export interface WebhookEngineOptions {
  /** Opened with the application's role. */
  readonly database: Database
  /** The installation's keys for webhook secrets (`signingKeys(secretKeys, 'webhook-secret')`). */
  readonly keys: SigningKeys
  readonly client: Receiver
  /** Puts on record what was handed over to whom. */
  readonly record: RecordHandedOver
  readonly log: Log
  /** Aborted when the process that stops waits for the database no longer. */
  readonly deadline?: AbortSignal
  readonly now?: () => Date
  readonly random?: () => number
}

interface OpenedSecrets {
  readonly secret: string
  readonly former_secrets: readonly string[]
}

/** When the process stops, running attempts have this long to be answered. Others send the rest, at the latest after the leases expire. */
const STOP_GRACE_MS = 5_000

export class WebhookEngine {
  readonly #options: WebhookEngineOptions
  readonly #now: () => Date
  readonly #dispatcher: Dispatcher
  readonly #metrics: EngineMetrics
  /** By the sealed bytes, which all deliveries of a claim to one subscription share: opening takes longer than signing. */
  readonly #opened = new WeakMap<Uint8Array, OpenedSecrets>()

  constructor(options: WebhookEngineOptions) {
    this.#options = options
    this.#now = options.now ?? (() => new Date())
    const metrics = new EngineMetrics(options.database, this.#now, () => this.#dispatcher.inFlight)
    this.#metrics = metrics
    this.#dispatcher = new Dispatcher({
      ...options,
      send: (...attempt) => this.#send(...attempt),
      onCompleted: (outcomes, completion) => metrics.countCompleted(outcomes, completion),
    })
  }

  start(): void {
    this.#dispatcher.start()
    this.#metrics.start()
  }

  /** Call this after the commit of the clinic's events. */
  wake(clinic_id: string): void {
    this.#dispatcher.wake(clinic_id)
  }

  /** This process starts nothing more for the subscription. */
  end(clinic_id: string, subscription_id: string): void {
    this.#dispatcher.end(clinic_id, subscription_id)
  }

  async stop(): Promise<void> {
    await Promise.all([this.#dispatcher.stop(STOP_GRACE_MS), this.#metrics.stop()])
    await this.#options.client.close()
  }

  /** Signs every attempt separately, because the timestamp is the attempt's: the one that the log keeps. */
  async #send(...[claimed, signal, mayStart, now]: Parameters<DispatcherOptions['send']>): Promise<Sent> {
    const { client } = this.#options
    const { url, body, event_id, event_type } = claimed
    const { secret, former_secrets } = this.#secretsOf(claimed)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      ...deliveryHeaders({ secret, former_secrets, body, event_id, event_type, now }),
    }
    const { retry_after, ...outcome } = await client.post({ url, headers, body, signal, mayStart })
    return { ...outcome, retry_after_seconds: parseRetryAfter(retry_after, this.#now()) }
  }

  #secretsOf(claimed: Claimed): OpenedSecrets {
    const { keys } = this.#options
    const opened = this.#opened.get(claimed.secret) ?? {
      secret: openSecret(keys, claimed, claimed.secret),
      former_secrets: claimed.former_secrets.map(({ sealed }) =>
        openSecret(keys, claimed, Buffer.from(sealed, 'base64')),
      ),
    }
    this.#opened.set(claimed.secret, opened)
    return opened
  }
}
