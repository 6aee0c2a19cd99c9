// What Outpost keeps: deliveries that wait in RabbitMQ, destinations and retries in Redis, and its log in the PostgreSQL of both sides.
import { sql } from '@clinic-data/database'
import { ownDatabase } from './own-database.ts'
import type { QueueGround } from './queue-ground.ts'
import { openRedis, postgresStore, type QueueStore } from './queue-store.ts'
import { openRabbitMq } from './rabbitmq.ts'

const REDIS_PORT = 18_711
const RABBITMQ_PORT = 18_712
const DATABASE = 'outpost'
const QUEUES = { deliveries: 'outpost-delivery', log: 'outpost-log' }

export interface OutpostStore extends QueueStore {
  /** Its settings, as environment variables. */
  readonly settings: Readonly<Record<string, string>>
  /** The number of deliveries in the queue. */
  waiting(): number
}

export async function openOutpostStore(ground: QueueGround): Promise<OutpostStore> {
  const database = ownDatabase(ground, DATABASE)
  const postgres = postgresStore(ground)
  const redis = await openRedis('everysec', REDIS_PORT)
  const rabbitMq = await openRabbitMq(RABBITMQ_PORT)
  return {
    address: rabbitMq.url,
    settings: {
      POSTGRES_URL: database.url,
      REDIS_HOST: '127.0.0.1',
      REDIS_PORT: String(REDIS_PORT),
      RABBITMQ_SERVER_URL: rabbitMq.url,
      RABBITMQ_DELIVERY_QUEUE: QUEUES.deliveries,
      RABBITMQ_LOG_QUEUE: QUEUES.log,
    },
    pids: () => [...postgres.pids(), ...redis.pids(), rabbitMq.pid()],
    // Its deliveries are there, as ours are in PostgreSQL.
    crash: () => rabbitMq.crash(),
    waiting: () => rabbitMq.waiting(QUEUES.deliveries),
    async analyze() {
      await database.query(sql`analyze`)
    },
    async empty() {
      rabbitMq.remove(Object.values(QUEUES))
      await redis.empty()
      await database.empty()
    },
    async close() {
      await rabbitMq.close()
      await redis.close()
      await database.drop()
    },
  }
}
