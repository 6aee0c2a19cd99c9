// Both edges of disabling, on real tables with an injected clock, and the waiting deliveries of a subscription that ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import {
  delivered,
  deliveriesOf,
  engine,
  newScene,
  recorder,
  refused,
  type TestClock,
} from '@clinic-data/testing/grounds/ground'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import type { Dispatcher, Sent } from '../src/engine/dispatcher.ts'
import { clinicsWithStrays, endStrays } from '../src/engine/stray-deliveries.ts'
import { emit } from '../src/events/emit.ts'
import { removeSubscription } from '../src/subscriptions/subscription.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const base = await ownGround()
const gone: Sent = { ...refused, response_status: 410, error: 'http_4xx' }
const quiet = { warn: () => undefined, error: assert.fail }

async function subscriptionOf({ clinic_id }: Clinic) {
  const { rows } = await base.owner.query<{ enabled: boolean; disabled_reason: string | null }>(sql`
    select enabled, disabled_reason from subscription where clinic_id = ${clinic_id}`)
  return rows[0] ?? { enabled: null, disabled_reason: null }
}

async function look(dispatcher: Dispatcher, clinic: Clinic): Promise<void> {
  dispatcher.wake(clinic.clinic_id)
  await dispatcher.idle()
}

interface Before {
  failingMs: number
  failed_attempts: number
  exhausted_deliveries: number
}

/** Makes one more first attempt fail at an endpoint with this past. */
async function isDisabledAfter({ failingMs, failed_attempts, exhausted_deliveries }: Before): Promise<boolean> {
  const { clinic, clock, happen, engine, deliveries } = await newScene(base, 'edge')
  await base.owner.query(sql`update lane set failing_since = ${new Date(clock.now().getTime() - failingMs)},
    failed_attempts = ${failed_attempts}, exhausted_deliveries = ${exhausted_deliveries} where clinic_id = ${clinic.clinic_id}`)
  await happen(1)
  await look(engine({ send: recorder(() => refused).send, log: quiet }), clinic)
  const { enabled } = await subscriptionOf(clinic)
  const [row] = await deliveries()
  assert.deepEqual([row?.attempt_count, row?.status], [1, enabled ? 'pending' : 'failed'])
  return enabled === false
}

async function endAllStrays(): Promise<void> {
  for (const clinic_id of await clinicsWithStrays(base.app)) await endStrays(base.app, clinic_id)
}

test('a failing subscription is disabled after 72 hours, 2 exhausted deliveries and 20 failed attempts, and not before all three', async () => {
  const all: Before = { failingMs: 72 * HOUR, failed_attempts: 19, exhausted_deliveries: 2 }
  assert.equal(await isDisabledAfter(all), true)
  assert.equal(await isDisabledAfter({ ...all, failingMs: 72 * HOUR - MINUTE }), false)
  assert.equal(await isDisabledAfter({ ...all, failingMs: 72 * HOUR - 1 }), false)
  assert.equal(await isDisabledAfter({ ...all, failed_attempts: 18 }), false)
  assert.equal(await isDisabledAfter({ ...all, exhausted_deliveries: 1 }), false)
})

test('an endpoint that is down for good is tried by the table for three days, then ended with all waiting deliveries', async () => {
  const { clinic, clock, happen, engine, deliveries } = await newScene(base, 'down')
  const start = clock.now().getTime()
  const tried: number[] = []
  const { send } = recorder(() => {
    tried.push(clock.now().getTime() - start)
    return refused
  })
  const dispatcher = engine({ send, log: quiet })
  for (const hours of [0, 25, 48, 72]) {
    clock.reach(new Date(start + hours * HOUR))
    await happen(2)
    for (let next: Date | null = clock.now(); next !== null && next.getTime() < start + (hours + 23.9) * HOUR; ) {
      clock.reach(next)
      await look(dispatcher, clinic)
      next = await nextOf(clinic)
    }
    if (hours < 72) assert.equal((await subscriptionOf(clinic)).enabled, true, `after ${hours} hours`)
  }
  const { enabled, disabled_reason } = await subscriptionOf(clinic)
  assert.equal(enabled, false)
  assert.match(disabled_reason ?? '', /72 hours/)
  assert.ok((tried.at(-1) ?? 0) >= 72 * HOUR && tried.filter((ms) => ms >= 72 * HOUR).length === 1)
  const rows = await deliveries()
  assert.equal(rows.length, 8)
  assert.ok(rows.every(({ status }) => status === 'failed'))
  assert.ok(rows.some(({ error }) => error === 'subscription_disabled'))
})

