// Tests what the console shows of webhooks: how they do by hour, the deliveries that a page watches, and one as it was sent. Only of the
// session's clinic, and each payload that is read stands in the audit log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventExample } from '@clinic-data/contract/event-examples'
import { serviceSignature, standardSignature } from '@clinic-data/contract/webhook-signature'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { KEY_ID } from '@clinic-data/testing/grounds/test-clinic'
import { claimDue } from '@clinic-data/webhooks/engine/claim'
import { complete, OWN_FAULT } from '@clinic-data/webhooks/engine/complete'
import { forgetAttemptHours } from '@clinic-data/webhooks/subscriptions/attempt-hours'
import { audited, type Person, send, signedIn } from './console-ground.ts'
import { START, URL_OF_RECEIVER, webhookConsole } from './webhook-console.ts'

const { ground, owner, app, backend, opened, get, subscribed, setTime, deliveriesOf, listOf } = await webhookConsole()
const HOUR = 60 * 60 * 1000

/** Attempts all that is due. */
async function attempt({ clinic: { clinic_id } }: Person, error: string | null, response_status: number | null = null) {
  const now = ground.now()
  const { claimed } = await claimDue(app, { clinic_id, most: 8, retries: 64, lease_id: 'lease', now })
  const outcome = { started_at: now, response_status, error, duration_ms: 12, retry_after_seconds: null }
  const outcomes = claimed.map((one) => ({ claimed: one, ...outcome }))
  await complete(app, clinic_id, outcomes, { now, random: () => 0 })
  return claimed.map(({ event_id }) => event_id)
}

const healthOf = async (noa: Person) => (await get(noa, '/webhooks/health')).json.data[0]

test('who made a webhook is told, and whether a request paused it', async () => {
  const noa = await subscribed()
  const health = async () => (await get(noa, '/webhooks/health')).json.data[0]
  const key = { id: KEY_ID, name: 'test', kind: 'key', connected_by: null }
  assert.deepEqual([(await health()).made_by, (await health()).is_paused], [key, false])
  await ask(backend, noa.clinic, 'webhooks.update', { params: { id: noa.webhook }, body: { enabled: false } })
  assert.equal((await health()).is_paused, true)
  await owner.query(sql`update subscription set made_by = ${noa.id} where clinic_id = ${noa.clinic.clinic_id}`)
  assert.deepEqual((await health()).made_by, {
    id: noa.id,
    name: 'Noa Levi',
    kind: 'administrator',
    connected_by: null,
  })
  await owner.query(sql`update subscription set made_by = null where clinic_id = ${noa.clinic.clinic_id}`)
  assert.equal((await health()).made_by, null)
})

test('the partner to which a webhook belongs is told, and none for one that an older version made', async () => {
  const noa = await subscribed()
  const { clinic_id } = noa.clinic
  assert.equal((await healthOf(noa)).integration, null)
  await owner.query(
    sql`insert into integration (clinic_id, id, name, created_at) values (${clinic_id}, 'int_crm', 'CRM', now())`,
  )
  await owner.query(sql`update subscription set integration_id = 'int_crm' where clinic_id = ${clinic_id}`)
  assert.deepEqual((await healthOf(noa)).integration, { id: 'int_crm', name: 'CRM' })
})

test('each attempt is counted once, in its hour, and the last failure is told', async () => {
  const noa = await subscribed()
  await ground.happen(noa.clinic, 'patient.created', 'patient.updated')
  assert.equal((await attempt(noa, null, 204)).length, 2)
  setTime(START + HOUR)
  await ground.happen(noa.clinic, 'patient.created')
  await attempt(noa, 'http_5xx', 503)
  setTime(START + 2 * HOUR)
  assert.equal((await attempt(noa, 'connect')).length, 1)
  const health = await healthOf(noa)
  assert.equal(health.delivered.length, 24)
  assert.deepEqual(health.delivered.slice(-4), [0, 2, 0, 0])
  assert.deepEqual(health.failed.slice(-4), [0, 0, 1, 1])
  assert.equal(Date.parse(health.since), Date.parse('2026-07-11T09:00:00Z'))
  assert.deepEqual([health.last_failure.error, health.last_failure.response_status], ['connect', null])
  assert.equal(Date.parse(health.last_failure.at), START + 2 * HOUR)
  assert.equal(Date.parse(health.failing_since), START + HOUR)
  assert.equal(health.opened_at, null)
  setTime(START + 2 * HOUR + 1)
  await ground.happen(noa.clinic, 'patient.created')
  await attempt(noa, 'timeout')
  const later = (await healthOf(noa)).last_failure
  assert.deepEqual([later.error, Date.parse(later.at)], ['timeout', START + 2 * HOUR + 1])
})

test('a fault of our own is no failure of the receiver', async () => {
  const noa = await subscribed()
  await ground.happen(noa.clinic, 'patient.created')
  await attempt(noa, OWN_FAULT)
  const { failed, last_failure } = await healthOf(noa)
  assert.deepEqual([Math.max(...failed), last_failure], [0, null])
})

