// A service whose gateway counts requests in a Redis of its own, through a proxy that a scenario breaks.

import { redisServer } from '@clinic-data/testing/programs/redis-server'
import { startTcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'
import { ownDatabase, splitRoles } from './processes.ts'
import type { Stage } from './scenario.ts'

export async function redisBehindProxy(stage: Stage) {
  const { ownerUrl } = await ownDatabase(stage)
  const redis = await redisServer()
  if (redis === null) throw new Error('there is no redis-server')
  stage.defer(() => redis.kill())
  const proxy = await startTcpProxy(`redis://127.0.0.1:${redis.port}`)
  stage.defer(() => proxy.close())
  const { address } = await splitRoles(stage, { databaseUrl: ownerUrl, redisUrl: proxy.url })
  return { redis, proxy, address, ownerUrl }
}

/** @returns what is missing for it on this machine, or null. */
export async function missingRedis(): Promise<string | null> {
  const redis = await redisServer()
  await redis?.kill()
  return redis === null ? 'neither redis-server nor valkey-server is installed' : null
}
