// Dispatchers and writers are killed at every point of their work. Each event still arrives with its own bytes and signature, and
// only deliveries that were under way at that moment arrive twice.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { happen, newClinic } from '@clinic-data/testing/grounds/ground'
import { EventReceiver } from '@clinic-data/testing/receivers/crash-receiver'
import { LOOPBACK } from '@clinic-data/testing/receivers/target-receiver'
import { keys, ownGround, secretKeysText, subscribeSigned } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { releaseAllLeases } from '../src/engine/release-leases.ts'
import { TargetClient } from '../src/receiver/target-client.ts'
import { LEASE_MS } from '../src/subscriptions/leases.ts'
import { WebhookEngine } from '../src/webhook-engine.ts'
import { EVENTS_A_CHANGE, type Order, type Point, type Word } from './crash-child.ts'

const PROGRAM = join(import.meta.dirname, 'crash-child.ts')
const CLINICS = 4
const EVENTS = sized({ everyday: 200, long: 1_000 })

const base = await ownGround()
const receiver = await new EventReceiver().listen()
const clinics: Clinic[] = []
for (let i = 0; i < CLINICS; i++) {
  const clinic = await newClinic(base)
  const path = `/${clinic.clinic_id}`
  receiver.secrets.set(path, await subscribeSigned(base, clinic, 'one', receiver.url(path)))
  clinics.push(clinic)
}

const order: Order = {
  url: base.url,
  secretKeys: secretKeysText,
  point: null,
  after: 0,
  changesOf: [],
}

const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

async function ordered(changes: Partial<Order>): Promise<ChildProcess> {
  const child = fork(PROGRAM, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  children.push(child)
  await once(child, 'message')
  child.send({ ...order, ...changes })
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Resolves when the child reports that it has reached its point. */
function atPoint(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', ({ word }: Word) => {
      if (word === 'point') resolve()
    })
  })
}

/** The deliveries that the killed process held, by path and event. The server has closed its connections. */
async function heldNow(): Promise<Set<string>> {
  while ((await othersConnected()) > 0) await new Promise(setImmediate)
  const { rows } = await base.owner.query<{ key: string }>(sql`
    select '/' || clinic_id || ' ' || event_id as key from delivery where status = 'pending' and lease_until is not null`)
  return new Set(rows.map(({ key }) => key))
}

