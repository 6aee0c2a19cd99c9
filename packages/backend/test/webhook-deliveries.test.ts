// The delivery log and requested deliveries: which rows it shows, what can be retried, and what is left alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic, EventType } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask, problem, walk } from '@clinic-data/testing/grounds/ask'
import { insert, type Row } from '@clinic-data/testing/grounds/rows'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { deliveriesOf, type StoredDelivery, webhookGround } from '@clinic-data/testing/grounds/webhook-ground'
import { emit } from '@clinic-data/webhooks'

const ground = await webhookGround()
const { owner, backend, newClinic, subscribe, happen, at, due } = ground

const log = async (clinic: Clinic, id: string, query: Record<string, unknown> = {}) =>
  (await ask(backend, clinic, 'webhooks.deliveries.list', { params: { id }, query })).data
const retry = async (clinic: Clinic, { subscription_id, id }: Pick<StoredDelivery, 'subscription_id' | 'id'>) =>
  (await ask(backend, clinic, 'webhooks.deliveries.retry', { params: { id: subscription_id, delivery_id: id } })).data

/** As the engine would leave it. */
async function set(clinic: Clinic, { id }: Pick<StoredDelivery, 'id'>, row: Row): Promise<void> {
  const assignments = Object.entries(row).map(([name, value]) => sql`${sql.identifier(name)} = ${value}`)
  await owner.query(
    sql`update delivery set ${sql.join(assignments)} where clinic_id = ${clinic.clinic_id} and id = ${id}`,
  )
}

/** One delivery of a new clinic's one subscription. */
async function oneDelivery(row: Row = {}): Promise<{ clinic: Clinic; delivery: StoredDelivery }> {
  at('2026-07-12T06:30:00.123Z')
  const clinic = await newClinic()
  await subscribe(clinic)
  await happen(clinic, 'appointment.updated')
  const [delivery = assert.fail()] = await deliveriesOf(owner, clinic)
  if (Object.keys(row).length > 0) await set(clinic, delivery, row)
  return { clinic, delivery }
}

const failed = { status: 'failed', due_at: null, attempt_count: 11, automatic_count: 11 }

test('the log shows a delivery with its attempts in order, and the last one’s outcome', async () => {
  const { clinic, delivery } = await oneDelivery()
  const { subscription_id, event_id, id } = delivery
  const attempt = { subscription_id, event_id, created_at: '2026-07-12T06:30:00.123Z' }
  await insert(
    owner,
    clinic,
    'attempt',
    ...[
      [1, 'automatic', '2026-07-12T06:30:00.18Z', 121, null, 'timeout'],
      [2, 'manual', '2026-07-12T06:30:05.2Z', 9, 503, 'http_5xx'],
    ].map(([number, trigger, attempted_at, duration_ms, response_status, error]) => ({
      ...attempt,
      ...({ number, trigger, attempted_at, duration_ms, response_status, error } as Row),
    })),
  )
  const last = { last_attempt_at: '2026-07-12T06:30:05.2Z', response_status: 503, error: 'http_5xx' }
  await set(clinic, delivery, { ...last, attempt_count: 2, due_at: '2026-07-12T06:30:35.2Z' })
  assert.deepEqual(await log(clinic, subscription_id), [
    {
      id,
      webhook_id: subscription_id,
      event_id,
      event_type: 'appointment.updated',
      status: 'pending',
      attempt_count: 2,
      created_at: '2026-07-12T09:30:00.123+03:00',
      delivered_at: null,
      last_attempt_at: '2026-07-12T09:30:05.200+03:00',
      next_attempt_at: '2026-07-12T09:30:35.200+03:00',
      response_status: 503,
      error: 'http_5xx',
      attempts: [
        {
          number: 1,
          trigger: 'automatic',
          attempted_at: '2026-07-12T09:30:00.180+03:00',
          duration_ms: 121,
          response_status: null,
          error: 'timeout',
        },
        {
          number: 2,
          trigger: 'manual',
          attempted_at: '2026-07-12T09:30:05.200+03:00',
          duration_ms: 9,
          response_status: 503,
          error: 'http_5xx',
        },
      ],
    },
  ])
})

