// Requested attempts (a manual retry or a test event) are made at once, even while the circuit is open. And how long an outage lasts for
// waiting deliveries.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import {
  delivered,
  deliveriesOf,
  look,
  newScene,
  recorder,
  refused,
  type TestClock,
} from '@clinic-data/testing/grounds/ground'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { deliveryKey } from '../src/deliveries/delivery-id.ts'
import { lockDelivery, retryDelivery } from '../src/deliveries/retry-delivery.ts'
import { claimDue } from '../src/engine/claim.ts'
import type { Dispatcher, Sent } from '../src/engine/dispatcher.ts'
import { expireDeliveries } from '../src/engine/expire.ts'
import { releaseLeases } from '../src/engine/release-leases.ts'
import { HORIZON_MS } from '../src/engine/retry-schedule.ts'
import { storeTestEvent } from '../src/events/test-event.ts'
import { MAX_AT_ONCE } from '../src/subscriptions/circuit.ts'
import { markUrgent } from '../src/subscriptions/lane.ts'

const ID = 'one'
const base = await ownGround()

async function retry(clinic: Clinic, event_id: string, now: Date): Promise<void> {
  await base.app.write(clinic, async (tx) => {
    await markUrgent(tx, clinic.clinic_id, ID)
    const key = deliveryKey(`dlv_${event_id.slice(4)}_${ID}`, ID) ?? assert.fail()
    const state = (await lockDelivery(tx, clinic, ID, key, now)) ?? assert.fail()
    await retryDelivery(tx, clinic, ID, key, state, now)
  })
}

async function testEvent(clinic: Clinic, now: Date): Promise<void> {
  await base.app.write(clinic, async (tx) => {
    await markUrgent(tx, clinic.clinic_id, ID)
    await storeTestEvent(tx, clinic, ID, 'patient.created', now)
  })
}

async function assertAllDelivered(clinic: Clinic, count: number): Promise<void> {
  const statuses = (await deliveriesOf(base, clinic)).map(({ status }) => status)
  assert.deepEqual(statuses, Array(count).fill('delivered'))
}

async function laneOf({ clinic_id }: Clinic) {
  const { rows } = await base.owner.query<{ probe_at: string | null; has_urgent: boolean }>(sql`
    select probe_at::text as probe_at, has_urgent from lane where clinic_id = ${clinic_id}`)
  return rows[0] ?? assert.fail()
}

async function waitingFor({ clinic_id }: Clinic): Promise<number> {
  const { rows } = await base.owner.query<{ count: number }>(sql`
    select count(*)::int as count from delivery where clinic_id = ${clinic_id} and status = 'pending'`)
  return rows[0]?.count ?? assert.fail()
}

interface Outage {
  clinic: Clinic
  clock: TestClock
  isUp: boolean
  dispatcher: Dispatcher
  sent: ReturnType<typeof recorder>['sent']
  /** One scan over all clinics with everything that follows. @returns the number of attempts made. */
  look(): Promise<number>
}

/** A subscription with an open circuit and this many waiting deliveries. */
async function outage(events: number): Promise<Outage> {
  const { clinic, clock, happen, engine } = await newScene(base, ID)
  await happen(events)
  const { sent, send } = recorder(() => (made.isUp ? delivered : refused))
  const dispatcher = engine({ send })
  const look = async () => {
    const before = sent.length
    await dispatcher.scan()
    await dispatcher.idle()
    return sent.length - before
  }
  const made: Outage = { clinic, clock, isUp: false, dispatcher, sent, look }
  await look()
  assert.notEqual((await laneOf(clinic)).probe_at, null)
  assert.equal(await look(), 0)
  return made
}

test('while the circuit is open a manual retry is attempted at the next scan, and its 2xx closes the circuit and brings the rest', async () => {
  const made = await outage(40)
  const { clinic, clock, look } = made
  const waiting = (await deliveriesOf(base, clinic)).find(({ attempt_count }) => attempt_count === 0) ?? assert.fail()
  clock.pass(1_000)
  made.isUp = true
  await retry(clinic, waiting.event_id, clock.now())
  const attempts = await look()
  assert.equal(made.sent.at(-attempts)?.event_id, waiting.event_id, 'the first one is what was asked for')
  await assertAllDelivered(clinic, 40)
  assert.deepEqual(await laneOf(clinic), { probe_at: null, has_urgent: false })
})

