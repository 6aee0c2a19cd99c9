// Opens what stands behind the gateway of a process: a backend elsewhere, and the counters of the rate limit. A part that not every
// service has is loaded only where it is used.
import type { Backend } from '@clinic-data/contract'
import { MemoryRateLimit, type RateLimit } from '@clinic-data/gateway/limits/rate-limit'
import { knownConsoleUrl } from '@clinic-data/installation/console-address'
import { requireCertificateFiles } from '@clinic-data/installation/settings/certificate-files'
import type { Start } from './start.ts'

export async function remoteBackend({ config, role, secretKeys, log, opened }: Start): Promise<Backend> {
  const { backendUrls, backendToken } = config
  if (backendUrls.length === 0 || backendToken === null)
    throw new Error('a remote backend needs its address and its token')
  const { httpBackend } = await import('@clinic-data/gateway/http-backend/http-backend')
  const shared = { secretKeys, connectsApps: knownConsoleUrl(config, role) !== null }
  const backend = httpBackend({ urls: backendUrls, token: backendToken, log, shared })
  // Its answer tells what this gateway must share with it.
  void backend.ready().catch(() => undefined)
  return opened.adopt(backend, (one) => one.close())
}

/** The counters in Redis. Null when none is configured. @param here how many gateways this service has. */
export async function sharedRateLimit({ config, log, opened }: Start, here = 1): Promise<RateLimit | null> {
  if (config.redisUrl === null) return null
  requireCertificateFiles(config)
  const gateways = config.gateways * here
  const { RedisRateLimit } = await import('@clinic-data/gateway/limits/redis-rate-limit')
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