test('the log is read in pages, latest first, even with many events of one moment, and shows only one subscription', async () => {
  const clinic = await newClinic()
  const [id] = [await subscribe(clinic), await subscribe(clinic)]
  const events: string[] = []
  for (const day of ['03', '05', '12']) {
    at(`2026-07-${day}T06:30:00Z`)
    events.push(...(await happen(clinic, ...Array<EventType>(7).fill('call.completed'))))
  }
  const input = { params: { id }, limit: 4 }
  const rows = (await walk(backend, clinic, 'webhooks.deliveries.list', input)) as unknown as { event_id: string }[]
  assert.deepEqual(
    rows.map(({ event_id }) => event_id),
    events.toReversed(),
  )
})

test('the log is filtered by the record that its events tell of, and never shows the events of another clinic’s', async () => {
  at('2026-07-12T06:30:00Z')
  const [clinic, other] = [await newClinic(), await newClinic()]
  const id = await subscribe(clinic)
  const othersId = await subscribe(other)
  const tell = (told: Clinic, ...ids: string[]) => {
    const changes = ids.map((record) => ({
      type: 'appointment.updated' as const,
      data: JSON.stringify({ id: record }),
    }))
    return ground.app.write(told, (tx) => emit(tx, told, changes, ground.now()))
  }
  await tell(clinic, 'mine', 'another', 'mine', 'qu"ote')
  await tell(other, 'theirs', 'mine')
  const asked = async (told: Clinic, webhook: string, record_id: string) =>
    (await walk(backend, told, 'webhooks.deliveries.list', { params: { id: webhook }, query: { record_id }, limit: 1 }))
      .length
  assert.equal(await asked(clinic, id, 'mine'), 2)
  assert.equal(await asked(clinic, id, 'qu"ote'), 1)
  assert.equal(await asked(other, othersId, 'mine'), 1)
  for (const unknown of ['theirs', 'nothing']) assert.equal(await asked(clinic, id, unknown), 0)
})

test('the log is filtered by status and by type, in pages too', async () => {
  at('2026-07-12T06:30:00Z')
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  await happen(clinic, 'patient.created', 'patient.updated', 'patient.created', 'call.completed')
  const stored = await deliveriesOf(owner, clinic)
  for (const { status, type } of [
    { status: 'failed', type: 'patient.created' },
    { status: 'delivered', type: 'call.completed' },
  ]) {
    for (const delivery of stored.filter(({ event_type }) => event_type === type)) {
      await set(clinic, delivery, { status, due_at: null })
    }
  }
  const shown = async (query: Record<string, unknown>) =>
    (await walk(backend, clinic, 'webhooks.deliveries.list', { params: { id }, query, limit: 1 }))
      .map(({ id }) => stored.find((one) => one.id === id)?.event_type)
      .sort()
  assert.deepEqual(await shown({ status: 'failed' }), ['patient.created', 'patient.created'])
  assert.deepEqual(await shown({ status: 'pending' }), ['patient.updated'])
  assert.deepEqual(await shown({ event_type: 'call.completed' }), ['call.completed'])
  assert.deepEqual(await shown({ status: 'delivered', event_type: 'patient.created' }), [])
})

test('a manual retry makes a failed delivery due now, and it fails again if that attempt fails', async () => {
  const { clinic, delivery } = await oneDelivery(failed)
  due.length = 0
  at('2026-07-15T10:00:00Z')
  const answer = await retry(clinic, delivery)
  assert.deepEqual(
    [answer.status, answer.attempt_count, answer.next_attempt_at],
    ['pending', 11, '2026-07-15T13:00:00.000+03:00'],
  )
  const [stored] = await deliveriesOf(owner, clinic)
  assert.deepEqual(
    [stored?.manual_from, stored?.scheduled_at, stored?.automatic_count, stored?.scheduled_from],
    ['failed', null, 11, null],
  )
  assert.deepEqual(due, [clinic.clinic_id], 'who sends is told')
})