test('a failed manual retry changes neither the time of the probe nor the schedule of the delivery', async () => {
  const { clinic, clock, look } = await outage(40)
  const [before, waiting] = [await laneOf(clinic), (await deliveriesOf(base, clinic)).at(-1) ?? assert.fail()]
  clock.pass(1_000)
  await retry(clinic, waiting.event_id, clock.now())
  assert.equal(await look(), 1)
  assert.equal(await look(), 0)
  const after = (await deliveriesOf(base, clinic)).at(-1)
  assert.deepEqual(
    [after?.status, after?.due_at, after?.attempt_count],
    ['pending', waiting.due_at, waiting.attempt_count + 1],
  )
  assert.deepEqual(await laneOf(clinic), before)
})

test('a test event bypasses an open circuit, and when it fails it waits like others', async () => {
  const made = await outage(40)
  const { clinic, clock, look } = made
  clock.pass(1_000)
  await testEvent(clinic, clock.now())
  assert.equal(await look(), 1)
  assert.equal(made.sent.at(-1)?.event_type, 'patient.created')
  clock.pass(2_000)
  assert.equal(await look(), 0)
  made.isUp = true
  await testEvent(clinic, clock.now())
  await look()
  await assertAllDelivered(clinic, 40 + 2)
})

test('a delivery that was claimed and returned unstarted is found again without a notice', async () => {
  const { clinic, clock, look } = await outage(20)
  const waiting = (await deliveriesOf(base, clinic)).at(-1) ?? assert.fail()
  await retry(clinic, waiting.event_id, clock.now())
  const claim = { clinic_id: clinic.clinic_id, most: 64, retries: 64, lease_id: 'lost', now: clock.now() }
  const { claimed } = await claimDue(base.app, claim)
  assert.deepEqual(
    claimed.map(({ event_id }) => event_id),
    [waiting.event_id],
  )
  assert.equal(await look(), 0, 'somebody has it')
  await releaseLeases(base.app, clinic.clinic_id, ['lost'])
  assert.equal(await look(), 1)
})

test('a retry that was requested after the horizon is attempted, while the others end', async () => {
  const made = await outage(20)
  const { clinic, clock, look } = made
  const waiting = (await deliveriesOf(base, clinic)).at(-1) ?? assert.fail()
  clock.pass(HORIZON_MS + 1)
  await retry(clinic, waiting.event_id, clock.now())
  assert.equal(await expireDeliveries(base.app, clinic.clinic_id, clock.now()), 20 - 1)
  made.isUp = true
  assert.equal(await look(), 1)
  const delivered = (await deliveriesOf(base, clinic)).filter(({ status }) => status === 'delivered')
  assert.deepEqual(
    delivered.map(({ event_id }) => event_id),
    [waiting.event_id],
  )
})

test('however many are requested, a hanging endpoint has eight at once', async () => {
  const { clinic, clock } = await outage(40)
  for (const { event_id } of await deliveriesOf(base, clinic)) await retry(clinic, event_id, clock.now())
  const claim = { clinic_id: clinic.clinic_id, most: 64, retries: 0, now: clock.now() }
  const claims = [
    await claimDue(base.app, { ...claim, lease_id: 'a' }),
    await claimDue(base.app, { ...claim, lease_id: 'b' }),
  ]
  assert.deepEqual(
    claims.map(({ claimed }) => claimed.length),
    [MAX_AT_ONCE, 0],
  )
})

const SECOND = 1_000
/** The longest wait for a probe, plus the next scan. */
const MOST_SECONDS = 61

/** Two events a second during an outage of this many seconds. Returns the seconds afterwards until nothing waits any more. */
async function secondsUntilDrained(t: TestContext, outageSeconds: number): Promise<number> {
  const { clinic, clock, happen, engine } = await newScene(base, ID)
  let isUp = true
  const send = async (): Promise<Sent> => (isUp ? delivered : refused)
  const dispatcher = engine({ send })
  const pass = async () => {
    clock.pass(SECOND)
    await happen(2)
    await look(dispatcher)
    return waitingFor(clinic)
  }
  for (let second = 0; second < 5; second++) assert.equal(await pass(), 0)
  isUp = false
  let waiting = 0
  for (let second = 0; second < outageSeconds; second++) waiting = await pass()
  isUp = true
  let seconds = 1
  while ((await pass()) > 0) seconds += 1
  t.diagnostic(`an outage of ${outageSeconds} s: ${waiting} deliveries waited, all delivered ${seconds} s after it`)
  return seconds
}

for (const outageSeconds of sized({ everyday: [120], long: [60, 120, 300] })) {
  test(`after an outage of ${outageSeconds} s the backlog is delivered within ${MOST_SECONDS} s`, async (t) => {
    assert.ok((await secondsUntilDrained(t, outageSeconds)) <= MOST_SECONDS)
  })
}
