// Gateway, backend and dispatcher are killed one after another.
import { ownDatabase, splitRoles } from '../processes.ts'
import type { Scenario } from '../scenario.ts'

export const rolesKilledInTurn: Scenario = {
  name: 'roles-killed-in-turn',
  done: 'SIGKILL of the gateway, then of the backend, then of the dispatcher, and so on',
  proves: 'each role finds the others again, in whatever state the others are',
  doesNotProve: 'that two roles may be away at once',
  rounds: 12,
  long: 3,
  async open(stage) {
    const { ownerUrl } = await ownDatabase(stage)
    const { gateway, backend, dispatcher, address } = await splitRoles(stage, { databaseUrl: ownerUrl })
    const roles = [gateway, backend, dispatcher]
    return { address, ownerUrl, fault: async (round) => roles[round % roles.length]?.restart() }
  },
}
