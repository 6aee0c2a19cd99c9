// Asks a Redis once, to learn whether it can be used. The rate limit itself goes on without one.
import { Redis } from 'ioredis'
import { redisTls } from './redis-tls.ts'

const PATIENCE_MS = 3_000

/** @returns its name with its version, and how long an answer takes. @throws what is wrong: the address, the password, the certificate */
export async function askRedis(url: string): Promise<{ version: string; ms: number }> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    ...redisTls(url),
  })
  // The driver also tells of a failure here, before the call rejects.
  let failure: Error | undefined
  redis.on('error', (error) => {
    failure = error
  })
  try {
    await redis.connect()
    const server = await redis.info('server')
    const startedAt = performance.now()
    await redis.ping()
    const ms = Math.round(performance.now() - startedAt)
    const version = /^(?:valkey|redis)_version:(\S+)/m.exec(server)?.[0].replace('_version:', ' ') ?? 'Redis'
    return { version, ms }
  } catch (error) {
    throw failure ?? error
  } finally {
    redis.disconnect()
  }
}