/** Connections of child processes. Those of this process were opened before. */
async function othersConnected(): Promise<number> {
  const { rows } = await base.owner.query<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`)
  return rows[0]?.count ?? 0
}

interface Restart {
  /** True: the predecessor's leases are released at once, because there is no other dispatcher. */
  isAlone: boolean
  /** Its clock is ahead by this much. */
  aheadMs: number
}

const alone: Restart = { isAlone: true, aheadMs: 0 }
const amongOthers: Restart = { isAlone: false, aheadMs: LEASE_MS + 1_000 }
/** Nothing but its silence says that the killed one has died. */
const watched: Restart = { isAlone: false, aheadMs: 0 }

/** Another dispatcher sends the waiting deliveries. @returns the ms until all of them had arrived. */
async function recover({ isAlone, aheadMs }: Restart): Promise<number> {
  const startedAt = performance.now()
  const engine = new WebhookEngine({
    database: base.app,
    keys,
    client: new TargetClient({ allowCidrs: LOOPBACK }),
    record: async () => undefined,
    log: { warn: () => undefined, error: (_, line) => assert.fail(line) },
    now: () => new Date(Date.now() + aheadMs),
  })
  if (isAlone) {
    await releaseAllLeases(base.app)
    assert.equal((await heldNow()).size, 0, 'nothing waits for a lease that nobody holds')
  }
  engine.start()
  while ((await waiting()) > 0) await delay(20)
  await engine.stop()
  return performance.now() - startedAt
}

async function waiting(): Promise<number> {
  const { rows } = await base.owner.query<{ count: number }>(sql`
    select count(*)::int as count from delivery where status = 'pending'`)
  return rows[0]?.count ?? 0
}

/** The bytes of every event, by path and event. */
async function stored(): Promise<Map<string, string>> {
  const { rows } = await base.owner.query<{ key: string; body: string }>(sql`
    select '/' || clinic_id || ' ' || id as key, body from event`)
  return new Map(rows.map(({ key, body }) => [key, body]))
}

/** Everything arrived as it was stored, and is recorded as delivered. */
async function assertArrived(): Promise<void> {
  const bodies = await stored()
  assert.deepEqual(receiver.faults, [])
  assert.deepEqual([...receiver.counts().keys()].sort(), [...bodies.keys()].sort())
  for (const { path, event_id, body } of receiver.arrivals) assert.equal(body, bodies.get(`${path} ${event_id}`))
  const { rows } = await base.owner.query<{ status: string; count: number }>(sql`
    select status, count(*)::int as count from delivery group by status`)
  assert.deepEqual(rows, [{ status: 'delivered', count: bodies.size }])
}

async function killAt(
  t: TestContext,
  changes: Partial<Order>,
  reached: (child: ChildProcess) => Promise<void>,
  restart: Restart,
) {
  receiver.clear()
  await base.owner.query(sql`truncate event, delivery, attempt`)
  for (const clinic of clinics) await happen(base, clinic, EVENTS / CLINICS, new Date())
  const child = await ordered(changes)
  await reached(child)
  await killed(child)
  const held = await heldNow()
  const before = receiver.arrivals.length
  receiver.beforeAnswer = () => undefined
  const tookMs = await recover(restart)
  await assertArrived()
  if (restart === watched) assert.ok(tookMs < LEASE_MS, `${tookMs} ms`)
  const twice = [...receiver.counts()].filter(([, count]) => count > 1)
  for (const [key, count] of twice) assert.ok(count === 2 && held.has(key), `${key} came ${count} times`)
  assert.ok(before < EVENTS && held.size > 0)
  t.diagnostic(
    `${EVENTS} events, ${before} had come, ${held.size} held, ${twice.length} twice, ${Math.round(tookMs)} ms`,
  )
}

/** Makes the receiver hold the request with this number and all later ones. */
function untilRequest(number: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  receiver.beforeAnswer = (count) => {
    if (count === number) resolve()
    return count < number ? undefined : new Promise<void>(() => undefined)
  }
  return promise
}

function untilAnswered(number: number): Promise<void> {
  return new Promise<void>((resolve) => {
    receiver.onAnswered = (count) => {
      if (count === number) resolve()
    }
  })
}

const inChild = (point: Point, after: number): Partial<Order> => ({ point, after })

interface Kill {
  readonly when: string
  readonly changes: Partial<Order>
  readonly reached: (child: ChildProcess) => Promise<void>
  readonly restart: Restart
}

const everyday: Kill[] = [
  {
    when: 'while storing outcomes and restarted alone',
    changes: inChild('storing', 4),
    reached: atPoint,
    restart: alone,
  },
]

const others: Kill[] = [
  {
    when: 'in the middle of requests, beside another dispatcher that notices its silence',
    changes: {},
    reached: () => untilRequest(EVENTS / 2),
    restart: watched,
  },
  {
    when: 'in the middle of requests, with leases that expire beside another dispatcher',
    changes: {},
    reached: () => untilRequest(EVENTS / 2),
    restart: amongOthers,
  },
  {
    when: 'after a claim and restarted alone',
    changes: inChild('claimed', EVENTS / 25),
    reached: atPoint,
    restart: alone,
  },
  {
    when: 'after a 2xx was sent and restarted alone',
    changes: {},
    reached: () => untilAnswered(EVENTS / 2),
    restart: alone,
  },
  {
    when: 'while storing outcomes, with leases that expire beside another dispatcher',
    changes: inChild('storing', 12),
    reached: atPoint,
    restart: amongOthers,
  },
]

// They leave the same in the database: leases that nobody holds.
for (const { when, changes, reached, restart } of sized({ everyday, long: [...everyday, ...others] })) {
  test(`killed ${when}: everything arrives, and at most the held deliveries arrive twice`, (t) =>
    killAt(t, changes, reached, restart))
}

test('a killed writer leaves changes whole or not at all, and committed ones are sent with all their events', async (t) => {
  receiver.clear()
  await base.owner.query(sql`truncate event, delivery, attempt`)
  const child = await ordered({ changesOf: clinics, ...inChild('emitting', EVENTS / EVENTS_A_CHANGE) })
  const committed = new Set<string>()
  child.on('message', (word: Word) => {
    if (word.word === 'committed') committed.add(word.change)
  })
  await atPoint(child)
  await killed(child)
  while ((await othersConnected()) > 0) await new Promise(setImmediate)
  const bodies = await stored()
  const counts = new Map<string, number>()
  for (const body of bodies.values()) {
    const { data } = JSON.parse(body) as { data: { id: string } }
    counts.set(data.id, (counts.get(data.id) ?? 0) + 1)
  }
  for (const [change, count] of counts) assert.equal(count, EVENTS_A_CHANGE, change)
  for (const change of committed) assert.ok(counts.has(change), `${change} was committed`)
  // At most one change of each clinic was committed without being reported.
  assert.ok(counts.size - committed.size <= CLINICS && bodies.size > EVENTS / 2)
  const tookMs = await recover(alone)
  await assertArrived()
  assert.equal(receiver.arrivals.length, bodies.size)
  t.diagnostic(`${bodies.size} events, ${Math.round(tookMs)} ms`)
})
