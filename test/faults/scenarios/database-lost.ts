// The way to the database is cut: connections end, new ones are refused.
import { setTimeout as delay } from 'node:timers/promises'
import { databaseBehindProxy } from '../database-behind-proxy.ts'
import type { Scenario } from '../scenario.ts'

export const databaseLost: Scenario = {
  name: 'database-lost',
  done: 'all connections to the database end and new ones are refused, for up to 2 s',
  proves:
    'callers get 503 with `Retry-After`, a write whose answer was lost on its way is stored once, and connections come back',
  doesNotProve: 'a change of the database itself: it stays the same server',
  rounds: 15,
  long: 0,
  async open(stage) {
    const { proxy, address, ownerUrl } = await databaseBehindProxy(stage)
    return {
      address,
      ownerUrl,
      async fault() {
        proxy.cut()
        await delay(stage.random.between(50, 2_000))
        proxy.restore()
      },
    }
  },
}
