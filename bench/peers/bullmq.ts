// BullMQ: a job queue in Redis, which appends every change to a file: at once before the answer, or within a second.
import {
  AT_ONCE_APART,
  groupOf,
  type Job,
  load,
  type OpenOptions,
  type Queue,
  type QueuePeer,
  RETRIES,
} from './queue.ts'

interface BullQueue {
  addBulk(jobs: readonly object[]): Promise<unknown>
  getJobCounts(...states: string[]): Promise<Record<string, number>>
  close(): Promise<void>
}

interface BullMq {
  Queue: new (name: string, options: object) => BullQueue & Emitter
  Worker: new (name: string, process: (job: { data: Job }) => Promise<void>, options: object) => Emitter
}

interface Emitter {
  on(event: 'error', listener: (error: Error) => void): void
}

const peer = { packages: { bullmq: '6.7.0', ioredis: '6.0.0' }, settings: { atOnce: 256, batch: 1 }, open }

export const bullMq: QueuePeer = { ...peer, keptIn: { appendfsync: 'everysec' } }
/** Like ours, it answers when the disk has what it answered. */
export const durableBullMq: QueuePeer = { ...peer, keptIn: { appendfsync: 'always' } }

const SHARED = 'deliveries'
const JOB_OPTIONS = {
  attempts: 1 + RETRIES.times,
  backoff: { type: 'exponential', delay: RETRIES.firstPauseMs },
  removeOnComplete: true,
  removeOnFail: 1_000,
}

async function open({ folder, address, settings }: OpenOptions): Promise<Queue> {
  const { Queue: BullQueue, Worker } = (await load(folder, 'bullmq')) as BullMq
  const connection = { path: address, maxRetriesPerRequest: null }
  const queues = new Map<string, BullQueue>()
  const onError = (error: Error) => process.stderr.write(`bullmq: ${error.message}\n`)
  const queueOf = (name: string) => {
    const known = queues.get(name)
    if (known !== undefined) return known
    const queue = new BullQueue(name, { connection, defaultJobOptions: JOB_OPTIONS })
    queue.on('error', onError)
    queues.set(name, queue)
    return queue
  }
  return {
    async add(jobs) {
      const groups = Map.groupBy(jobs, (job) => (settings.apart ? groupOf(job) : SHARED))
      await Promise.all(
        [...groups].map(([name, group]) => queueOf(name).addBulk(group.map((data) => ({ name: 'deliver', data })))),
      )
    },
    async unfinished() {
      const counts = await Promise.all(
        [...queues.values()].map((queue) => queue.getJobCounts('wait', 'active', 'delayed')),
      )
      return counts.flatMap((each) => Object.values(each)).reduce((sum, count) => sum + count, 0)
    },
    async work(send, groups) {
      const names = settings.apart ? groups : [SHARED]
      const concurrency = settings.apart ? AT_ONCE_APART : settings.atOnce
      for (const name of names) {
        new Worker(name, ({ data }) => send(data), { connection, concurrency }).on('error', onError)
      }
    },
    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()))
    },
  }
}
