// The engine: due deliveries are sent once in their event's bytes, failed ones are retried by the table, and a hanging receiver
// delays nobody else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { bodiesOf, delivered, look, newScene, recorder, refused } from '@clinic-data/testing/grounds/ground'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import type { Claimed } from '../src/engine/claim.ts'
import type { Sent } from '../src/engine/dispatcher.ts'
import { HORIZON_MS, STEPS_MS } from '../src/engine/retry-schedule.ts'

const base = await ownGround()

test('each event is sent once to each subscription, in the exact stored bytes', async () => {
  const { clinic, happen, engine, deliveries } = await newScene(base, 'one', 'two')
  await happen(40)
  const { sent, send } = recorder()
  const dispatcher = engine({ send })
  dispatcher.wake(clinic.clinic_id)
  await dispatcher.idle()
  const bodies = await bodiesOf(base, clinic)
  assert.equal(sent.length, 80)
  assert.equal(new Set(sent.map(({ subscription_id, event_id }) => `${subscription_id} ${event_id}`)).size, 80)
  for (const { event_id, body } of sent) assert.equal(body, bodies.get(event_id))
  const rows = await deliveries()
  assert.equal(rows.length, 80)
  assert.ok(
    rows.every(({ status, attempt_count, due_at }) => status === 'delivered' && attempt_count === 1 && due_at === null),
  )
})

test("a failed delivery is retried by the table and fails at the table's end", async () => {
  const { clock, happen, engine, deliveries } = await newScene(base, 'down')
  await happen(1)
  const startedAt = clock.now().getTime()
  const attempts: number[] = []
  const { send } = recorder(() => {
    attempts.push(clock.now().getTime() - startedAt)
    return refused
  })
  const dispatcher = engine({ send })
  for (let looks = 0; looks < 20; looks++) {
    await look(dispatcher)
    const [row] = await deliveries()
    if (row?.status !== 'pending') break
    clock.reach(new Date(row.due_at ?? ''))
  }
  const table = STEPS_MS.map((_, i) => STEPS_MS.slice(0, i + 1).reduce<number>((sum, step) => sum + step, 0))
  assert.deepEqual(attempts, table)
  const [row] = await deliveries()
  assert.deepEqual([row?.status, row?.attempt_count, row?.error], ['failed', 11, 'http_5xx'])
  assert.ok((attempts.at(-1) ?? 0) < HORIZON_MS)
})

test('a hung endpoint delays eight of its own deliveries and no others', async () => {
  const { clinic, happen, engine } = await newScene(base, 'hung', 'well')
  await happen(100)
  const release = Promise.withResolvers<void>()
  const { sent, send } = recorder(async ({ subscription_id }): Promise<Sent> => {
    if (subscription_id === 'hung') await release.promise
    return delivered
  })
  const well = Promise.withResolvers<void>()
  let completed = 0
  const dispatcher = engine({
    send,
    onCompleted: (outcomes) => {
      completed += outcomes.filter(({ claimed }) => claimed.subscription_id === 'well').length
      if (completed === 100) well.resolve()
    },
  })
  dispatcher.wake(clinic.clinic_id)
  await well.promise
  assert.equal(sent.filter(({ subscription_id }) => subscription_id === 'hung').length, 8)
  release.resolve()
  await dispatcher.idle()
  assert.equal(sent.length, 200)
})

test('after five failures in a row one attempt at a time is made, and the first 2xx brings the rest at once', async () => {
  const { clock, happen, engine, deliveries } = await newScene(base, 'flaky')
  await happen(60)
  let isUp = false
  const { sent, send } = recorder(() => {
    clock.pass(1)
    return isUp ? delivered : refused
  })
  const dispatcher = engine({ send })
  const look = async () => {
    const before = sent.length
    await dispatcher.scan()
    await dispatcher.idle()
    return sent.length - before
  }
  const first = await look()
  assert.ok(first <= 8 + 5, `the circuit opens before many were spent: ${first}`)
  const spent = sent.length
  assert.equal(await look(), 0, 'while it is open nothing is sent')
  clock.pass(5_000)
  assert.equal(await look(), 1, 'a probe')
  clock.pass(9_000)
  assert.equal(await look(), 0, 'the next probe waits longer')
  clock.pass(1_001)
  isUp = true
  await look()
  const rows = await deliveries()
  assert.equal(rows.filter(({ status }) => status === 'delivered').length, 60)
  assert.equal(sent.length, spent + 1 + 60)
})