test('hours of more than a month ago are removed, and go with their subscription', async () => {
  const noa = await subscribed()
  await ground.happen(noa.clinic, 'patient.created')
  await attempt(noa, null, 204)
  const stored = async () =>
    (await owner.query(sql`select hour from attempt_hour where clinic_id = ${noa.clinic.clinic_id}`)).rowCount
  const forget = () => app.write(noa.clinic, (tx) => forgetAttemptHours(tx, noa.clinic, ground.now()))
  setTime(START + 23 * HOUR)
  await forget()
  assert.deepEqual((await healthOf(noa)).delivered, [1, ...Array(23).fill(0)])
  setTime(START + 24 * HOUR)
  assert.deepEqual((await healthOf(noa)).delivered, Array(24).fill(0))
  setTime(START + 31 * 24 * HOUR)
  await forget()
  assert.equal(await stored(), 1)
  setTime(START + (31 * 24 + 1) * HOUR)
  await forget()
  assert.equal(await stored(), 0)
  await ground.happen(noa.clinic, 'patient.created')
  await attempt(noa, null, 204)
  assert.equal(await stored(), 1)
  await ask(backend, noa.clinic, 'webhooks.delete', { params: { id: noa.webhook } })
  assert.equal(await stored(), 0)
})

test('five failures in a row tell since when the circuit is open, and when it tries next', async () => {
  const noa = await subscribed()
  await ground.happen(noa.clinic, ...Array<'patient.created'>(5).fill('patient.created'))
  await attempt(noa, 'timeout')
  const { opened_at, probe_at } = await healthOf(noa)
  assert.equal(Date.parse(opened_at), START)
  assert.equal(Date.parse(probe_at), START + 5_000)
  setTime(START + 5_000)
  assert.equal((await healthOf(noa)).probe_at, null)
})

test('the list holds the latest deliveries by their filters, and the one that a page shows', async () => {
  const noa = await subscribed()
  await ground.happen(noa.clinic, 'patient.created')
  await attempt(noa, 'http_4xx', 404)
  setTime(START + 1_000)
  await ground.happen(noa.clinic, 'payment.recorded')
  const [second, first] = (await deliveriesOf(noa)).map((one) => ({ ...one, is_test: false }))
  const whole = { next_cursor: null }
  assert.deepEqual(await listOf(noa), { data: [second, first], meta: whole, shown: null })
  assert.deepEqual((await listOf(noa, '?event_type=patient.created')).data, [first])
  assert.deepEqual((await listOf(noa, '?status=pending&event_type=payment.recorded')).data, [second])
  assert.deepEqual((await listOf(noa, `?status=delivered&delivery_id=${first?.id}`)).shown, first)
  assert.deepEqual((await listOf(noa, '?delivery_id=dlv_unknown')).shown, null)
  const page = await listOf(noa, '?limit=1')
  assert.deepEqual([page.data, page.meta], [[second], { next_cursor: second?.event_id }])
  assert.deepEqual((await listOf(noa, `?limit=1&cursor=${page.meta.next_cursor}`)).data, [first])
  assert.deepEqual((await listOf(noa, '?from=2026-07-13')).data, [])
  assert.equal((await listOf(noa, '?from=2026-07-12&to=2026-07-12')).data.length, 2)
})

test('what is tried again after a failure has failed too, and each delivery counts once', async () => {
  const noa = await subscribed()
  const [retried] = await ground.happen(noa.clinic, 'patient.created')
  await attempt(noa, 'http_5xx', 503)
  setTime(START + 60_000)
  await attempt(noa, 'http_5xx', 503)
  setTime(START + 61_000)
  const [arrived] = await ground.happen(noa.clinic, 'patient.updated')
  await attempt(noa, null, 204)
  const [waiting] = await ground.happen(noa.clinic, 'patient.updated')
  const found = async (status: string) =>
    (await listOf(noa, `?status=${status}`)).data.map(({ event_id }: { event_id: string }) => event_id)
  assert.deepEqual(await found('failed'), [retried])
  assert.deepEqual(await found('pending'), [waiting, retried])
  assert.deepEqual(await found('delivered'), [arrived])
  assert.deepEqual((await healthOf(noa)).deliveries, { arrived: 1, failed: 1, waiting: 1 })
})

test('a test event is told as one, and holds the example of its type', async () => {
  const noa = await subscribed()
  for (const event_type of ['payment.cancelled', 'chat.message.read'] as const) {
    await ask(backend, noa.clinic, 'webhooks.test', { params: { id: noa.webhook }, body: { event_type } })
    const { data } = await listOf(noa, `?event_type=${event_type}`)
    assert.deepEqual([data.length, data[0].is_test], [1, true])
    const sent = (await get(noa, `/webhooks/${noa.webhook}/deliveries/${data[0].id}`)).json.data
    const { type, test, data: resource } = JSON.parse(sent.body)
    assert.deepEqual([type, test, sent.delivery.is_test], [event_type, true, true])
    assert.equal(resource.id, eventExample(event_type).id)
  }
})

