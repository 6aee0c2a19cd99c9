// A database that disconnects and returns under a running engine: due deliveries are sent within a moment, pending outcomes are
// stored later, and nothing ends the process.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clinic } from '@clinic-data/contract'
import { Database, DatabaseUnavailable, openDatabase, sql } from '@clinic-data/database'
import { delivered, happen, newClinic, newScene, recorder } from '@clinic-data/testing/grounds/ground'
import { EventReceiver } from '@clinic-data/testing/receivers/crash-receiver'
import { LOOPBACK } from '@clinic-data/testing/receivers/target-receiver'
import { startTcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'
import { asApplication } from '@clinic-data/testing/run/application'
import { keys, ownGround, subscribeSigned } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { Dispatcher } from '../src/engine/dispatcher.ts'
import { TargetClient } from '../src/receiver/target-client.ts'
import { LEASE_MS } from '../src/subscriptions/leases.ts'
import { WebhookEngine } from '../src/webhook-engine.ts'

const EVENTS = sized({ everyday: 60, long: 200 })
/** Long enough for any machine. What waits for a lease to expire takes twice as long. */
const SOON_MS = LEASE_MS / 2

const base = await ownGround()
const receiver = await new EventReceiver().listen()
const log = { warn: () => undefined, error: (_: object, line: string) => assert.fail(line) }

async function newReceivingClinic(): Promise<{ clinic: Clinic; path: string }> {
  const clinic = await newClinic(base)
  const path = `/${clinic.clinic_id}`
  receiver.secrets.set(path, await subscribeSigned(base, clinic, 'one', receiver.url(path)))
  return { clinic, path }
}

function running(t: TestContext, database: Database, warn = () => {}): WebhookEngine {
  const client = new TargetClient({ allowCidrs: LOOPBACK })
  const sender = new WebhookEngine({ database, keys, client, record: async () => undefined, log: { ...log, warn } })
  t.after(async () => {
    await sender.stop()
    await database.close()
  })
  sender.start()
  return sender
}

/** Resolves when all deliveries of the clinic are recorded as delivered. */
async function allDelivered({ clinic_id }: Clinic): Promise<void> {
  for (;;) {
    const { rows } = await base.owner
      .query<{ waiting: number }>(sql`select count(*)::int as waiting from delivery
        where clinic_id = ${clinic_id} and status = 'pending'`)
      .catch(() => ({ rows: [] }))
    if (rows[0]?.waiting === 0) return
    await delay(20)
  }
}

const arrivedAt = (path: string) => receiver.arrivals.filter((arrival) => arrival.path === path)
const distinctAt = (path: string) => new Set(arrivedAt(path).map(({ event_id }) => event_id)).size

test('due deliveries without a notice are found', async (t) => {
  const { clinic, path } = await newReceivingClinic()
  running(t, await openDatabase(asApplication(base.url)))
  await happen(base, clinic, 1, new Date())
  await receiver.until(() => distinctAt(path) === 1)
})

test('with all connections ended again and again, everything arrives at once and signed', async (t) => {
  const { clinic, path } = await newReceivingClinic()
  running(t, await openDatabase(asApplication(base.url)))
  await happen(base, clinic, EVENTS, new Date())
  for (let i = 1; i <= 4; i++) {
    await receiver.until(() => distinctAt(path) >= (i * EVENTS) / 5)
    await base.owner.query(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
  }
  const at = performance.now()
  await allDelivered(clinic)
  const tookMs = Math.round(performance.now() - at)
  assert.ok(tookMs < SOON_MS, `${tookMs} ms`)
  assert.equal(distinctAt(path), EVENTS)
  assert.deepEqual(receiver.faults, [])
  t.diagnostic(`${EVENTS} events, ${arrivedAt(path).length - EVENTS} came twice, ${tookMs} ms after the last cut`)
})

test('after an outage of the database delivered ones are stored and due ones are sent soon', async (t) => {
  const { clinic, path } = await newReceivingClinic()
  const proxy = await startTcpProxy(base.url)
  t.after(() => proxy.close())
  const failed = Promise.withResolvers<void>()
  running(t, await openDatabase(asApplication(proxy.url)), failed.resolve)
  await happen(base, clinic, EVENTS, new Date())
  await receiver.until(() => distinctAt(path) >= EVENTS / 5)
  proxy.cut()
  await happen(base, clinic, EVENTS, new Date())
  await failed.promise
  const before = distinctAt(path)
  proxy.restore()
  const at = performance.now()
  await allDelivered(clinic)
  const tookMs = Math.round(performance.now() - at)
  const firstMs = Math.round((arrivedAt(path).find((arrival) => arrival.at > at)?.at ?? 0) - at)
  assert.ok(before < 2 * EVENTS && firstMs < SOON_MS && tookMs < SOON_MS, `${firstMs} to ${tookMs} ms`)
  assert.equal(distinctAt(path), 2 * EVENTS)
  // Attempts that were being sent were stored after the outage, or are among the eight that may have arrived twice.
  assert.ok(arrivedAt(path).length - 2 * EVENTS <= 8)
  assert.deepEqual(receiver.faults, [])
  t.diagnostic(
    `${2 * EVENTS} events, ${arrivedAt(path).length - 2 * EVENTS} came twice, the first ${firstMs} ms and the last ${tookMs} ms after it was back`,
  )
})

/** Transactions are committed, but the caller never learns of it. */
class DeafDatabase extends Database {
  deaf: 'claims' | 'outcomes' | null = null

  override async write<T>(...args: Parameters<typeof Database.prototype.write<T>>): Promise<T> {
    const done = await super.write(...args)
    const kind = typeof done === 'object' && done !== null && 'claimed' in done ? 'claims' : 'outcomes'
    if (kind !== this.deaf) return done
    this.deaf = null
    throw new DatabaseUnavailable('the connection was lost')
  }
}

test('a claim that was committed but never answered is sent soon, not only when its lease expires', async (t) => {
  const { clinic, path } = await newReceivingClinic()
  const database = await new DeafDatabase(asApplication(base.url)).open()
  database.deaf = 'claims'
  await happen(base, clinic, 20, new Date())
  const at = performance.now()
  running(t, database)
  await receiver.until(() => distinctAt(path) === 20)
  const tookMs = Math.round(performance.now() - at)
  assert.equal(database.deaf, null)
  assert.ok(tookMs < SOON_MS, `${tookMs} ms`)
  t.diagnostic(`${tookMs} ms`)
})

test('outcomes that were stored but never answered are not stored twice', async (t) => {
  const { clinic, path } = await newReceivingClinic()
  const database = await new DeafDatabase(asApplication(base.url)).open()
  database.deaf = 'outcomes'
  await happen(base, clinic, 20, new Date())
  running(t, database)
  await allDelivered(clinic)
  assert.equal(database.deaf, null)
  assert.equal(arrivedAt(path).length, 20)
  const { rows } = await base.owner.query(sql`select from attempt where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows.length, 20)
})

test('a stop while the database is away names at its deadline each event that was handed over without a record', async (t) => {
  const { clinic, clock, happen: happens } = await newScene(base, 'one', 'two')
  await happens(4)
  const proxy = await startTcpProxy(base.url)
  t.after(() => proxy.close())
  const database = await openDatabase(asApplication(proxy.url))
  t.after(() => database.close())
  const deadline = new AbortController()
  const lost: unknown[] = []
  const answers = Promise.withResolvers<typeof delivered>()
  const sent: string[] = []
  let tries = 0
  let lines = 0
  const dispatcher = new Dispatcher({
    database,
    now: clock.now,
    deadline: deadline.signal,
    send: async ({ clinic_id, subscription_id, event_id }, _, mayStart) => {
      if (mayStart()) sent.push(`${clinic_id} ${subscription_id} ${event_id}`)
      return answers.promise
    },
    record: async () => {
      tries++
      await database.query(sql`select 1`)
    },
    log: {
      warn: () => {
        lines++
      },
      error: (detail) => 'deliveries' in detail && lost.push(detail.deliveries),
    },
  })
  dispatcher.wake(clinic.clinic_id)
  while (sent.length < 8) await delay(5)
  proxy.cut()
  answers.resolve(delivered)
  const stopped = dispatcher.stop(0)
  while (tries < 3) await delay(5)
  assert.deepEqual(lost, [])
  deadline.abort()
  await stopped
  const named = (lost as { clinic_id: string; webhook_id: string; event_id: string }[][])
    .flat()
    .map(({ clinic_id, webhook_id, event_id }) => `${clinic_id} ${webhook_id} ${event_id}`)
  assert.deepEqual(named.toSorted(), sent.toSorted())
  assert.equal(lines, 1)
})

test('an attempt that has just ended when the engine is stopped is stored', async () => {
  const { clinic, happen, engine, deliveries } = await newScene(base, 'one')
  await happen(1)
  const { send, sent } = recorder(() => delivered)
  const dispatcher = engine({ send })
  dispatcher.wake(clinic.clinic_id)
  while (sent.length === 0) await new Promise(setImmediate)
  await new Promise(setImmediate)
  await dispatcher.stop(0)
  assert.deepEqual(
    (await deliveries()).map(({ status }) => status),
    ['delivered'],
  )
})
