// The gateway is killed, and the other roles go on.
import { ownDatabase, splitRoles } from '../processes.ts'
import type { Scenario } from '../scenario.ts'

export const gatewayKilled: Scenario = {
  name: 'gateway-killed',
  done: 'SIGKILL of the only gateway',
  proves: 'an answer that was lost on its way is given again for the same `Idempotency-Key`',
  doesNotProve: 'anything about a second gateway: here nobody takes over, clients wait for the restart',
  rounds: 20,
  long: 0,
  async open(stage) {
    const { ownerUrl } = await ownDatabase(stage)
    const { gateway, address } = await splitRoles(stage, { databaseUrl: ownerUrl })
    return { address, ownerUrl, fault: () => gateway.restart() }
  },
}
