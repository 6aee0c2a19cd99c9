// A Citus worker joins and gets its share of the shards, while clinics work; in every other round its shards move back and it leaves.

import { sql } from '@clinic-data/database'
import { CitusCluster, missingCitus } from '../citus-cluster.ts'
import { openOwner, splitRoles } from '../processes.ts'
import type { Scenario } from '../scenario.ts'

export const citusShardsMoved: Scenario = {
  name: 'citus-shards-moved',
  done: 'a worker is added and the rebalancer moves shards to it, or, in every other round, they are drained from it and it is removed',
  proves: 'a cluster grows and shrinks under load: nothing is lost, and callers notice nothing but a pause',
  doesNotProve: 'how long it takes with much data: here a shard holds a few thousand rows',
  rounds: 4,
  long: 0,
  isHidden: true,
  missing: missingCitus,
  async open(stage) {
    const cluster = await CitusCluster.start(stage)
    const { address } = await splitRoles(stage, { databaseUrl: cluster.url })
    const owner = await openOwner(cluster.url)
    stage.defer(() => owner.close())
    return {
      address,
      ownerUrl: cluster.url,
      async fault(round) {
        if (round % 2 === 1) return cluster.removeThird(owner)
        await cluster.addThird(owner)
        await cluster.rebalance(owner)
        const { rows } = await owner.query<{ count: number }>(sql`
          select count(*)::int as count from pg_dist_shard_placement where nodeport = ${cluster.thirdPort}::int`)
        if (rows[0]?.count === 0) stage.tell('no shard has moved')
      },
    }
  },
}
