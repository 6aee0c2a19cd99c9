// Redis answers nothing on connections that stay open, or answers late.
import { setTimeout as delay } from 'node:timers/promises'
import { missingRedis, redisBehindProxy } from '../redis-behind-proxy.ts'
import type { Scenario } from '../scenario.ts'

export const redisHalfOpen: Scenario = {
  name: 'redis-half-open',
  done: 'for 3 s nothing that Redis sends arrives, or, in every other round, it arrives up to 1 s later',
  proves: 'no request fails because of it',
  doesNotProve: 'that limits are exact then: the gateway counts by itself',
  rounds: 8,
  long: 0,
  isHidden: true,
  missing: missingRedis,
  async open(stage) {
    const { proxy, address, ownerUrl } = await redisBehindProxy(stage)
    return {
      address,
      ownerUrl,
      async fault(round) {
        if (round % 2 === 0) proxy.swallow()
        else proxy.slow(stage.random.between(20, 1_000))
        await delay(3_000)
        proxy.slow(0)
        proxy.restore()
      },
    }
  },
}
