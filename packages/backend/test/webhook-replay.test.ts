// Test events and replays: what is sent again or only for a test, with which bytes, and what stays as it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allScopes,
  type Clinic,
  type EventType,
  events,
  eventTypes,
  operations,
  type Scope,
} from '@clinic-data/contract'
import { eventExample, eventResources } from '@clinic-data/contract/event-examples'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { deliveriesOf, type StoredDelivery, webhookGround } from '@clinic-data/testing/grounds/webhook-ground'
import { sized } from '@clinic-data/testing/run/size'
import { MOST_REPLAYED, replayEvents } from '@clinic-data/webhooks/deliveries/replay'

const ground = await webhookGround()
const { owner, backend, newClinic, subscribe, happen, at, due } = ground

interface ReplayRequest {
  since?: string
  until?: string
  event_types?: readonly EventType[]
  only?: 'failed' | 'all'
}

const withoutChat = allScopes.filter((scope) => scope !== 'chat:read')

const replay = async (clinic: Clinic, id: string, body: ReplayRequest = {}, scopes: readonly Scope[] = allScopes) =>
  (
    await ask(backend, clinic, 'webhooks.replay', {
      params: { id },
      body: { since: '2026-07-01T00:00:00Z', ...body },
      scopes,
    })
  ).data.matched
const sendTest = async (clinic: Clinic, id: string, event_type: EventType, scopes: readonly Scope[] = allScopes) =>
  (await ask(backend, clinic, 'webhooks.test', { params: { id }, body: { event_type }, scopes })).data

/** As the engine leaves it after the last attempt. */
async function end(clinic: Clinic, status: 'delivered' | 'failed', types: readonly EventType[] = eventTypes) {
  await owner.query(sql`update delivery set status = ${status}, due_at = null, attempt_count = 11, automatic_count = 11,
      delivered_at = ${status === 'delivered' ? ground.now() : null}, response_status = 500, error = 'http_5xx'
    where clinic_id = ${clinic.clinic_id} and event_type = any(${types}::text[])`)
}

const briefly = (deliveries: readonly StoredDelivery[]) =>
  deliveries.map(({ event_type, status, due_at }) => [event_type, status, due_at])

test('a test event of each type holds the contract’s example, marked as a test, and goes only to its subscription', async () => {
  at('2026-07-12T06:30:00.123Z')
  const clinic = await newClinic()
  const id = await subscribe(clinic, ['patient.created'])
  await subscribe(clinic)
  for (const type of eventTypes) {
    due.length = 0
    const delivery = await sendTest(clinic, id, type)
    const { id: delivery_id, event_id, ...rest } = delivery
    assert.equal(delivery_id, `dlv_${event_id.slice(4)}_${id}`)
    assert.deepEqual(rest, {
      webhook_id: id,
      event_type: type,
      status: 'pending',
      attempt_count: 0,
      created_at: '2026-07-12T09:30:00.123+03:00',
      delivered_at: null,
      last_attempt_at: null,
      next_attempt_at: '2026-07-12T09:30:00.123+03:00',
      response_status: null,
      error: null,
      attempts: [],
    })
    assert.deepEqual(due, [clinic.clinic_id])
    const resource = eventResources[events[type].resource]
    const { rows } = await owner.query(sql`
      select type, position, body from event where clinic_id = ${clinic.clinic_id} and id = ${event_id}`)
    const data = serializerOf(resource)(eventExample(type))
    const body = `{"id":"${event_id}","type":"${type}","created_at":"2026-07-12T09:30:00.123+03:00","data":${data},"test":true}`
    assert.deepEqual(rows, [{ type, position: null, body }])
  }
  assert.equal((await deliveriesOf(owner, clinic)).length, eventTypes.length)
  const { rows: counters } = await owner.query(sql`select from event_counter where clinic_id = ${clinic.clinic_id}`)
  assert.equal(counters.length, 0, 'it has no place in the feed')
})

test('a test event of a chat needs the scope that reads chats', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic, ['patient.created'])
  await assert.rejects(sendTest(clinic, id, 'chat.message.sent', withoutChat), problem('forbidden', /chat:read/))
  assert.deepEqual(await deliveriesOf(owner, clinic), [])
  assert.equal((await sendTest(clinic, id, 'patient.updated', withoutChat)).status, 'pending')
})

