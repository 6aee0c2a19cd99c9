// The dispatcher is killed, and the other roles go on.
import { ownDatabase, splitRoles } from '../processes.ts'
import type { Scenario } from '../scenario.ts'

export const dispatcherKilled: Scenario = {
  name: 'dispatcher-killed',
  done: 'SIGKILL of the only dispatcher',
  proves: 'no caller notices it, and every delivery that it held is sent by the next one',
  doesNotProve:
    'that deliveries are prompt: the next dispatcher finds after four seconds that this one has died. A chat message that it had handed over stays `queued` until a receipt comes, and fails with `outcome_unknown` after ten minutes without one: nobody knows whether the platform has it, so it is not sent again, and the page **Clinic** of the console counts it from the hand-over on, until seven days after the failure',
  rounds: 20,
  long: 0,
  isHidden: true,
  async open(stage) {
    const { ownerUrl } = await ownDatabase(stage)
    const { dispatcher, address } = await splitRoles(stage, { databaseUrl: ownerUrl })
    return { address, ownerUrl, fault: () => dispatcher.restart() }
  },
}
