// The edges of the engine's claims: what waits from an outage, what ends behind an open circuit, the share of a clinic and of
// retries, and attempts that are broken off or may not start any more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { openDatabase, sql } from '@clinic-data/database'
import { delivered, look, newScene, recorder, refused, subscribe } from '@clinic-data/testing/grounds/ground'
import { asApplication } from '@clinic-data/testing/run/application'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { until } from '@clinic-data/testing/until'
import { type Claimed, claimDue, isRetry } from '../src/engine/claim.ts'
import { complete } from '../src/engine/complete.ts'
import type { Sent } from '../src/engine/dispatcher.ts'
import { dueClinics } from '../src/engine/due-clinics.ts'
import { AT_ONCE, RETRIES_AT_ONCE, START_WINDOW_MS } from '../src/engine/engine-limits.ts'
import { expireDeliveries } from '../src/engine/expire.ts'
import { HORIZON_MS } from '../src/engine/retry-schedule.ts'
import { StartWindow } from '../src/engine/start-window.ts'
import { endStrays } from '../src/engine/stray-deliveries.ts'
import { MAX_AT_ONCE } from '../src/subscriptions/circuit.ts'

const SECOND = 1000
const HOUR = 3_600_000

const base = await ownGround()

test('while retries have no room, only first attempts are claimed, however many retries are older', async () => {
  const { clinic, clock, happen } = await newScene(base, 'failing')
  await happen(MAX_AT_ONCE)
  await base.owner.query(sql`update delivery set attempt_count = 1 where clinic_id = ${clinic.clinic_id}`)
  clock.pass(HOUR)
  await happen(1)
  const claim = { clinic_id: clinic.clinic_id, most: 64, now: clock.now() }
  const first = await claimDue(base.app, { ...claim, retries: 0, lease_id: 'first' })
  assert.deepEqual(
    first.claimed.map(({ attempt_count }) => attempt_count),
    [0],
  )
  const others = await claimDue(base.app, { ...claim, retries: 64, lease_id: 'all' })
  assert.equal(others.claimed.length, MAX_AT_ONCE - 1)
})

test('of the retries that are due no more are claimed than have room, the oldest first, and no recovery ends by it', async () => {
  const { clinic, clock, happen, engine } = await newScene(base, 'one', 'two')
  const { clinic_id } = clinic
  await happen(3)
  await look(engine({ send: recorder(() => refused).send }))
  clock.pass(HOUR)
  await happen(1)
  await base.owner.query(sql`update lane set recovered_at = ${clock.now()} where clinic_id = ${clinic_id}`)
  const claim = { clinic_id, most: 64, now: clock.now() }
  const some = await claimDue(base.app, { ...claim, retries: 4, lease_id: 'some' })
  const counts = some.claimed.map(({ attempt_count }) => attempt_count)
  assert.deepEqual(counts.toSorted(), [0, 0, 1, 1, 1, 1])
  assert.equal(some.isCut, true)
  const recovering = () =>
    base.owner.query(sql`select from lane where clinic_id = ${clinic_id} and recovered_at is not null`)
  assert.equal((await recovering()).rowCount, 2)
  const rest = await claimDue(base.app, { ...claim, retries: 4, lease_id: 'rest' })
  assert.deepEqual([rest.claimed.length, rest.isCut], [2, false])
})

test('retries that are due together are claimed up to their limit, and the others take no places from first attempts', async () => {
  const failing = Array.from({ length: 19 }, (_, n) => `failing${n}`)
  const { clinic, clock, happen } = await newScene(base, ...failing)
  const { clinic_id } = clinic
  await happen(MAX_AT_ONCE)
  await base.owner.query(sql`update delivery set attempt_count = 1 where clinic_id = ${clinic_id}`)
  clock.pass(SECOND)
  await subscribe(base, clinic, 'well')
  await happen(MAX_AT_ONCE)
  const claim = { clinic_id, most: AT_ONCE.clinic, retries: 4, lease_id: 'one', now: clock.now() }
  const { claimed } = await claimDue(base.app, claim)
  assert.equal(claimed.filter(isRetry).length, 4)
  assert.equal(claimed.filter(({ subscription_id }) => subscription_id === 'well').length, MAX_AT_ONCE)
})

test('a clinic whose retries hang has its share of them, and those of another clinic are sent beside', async (t) => {
  // As many failures as open no circuit.
  const [endpoints, events] = [8, 4]
  const names = Array.from({ length: endpoints }, (_, n) => `hangs${n}`)
  const hanging = await newScene(base, ...names)
  const other = await newScene(base, 'answers')
  await hanging.happen(events)
  await other.happen(1)
  await look(hanging.engine({ send: recorder(() => refused).send }))
  hanging.clock.pass(HOUR)
  other.clock.pass(HOUR)
  const held = Promise.withResolvers<Sent>()
  t.after(() => held.resolve(delivered))
  const sent: string[] = []
  const engine = hanging.engine({
    send: ({ clinic_id }) => {
      sent.push(clinic_id)
      return clinic_id === hanging.clinic.clinic_id ? held.promise : Promise.resolve(delivered)
    },
  })
  await engine.scan()
  await until(
    async () => sent.includes(other.clinic.clinic_id) && sent.length > RETRIES_AT_ONCE.clinic,
    () => JSON.stringify(sent),
  )
  assert.equal(sent.filter((one) => one === hanging.clinic.clinic_id).length, RETRIES_AT_ONCE.clinic)
  held.resolve(delivered)
  await engine.idle()
  assert.equal(sent.length, endpoints * events + 1)
})