/** When the next attempt can be made. */
async function nextOf({ clinic_id }: Clinic): Promise<Date | null> {
  const { rows } = await base.owner.query<{ next: string | null }>(sql`
    select to_char(greatest(min(d.due_at), min(lane.probe_at)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as next
    from delivery d join lane using (clinic_id, subscription_id) where d.clinic_id = ${clinic_id} and d.status = 'pending'`)
  const next = rows[0]?.next
  return next ? new Date(next) : null
}

/** A first attempt gets 410, then `between` happens. The next attempt is made this much later. */
async function isGoneAfter(apartMs: number, between: readonly Sent[] = []): Promise<boolean> {
  const { clinic, clock, happen, engine } = await newScene(base, 'gone')
  const answers = [gone, ...between, gone]
  // Attempts after the second 410 are retries of the first.
  const { send } = recorder(() => answers.shift() ?? refused)
  const dispatcher = engine({ send, log: quiet })
  for (const ms of [0, ...between.map(() => 1), apartMs - between.length]) {
    clock.pass(ms)
    await happen(1)
    await look(dispatcher, clinic)
  }
  assert.equal(answers.length, 0)
  return (await subscriptionOf(clinic)).enabled === false
}

test('two 410 answers end a subscription 30 seconds apart, not 29, and not with a 2xx in between', async () => {
  assert.equal(await isGoneAfter(29 * SECOND), false)
  assert.equal(await isGoneAfter(30 * SECOND - 1), false)
  assert.equal(await isGoneAfter(30 * SECOND), true)
  assert.equal(await isGoneAfter(30 * SECOND, [refused]), true)
  assert.equal(await isGoneAfter(30 * SECOND, [delivered]), false)
})

/** A subscription with one delivery, and a second change whose transaction is open while the subscription ends. */
async function whileEmitting(end: (clinic: Clinic, clock: TestClock) => Promise<void>): Promise<[Clinic, TestClock]> {
  const { clinic, clock, happen } = await newScene(base, 'ending')
  await happen(1)
  clock.pass(1)
  await base.app.write(clinic, async (tx) => {
    await emit(tx, clinic, [{ type: 'appointment.created', data: '{"id":"a"}' }], clock.now())
    // The emitted event leaves with the transaction's next statement.
    await tx.query(sql`select 1`)
    await end(clinic, clock)
  })
  return [clinic, clock]
}

test('a delivery that was emitted while its subscription was being disabled fails with it', async () => {
  const [clinic, clock] = await whileEmitting(async (clinic, clock) => {
    const at = new Date(clock.now().getTime() - 30 * SECOND)
    await base.owner.query(sql`update lane set first_gone_at = ${at}, last_gone_at = ${at}, failing_since = ${at},
      failed_attempts = 1 where clinic_id = ${clinic.clinic_id}`)
    await look(engine(base, clock, { send: recorder(() => gone).send, log: quiet }), clinic)
    assert.equal((await subscriptionOf(clinic)).enabled, false)
  })
  await endAllStrays()
  const rows = await deliveriesOf(base, clinic)
  assert.deepEqual(
    rows.map(({ status, error, due_at, attempt_count }) => [status, error, due_at, attempt_count]),
    [
      ['failed', 'subscription_disabled', null, 1],
      ['failed', 'subscription_disabled', null, 0],
    ],
  )
  const { send, sent } = recorder()
  const other = engine(base, clock, { send })
  await other.scan()
  await other.idle()
  assert.equal(sent.length, 0)
})

test('a delivery that was emitted while its subscription was being deleted is deleted with it', async () => {
  const [clinic] = await whileEmitting(async (clinic) => {
    assert.equal(await base.app.write(clinic, (tx) => removeSubscription(tx, clinic, 'ending')), true)
  })
  assert.equal((await deliveriesOf(base, clinic)).length, 1)
  await endAllStrays()
  assert.equal((await deliveriesOf(base, clinic)).length, 0)
})

test('a waiting delivery of an existing subscription is no stray', async () => {
  const { happen, deliveries } = await newScene(base, 'well')
  await happen(3)
  await endAllStrays()
  assert.deepEqual(
    (await deliveries()).map(({ status }) => status),
    ['pending', 'pending', 'pending'],
  )
})
