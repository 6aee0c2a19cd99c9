// Every answer of the database takes long.
import { setTimeout as delay } from 'node:timers/promises'
import { databaseBehindProxy } from '../database-behind-proxy.ts'
import type { Scenario } from '../scenario.ts'

export const databaseSlow: Scenario = {
  name: 'database-slow',
  done: 'for 3 s each answer of the database comes 50 to 1,500 ms later',
  proves: 'what takes too long ends with 503, and its write is stored once or not at all',
  doesNotProve: 'that the service is quick then, or that a disk is slow: statements themselves take as long as always',
  rounds: 10,
  long: 0,
  async open(stage) {
    const { proxy, address, ownerUrl } = await databaseBehindProxy(stage)
    return {
      address,
      ownerUrl,
      async fault() {
        proxy.slow(stage.random.between(50, 1_500))
        await delay(3_000)
        proxy.slow(0)
      },
    }
  },
}