test('a manual retry makes a waiting delivery due now, and at its own time again if that attempt fails', async () => {
  const { clinic, delivery } = await oneDelivery({
    attempt_count: 3,
    automatic_count: 3,
    due_at: '2026-07-12T07:00:00Z',
  })
  at('2026-07-12T06:40:00Z')
  assert.equal((await retry(clinic, delivery)).next_attempt_at, '2026-07-12T09:40:00.000+03:00')
  at('2026-07-12T06:41:00Z')
  assert.equal((await retry(clinic, delivery)).status, 'pending', 'asking twice is asking once')
  const [stored] = await deliveriesOf(owner, clinic)
  assert.deepEqual(
    [stored?.manual_from, stored?.scheduled_at, stored?.due_at],
    ['pending', '2026-07-12T07:00:00.000Z', '2026-07-12T06:41:00.000Z'],
  )
})

test('a delivery that still waits for its first attempt is retried and keeps its whole schedule', async () => {
  const { clinic, delivery } = await oneDelivery()
  at('2026-07-12T06:40:00Z')
  const answer = await retry(clinic, delivery)
  assert.deepEqual(
    [answer.status, answer.attempt_count, answer.next_attempt_at],
    ['pending', 0, '2026-07-12T09:40:00.000+03:00'],
  )
  const [stored] = await deliveriesOf(owner, clinic)
  assert.deepEqual(
    [stored?.manual_from, stored?.scheduled_at, stored?.automatic_count],
    ['pending', '2026-07-12T06:30:00.123Z', 0],
  )
})

test('the next attempt is shown at its real time: never in the past, and behind an open circuit at its probe', async () => {
  const { clinic, delivery } = await oneDelivery()
  const { subscription_id } = delivery
  const lane = (row: Row) => {
    const assignments = Object.entries(row).map(([name, value]) => sql`${sql.identifier(name)} = ${value}::timestamptz`)
    return owner.query(sql`update lane set ${sql.join(assignments)} where clinic_id = ${clinic.clinic_id}`)
  }
  const shown = async () => (await log(clinic, subscription_id))[0]?.next_attempt_at
  at('2026-07-12T06:31:00Z')
  assert.equal(await shown(), '2026-07-12T09:31:00.000+03:00', 'due, and waiting for its turn')
  await lane({ opened_at: '2026-07-12T06:30:59Z', probe_at: '2026-07-12T06:31:04Z' })
  assert.equal(await shown(), '2026-07-12T09:31:04.000+03:00', 'the probe')
  await set(clinic, delivery, { attempt_count: 1, due_at: '2026-07-12T06:31:30Z' })
  assert.equal(await shown(), '2026-07-12T09:31:30.000+03:00', 'due after the probe')
  at('2026-07-12T06:32:00Z')
  assert.equal(await shown(), '2026-07-12T09:32:00.000+03:00', 'the probe is due')
  await lane({ probe_at: '2026-07-12T06:32:50Z' })
  assert.equal((await retry(clinic, delivery)).next_attempt_at, '2026-07-12T09:32:00.000+03:00', 'asked for by hand')
  await set(clinic, delivery, { manual_from: null, due_at: '2026-07-12T07:00:00Z' })
  await lane({ opened_at: null, probe_at: null, recovered_at: '2026-07-12T06:31:59Z' })
  assert.equal(await shown(), '2026-07-12T09:32:00.000+03:00', 'the endpoint is back')
  await set(clinic, delivery, { status: 'delivered', due_at: null })
  assert.equal(await shown(), null)
})

test('while the circuit is open a test event is attempted now', async () => {
  const { clinic, delivery } = await oneDelivery()
  await owner.query(sql`update lane set opened_at = ${ground.now()}, probe_at = ${new Date(ground.now().getTime() + 60_000)}
    where clinic_id = ${clinic.clinic_id}`)
  const params = { id: delivery.subscription_id }
  const { data } = await ask(backend, clinic, 'webhooks.test', { params, body: { event_type: 'call.updated' } })
  assert.equal(data.next_attempt_at, data.created_at)
})

