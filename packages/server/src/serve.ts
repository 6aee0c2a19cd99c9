// `clinicd serve`: puts the parts of one role together, listens, and stops in good order.
import type { Backend } from '@clinic-data/contract'
import { createGateway, type Gateway } from '@clinic-data/gateway'
import { connectionShares } from '@clinic-data/gateway/connections/connection-shares'
import { httpBackend } from '@clinic-data/gateway/http-backend/http-backend'
import { MemoryRateLimit, type RateLimit } from '@clinic-data/gateway/limits/rate-limit'
import { RedisRateLimit } from '@clinic-data/gateway/limits/redis-rate-limit'
import { ClockJumps } from './clock-jumps.ts'
import type { Storage } from './database/storage.ts'
import { listen, refuseTakenPort } from './listen.ts'
import { openLocalBackend, openPrivateRoutes, startDispatching } from './local-backend.ts'
import { packagesOnDemand } from './packages-on-demand.ts'
import { adminListener } from './private/admin-listener.ts'
import { metricsRoute, startMetrics } from './private/prometheus.ts'
import { requireForRole } from './role.ts'
import { secretKeysOf } from './secret-key-file.ts'
import type { ServeOptions, Start } from './start.ts'

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
  const { config, role, log, signal } = options
  await using opened = new AsyncDisposableStack()
  let isDraining = false
  requireForRole(config, role)
  const isPublic = role === 'all' || role === 'gateway'
  await refuseTakenPort('admin', config)
  if (isPublic) await refuseTakenPort('public', config)
  const start: Start = { ...options, secretKeys: await secretKeysOf(config), opened }
  const exporter = startMetrics()
  opened.defer(new ClockJumps({ log }).start())
  const local = role === 'gateway' ? null : await openLocalBackend(start)
  const backend = local?.backend ?? remoteBackend(start)
  const shares = connectionShares(isPublic)
  const { trustedProxies, baseUrl } = config
  const admin = adminListener({ maxConnections: shares.private, trustedProxies, baseUrl, log })
  metricsRoute(admin, exporter, [config.adminHost.toLowerCase(), ...config.adminNames])
  admin.get('/healthz', () => ({ status: 'ok' }))
  if (local && role !== 'dispatcher') await openPrivateRoutes(admin, start, local, () => isDraining)
  if (local && (role === 'all' || role === 'dispatcher')) startDispatching(start, local)
  opened.defer(() => admin.close())
  const adminAddress = await listen(admin, 'admin', config)
  const gateway = isPublic ? await openGateway(start, backend, shares.public) : null
  const address = gateway ? await listen(gateway.app, 'public', config) : null
  signal?.throwIfAborted()
  const running = opened.move()
  return {
    address,
    adminAddress,
    storage: local?.storage ?? null,
    drain() {
      isDraining = true
      gateway?.drain()
    },
    stop: () => running.disposeAsync(),
  }
}

function remoteBackend({ config: { backendUrls, backendToken }, log, opened }: Start): Backend {
  if (backendUrls.length === 0 || backendToken === null)
    throw new Error('a remote backend needs its address and its token')
  return opened.adopt(httpBackend({ urls: backendUrls, token: backendToken, log }), (one) => one.close())
}

async function openGateway(start: Start, backend: Backend, maxConnections: number): Promise<Gateway> {
  const { config, secretKeys, log, opened } = start
  const gateway = await createGateway({
    backend,
    baseUrl: config.baseUrl,
    secretKeys,
    rateLimit: openRateLimit(start),
    rate: config.rate,
    trustedProxies: config.trustedProxies,
    maxConnections,
    maxConnectionsPerAddress: Math.min(config.maxConnectionsPerAddress, Math.ceil(maxConnections / 2)),
    mcp: { allowedOrigins: config.allowedOrigins },
    allowsLoopbackHttp: config.webhookAllowCidrs.length > 0,
    packages: packagesOnDemand({ log }),
    log,
  })
  return opened.adopt(gateway, (one) => one.close())
}

function openRateLimit({ config, log, opened }: Start): RateLimit {
  const windowMs = config.rate.seconds * 1000
  if (config.redisUrl === null) return new MemoryRateLimit({ windowMs })
  const limit = new RedisRateLimit({ url: config.redisUrl, gateways: config.gateways, windowMs, log })
  return opened.adopt(limit, (one) => one.close())
}
