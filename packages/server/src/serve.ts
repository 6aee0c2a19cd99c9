// `clinicd serve`: puts the parts of one role together, listens, and stops in good order.
import type { Backend } from '@clinic-data/contract'
import { connectionShares } from '@clinic-data/gateway/connections/connection-shares'
import { healthRoutes } from '@clinic-data/gateway/health-routes'
import { connectsNoApp, knownConsoleUrl } from '@clinic-data/installation/console-address'
import type { Storage } from '@clinic-data/installation/database/storage'
import { listen, untilFree } from '@clinic-data/installation/listen'
import { isPublicRole, requireForRole } from '@clinic-data/installation/role'
import { secretKeysOf } from '@clinic-data/installation/secret-key-file'
import { ownRateLimit, remoteBackend, sharedRateLimit } from './behind-gateway.ts'
import { ClockJumps } from './clock-jumps.ts'
import { type LocalBackend, openLocalBackend, openPrivateRoutes, startDispatching } from './local-backend.ts'
import { adminListener } from './private/admin-listener.ts'
import { metricsRoute, startMetrics } from './private/prometheus.ts'
import type { ServeOptions, Start } from './start.ts'
import { stopDeadlineOf } from './stop-deadline.ts'
import { observeListener } from './telemetry/connection-metrics.ts'
import { observeDataFolder } from './telemetry/data-folder-metrics.ts'
import { describeProcess } from './telemetry/describe-process.ts'
import { observeProcess } from './telemetry/process-metrics.ts'
import type { Workers } from './workers/workers.ts'

/** A running `serve`. */
export interface Service {
  /** The address of the public API. Null in a role without it. */
  readonly address: string | null
  readonly adminAddress: string
  readonly storage: Storage | null
  /** Makes load balancers and separate gateways send no new requests. */
  drain(): void
  stop(): Promise<void>
}

/** Starts a role. `stop`, or a start that fails, closes everything that was opened, in the opposite order. */
export async function serve(options: ServeOptions): Promise<Service> {
  const { config, role, log, signal, workers: count = 1 } = options
  await using opened = new AsyncDisposableStack()
  let isDraining = false
  requireForRole(config, role)
  const isPublic = isPublicRole(role)
  await untilFree('admin', config, options)
  if (isPublic) await untilFree('public', config, options)
  const { deadline: stopDeadline, begin: beginStop } = stopDeadlineOf()
  const start: Start = { ...options, secretKeys: await secretKeysOf(config), opened, stopDeadline }
  if (role !== 'dispatcher' && knownConsoleUrl(config, role) === null) log.info(connectsNoApp(role))
  const attributes = describeProcess(role, config.serviceName)
  const exporter = startMetrics(attributes)
  if (config.tracing) {
    const { startTracing } = await import('./telemetry/tracing.ts')
    opened.defer(startTracing({ attributes, log, ...config.tracing }))
  }
  opened.defer(observeProcess())
  opened.defer(new ClockJumps({ log }).start())
  const local = role === 'gateway' ? null : await openLocalBackend(start)
  if (local && config.databaseUrl === null) opened.defer(observeDataFolder(config.dataDir))
  const workers = count === 1 ? null : await openWorkers(start, local, count)
  const { trustedProxies, proxyIdleMs, baseUrl } = config
  const maxConnections = connectionShares(isPublic).private
  const admin = adminListener({
    maxConnections,
    trustedProxies,
    proxyIdleMs,
    baseUrl,
    log,
    isDraining: () => isDraining,
  })
  metricsRoute(admin, workers?.besides(exporter) ?? exporter, [config.adminHost.toLowerCase(), ...config.adminNames])
  const backend = local?.backend ?? (await remoteBackend(start))
  healthRoutes(admin, backend, { isDraining: () => isDraining })
  if (local && role !== 'dispatcher') await openPrivateRoutes(admin, start, local, () => isDraining)
  if (local && (role === 'all' || role === 'dispatcher')) startDispatching(start, local)
  opened.defer(() => admin.close())
  opened.defer(observeListener('admin', admin.server, maxConnections))
  const adminAddress = await listen(admin, 'admin', config)
  const edge = isPublic ? await openEdge(start, backend, workers) : null
  signal?.throwIfAborted()
  const running = opened.move()
  return {
    address: edge?.address ?? null,
    adminAddress,
    storage: local?.storage ?? null,
    drain() {
      isDraining = true
      edge?.drain()
    },
    // Each listener gives last answers for a moment: both in the same one.
    stop: async () => {
      beginStop()
      await Promise.all([admin.close(), running.disposeAsync()])
    },
  }
}

/** The public API, which answers from now on. */
interface PublicEdge {
  readonly address: string
  drain(): void
}

async function openEdge(start: Start, backend: Backend, workers: Workers | null): Promise<PublicEdge> {
  if (workers !== null) {
    start.opened.defer(() => workers.stop())
    return { address: await workers.start(), drain: () => workers.drain() }
  }
  const { openGateway } = await import('./open-gateway.ts')
  const gateway = await openGateway(start, backend, (await sharedRateLimit(start)) ?? ownRateLimit(start))
  return { address: await listen(gateway.app, 'public', start.config), drain: () => gateway.drain() }
}

/** Prepares the workers. Loaded only where there are some. */
async function openWorkers(start: Start, local: LocalBackend | null, count: number): Promise<Workers> {
  const { Workers } = await import('./workers/workers.ts')
  const { config, secretKeys, log } = start
  const { ownerUrl, appUrl = null, replicaUrl = null } = local?.storage ?? {}
  return new Workers({
    count,
    port: config.port,
    storage: ownerUrl === undefined ? null : { ownerUrl, appUrl, replicaUrl },
    rateLimit: ownRateLimit(start),
    help: local && {
      hooks: local.webhooks,
      onMessageQueued: local.onMessageQueued,
      answerApp: local.backend.answerApp,
    },
    secretKeys,
    log,
  })
}