test('a delivery at its limit is not retried, whether it failed or arrived', async () => {
  for (const row of [failed, { status: 'delivered', due_at: null }]) {
    const { clinic, delivery } = await oneDelivery({ ...row, attempt_count: 900 })
    const before = await deliveriesOf(owner, clinic)
    due.length = 0
    await assert.rejects(retry(clinic, delivery), problem('conflict', /900 times/))
    assert.deepEqual(await deliveriesOf(owner, clinic), before)
    assert.deepEqual(due, [])
  }
})

test('a running delivery is not retried until its lease has expired', async () => {
  const leased = { attempt_count: 1, lease_id: 'worker 1', lease_until: '2026-07-12T06:31:00Z' }
  const { clinic, delivery } = await oneDelivery(leased)
  await assert.rejects(retry(clinic, delivery), problem('conflict', /at this moment/))
  at('2026-07-12T06:31:00Z')
  await retry(clinic, delivery)
  assert.equal((await deliveriesOf(owner, clinic))[0]?.lease_id, null, 'whoever held it changes nothing any more')
})

test('nothing is sent to a disabled subscription: no retry, no test, no replay', async () => {
  const { clinic, delivery } = await oneDelivery(failed)
  await owner.query(sql`update subscription set enabled = false, disabled_at = now(), disabled_reason = 'Gone.'
    where clinic_id = ${clinic.clinic_id}`)
  const params = { id: delivery.subscription_id }
  await assert.rejects(retry(clinic, delivery), problem('conflict', /disabled/))
  await assert.rejects(
    ask(backend, clinic, 'webhooks.test', { params, body: { event_type: 'call.updated' } }),
    problem('conflict', /disabled/),
  )
  await assert.rejects(
    ask(backend, clinic, 'webhooks.replay', { params, body: { since: '2026-07-12T00:00:00Z' } }),
    problem('conflict', /disabled/),
  )
  assert.deepEqual(
    (await deliveriesOf(owner, clinic)).map(({ status }) => status),
    ['failed'],
  )
})

test('a retry waits for a disabling that is under way, and is then refused', async () => {
  const { clinic, delivery } = await oneDelivery(failed)
  const retrying = await owner.maintain(async (tx) => {
    await tx.query(sql`update subscription set enabled = false where clinic_id = ${clinic.clinic_id}`)
    const retried = retry(clinic, delivery)
    await doneOrWaiting(owner, tx, retried, '%from subscription%for share%')
    return [retried]
  })
  await assert.rejects(retrying[0] ?? assert.fail(), problem('conflict', /disabled/))
  assert.equal((await deliveriesOf(owner, clinic))[0]?.status, 'failed')
})

test('a delivery is found only under its own subscription and clinic, and no malformed id is an error', async () => {
  const { clinic, delivery } = await oneDelivery(failed)
  const elsewhere = await newClinic()
  const other = await subscribe(clinic)
  const { subscription_id, id } = delivery
  for (const [who, where, which] of [
    [elsewhere, subscription_id, id],
    [elsewhere, await subscribe(elsewhere), id],
    [clinic, other, id],
    [clinic, other, id.replace(subscription_id, other)],
    [clinic, 'wh_none', id],
    [clinic, subscription_id, 'dlv901'],
    [clinic, subscription_id, `dlv_${subscription_id}`],
    [clinic, subscription_id, `dlv_zzzzzzzzzzzzzzzzzzzzzzzzzz_${subscription_id}`],
    [clinic, subscription_id, `${id} `],
  ] as [Clinic, string, string][]) {
    await assert.rejects(retry(who, { subscription_id: where, id: which }), problem('not-found'), which)
  }
  await assert.rejects(log(elsewhere, subscription_id), problem('not-found'))
  assert.deepEqual(await log(clinic, other), [])
  assert.equal((await deliveriesOf(owner, clinic))[0]?.status, 'failed')
})
