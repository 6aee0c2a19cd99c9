// graphile-worker: a job queue in PostgreSQL that wakes its workers by a notice and can take and complete jobs in batches.
import { groupOf, type Job, load, type OpenOptions, type Queue, type QueuePeer, RETRIES } from './queue.ts'

interface Utilities {
  migrate(): Promise<void>
  addJobs(jobs: readonly object[]): Promise<unknown>
  withPgClient<T>(
    use: (client: { query(text: string): Promise<{ rows: { count: number }[] }> }) => Promise<T>,
  ): Promise<T>
  release(): Promise<void>
}

interface GraphileWorker {
  Logger: new (factory: () => (level: string, message: string) => void) => object
  makeWorkerUtils(options: object): Promise<Utilities>
  run(options: object, tasks: { deliver: (job: Job) => Promise<void> }): Promise<unknown>
}

export const graphileWorker: QueuePeer = {
  packages: { 'graphile-worker': '0.18.0' },
  keptIn: { schema: 'graphile_worker' },
  settings: { atOnce: 128, batch: 256 },
  open,
}

/** How long completed jobs wait for others, to be stored together. */
const TOGETHER_MS = 5

async function open({ folder, address, settings }: OpenOptions): Promise<Queue> {
  const { Logger, makeWorkerUtils, run } = (await load(folder, 'graphile-worker')) as GraphileWorker
  const logger = new Logger(() => (level, message) => {
    if (level === 'error') process.stderr.write(`graphile-worker: ${message}\n`)
  })
  const utilities = await makeWorkerUtils({ connectionString: address, logger })
  await utilities.migrate()
  return {
    async add(jobs) {
      const spec = { identifier: 'deliver', maxAttempts: 1 + RETRIES.times }
      // A named queue runs one job at a time: the only way to keep subscriptions apart.
      await utilities.addJobs(
        jobs.map((payload) => ({ ...spec, payload, ...(settings.apart ? { queueName: groupOf(payload) } : {}) })),
      )
    },
    async unfinished() {
      const { rows } = await utilities.withPgClient((client) =>
        client.query('select count(*)::int as count from graphile_worker.jobs'),
      )
      return rows[0]?.count ?? 0
    },
    async work(send) {
      const worker = {
        concurrentJobs: settings.atOnce,
        maxPoolSize: 10,
        // A local queue of one is none.
        ...(settings.batch > 1 ? { localQueue: { size: settings.batch } } : {}),
        completeJobBatchDelay: TOGETHER_MS,
        failJobBatchDelay: TOGETHER_MS,
      }
      const options = { preset: { worker: { ...worker, connectionString: address } }, logger, noHandleSignals: true }
      await run(options, { deliver: send })
    },
    close: () => utilities.release(),
  }
}