test('two dispatchers send each delivery once', async () => {
  const { clinic, happen, engine } = await newScene(base, 'one', 'two', 'three')
  await happen(150)
  const all: Claimed[] = []
  const send = async (claimed: Claimed) => {
    all.push(claimed)
    return delivered
  }
  const dispatchers = [engine({ send }), engine({ send })]
  for (const dispatcher of dispatchers) dispatcher.wake(clinic.clinic_id)
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.idle()))
  for (const dispatcher of dispatchers) await dispatcher.scan()
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.idle()))
  assert.equal(all.length, 450)
  assert.equal(new Set(all.map(({ subscription_id, event_id }) => `${subscription_id} ${event_id}`)).size, 450)
})

test('a worker that wakes after its lease changes nothing, and another one has the delivery', async () => {
  const { clinic, clock, happen, engine, deliveries } = await newScene(base, 'one')
  await happen(1)
  const paused = Promise.withResolvers<Sent>()
  const stale: number[] = []
  const asleep = recorder(() => paused.promise)
  const sleeper = engine({
    send: asleep.send,
    onCompleted: (_, completion) => stale.push(completion.stale),
  })
  sleeper.wake(clinic.clinic_id)
  while (asleep.sent.length === 0) await new Promise(setImmediate)
  clock.pass(46_000)
  const awake = recorder()
  const other = engine({ send: awake.send })
  await look(other)
  assert.equal(awake.sent.length, 1)
  paused.resolve(refused)
  await sleeper.idle()
  assert.deepEqual(stale, [1])
  const [row] = await deliveries()
  assert.deepEqual([row?.status, row?.attempt_count], ['delivered', 1])
  const { rows } = await base.owner.query(sql`select from attempt where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows.length, 1)
})

test('two 410 answers half a minute apart end the subscription and its waiting deliveries', async () => {
  const { clinic, clock, happen, engine, deliveries } = await newScene(base, 'gone')
  await happen(3)
  const gone: Sent = { ...refused, response_status: 410, error: 'http_4xx' }
  const lines: string[] = []
  const log = { warn: (_: object, line: string) => void lines.push(line), error: assert.fail }
  const dispatcher = engine({ send: recorder(() => gone).send, log })
  await look(dispatcher)
  clock.pass(40_000)
  await look(dispatcher)
  const { rows } = await base.owner.query<{ enabled: boolean; disabled_reason: string }>(sql`
    select enabled, disabled_reason from subscription where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows[0]?.enabled, false)
  assert.match(rows[0]?.disabled_reason ?? '', /410/)
  assert.deepEqual(
    (await deliveries()).map(({ status }) => status),
    ['failed', 'failed', 'failed'],
  )
  assert.deepEqual(lines, ['a subscription that kept failing was disabled'])
})

test('a failure on our side is retried and does not count against the receiver', async () => {
  const { clinic, happen, engine, deliveries } = await newScene(base, 'well')
  await happen(8)
  const lines: string[] = []
  const log = { warn: assert.fail, error: (_: object, line: string) => void lines.push(line) }
  const send = () => Promise.reject(new Error('the secret cannot be opened'))
  const dispatcher = engine({ send, log })
  dispatcher.wake(clinic.clinic_id)
  await dispatcher.idle()
  assert.equal(lines.length, 8)
  const rows = await deliveries()
  assert.equal(rows.length, 8)
  assert.ok(rows.every(({ status, error }) => status === 'pending' && error === 'internal'))
  const { rows: lanes } = await base.owner.query<{ failed_attempts: number; opened_at: string | null }>(sql`
    select failed_attempts, opened_at from lane where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(lanes, [{ failed_attempts: 0, opened_at: null }])
})
