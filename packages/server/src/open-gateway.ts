// Opens the gateway of a process, and what stands behind it when the backend is elsewhere.
import type { Backend } from '@clinic-data/contract'
import { createGateway, type Gateway } from '@clinic-data/gateway'
import { connectionShares } from '@clinic-data/gateway/connections/connection-shares'
import { httpBackend } from '@clinic-data/gateway/http-backend/http-backend'
import { MemoryRateLimit, type RateLimit } from '@clinic-data/gateway/limits/rate-limit'
import { RedisRateLimit } from '@clinic-data/gateway/limits/redis-rate-limit'
import { packagesOnDemand } from './packages-on-demand.ts'
import type { Start } from './start.ts'
import { observeListener } from './telemetry/connection-metrics.ts'

export function remoteBackend({ config: { backendUrls, backendToken }, log, opened }: Start): Backend {
  if (backendUrls.length === 0 || backendToken === null)
    throw new Error('a remote backend needs its address and its token')
  return opened.adopt(httpBackend({ urls: backendUrls, token: backendToken, log }), (one) => one.close())
}

export async function openGateway(start: Start, backend: Backend, rateLimit: RateLimit): Promise<Gateway> {
  const { config, secretKeys, log, opened } = start
  const maxConnections = connectionShares(true).public
  const gateway = await createGateway({
    backend,
    baseUrl: config.baseUrl,
    secretKeys,
    rateLimit,
    rate: config.rate,
    trustedProxies: config.trustedProxies,
    maxConnections,
    maxConnectionsPerAddress: Math.min(config.maxConnectionsPerAddress, Math.ceil(maxConnections / 2)),
    mcp: { allowedOrigins: config.allowedOrigins },
    allowsLoopbackHttp: config.webhookAllowCidrs.length > 0,
    packages: packagesOnDemand({ log }),
    isTraced: config.tracing !== null,
    log,
  })
  opened.adopt(gateway, (one) => one.close())
  opened.defer(observeListener('public', gateway.app.server, maxConnections))
  return gateway
}

/** The counters in Redis. Null when none is configured. @param here how many gateways this service has. */
export function sharedRateLimit({ config, log, opened }: Start, here = 1): RateLimit | null {
  if (config.redisUrl === null) return null
  const gateways = config.gateways * here
  const limit = new RedisRateLimit({ url: config.redisUrl, gateways, windowMs: windowMsOf(config), log })
  return opened.adopt(limit, (one) => one.close())
}

/** The counters in this process. */
export function ownRateLimit({ config }: Pick<Start, 'config'>): RateLimit {
  return new MemoryRateLimit({ windowMs: windowMsOf(config) })
}

function windowMsOf({ rate }: Start['config']): number {
  return rate.seconds * 1000
}
