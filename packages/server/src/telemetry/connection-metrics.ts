// The measurements of connections: open ones of each listener, and those to the database by what they are for.
import type { Server } from 'node:http'
import { promisify } from 'node:util'
import type { Database } from '@clinic-data/database'
import { LONGEST_LAG_MS } from '@clinic-data/database/connections/replica'
import { type BatchObservableResult, metrics } from '@opentelemetry/api'

/** Rows of `docs/metrics.md`, and the options of the instruments. */
export const CONNECTION_METRICS = {
  open: {
    name: 'http.server.open_connections',
    kind: 'gauge',
    unit: '{connection}',
    labels: ['listener'],
    description: 'Open connections of clients, by `public` and `admin` listener.',
  },
  openMost: {
    name: 'http.server.open_connections.max',
    kind: 'gauge',
    unit: '{connection}',
    labels: ['listener'],
    description: 'The most connections that the listener accepts.',
  },
  pool: {
    name: 'db.client.connection.open',
    kind: 'gauge',
    unit: '{connection}',
    labels: ['db.client.connection.pool.name', 'db.client.connection.state'],
    description:
      'Connections to the database, `used` and `idle`. Pools: `reads`, which many requests share, `writes`, `scans` (analytics), `audit`, and `replica` (analytics on the standby).',
  },
  poolMost: {
    name: 'db.client.connection.max',
    kind: 'gauge',
    unit: '{connection}',
    labels: ['db.client.connection.pool.name'],
    description: 'The size of the pool.',
  },
  poolWaiting: {
    name: 'db.client.connection.pending_requests',
    kind: 'gauge',
    unit: '{request}',
    labels: ['db.client.connection.pool.name'],
    description: 'Requests that wait for a connection of the pool, or behind others on a shared one.',
  },
  replicaLag: {
    name: 'db.client.replica.lag',
    kind: 'gauge',
    unit: 's',
    labels: [],
    description: `How far the standby for analytics is behind the primary, at most; of one that does not answer, since when. Looked at every second. Above ${LONGEST_LAG_MS / 1000} s the primary answers. Only with \`DATABASE_REPLICA_URL\`.`,
  },
} as const

/** @returns a function that ends it. */
export function observeListener(listener: 'public' | 'admin', server: Server, maxConnections: number): () => void {
  const meter = metrics.getMeter('clinic-data-server')
  const of = CONNECTION_METRICS
  const open = meter.createObservableGauge(of.open.name, of.open)
  const most = meter.createObservableGauge(of.openMost.name, of.openMost)
  const count = promisify(server.getConnections.bind(server))
  const observe = async (result: BatchObservableResult) => {
    result.observe(open, await count(), { listener })
    result.observe(most, maxConnections, { listener })
  }
  meter.addBatchObservableCallback(observe, [open, most])
  return () => meter.removeBatchObservableCallback(observe, [open, most])
}

/** @returns a function that ends it. */
export function observeDatabase(database: Pick<Database, 'pools' | 'replicaLagMs'>): () => void {
  const meter = metrics.getMeter('clinic-data-server')
  const of = CONNECTION_METRICS
  const count = meter.createObservableGauge(of.pool.name, of.pool)
  const most = meter.createObservableGauge(of.poolMost.name, of.poolMost)
  const waiting = meter.createObservableGauge(of.poolWaiting.name, of.poolWaiting)
  const lag = meter.createObservableGauge(of.replicaLag.name, of.replicaLag)
  const observe = (result: BatchObservableResult) => {
    for (const [pool, use] of Object.entries(database.pools)) {
      const name = { 'db.client.connection.pool.name': pool }
      result.observe(count, use.used, { ...name, 'db.client.connection.state': 'used' })
      result.observe(count, use.idle, { ...name, 'db.client.connection.state': 'idle' })
      result.observe(most, use.most, name)
      result.observe(waiting, use.waiting, name)
    }
    const { replicaLagMs } = database
    if (replicaLagMs !== null) result.observe(lag, replicaLagMs / 1000)
  }
  const all = [count, most, waiting, lag]
  meter.addBatchObservableCallback(observe, all)
  return () => meter.removeBatchObservableCallback(observe, all)
}
