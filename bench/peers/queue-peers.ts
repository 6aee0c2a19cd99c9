// The job queues that are compared with our delivery engine.
import { bullMq, durableBullMq } from './bullmq.ts'
import { graphileWorker } from './graphile-worker.ts'
import { pgBoss } from './pg-boss.ts'
import type { QueuePeer } from './queue.ts'

export const queuePeers: Readonly<Record<string, QueuePeer>> = {
  'pg-boss': pgBoss,
  'graphile-worker': graphileWorker,
  bullmq: bullMq,
  'bullmq-durable': durableBullMq,
}
