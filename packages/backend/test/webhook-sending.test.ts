// Requested deliveries in the engine: retries, replays and test events that are sent, and those that a deletion stops.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { webhookGround } from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog } from '@clinic-data/testing/run/test-database'
import type { Claimed } from '@clinic-data/webhooks/engine/claim'
import { Dispatcher, type Sent } from '@clinic-data/webhooks/engine/dispatcher'
import { failDisabled } from '@clinic-data/webhooks/subscriptions/disable'

const ground = await webhookGround()
const { owner, app, backend, newClinic, subscribe, happen, at } = ground

const ANSWERS: Record<'taken' | 'refused', Sent> = {
  taken: { response_status: 204, error: null, duration_ms: 3, retry_after_seconds: null },
  refused: { response_status: 500, error: 'http_5xx', duration_ms: 3, retry_after_seconds: null },
}

/** A clinic with one subscription, and an engine that sends due deliveries when the test asks for it. */
async function sending() {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  const params = { id }
  let answer: Sent = ANSWERS.refused
  const sent: Claimed[] = []
  const engine = new Dispatcher({
    database: app,
    now: ground.now,
    random: () => 0,
    log: failingLog,
    send: async (claimed) => {
      sent.push(claimed)
      return answer
    },
  })
  after(() => engine.stop(0))
  const log = async () => (await ask(backend, clinic, 'webhooks.deliveries.list', { params })).data
  return {
    clinic,
    id,
    sent,
    log,
    /** The one delivery there is. */
    only: async () => (await log())[0] ?? assert.fail('there is no delivery'),
    /** Sends due deliveries. All receivers give this answer. @returns how many were sent. */
    send: async (how: keyof typeof ANSWERS) => {
      answer = ANSWERS[how]
      const before = sent.length
      engine.wake(clinic.clinic_id)
      await engine.idle()
      return sent.length - before
    },
    retry: (delivery_id: string) => ask(backend, clinic, 'webhooks.deliveries.retry', { params: { id, delivery_id } }),
  }
}

test('a failed delivery is attempted again on request: delivered if accepted, and otherwise still failed', async () => {
  at('2026-07-05T06:30:00Z')
  const { clinic, send, only, retry } = await sending()
  await happen(clinic, 'call.completed')
  await owner.query(sql`update delivery set status = 'failed', due_at = null, attempt_count = 11, automatic_count = 11
    where clinic_id = ${clinic.clinic_id}`)
  at('2026-07-12T06:30:00Z')
  assert.equal(await send('refused'), 0)
  const { id } = await only()
  for (const [how, status] of [
    ['refused', 'failed'],
    ['taken', 'delivered'],
  ] as const) {
    await retry(id)
    assert.equal(await send(how), 1)
    const delivery = await only()
    assert.deepEqual([delivery.status, delivery.next_attempt_at], [status, null])
    assert.equal(delivery.attempts.at(-1)?.trigger, 'manual')
    assert.equal(delivery.response_status, ANSWERS[how].response_status)
  }
  assert.equal((await only()).attempt_count, 13)
})

test('a delivered event is sent again on request, with the same id and bytes, and is delivered whatever is answered', async () => {
  at('2026-07-12T06:30:00Z')
  const { clinic, sent, send, only, retry } = await sending()
  await happen(clinic, 'call.completed')
  assert.equal(await send('taken'), 1)
  const first = await only()
  for (const [how, minute] of [
    ['refused', 31],
    ['taken', 32],
  ] as const) {
    at(`2026-07-12T06:${minute}:00Z`)
    const { data } = await retry(first.id)
    assert.deepEqual([data.status, data.next_attempt_at], ['pending', `2026-07-12T09:${minute}:00.000+03:00`])
    assert.equal(await send(how), 1)
    const { status, delivered_at, next_attempt_at, response_status, attempts } = await only()
    assert.deepEqual([status, delivered_at, next_attempt_at], ['delivered', first.delivered_at, null])
    assert.equal(response_status, ANSWERS[how].response_status)
    assert.equal(attempts.at(-1)?.trigger, 'manual')
  }
  assert.deepEqual(new Set(sent.map(({ event_id, body }) => event_id + body)).size, 1)
  at('2026-07-12T09:00:00Z')
  assert.equal(await send('taken'), 0, 'it has no schedule any more')
})

test('a delivered event that waits to be sent again is delivered still when its subscription is disabled', async () => {
  at('2026-07-12T06:30:00Z')
  const { clinic, id, send, only, retry } = await sending()
  await happen(clinic, 'call.completed')
  await send('taken')
  const before = await only()
  await retry(before.id)
  await app.write(clinic, (tx) =>
    failDisabled(tx, sql`d.clinic_id = ${clinic.clinic_id} and d.subscription_id = ${id}`),
  )
  assert.deepEqual(await only(), before)
})

