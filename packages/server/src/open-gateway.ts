// Opens the gateway of a process: the public API. Only a process that serves it loads this.
import type { Backend } from '@clinic-data/contract'
import { createGateway, type Gateway } from '@clinic-data/gateway'
import { connectionShares } from '@clinic-data/gateway/connections/connection-shares'
import type { RateLimit } from '@clinic-data/gateway/limits/rate-limit'
import { connectOf } from './connecting.ts'
import { packagesOnDemand } from './packages-on-demand.ts'
import type { Start } from './start.ts'
import { observeListener } from './telemetry/connection-metrics.ts'

export async function openGateway(start: Start, backend: Backend, rateLimit: RateLimit): Promise<Gateway> {
  const { config, secretKeys, log, opened, stopDeadline } = start
  const maxConnections = connectionShares(true).public
  const gateway = await createGateway({
    backend,
    baseUrl: config.baseUrl,
    secretKeys,
    rateLimit,
    rate: config.rate,
    trustedProxies: config.trustedProxies,
    proxyIdleMs: config.proxyIdleMs,
    maxConnections,
    maxConnectionsPerAddress: Math.min(config.maxConnectionsPerAddress, Math.ceil(maxConnections / 2)),
    mcp: { allowedOrigins: config.allowedOrigins, writes: config.mcpWrites },
    allowsLoopbackHttp: config.webhookAllowCidrs.length > 0,
    connect: connectOf(start),
    packages: packagesOnDemand({ log }),
    isTraced: config.tracing !== null,
    log,
    stopDeadline,
  })
  opened.adopt(gateway, (one) => one.close())
  opened.defer(observeListener('public', gateway.app.server, maxConnections))
  return gateway
}
