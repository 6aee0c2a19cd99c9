// The Citus worker that holds the clinic is killed and comes back. A clinic on the other worker notices nothing.
import { setTimeout as delay } from 'node:timers/promises'
import { clinicToWriteTo } from '@clinic-data/testing/grounds/crash-load'
import { type Bystander, startBystander } from '../bystander.ts'
import { CitusCluster, missingCitus, workerOf } from '../citus-cluster.ts'
import type { Clinic } from '../clients.ts'
import { openOwner, splitRoles } from '../processes.ts'
import type { Scenario } from '../scenario.ts'

export const citusWorkerKilled: Scenario = {
  name: 'citus-worker-killed',
  done: 'SIGKILL of the Citus worker that holds the clinic; it starts again after up to 3 s; a clinic on the other worker goes on',
  proves:
    'nothing acknowledged is lost, callers of the clinic get 503 with `Retry-After`, and callers of the other clinic notice nothing',
  doesNotProve: 'anything about a worker that does not come back: that takes a standby of each worker',
  rounds: 10,
  long: 0,
  missing: missingCitus,
  async open(stage) {
    const cluster = await CitusCluster.start(stage)
    const { address } = await splitRoles(stage, { databaseUrl: cluster.url })
    const owner = await openOwner(cluster.url)
    stage.defer(() => owner.close())
    let other: Clinic | null = null
    let bystander: Bystander | null = null
    return {
      address,
      ownerUrl: cluster.url,
      async fault() {
        const port = await workerOf(owner, stage.clinic())
        while (other === null || (await workerOf(owner, other.clinic_id)) === port) other = await clinicToWriteTo(owner)
        bystander = startBystander(stage, other, address)
        await cluster.kill(port)
        await delay(stage.random.between(500, 3_000))
        await cluster.start(port)
        const answered = await bystander.stop()
        if (answered === 0) stage.tell('the bystander has asked nothing')
      },
    }
  },
}
