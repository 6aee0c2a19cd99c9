// The database takes everything and answers nothing, on connections that stay open, like a firewall that forgot them.
import { setTimeout as delay } from 'node:timers/promises'
import { databaseBehindProxy } from '../database-behind-proxy.ts'
import type { Scenario } from '../scenario.ts'

export const databaseHalfOpen: Scenario = {
  name: 'database-half-open',
  done: 'for up to 12 s nothing that the database sends arrives; what was lost never comes, on connections that stay open',
  proves:
    'requests end in time with 503, silent connections are given up, and a commit whose answer was lost is stored once',
  doesNotProve: 'a loss in the other direction, which looks the same to the service',
  rounds: 6,
  long: 0,
  async open(stage) {
    const { proxy, address, ownerUrl } = await databaseBehindProxy(stage)
    return {
      address,
      ownerUrl,
      async fault() {
        proxy.swallow()
        await delay(stage.random.between(500, 12_000))
        proxy.restore()
      },
    }
  },
}
