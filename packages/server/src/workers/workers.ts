// The workers of `clinicd serve --workers n`, seen from the primary process. It holds what they share: the rate limits' counters and
// the way to the dispatcher. It adds up what they measure (docs/decisions/0051).
import cluster from 'node:cluster'
import { type SecretKeys, secretKeysText } from '@clinic-data/contract/secret-keys'
import type { RateLimit } from '@clinic-data/gateway/limits/rate-limit'
import { takeAll } from '@clinic-data/gateway/limits/remote-rate-limit'
import type { Log } from '@clinic-data/gateway/telemetry/log'
import { metrics } from '@opentelemetry/api'
import type { ScopeMetrics } from '@opentelemetry/sdk-metrics'
import type { Measurements } from '../private/prometheus.ts'
import { lasting, summed } from '../private/summed-metrics.ts'
import { type AppQuestion, answeringWorkers } from './app-answers.ts'
import type { BackendHelp, Beginning, ToPrimary } from './topics.ts'
import { WorkerProcess } from './worker-process.ts'

/** Rows of `docs/metrics.md`, and the options of the instruments. */
export const WORKER_METRICS = {
  ended: {
    name: 'workers.ended',
    kind: 'counter',
    unit: '{process}',
    labels: [],
    description: 'Workers that ended without being told to. Only with workers.',
  },
  listening: {
    name: 'workers.listening',
    kind: 'gauge',
    unit: '{process}',
    labels: [],
    description: 'Workers that listen. Only with workers.',
  },
  wanted: {
    name: 'workers.wanted',
    kind: 'gauge',
    unit: '{process}',
    labels: [],
    description: 'Workers that should listen. Only with workers.',
  },
} as const

export interface WorkersOptions {
  /** How many, at least one. */
  count: number
  /** The port of the public API. 0: any. */
  port: number
  storage: Beginning['storage']
  rateLimit: RateLimit
  /** Null in the role `gateway`. */
  help: BackendHelp | null
  secretKeys: SecretKeys
  log: Log
}

export class Workers {
  readonly #processes: readonly WorkerProcess[]
  readonly #port = Promise.withResolvers<number>()
  /** The sums of workers that have ended: a sum never goes back. */
  #lost: readonly ScopeMetrics[] = []

  constructor({ count, port, storage, rateLimit, help, secretKeys, log }: WorkersOptions) {
    const meter = metrics.getMeter('clinic-data-server')
    const of = WORKER_METRICS
    const ended = meter.createCounter(of.ended.name, of.ended)
    // A counter that is there before its first end can be compared with itself.
    ended.add(0)
    const onLost = (counted: readonly ScopeMetrics[]) => {
      this.#lost = summed([this.#lost, lasting(counted)])
      ended.add(1)
    }
    let begun = 0
    const answers = {
      // The first one finds a port, the others listen there too.
      begin: async () => ({
        storage,
        secretKeys: secretKeysText(secretKeys),
        workers: count,
        answersApps: help?.answerApp !== undefined,
        port: port === 0 && begun++ > 0 ? await this.#port.promise : port,
      }),
      take: (takes) => takeAll(rateLimit, takes),
      ...answersOf(help),
    } satisfies Omit<ToPrimary, 'listening' | 'failed'>
    this.#processes = Array.from({ length: count }, () => new WorkerProcess({ answers, log, onLost }))
    meter
      .createObservableGauge(of.listening.name, of.listening)
      .addCallback((result) => result.observe(this.#processes.filter(({ isListening }) => isListening).length))
    meter.createObservableGauge(of.wanted.name, of.wanted).addCallback((result) => result.observe(count))
    // Also those whose event loop hangs.
    process.once('exit', this.#kill)
  }

  /** @returns the address, once all listen. @throws (rejects) when one cannot. */
  async start(): Promise<string> {
    cluster.setupPrimary()
    const addresses = this.#processes.map((one) => one.start())
    const address = await Promise.race(addresses)
    this.#port.resolve(Number(new URL(address).port))
    await Promise.all(addresses)
    return address
  }

  drain(): void {
    for (const one of this.#processes) one.drain()
  }

  /** Resolves when every worker has finished its requests and has ended. */
  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((one) => one.stop()))
    process.off('exit', this.#kill)
  }

  /** The sum of what this process and its workers have measured. */
  besides(own: Measurements): Measurements {
    return {
      collect: async () => {
        const [{ resourceMetrics }] = await Promise.all([own.collect(), ...this.#processes.map((one) => one.measure())])
        const { resource, scopeMetrics } = resourceMetrics
        // Read in one go: what a worker that ends has counted moves to the lost.
        const measured = this.#processes.map((one) => one.measured)
        return { resourceMetrics: { resource, scopeMetrics: summed([scopeMetrics, this.#lost, ...measured]) } }
      },
    }
  }

  readonly #kill = (): void => {
    for (const one of this.#processes) one.kill()
  }
}

function answersOf(help: BackendHelp | null) {
  const needed = () => {
    if (help === null) throw new Error('a worker without a backend asked for it')
    return help
  }
  return {
    check: (url: string) => needed().hooks.checkTarget(url),
    due: (clinic_id: string) => needed().hooks.onDeliveriesDue(clinic_id),
    app: (question: AppQuestion) => {
      const { answerApp } = needed()
      if (answerApp === undefined) throw new Error('no app can be connected')
      return answeringWorkers(answerApp)(question)
    },
    queued: (clinic_id: string) => needed().onMessageQueued(clinic_id),
    ended: (names: readonly [string, string]) => needed().hooks.onSubscriptionEnded(...names),
  }
}
