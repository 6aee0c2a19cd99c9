// A clock that jumps an hour ahead and back: nothing waits for that hour, nothing is sent twice because of it, and the times of a
// clinic's events never go back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { claimDue } from '../src/claim.ts'
import { LEASE_MS } from '../src/engine-limits.ts'
import {
  delivered,
  deliveriesOf,
  engine,
  happen,
  newClinic,
  recorder,
  refused,
  subscribe,
  TestClock,
} from './ground.ts'
import { ownGround } from './own-ground.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const base = await ownGround()
const log = { warn: () => undefined, error: (_: object, line: string) => assert.fail(line) }

const waitingOf = async (clinic: Clinic) =>
  (await deliveriesOf(base, clinic)).filter(({ status }) => status === 'pending').length

test('after three minutes with a clock an hour ahead, with failing endpoints, nothing stays behind', async () => {
  const [clinic, clock] = [await newClinic(base), new TestClock()]
  for (const id of ['flaky', 'down', 'well']) await subscribe(base, clinic, id)
  let isUp = true
  let attempts = 0
  const { send } = recorder(({ subscription_id }) => {
    attempts += 1
    if (isUp || subscription_id === 'well') return delivered
    return subscription_id === 'flaky' && attempts % 3 > 0 ? delivered : refused
  })
  const dispatcher = engine(base, clock, { send, log })
  const second = async () => {
    await happen(base, clinic, 2, clock.now())
    await dispatcher.scan()
    await dispatcher.idle()
    clock.pass(1_000)
  }
  for (let i = 0; i < 5; i++) await second()
  clock.pass(HOUR)
  isUp = false
  for (let i = 0; i < 180; i++) await second()
  // Deliveries that nobody has attempted yet when the clock is corrected.
  await happen(base, clinic, 20, clock.now())
  clock.pass(-HOUR)
  isUp = true
  assert.ok((await waitingOf(clinic)) > 60)
  await second()
  assert.equal(await waitingOf(clinic), 0)
  const rows = await deliveriesOf(base, clinic)
  assert.ok(rows.every(({ status }) => status === 'delivered'))
})

test('a dispatcher that starts after the jump finds the times that another stored during it', async () => {
  const [clinic, clock] = [await newClinic(base), new TestClock()]
  await subscribe(base, clinic, 'one')
  clock.pass(HOUR)
  await happen(base, clinic, 30, clock.now())
  const before = engine(base, clock, { send: recorder(() => refused).send, log })
  await before.scan()
  await before.idle()
  clock.pass(-HOUR)
  const after = engine(base, clock, { send: recorder(() => delivered).send, log })
  await after.scan()
  await after.idle()
  assert.equal(await waitingOf(clinic), 0)
})

test('a lease taken during the jump lasts its normal time from the correction, and only its holder has it', async () => {
  const [clinic, clock] = [await newClinic(base), new TestClock()]
  await subscribe(base, clinic, 'one')
  clock.pass(HOUR)
  await happen(base, clinic, 4, clock.now())
  const claim = { clinic_id: clinic.clinic_id, most: 64, retries: true, lease_id: 'a worker that has died' }
  assert.equal((await claimDue(base.app, { ...claim, now: clock.now() })).claimed.length, 4)
  clock.pass(-HOUR)
  const { sent, send } = recorder()
  const dispatcher = engine(base, clock, { send, log })
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

test('a retry waits its whole step where clocks differ by less than a minute', async () => {
  const [clinic, clock] = [await newClinic(base), new TestClock()]
  await subscribe(base, clinic, 'one')
  await happen(base, clinic, 1, clock.now())
  const failing = engine(base, clock, { send: recorder(() => refused).send, log })
  await failing.scan()
  await failing.idle()
  const [row] = await deliveriesOf(base, clinic)
  clock.pass(-30_000)
  const { sent, send } = recorder()
  const other = engine(base, clock, { send, log })
  await other.scan()
  await other.idle()
  assert.equal(sent.length, 0)
  assert.deepEqual(await deliveriesOf(base, clinic), [row])
})

test("a delivery made during the search, or by a clock slightly ahead, is not treated as a wrong clock's", async () => {
  const [clinic, clock] = [await newClinic(base), new TestClock()]
  await subscribe(base, clinic, 'one')
  await happen(base, clinic, 5, new Date(clock.now().getTime() + 30_000))
  const dispatcher = engine(base, clock, { send: recorder().send, log: { ...log, warn: assert.fail } })
  await dispatcher.scan()
  await dispatcher.idle()
  clock.pass(30_000)
  await dispatcher.scan()
  await dispatcher.idle()
  assert.equal(await waitingOf(clinic), 0)
})

test('in the order of the feed the times of a clinic’s events never go back, and due deliveries do not wait for them', async () => {
  const [clinic, clock] = [await newClinic(base), new TestClock()]
  await subscribe(base, clinic, 'one')
  const { send } = recorder()
  const dispatcher = engine(base, clock, { send, log })
  const started = clock.now()
  for (const passed of [0, HOUR, MINUTE, -HOUR, MINUTE, HOUR, -HOUR]) {
    clock.pass(passed)
    await happen(base, clinic, 2, clock.now())
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
