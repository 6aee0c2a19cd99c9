// The one process that runs everything is killed.
import { allInOne } from '../processes.ts'
import type { Scenario } from '../scenario.ts'

export const serviceKilled: Scenario = {
  name: 'service-killed',
  done: 'SIGKILL of the process that runs all roles; its database lives on and is adopted by the next one',
  proves: 'no acknowledgement comes before its commit, and what was under way is found again',
  doesNotProve: 'anything about the disk: the database was not touched',
  rounds: 20,
  long: 1,
  async open(stage) {
    const site = await allInOne(stage)
    return { ...site, fault: () => site.service.restart() }
  },
}
