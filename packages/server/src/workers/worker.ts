// A worker of `clinicd serve --workers`: a gateway, and in the role `all` a backend, on the port that all workers share. It ends
// with the primary process.
import { createBackend } from '@clinic-data/backend'
import type { Backend } from '@clinic-data/contract'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { END_SIGNALS } from '@clinic-data/disk/end-signals'
import type { Gateway } from '@clinic-data/gateway'
import { RemoteRateLimit } from '@clinic-data/gateway/limits/remote-rate-limit'
import { ConfigError } from '@clinic-data/installation/config'
import { openForRequests, type RequestUrls } from '@clinic-data/installation/database/storage'
import { listen } from '@clinic-data/installation/listen'
import { remoteBackend, sharedRateLimit } from '../behind-gateway.ts'
import { openGateway } from '../open-gateway.ts'
import { startMetrics } from '../private/prometheus.ts'
import type { ServeOptions, Start } from '../start.ts'
import { stopDeadlineOf } from '../stop-deadline.ts'
import { observeDatabase } from '../telemetry/connection-metrics.ts'
import { describeProcess } from '../telemetry/describe-process.ts'
import { observeProcess } from '../telemetry/process-metrics.ts'
import { letYoungSpaceGrow } from '../young-space.ts'
import { askingPrimary } from './app-answers.ts'
import { Link } from './link.ts'
import { poolsOf } from './pools.ts'
import type { ToPrimary, ToWorker } from './topics.ts'

/** Runs until the primary says otherwise, or is gone. */
export async function runWorker(options: ServeOptions): Promise<void> {
  // A terminal and a supervisor send their signals to every process of the service. The primary decides when a worker ends.
  for (const name of END_SIGNALS) process.on(name, () => undefined)
  const opened = new AsyncDisposableStack()
  const stopped = Promise.withResolvers<void>()
  const { config, role, log } = options
  const attributes = describeProcess(role, config.serviceName)
  const exporter = startMetrics(attributes)
  opened.defer(observeProcess())
  let gateway: Gateway | null = null
  const link = new Link<ToPrimary>(process, {
    measure: async () => (await exporter.collect()).resourceMetrics.scopeMetrics,
    drain: () => gateway?.drain(),
    stop: () => stopped.resolve(),
  } satisfies ToWorker)
  try {
    if (config.tracing) {
      const { startTracing } = await import('../telemetry/tracing.ts')
      opened.defer(startTracing({ attributes, log, ...config.tracing }))
    }
    const { storage, workers, port, secretKeys, answersApps } = await link.ask('begin', null)
    const { deadline: stopDeadline, begin: beginStop } = stopDeadlineOf()
    const start: Start = { ...options, secretKeys: parseSecretKeys(secretKeys), opened, stopDeadline }
    const backend = await (storage === null
      ? remoteBackend(start)
      : workerBackend(start, { link, storage, workers, answersApps }))
    const rateLimit = (await sharedRateLimit(start, workers)) ?? new RemoteRateLimit((takes) => link.ask('take', takes))
    gateway = await openGateway(start, backend, rateLimit)
    link.tell('listening', await listen(gateway.app, 'public', { ...options.config, port }, true))
    letYoungSpaceGrow()
    await stopped.promise
    beginStop()
    await opened.disposeAsync()
    process.exit(0)
  } catch (error) {
    const { message } = error as Error
    await link.ask('failed', { message, isConfig: error instanceof ConfigError })
    process.exit(1)
  }
}

interface WorkerParts {
  link: Link<ToPrimary>
  storage: RequestUrls
  workers: number
  answersApps: boolean
}

async function workerBackend(
  { secretKeys, log, opened }: Start,
  { link, storage, workers, answersApps }: WorkerParts,
): Promise<Backend> {
  const database = opened.adopt(await openForRequests(storage, log, poolsOf(workers)), (one) => one.close())
  opened.defer(observeDatabase(database))
  return createBackend({
    database,
    now: () => new Date(),
    log,
    secretKeys,
    checkTarget: (url) => link.ask('check', url),
    onDeliveriesDue: (clinic_id) => link.tell('due', clinic_id),
    onMessageQueued: (clinic_id) => link.tell('queued', clinic_id),
    answerApp: answersApps ? askingPrimary((question) => link.ask('app', question)) : undefined,
    onSubscriptionEnded: (...names) => link.ask('ended', names),
  })
}
