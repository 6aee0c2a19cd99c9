// After an outage, waiting deliveries are sent at once, oldest first, more and more at a time, and once each. Those that waited too
// long have failed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import {
  delivered,
  deliveriesOf,
  happen,
  look,
  newClinic,
  newScene,
  recorder,
  refused,
  TestClock,
} from '@clinic-data/testing/grounds/ground'
import { EventReceiver } from '@clinic-data/testing/receivers/crash-receiver'
import { LOOPBACK } from '@clinic-data/testing/receivers/target-receiver'
import { keys, ownGround, subscribeSigned } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import type { Claimed } from '../src/engine/claim.ts'
import type { Sent } from '../src/engine/dispatcher.ts'
import { expireDeliveries } from '../src/engine/expire.ts'
import { HORIZON_MS } from '../src/engine/retry-schedule.ts'
import { TargetClient } from '../src/receiver/target-client.ts'
import { MAX_AT_ONCE } from '../src/subscriptions/circuit.ts'
import { WebhookEngine } from '../src/webhook-engine.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const GROUPS = sized({ everyday: 6, long: 20 })
const A_GROUP = sized({ everyday: 25, long: 50 })

const base = await ownGround()

test('an endpoint that was down for hours gets its waiting deliveries at once after its first 2xx, oldest first, each once', async (t) => {
  const { clinic, clock, happen, engine, deliveries } = await newScene(base, 'back')
  let isUp = false
  let stored = 0
  let active = 0
  let peak = 0
  const sent: Claimed[] = []
  const send = async (claimed: Claimed): Promise<Sent> => {
    if (!isUp) return refused
    sent.push(claimed)
    active += 1
    peak = Math.max(peak, active)
    assert.ok(active <= Math.min(MAX_AT_ONCE, 2 ** Math.max(0, stored - 1)), `${active} at once after ${stored}`)
    await new Promise(setImmediate)
    active -= 1
    return delivered
  }
  const dispatcher = engine({
    send,
    onCompleted: (_, completion) => {
      if (isUp) stored += completion.delivered
    },
  })
  const look = async () => {
    await dispatcher.scan()
    await dispatcher.idle()
  }
  for (let group = 0; group < GROUPS; group++) {
    await happen(A_GROUP)
    await look()
    clock.pass(10 * MINUTE)
  }
  clock.pass(HOUR)
  const before = await deliveries()
  assert.equal(before.length, GROUPS * A_GROUP)
  assert.ok(before.every(({ status }) => status === 'pending'))
  const untried = before.filter(({ attempt_count }) => attempt_count === 0).length
  isUp = true
  const startedAt = performance.now()
  await look()
  const tookMs = performance.now() - startedAt

  assert.equal(sent.length, GROUPS * A_GROUP)
  assert.equal(new Set(sent.map(({ event_id }) => event_id)).size, GROUPS * A_GROUP)
  assert.equal(peak, MAX_AT_ONCE)
  const due = new Map(before.map(({ event_id, due_at }) => [event_id, Date.parse(due_at ?? '')]))
  const order = sent.map(({ event_id }) => due.get(event_id) ?? 0)
  const sorted = [...order].sort((a, b) => a - b)
  // Deliveries of one claim arrive in any order.
  for (const [i, at] of order.entries()) {
    const [low = 0, high = 0] = [
      sorted[Math.max(0, i - MAX_AT_ONCE)],
      sorted[Math.min(order.length - 1, i + MAX_AT_ONCE)],
    ]
    assert.ok(at >= low && at <= high, `the one in place ${i}`)
  }
  const rows = await deliveries()
  assert.equal(rows.length, GROUPS * A_GROUP)
  assert.ok(
    rows.every(
      ({ status }, i) => status === 'delivered' && rows[i]?.attempt_count === (before[i]?.attempt_count ?? 0) + 1,
    ),
  )
  const { rows: lanes } = await base.owner.query(sql`select from lane
    where clinic_id = ${clinic.clinic_id} and recovered_at is not null`)
  assert.equal(lanes.length, 0, 'the recovery is over')
  await look()
  assert.equal(sent.length, GROUPS * A_GROUP)
  t.diagnostic(`${sent.length} deliveries, ${untried} of them untried, in ${Math.round(tookMs)} ms`)
})

test('deliveries that pass their horizon behind an open circuit fail without an attempt', async () => {
  const { clinic, clock, happen, engine, deliveries } = await newScene(base, 'down')
  await happen(40)
  const dispatcher = engine({ send: recorder(() => refused).send })
  await look(dispatcher)
  clock.pass(HORIZON_MS)
  await happen(1)
  assert.equal(await expireDeliveries(base.app, clinic.clinic_id, clock.now()), 0, 'the horizon itself is in time')
  clock.pass(1)
  assert.equal(await expireDeliveries(base.app, clinic.clinic_id, clock.now()), 40)
  const rows = await deliveries()
  const failed = rows.filter(({ status }) => status === 'failed')
  assert.equal(failed.length, 40)
  assert.ok(failed.every(({ error, due_at }) => error === 'circuit_open' && due_at === null))
  assert.ok(failed.filter(({ attempt_count }) => attempt_count === 0).length >= 20)
  assert.equal(rows.filter(({ status }) => status === 'pending').length, 1)
})

test('Retry-After counts on 429 and 503, for at most an hour, and never makes a retry earlier, and on 500 it is ignored', async (t) => {
  const clock = new TestClock()
  const receiver = await new EventReceiver().listen()
  const in90 = new Date(clock.now().getTime() + 90_000).toUTCString()
  // The status, the header, and the seconds until the next attempt. The table's step is 5.
  const cases = [
    [429, '90', 90],
    [503, '90', 90],
    [503, in90, 90],
    [429, '1', 5],
    [503, '86400', 3600],
    [500, '90', 5],
    [503, 'soon', 5],
  ] as const
  const clinic = await newClinic(base)
  for (const [i, [status]] of cases.entries()) {
    const path = `/${status}/${i}`
    receiver.secrets.set(path, await subscribeSigned(base, clinic, `s${i}`, receiver.url(path)))
  }
  receiver.clock = clock.now
  receiver.status = ({ path }) => {
    const [status, hint] = cases[Number(path.split('/')[2])] ?? [500, '']
    return { status, headers: { 'retry-after': hint } }
  }
  const client = new TargetClient({ allowCidrs: LOOPBACK })
  const log = { warn: assert.fail, error: assert.fail }
  const sender = new WebhookEngine({
    database: base.app,
    keys,
    client,
    record: async () => undefined,
    log,
    now: clock.now,
    random: () => 0,
  })
  t.after(() => sender.stop())
  await happen(base, clinic, 1, clock.now())
  sender.wake(clinic.clinic_id)
  await receiver.until(() => receiver.arrivals.length === cases.length)
  await sender.stop()
  const waits = (await deliveriesOf(base, clinic)).map(
    ({ due_at }) => (Date.parse(due_at ?? '') - clock.now().getTime()) / 1000,
  )
  assert.deepEqual(
    waits,
    cases.map(([, , seconds]) => seconds),
  )
  assert.deepEqual(receiver.faults, [])
})