test('retries that are requested use up no room of the others', async (t) => {
  const lanes = Array.from({ length: RETRIES_AT_ONCE.clinic / MAX_AT_ONCE + 1 }, (_, n) => `lane${n}`)
  const { clinic, clock, happen, engine } = await newScene(base, ...lanes)
  const { clinic_id } = clinic
  await happen(MAX_AT_ONCE)
  // All of them are second attempts, and but for those of one lane all are requested.
  await base.owner.query(sql`update delivery set attempt_count = 1,
    manual_from = case when subscription_id <> 'lane0' then 'pending' end where clinic_id = ${clinic_id}`)
  await base.owner.query(sql`update lane set has_urgent = subscription_id <> 'lane0' where clinic_id = ${clinic_id}`)
  const later = new Date(clock.now().getTime() + 5 * SECOND)
  await base.owner.query(sql`update delivery set due_at = ${later}
    where clinic_id = ${clinic_id} and subscription_id = 'lane0'`)
  clock.pass(SECOND)
  const held = Promise.withResolvers<Sent>()
  t.after(() => held.resolve(delivered))
  const sent: string[] = []
  const dispatcher = engine({
    send: ({ subscription_id }) => {
      sent.push(subscription_id)
      return held.promise
    },
  })
  const areSent = async (count: number) => {
    await dispatcher.scan()
    await until(
      async () => sent.length === count,
      () => JSON.stringify(sent),
    )
  }
  await areSent(RETRIES_AT_ONCE.clinic)
  assert.ok(!sent.includes('lane0'))
  clock.pass(5 * SECOND)
  await areSent(RETRIES_AT_ONCE.clinic + MAX_AT_ONCE)
})

test('what waits from an outage is found and claimed before its time, until nothing of it is left', async () => {
  const { clinic, clock, happen } = await newScene(base, 'back')
  const { clinic_id } = clinic
  const postpone = () => {
    const later = new Date(clock.now().getTime() + HOUR)
    return base.owner.query(
      sql`update delivery set due_at = ${later} where clinic_id = ${clinic_id} and lease_id is null`,
    )
  }
  const claim = async (lease_id: string): Promise<readonly Claimed[]> =>
    (await claimDue(base.app, { clinic_id, most: 64, retries: 64, lease_id, now: clock.now() })).claimed
  await happen(3)
  await postpone()
  assert.ok(!(await dueClinics(base.app, clock.now(), 100)).includes(clinic_id))
  clock.pass(SECOND)
  await base.owner.query(sql`update lane set recovered_at = ${clock.now()}, at_once = 2 where clinic_id = ${clinic_id}`)
  assert.ok((await dueClinics(base.app, clock.now(), 100)).includes(clinic_id))
  const some = await claim('some')
  assert.equal(some.length, 2)
  const outcomes = some.map((claimed) => ({ claimed, started_at: clock.now(), ...delivered }))
  await complete(base.app, clinic_id, outcomes, { now: clock.now(), random: () => 0 })
  assert.equal((await claim('rest')).length, 1)
  await happen(1, new Date(clock.now().getTime() - SECOND / 2))
  await postpone()
  assert.equal((await claim('none')).length, 0)
})

test('behind an open circuit nothing ends that is being attempted, was requested, or has a horizon of its own', async () => {
  const { clinic, clock, happen, deliveries } = await newScene(base, 'down')
  const { clinic_id } = clinic
  await happen(4)
  await base.owner.query(sql`update lane set opened_at = ${clock.now()}, probe_at = ${clock.now()},
    failing_since = ${clock.now()} where clinic_id = ${clinic_id}`)
  clock.pass(HORIZON_MS + 1)
  const [running, requested, replayed, waiting] = (await deliveries()).map(({ event_id }) => event_id)
  const until = new Date(clock.now().getTime() + SECOND)
  await base.owner.query(sql`update delivery set
      lease_until = case when event_id = ${running ?? ''} then ${until}::timestamptz end,
      manual_from = case when event_id = ${requested ?? ''} then 'pending' end,
      scheduled_from = case when event_id = ${replayed ?? ''} then ${clock.now()}::timestamptz end
    where clinic_id = ${clinic_id}`)
  assert.equal(await expireDeliveries(base.app, clinic_id, clock.now()), 1)
  const failed = (await deliveries()).filter(({ status }) => status === 'failed')
  assert.deepEqual(
    failed.map(({ event_id }) => event_id),
    [waiting],
  )
})