test('a replay sends failed deliveries again, at once and with a whole schedule, and no others', async () => {
  at('2026-07-10T06:00:00Z')
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  const [event_id = ''] = await happen(clinic, 'patient.created', 'call.completed', 'payment.recorded')
  await end(clinic, 'failed', ['patient.created'])
  await end(clinic, 'delivered', ['call.completed'])
  await owner.query(sql`insert into attempt
      (clinic_id, subscription_id, event_id, created_at, number, trigger, attempted_at, duration_ms, error)
    values (${clinic.clinic_id}, ${id}, ${event_id}, ${'2026-07-10T06:00:00Z'}, 1, 'automatic', now(), 5, 'timeout')`)
  at('2026-07-12T06:30:00Z')
  due.length = 0
  assert.equal(await replay(clinic, id), 1)
  assert.deepEqual(due, [clinic.clinic_id], 'who sends is told')
  const stored = await deliveriesOf(owner, clinic)
  assert.deepEqual(
    new Set(briefly(stored)),
    new Set([
      ['patient.created', 'pending', '2026-07-12T06:30:00.000Z'],
      ['call.completed', 'delivered', null],
      ['payment.recorded', 'pending', '2026-07-10T06:00:00.000Z'],
    ]),
  )
  const again = stored.find(({ event_type }) => event_type === 'patient.created')
  assert.deepEqual(
    [again?.attempt_count, again?.automatic_count, again?.scheduled_from],
    [11, 0, '2026-07-12T06:30:00.000Z'],
  )
  const { data } = await ask(backend, clinic, 'webhooks.deliveries.list', { params: { id } })
  assert.equal(data.flatMap(({ attempts }) => attempts).length, 1, 'its attempts stay')
})

test('a replay of all also sends delivered events, and those that the subscription missed', async () => {
  at('2026-07-10T06:00:00Z')
  const clinic = await newClinic()
  await subscribe(clinic)
  await happen(clinic, 'patient.created', 'call.completed')
  at('2026-07-11T06:00:00Z')
  const id = await subscribe(clinic, ['patient.created', 'patient.updated'])
  await happen(clinic, 'patient.updated', 'call.updated')
  await end(clinic, 'delivered')
  at('2026-07-12T06:30:00Z')
  const before = await deliveriesOf(owner, clinic)
  assert.equal(await replay(clinic, id, { only: 'all' }), 2)
  const after = await deliveriesOf(owner, clinic)
  const own = after.filter(({ subscription_id }) => subscription_id === id)
  assert.deepEqual(briefly(own), [
    ['patient.created', 'pending', '2026-07-12T06:30:00.000Z'],
    ['patient.updated', 'pending', '2026-07-12T06:30:00.000Z'],
  ])
  for (const { id: delivery_id, event_id } of own) assert.equal(delivery_id, `dlv_${event_id.slice(4)}_${id}`)
  assert.equal(own[0]?.created_at, before[0]?.created_at, 'a delivery lies in the day of its event')
  const others = (rows: StoredDelivery[]) => rows.filter(({ subscription_id }) => subscription_id !== id)
  assert.deepEqual(others(after), others(before))
  assert.equal(await replay(clinic, id, { only: 'all' }), 2, 'once more is as well')
  assert.equal((await deliveriesOf(owner, clinic)).length, after.length)
})

test('both ends of the period belong to it, and only the requested types are sent', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  const days = ['2026-07-10T06:00:00.000Z', '2026-07-11T06:00:00.000Z', '2026-07-12T06:00:00.000Z']
  for (const day of days) {
    at(day)
    await happen(clinic, 'patient.created', 'call.completed')
  }
  at('2026-07-12T08:00:00Z')
  const matched = async (request: ReplayRequest) => {
    await end(clinic, 'failed')
    const [failed, all] = [await replay(clinic, id, request), await replay(clinic, id, { ...request, only: 'all' })]
    assert.equal(failed, all)
    return all
  }
  const [first = '', second = '', third = ''] = days
  assert.equal(await matched({}), 6)
  assert.equal(await matched({ since: second }), 4)
  assert.equal(await matched({ since: first, until: second }), 4)
  assert.equal(await matched({ since: '2026-07-10T06:00:00.001Z', until: '2026-07-12T05:59:59.999Z' }), 2)
  assert.equal(await matched({ since: third, event_types: ['call.completed'] }), 1)
  assert.equal(await matched({ since: first, event_types: ['patient.updated'] }), 0)
  assert.equal(await matched({ event_types: [] }), 6)
})

test('a replay neither goes beyond the types of the subscription nor names types of chats without their scope', async () => {
  at('2026-07-12T06:30:00Z')
  const clinic = await newClinic()
  const id = await subscribe(clinic, ['patient.created'])
  await happen(clinic, 'patient.created', 'call.completed', 'chat.message.sent')
  assert.equal(await replay(clinic, id, { only: 'all', event_types: ['call.completed'] }), 0)
  assert.equal(await replay(clinic, id, { only: 'all', event_types: ['call.completed', 'patient.created'] }), 1)
  await assert.rejects(replay(clinic, id, { event_types: ['chat.message.sent'] }, withoutChat), problem('forbidden'))
  await assert.rejects(
    replay(clinic, 'none', { event_types: ['chat.message.sent'] }, withoutChat),
    problem('forbidden'),
  )
})

test('a test event is never replayed', async () => {
  at('2026-07-12T06:30:00Z')
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  await sendTest(clinic, id, 'patient.created')
  await end(clinic, 'failed')
  at('2026-07-12T07:30:00Z')
  assert.deepEqual([await replay(clinic, id), await replay(clinic, id, { only: 'all' })], [0, 0])
  assert.deepEqual(briefly(await deliveriesOf(owner, clinic)), [['patient.created', 'failed', null]])
})

