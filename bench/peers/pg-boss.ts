// pg-boss: a job queue in PostgreSQL that takes and completes jobs in batches.
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

interface Boss {
  on(event: 'error', listener: (error: Error) => void): void
  start(): Promise<unknown>
  stop(options: object): Promise<void>
  createQueue(name: string, options: object): Promise<void>
  insert(name: string, jobs: object[]): Promise<unknown>
  work(
    name: string,
    options: object,
    handler: (jobs: { id: string; data: Job }[]) => Promise<object[]>,
  ): Promise<string>
  getDb(): { executeSql(text: string): Promise<{ rows: { count: number }[] }> }
}

const QUEUE = 'deliveries'
/** A job of a worker that was killed is taken again after this time, the longest attempt and a little more. */
const EXPIRE_SECONDS = 20

export const pgBoss: QueuePeer = {
  packages: { 'pg-boss': '12.35.0' },
  keptIn: { schema: 'pgboss' },
  settings: { atOnce: 256, batch: 64 },
  open,
}

async function open({ folder, address, settings }: OpenOptions): Promise<Queue> {
  const { PgBoss } = (await load(folder, 'pg-boss')) as { PgBoss: new (options: object) => Boss }
  const boss = new PgBoss({
    connectionString: address,
    max: 10,
    useListenNotify: true,
    // Otherwise expired jobs are looked for once a minute.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  })
  boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`))
  await boss.start()
  await boss.createQueue(QUEUE, {
    notify: true,
    retryLimit: RETRIES.times,
    retryDelay: RETRIES.firstPauseMs / 1000,
    retryBackoff: true,
    expireInSeconds: EXPIRE_SECONDS,
  })
  const { atOnce, batch, apart } = settings
  return {
    async add(jobs) {
      await boss.insert(
        QUEUE,
        jobs.map((job) => ({ data: job, ...(apart ? { group: { id: groupOf(job) } } : {}) })),
      )
    },
    async unfinished() {
      const { rows } = await boss
        .getDb()
        .executeSql("select count(*)::int as count from pgboss.job where state < 'completed' and name = 'deliveries'")
      return rows[0]?.count ?? 0
    },
    async work(send) {
      const workers = Math.ceil(atOnce / batch)
      const options = {
        localConcurrency: workers,
        batchSize: batch,
        burstWhenBatchFull: true,
        perJobResults: true,
        ...(apart ? { localGroupConcurrency: Math.min(AT_ONCE_APART, workers) } : {}),
      }
      await boss.work(QUEUE, options, (jobs) =>
        Promise.all(
          jobs.map(({ id, data }) =>
            send(data).then(
              () => ({ id, status: 'completed' }),
              (error: Error) => ({ id, status: 'failed', output: { message: error.message } }),
            ),
          ),
        ),
      )
    },
    close: () => boss.stop({ graceful: false }),
  }
}
