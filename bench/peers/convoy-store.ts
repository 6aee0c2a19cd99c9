// What Convoy keeps: jobs that wait in Redis, and events, deliveries and their attempts in the PostgreSQL of both sides.
import { sql } from '@clinic-data/database'
import { ownDatabase } from './own-database.ts'
import type { QueueGround } from './queue-ground.ts'
import { openRedis, postgresStore, type QueueStore } from './queue-store.ts'

const REDIS_PORT = 18_721
/** Of the 100 that the PostgreSQL of both sides accepts. */
const CONNECTIONS = 60

export interface ConvoyStore extends QueueStore {
  /** Its settings, as environment variables. */
  readonly settings: Readonly<Record<string, string>>
  /** The number of deliveries that have not succeeded. */
  unfinished(): Promise<number>
}

export async function openConvoyStore(ground: QueueGround): Promise<ConvoyStore> {
  const database = ownDatabase(ground, 'convoy')
  const postgres = postgresStore(ground)
  const redis = await openRedis('everysec', REDIS_PORT)
  return {
    address: database.url,
    settings: {
      CONVOY_DB_DSN: database.url,
      CONVOY_DB_MAX_OPEN_CONN: String(CONNECTIONS),
      CONVOY_REDIS_HOST: '127.0.0.1',
      CONVOY_REDIS_PORT: String(REDIS_PORT),
    },
    pids: () => [...postgres.pids(), ...redis.pids()],
    // Its jobs are there, as ours are in PostgreSQL.
    crash: () => redis.crash(),
    async unfinished() {
      const counted = sql`select count(*)::int as count from convoy.event_deliveries where status <> 'Success'`
      return (await database.query<{ count: number }>(counted))[0]?.count ?? 0
    },
    async analyze() {
      await database.query(sql`analyze`)
    },
    async empty() {
      await redis.empty()
      await database.empty()
    },
    async close() {
      await redis.close()
      await database.drop()
    },
  }
}
