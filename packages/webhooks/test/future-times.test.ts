// A clock that jumps an hour ahead and back: nothing waits for that hour, nothing is sent twice because of it, and the times of a
// clinic's events never go back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { delivered, deliveriesOf, look, newScene, recorder, refused } from '@clinic-data/testing/grounds/ground'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { claimDue } from '../src/engine/claim.ts'
import { MAX_AT_ONCE } from '../src/subscriptions/circuit.ts'
import { LEASE_MS } from '../src/subscriptions/leases.ts'

/** Each is enough on a quiet machine. */
const MOST_LOOKS = 20
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const MOMENTS_A_MINUTE = sized({ everyday: 10, long: 60 })
const base = await ownGround()
const log = { warn: () => undefined, error: (_: object, line: string) => assert.fail(line) }

const waitingOf = async (clinic: Clinic) =>
  (await deliveriesOf(base, clinic)).filter(({ status }) => status === 'pending').length

test('after minutes with a clock an hour ahead and failing endpoints, no delivery is stuck', async () => {
  const { clinic, clock, happen, engine, deliveries } = await newScene(base, 'flaky', 'down', 'well')
  let isUp = true
  let attempts = 0
  const { send } = recorder(({ subscription_id }) => {
    attempts += 1
    if (isUp || subscription_id === 'well') return delivered
    return subscription_id === 'flaky' && attempts % 3 > 0 ? delivered : refused
  })
  const dispatcher = engine({ send, log })
  const moment = async () => {
    await happen(2)
    await look(dispatcher)
    clock.pass(MINUTE / MOMENTS_A_MINUTE)
  }
  for (let i = 0; i < 5; i++) await moment()
  clock.pass(HOUR)
  isUp = false
  for (let i = 0; i < 3 * MOMENTS_A_MINUTE; i++) await moment()
  // Deliveries without an attempt when the clock is corrected.
  await happen(20)
  clock.pass(-HOUR)
  isUp = true
  const made = (await deliveries()).length
  assert.ok((await waitingOf(clinic)) > 60)
  await moment()
  // A delivery that a busy machine did not send within its second is due at once again, not in an hour.
  for (let looks = 0; looks < MOST_LOOKS && (await waitingOf(clinic)) > 0; looks++) await look(dispatcher)
  assert.equal(await waitingOf(clinic), 0)
  const statuses = (await deliveries()).map(({ status }) => status)
  // Each of the three has the two events of the last moment too.
  assert.deepEqual(statuses, Array(made + 3 * 2).fill('delivered'))
})

test('a dispatcher that starts after the jump finds the times that another stored during it', async () => {
  const { clinic, clock, happen, engine } = await newScene(base, 'one')
  clock.pass(HOUR)
  await happen(30)
  const before = engine({ send: recorder(() => refused).send, log })
  await look(before)
  clock.pass(-HOUR)
  const after = engine({ send: recorder(() => delivered).send, log })
  await look(after)
  assert.equal(await waitingOf(clinic), 0)
})

test('a lease taken during the jump lasts its normal time from the correction, and only its holder has it', async () => {
  const { clinic, clock, happen, engine } = await newScene(base, 'one')
  clock.pass(HOUR)
  await happen(4)
  const claim = { clinic_id: clinic.clinic_id, most: 64, retries: 64, lease_id: 'a worker that has died' }
  assert.equal((await claimDue(base.app, { ...claim, now: clock.now() })).claimed.length, 4)
  clock.pass(-HOUR)
  const { sent, send } = recorder()
  const dispatcher = engine({ send, log })
  const look = async () => {
    await dispatcher.scan()
    await dispatcher.idle()
    return sent.length
  }
  assert.equal(await look(), 0)
  clock.pass(LEASE_MS - 1)
  assert.equal(await look(), 0)
  clock.pass(1)
  assert.equal(await look(), 4)
})

test('what a worker with a clock ahead held of a full lane is sent when its lease from the correction ends', async () => {
  const { clinic, clock, happen, engine } = await newScene(base, 'one')
  clock.pass(HOUR)
  await happen(MAX_AT_ONCE)
  const claim = { clinic_id: clinic.clinic_id, most: 64, retries: 64, lease_id: 'a worker that has died' }
  assert.equal((await claimDue(base.app, { ...claim, now: clock.now() })).claimed.length, MAX_AT_ONCE)
  clock.pass(-HOUR)
  const { sent, send } = recorder()
  const dispatcher = engine({ send, log })
  await look(dispatcher)
  assert.equal(sent.length, 0)
  clock.pass(LEASE_MS)
  await look(dispatcher)
  assert.equal(sent.length, MAX_AT_ONCE)
})

test('what a worker with a clock slightly ahead holds takes its places', async () => {
  const { clinic, clock, happen } = await newScene(base, 'one')
  await happen(2 * MAX_AT_ONCE)
  const claim = async (lease_id: string) => {
    const claimOptions = { clinic_id: clinic.clinic_id, most: 64, retries: 64, lease_id, now: clock.now() }
    return (await claimDue(base.app, claimOptions)).claimed.length
  }
  clock.pass(30_000)
  assert.equal(await claim('ahead'), MAX_AT_ONCE)
  clock.pass(-30_000)
  assert.equal(await claim('in time'), 0)
})

test('a retry waits its whole step where clocks differ by less than a minute', async () => {
  const { clock, happen, engine, deliveries } = await newScene(base, 'one')
  await happen(1)
  const failing = engine({ send: recorder(() => refused).send, log })
  await look(failing)
  const [row] = await deliveries()
  clock.pass(-30_000)
  const { sent, send } = recorder()
  const other = engine({ send, log })
  await look(other)
  assert.equal(sent.length, 0)
  assert.deepEqual(await deliveries(), [row])
})

test("a delivery made during the search, or by a clock slightly ahead, is not treated as a wrong clock's", async () => {
  const { clinic, clock, happen, engine } = await newScene(base, 'one')
  await happen(5, new Date(clock.now().getTime() + 30_000))
  const dispatcher = engine({ send: recorder().send, log: { ...log, warn: assert.fail } })
  await look(dispatcher)
  clock.pass(30_000)
  await look(dispatcher)
  assert.equal(await waitingOf(clinic), 0)
})

test('in the order of the feed the times of a clinic’s events never go back, and due deliveries do not wait for them', async () => {
  const { clinic, clock, happen, engine } = await newScene(base, 'one')
  const { send } = recorder()
  const dispatcher = engine({ send, log })
  const started = clock.now()
  for (const passed of [0, HOUR, MINUTE, -HOUR, MINUTE, HOUR, -HOUR]) {
    clock.pass(passed)
    await happen(2)
    dispatcher.wake(clinic.clinic_id)
    await dispatcher.idle()
    assert.equal(await waitingOf(clinic), 0)
  }
  const { rows } = await base.owner.query<{ created_at: string; time: string }>(sql`
    select (extract(epoch from created_at) * 1000)::bigint::text as created_at, body::json ->> 'created_at' as time
    from event where clinic_id = ${clinic.clinic_id} order by position`)
  const times = rows.map(({ created_at }) => Number(created_at) - started.getTime())
  assert.deepEqual(
    times,
    [0, 0, HOUR, HOUR]
      .concat([HOUR + MINUTE, HOUR + MINUTE, HOUR + MINUTE, HOUR + MINUTE])
      .concat(Array.from({ length: 6 }, (_, i) => (i < 2 ? HOUR + MINUTE : HOUR + 2 * MINUTE))),
  )
  for (const { created_at, time } of rows) assert.equal(Date.parse(time), Number(created_at))
})
