// Redis is killed, is away for a while, and comes back empty.
import { setTimeout as delay } from 'node:timers/promises'
import { missingRedis, redisBehindProxy } from '../redis-behind-proxy.ts'
import type { Scenario } from '../scenario.ts'

export const redisLost: Scenario = {
  name: 'redis-lost',
  done: 'SIGKILL of Redis; it comes back empty after up to 2 s',
  proves: 'no request fails or waits for it: the gateway counts by itself meanwhile',
  doesNotProve: 'that limits are exact then: each gateway counts its share, and what Redis knew is forgotten',
  rounds: 12,
  long: 0,
  isHidden: true,
  missing: missingRedis,
  async open(stage) {
    const { redis, address, ownerUrl } = await redisBehindProxy(stage)
    return {
      address,
      ownerUrl,
      async fault() {
        await redis.kill()
        await delay(stage.random.between(50, 2_000))
        await redis.start()
      },
    }
  },
}