test('a delivery is shown as it was sent, signed, and each reading is on record', async () => {
  const noa = await subscribed()
  const [event_id] = await ground.happen(noa.clinic, 'patient.created')
  const [waiting] = await deliveriesOf(noa)
  const path = `/webhooks/${noa.webhook}/deliveries/${waiting?.id}`
  assert.equal((await get(noa, path)).json.data.headers, null)
  setTime(START + 1_700)
  await attempt(noa, 'http_4xx', 400)
  const { payload, json } = await get(noa, path)
  const { delivery, url, body, headers } = json.data
  const { rows } = await owner.query<{ body: string }>(sql`select body from event where id = ${event_id ?? ''}`)
  assert.deepEqual([body, url], [rows[0]?.body, URL_OF_RECEIVER])
  assert.deepEqual([delivery.event_id, delivery.attempts[0].error], [event_id, 'http_4xx'])
  const timestamp = String(Math.floor((START + 1_700) / 1000))
  const shown = Object.fromEntries(headers.map(({ name, value }: { name: string; value: string }) => [name, value]))
  assert.deepEqual(shown, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Service-Signature': serviceSignature(noa.secret, body),
    'X-Service-Timestamp': timestamp,
    'X-Service-Event-Id': event_id,
    'X-Service-Event-Type': 'patient.created',
    'webhook-id': event_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardSignature(noa.secret, { id: event_id ?? '', timestamp, body }),
  })
  assert.ok(!payload.includes(noa.secret.slice(-20)))
  const rowsOf = (await audited(owner, noa.clinic)).filter(({ operation }) => operation === 'console.webhooks.delivery')
  assert.deepEqual(
    rowsOf.map(({ key_id, status, resource_ids }) => [key_id, status, resource_ids]),
    Array(2).fill([noa.id, 200, [waiting?.id, event_id]]),
  )
})

test('a payload whose reading cannot be put on record is not told', async () => {
  const noa = await subscribed()
  await ground.happen(noa.clinic, 'patient.created')
  const [delivery] = await deliveriesOf(noa)
  const alter = (what: string) => owner.maintain((tx) => tx.script(`alter table audit ${what}`))
  const { clinic_id } = noa.clinic
  const cookie = await signedIn(opened, owner, noa)
  await alter(`add constraint unread_${clinic_id} check (clinic_id <> '${clinic_id}' or status >= 400) not valid`)
  const path = `/webhooks/${noa.webhook}/deliveries/${delivery?.id}`
  const { status, json } = await send(opened, path, { method: 'GET', cookie })
  await alter(`drop constraint unread_${clinic_id}`)
  assert.deepEqual([status, json.data], [500, undefined])
})

test('a signature that a former secret made, alone or too, is not told', async () => {
  const noa = await subscribed()
  await ground.happen(noa.clinic, 'patient.created')
  await attempt(noa, null, 204)
  const [delivery] = await deliveriesOf(noa)
  const signatures = async () => {
    const { json } = await get(noa, `/webhooks/${noa.webhook}/deliveries/${delivery?.id}`)
    const headers: { name: string; value: string | null }[] = json.data.headers
    return headers.filter(({ name }) => /signature/i.test(name)).map(({ value }) => value !== null)
  }
  assert.deepEqual(await signatures(), [true, true])
  await ask(backend, noa.clinic, 'webhooks.secret.rotate', { params: { id: noa.webhook } })
  assert.deepEqual(await signatures(), [false, false])
  const again = async (ms: number) => {
    setTime(ms)
    const params = { id: noa.webhook, delivery_id: delivery?.id ?? '' }
    await ask(backend, noa.clinic, 'webhooks.deliveries.retry', { params })
    await attempt(noa, null, 204)
  }
  await again(START + 24 * HOUR - 1_000)
  assert.deepEqual(await signatures(), [false, false])
  await again(START + 24 * HOUR)
  assert.deepEqual(await signatures(), [true, true])
})

test('another clinic’s subscriptions and deliveries are not found, nor deleted ones, nor those of another subscription', async () => {
  const [noa, other] = [await subscribed(), await subscribed()]
  await ground.happen(noa.clinic, 'patient.created')
  const [delivery] = await deliveriesOf(noa)
  const own = `/webhooks/${noa.webhook}/deliveries/${delivery?.id}`
  assert.equal((await get(noa, own)).status, 200)
  for (const path of [
    own,
    `/webhooks/${noa.webhook}/deliveries`,
    `/webhooks/${other.webhook}/deliveries/${delivery?.id}`,
  ]) {
    assert.equal((await get(other, path)).status, 404, path)
  }
  const { data, shown } = await listOf(other, `?delivery_id=${delivery?.id}`)
  assert.deepEqual([data, shown], [[], null])
  assert.deepEqual(
    (await get(other, '/webhooks/health')).json.data.map(({ id }: { id: string }) => id),
    [other.webhook],
  )
  await ask(backend, noa.clinic, 'webhooks.delete', { params: { id: noa.webhook } })
  for (const path of [own, `/webhooks/${noa.webhook}/deliveries`])
    assert.equal((await get(noa, path)).status, 404, path)
})