test('a running delivery is not replayed, and one with an expired lease is', async () => {
  at('2026-07-12T06:30:00Z')
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  await happen(clinic, 'patient.created', 'call.completed')
  for (const [type, until] of [
    ['patient.created', '2026-07-12T06:40:01Z'],
    ['call.completed', '2026-07-12T06:40:00Z'],
  ] as const) {
    await owner.query(sql`update delivery set lease_id = 'worker', lease_until = ${until}
      where clinic_id = ${clinic.clinic_id} and event_type = ${type}`)
  }
  at('2026-07-12T06:40:00Z')
  assert.equal(await replay(clinic, id, { only: 'all' }), 1)
  const leases = (await deliveriesOf(owner, clinic)).map(({ event_type, lease_id }) => [event_type, lease_id]).sort()
  assert.deepEqual(leases, [
    ['call.completed', null],
    ['patient.created', 'worker'],
  ])
})

test('a delivery with as many attempts as its log can show is not replayed', async () => {
  at('2026-07-12T06:30:00Z')
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  await happen(clinic, 'patient.created')
  await end(clinic, 'failed')
  await owner.query(sql`update delivery set attempt_count = 900 where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual([await replay(clinic, id), await replay(clinic, id, { only: 'all' })], [0, 0])
})

test('a replay begins at most 30 days back and not after its end', async () => {
  at('2026-07-31T06:30:00Z')
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  assert.equal(await replay(clinic, id, { since: '2026-07-01T06:30:00Z' }), 0)
  await assert.rejects(replay(clinic, id, { since: '2026-07-01T06:29:59.999Z' }), problem('unprocessable', /30 days/))
  await assert.rejects(replay(clinic, id, { since: '2026-07-31T06:30:00.001Z' }), problem('invalid-request', /future/))
  const period = { since: '2026-07-20T00:00:00Z', until: '2026-07-19T23:59:59Z' }
  await assert.rejects(replay(clinic, id, period), problem('invalid-request', /until/))
})

/** Some batches and one more. */
const EVENTS = sized({ everyday: 6_001, long: 20_001 })

test('a replay goes through many batches in order, and refuses more events than it can answer in time', async () => {
  at('2026-07-12T06:30:00Z')
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  const fill = (from: number, to: number) =>
    owner.query(sql`insert into event (clinic_id, id, position, type, body, created_at)
      select counted.clinic_id, 'evt_' || lpad(n::text, 26, '0'), n, 'patient.created', '{}',
        timestamptz '2026-07-10T00:00:00Z' + (n / 7) * interval '1 second'
      from clinic counted cross join generate_series(${from}::int, ${to}::int) n
      where counted.clinic_id = ${clinic.clinic_id}`)
  // The statistics do not include this clinic's events yet. They must not mislead a statement.
  await happen(await newClinic(), 'patient.created')
  await owner.query(sql`analyze event, delivery`)
  await fill(1, EVENTS)
  assert.equal(await replay(clinic, id, { only: 'all' }), EVENTS)
  await end(clinic, 'failed')
  assert.equal(await replay(clinic, id), EVENTS)
  assert.equal((await deliveriesOf(owner, clinic)).filter(({ status }) => status === 'pending').length, EVENTS)
  const most = sized({ everyday: EVENTS, long: MOST_REPLAYED })
  await fill(EVENTS + 1, most + 1)
  const [since, until] = [new Date('2026-07-01T00:00:00Z'), ground.now()]
  const all = { subscription_id: id, since, until, event_types: null, only: 'all' as const }
  await assert.rejects(
    ground.app.write(clinic, (tx) => replayEvents(tx, clinic, all, until, most)),
    problem('unprocessable', /shorter period/),
  )
  assert.equal((await deliveriesOf(owner, clinic)).length, EVENTS, 'it is all or nothing')
})

test('a replay is refused above the number of events that the documents name', () => {
  assert.match(
    operations['webhooks.replay'].description,
    new RegExp(`at most ${MOST_REPLAYED.toLocaleString('en')} events`),
  )
})

test("a key of one clinic neither tests nor replays to another clinic's subscription, and sends none of its events", async () => {
  at('2026-07-12T06:30:00Z')
  const [ours, theirs] = [await newClinic(), await newClinic()]
  const [own, id] = [await subscribe(ours), await subscribe(theirs)]
  await happen(theirs, 'patient.created')
  const before = await deliveriesOf(owner, theirs)
  await assert.rejects(sendTest(ours, id, 'patient.created'), problem('not-found'))
  await assert.rejects(replay(ours, id, { only: 'all' }), problem('not-found'))
  assert.equal(await replay(ours, own, { only: 'all' }), 0)
  assert.deepEqual(await deliveriesOf(owner, theirs), before)
})
