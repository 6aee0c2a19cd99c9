// A subscription tells whether its deliveries wait: since when, and when the next attempt comes.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ask } from '@clinic-data/testing/grounds/ask'
import { webhookGround } from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog } from '@clinic-data/testing/run/test-database'
import { Dispatcher } from '@clinic-data/webhooks/engine/dispatcher'
import { OPENING_FAILURES } from '@clinic-data/webhooks/subscriptions/circuit'

const ground = await webhookGround()
const { app, backend, newClinic, subscribe, happen, at } = ground

const CLOSED = { state: 'closed', opened_at: null, next_attempt_at: null }
const OPENED = '2026-07-12T09:30:00.000+03:00'

/** A clinic with one subscription, whose receiver fails or not. */
async function receiving() {
  const clinic = await newClinic()
  const params = { id: await subscribe(clinic) }
  let fails = true
  const engine = new Dispatcher({
    database: app,
    now: ground.now,
    random: () => 0,
    log: failingLog,
    send: async () =>
      fails
        ? { response_status: 500, error: 'http_5xx', duration_ms: 3, retry_after_seconds: null }
        : { response_status: 204, error: null, duration_ms: 3, retry_after_seconds: null },
  })
  after(() => engine.stop(0))
  const send = async () => {
    engine.wake(clinic.clinic_id)
    await engine.idle()
  }
  return {
    clinic,
    params,
    repair: () => {
      fails = false
    },
    send,
    circuit: async () => (await ask(backend, clinic, 'webhooks.get', { params })).data.circuit,
    change: async (body: object) => (await ask(backend, clinic, 'webhooks.update', { params, body })).data.circuit,
  }
}

test('a subscription shows its circuit: closed, open since when and until when, half open, closed by a 2xx', async () => {
  at('2026-07-12T06:30:00Z')
  const { clinic, params, repair, send, circuit, change } = await receiving()
  assert.deepEqual(await circuit(), CLOSED)
  await happen(clinic, ...Array<'call.updated'>(OPENING_FAILURES).fill('call.updated'))
  await send()
  const open = { state: 'open', opened_at: OPENED, next_attempt_at: '2026-07-12T09:30:05.000+03:00' }
  assert.deepEqual(await circuit(), open)
  const [listed] = (await ask(backend, clinic, 'webhooks.list')).data
  assert.deepEqual(listed?.circuit, open)
  assert.deepEqual(await change({ description: 'CRM' }), open)
  assert.deepEqual((await ask(backend, clinic, 'webhooks.secret.rotate', { params })).data.circuit, open)
  at('2026-07-12T06:30:04.999Z')
  assert.deepEqual(await circuit(), open)
  at('2026-07-12T06:30:05Z')
  assert.deepEqual(await circuit(), { state: 'half_open', opened_at: OPENED, next_attempt_at: null })
  await send()
  assert.deepEqual(await circuit(), { ...open, next_attempt_at: '2026-07-12T09:30:15.000+03:00' })
  repair()
  at('2026-07-12T06:30:15Z')
  await send()
  assert.deepEqual(await circuit(), CLOSED)
})

test('a paused subscription has no circuit, and an enabled one begins with a closed one', async () => {
  at('2026-07-12T06:30:00Z')
  const { clinic, send, circuit, change } = await receiving()
  await happen(clinic, ...Array<'call.updated'>(OPENING_FAILURES).fill('call.updated'))
  await send()
  assert.equal((await circuit())?.state, 'open')
  assert.equal(await change({ enabled: false }), null)
  assert.equal(await circuit(), null)
  assert.deepEqual(await change({ enabled: true }), CLOSED)
  assert.deepEqual(await circuit(), CLOSED)
})

test('a creation that is repeated is answered with the circuit that it began with', async () => {
  at('2026-07-12T06:30:00Z')
  const { clinic, send } = await receiving()
  const request = { body: { url: 'https://second.example.com/hooks' }, idempotency_key: 'once' }
  const { data: made } = await ask(backend, clinic, 'webhooks.create', request)
  await happen(clinic, ...Array<'call.updated'>(OPENING_FAILURES).fill('call.updated'))
  await send()
  assert.equal((await ask(backend, clinic, 'webhooks.get', { params: { id: made.id } })).data.circuit?.state, 'open')
  assert.deepEqual((await ask(backend, clinic, 'webhooks.create', request)).data, made)
})
