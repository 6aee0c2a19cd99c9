// The backend is killed, and the other roles go on.
import { ownDatabase, splitRoles } from '../processes.ts'
import type { Scenario } from '../scenario.ts'

export const backendKilled: Scenario = {
  name: 'backend-killed',
  done: 'SIGKILL of the only backend, behind a gateway that lives on',
  proves: 'the gateway answers 503 with `Retry-After` meanwhile, and repeats no write by itself',
  doesNotProve: 'that clients notice nothing: that takes a second backend (`draining.test.ts`)',
  rounds: 20,
  long: 0,
  async open(stage) {
    const { ownerUrl } = await ownDatabase(stage)
    const { backend, address } = await splitRoles(stage, { databaseUrl: ownerUrl })
    return { address, ownerUrl, fault: () => backend.restart() }
  },
}