test('the strays of a disabled subscription end alone: what another one of the clinic waits for stays', async () => {
  const { clinic, happen, deliveries } = await newScene(base, 'ended', 'well')
  const { clinic_id } = clinic
  await happen(1)
  await base.owner.query(sql`update subscription set enabled = false where clinic_id = ${clinic_id} and id = 'ended'`)
  await base.owner.query(sql`delete from lane where clinic_id = ${clinic_id} and subscription_id = 'ended'`)
  await endStrays(base.app, clinic_id)
  assert.deepEqual(
    (await deliveries()).map(({ subscription_id, status }) => [subscription_id, status]),
    [
      ['ended', 'failed'],
      ['well', 'pending'],
    ],
  )
})

test('a clinic with attempts under way gets only what is left of its share', async () => {
  const { clinic, happen, engine } = await newScene(base, ...Array.from({ length: 9 }, (_, n) => `s${n}`))
  const [begun, full, answer] = [0, 0, 0].map(() => Promise.withResolvers<void>())
  let active = 0
  let peak = 0
  const dispatcher = engine({
    send: async () => {
      active += 1
      peak = Math.max(peak, active)
      if (active === 9 * 5) begun?.resolve()
      if (active === AT_ONCE.clinic) full?.resolve()
      await answer?.promise
      active -= 1
      return delivered
    },
  })
  await happen(5)
  dispatcher.wake(clinic.clinic_id)
  await begun?.promise
  await happen(3)
  dispatcher.wake(clinic.clinic_id)
  await full?.promise
  answer?.resolve()
  await dispatcher.idle()
  assert.equal(peak, AT_ONCE.clinic)
})

test('an attempt that we broke off ourselves is no attempt: its delivery waits as before', async () => {
  const { clinic, happen, engine, deliveries } = await newScene(base, 'ending')
  const sent = Promise.withResolvers<void>()
  const dispatcher = engine({
    send: (_, signal) =>
      new Promise<Sent>((resolve) => {
        signal.addEventListener('abort', () => resolve({ ...refused, response_status: null, error: 'aborted' }))
        sent.resolve()
      }),
  })
  await happen(1)
  dispatcher.wake(clinic.clinic_id)
  await sent.promise
  dispatcher.end(clinic.clinic_id, 'ending')
  await dispatcher.idle()
  assert.deepEqual(
    (await deliveries()).map(({ status, attempt_count, error }) => [status, attempt_count, error]),
    [['pending', 0, null]],
  )
})

test('an attempt may start as long as its claim holds, and no longer when another one has the delivery', async (t) => {
  const { clinic, clock, happen } = await newScene(base, 'slow')
  await happen(1)
  const claim = { clinic_id: clinic.clinic_id, most: 1, retries: 64, lease_id: 'ours', now: clock.now() }
  const [claimed] = (await claimDue(base.app, claim)).claimed
  assert.ok(claimed !== undefined)
  // Over one connection answers come in the order of the questions.
  const database = await openDatabase({ ...asApplication(base.url), readConnections: 1 })
  t.after(() => database.close())
  await database.readAsDispatcher(sql`select 1`)
  let monotonicMs = 10 * START_WINDOW_MS
  t.mock.method(performance, 'now', () => monotonicMs)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const lost = new StartWindow(database, { ...claimed, lease_id: 'another' }, monotonicMs, clock.now)
  const held = new StartWindow(database, claimed, monotonicMs, clock.now)
  monotonicMs += START_WINDOW_MS / 2
  t.mock.timers.tick(START_WINDOW_MS / 2)
  await database.readAsDispatcher(sql`select 1`)
  await new Promise(setImmediate)
  monotonicMs += START_WINDOW_MS / 2
  assert.deepEqual([lost.isOpen, held.isOpen], [false, true])
  monotonicMs += START_WINDOW_MS / 2
  assert.equal(held.pass(), false)
  lost.close()
})

test('nothing is claimed any more for the webhook of an app whose connection has expired, and a key’s goes on', async () => {
  for (const [id, count] of [
    ['con_app', 0],
    ['key_till', 1],
  ] as const) {
    const { clinic, clock, happen } = await newScene(base, 'made')
    const { clinic_id } = clinic
    await base.owner.query(sql`insert into api_key
        (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at, expires_at)
      values (${clinic_id}, ${id}, ${hashKey(makeKey('sk_live_'))}, '', '', 'Desk', '{}', now(), ${clock.now()}::timestamptz + interval '1 hour')`)
    await base.owner.query(sql`update subscription set made_by = ${id} where clinic_id = ${clinic_id}`)
    const claim = { clinic_id, most: 1, retries: 64 }
    await happen(2)
    const before = await claimDue(base.app, { ...claim, lease_id: 'before', now: clock.now() })
    assert.equal(before.claimed.length, 1)
    clock.pass(HOUR)
    const after = await claimDue(base.app, { ...claim, lease_id: 'after', now: clock.now() })
    assert.equal(after.claimed.length, count, id)
  }
})