test('a manual attempt that is refused leaves the schedule as it was', async () => {
  at('2026-07-12T06:30:00Z')
  const { clinic, send, only, retry } = await sending()
  await happen(clinic, 'call.completed')
  assert.equal(await send('refused'), 1)
  const waiting = await only()
  assert.equal(waiting.next_attempt_at, '2026-07-12T09:30:05.000+03:00')
  at('2026-07-12T06:30:01Z')
  await retry(waiting.id)
  assert.equal(await send('refused'), 1)
  const after = await only()
  assert.deepEqual([after.status, after.next_attempt_at], ['pending', waiting.next_attempt_at])
  assert.deepEqual(
    after.attempts.map(({ number, trigger }) => [number, trigger]),
    [
      [1, 'automatic'],
      [2, 'manual'],
    ],
  )
  at('2026-07-12T06:30:05Z')
  assert.equal(await send('refused'), 1)
  assert.equal((await only()).next_attempt_at, '2026-07-12T09:30:35.000+03:00', 'the second step, not the third')
})

test('a replayed event is sent with the same id and bytes, and retried by its own schedule', async () => {
  at('2026-07-02T06:30:00Z')
  const { clinic, id, sent, send, only } = await sending()
  await happen(clinic, 'call.completed')
  assert.equal(await send('taken'), 1)
  at('2026-07-12T06:30:00Z')
  const body = { since: '2026-07-01T00:00:00Z', only: 'all' }
  const { data } = await ask(backend, clinic, 'webhooks.replay', { params: { id }, body })
  assert.deepEqual(data, { matched: 1 })
  assert.equal(await send('refused'), 1)
  assert.deepEqual([sent[1]?.event_id, sent[1]?.body], [sent[0]?.event_id, sent[0]?.body])
  const delivery = await only()
  assert.deepEqual(
    [delivery.status, delivery.next_attempt_at, delivery.attempt_count, delivery.delivered_at],
    ['pending', '2026-07-12T09:30:05.000+03:00', 2, null],
  )
})

test('a replay sends the events that a subscription has missed', async () => {
  at('2026-07-11T06:30:00Z')
  const { clinic, sent, send } = await sending()
  await happen(clinic, 'call.completed', 'call.updated')
  at('2026-07-12T06:30:00Z')
  const later = await subscribe(clinic, ['call.updated'])
  const body = { since: '2026-07-11T00:00:00Z', only: 'all' }
  await ask(backend, clinic, 'webhooks.replay', { params: { id: later }, body })
  await send('taken')
  const toLater = sent.filter(({ subscription_id }) => subscription_id === later)
  assert.deepEqual(
    toLater.map(({ event_type }) => event_type),
    ['call.updated'],
  )
  assert.equal(
    sent.find(({ subscription_id, event_id }) => subscription_id !== later && event_id === toLater[0]?.event_id)?.body,
    toLater[0]?.body,
  )
})

test('a test event is sent as it was stored, and marked as a test', async () => {
  at('2026-07-12T06:30:00Z')
  const { clinic, id, sent, send, only } = await sending()
  const body = { event_type: 'patient.created' }
  const { data } = await ask(backend, clinic, 'webhooks.test', { params: { id }, body })
  assert.equal(await send('taken'), 1)
  const envelope = JSON.parse(sent[0]?.body ?? '')
  assert.deepEqual([envelope.id, envelope.type, envelope.test], [data.event_id, 'patient.created', true])
  assert.equal((await only()).status, 'delivered')
})

test('the first attempt of a test event was asked for, its retries and a replay go by schedule', async () => {
  at('2026-07-12T06:30:00Z')
  const { clinic, id, send, only } = await sending()
  const triggers = async () => (await only()).attempts.map(({ trigger }) => trigger)
  await ask(backend, clinic, 'webhooks.test', { params: { id }, body: { event_type: 'patient.created' } })
  await send('refused')
  at('2026-07-12T06:30:10Z')
  await send('taken')
  assert.deepEqual(await triggers(), ['manual', 'automatic'])
  at('2026-07-12T06:31:00Z')
  await happen(clinic, 'call.completed')
  await send('taken')
  const body = { since: '2026-07-12T06:31:00Z', only: 'all' }
  await ask(backend, clinic, 'webhooks.replay', { params: { id }, body })
  await send('taken')
  assert.deepEqual(await triggers(), ['automatic', 'automatic'])
})

test('no waiting delivery is sent once its subscription is deleted', async () => {
  at('2026-07-12T06:30:00Z')
  const { clinic, id, send } = await sending()
  await happen(clinic, 'call.completed', 'call.updated')
  await ask(backend, clinic, 'webhooks.delete', { params: { id } })
  await happen(clinic, 'call.completed')
  assert.equal(await send('taken'), 0)
  const { rows } = await owner.query(sql`select from delivery where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows.length, 0)
})
