// Changes of a subscription: what is stored and kept, who may make them, and what becomes of deliveries that wait.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allScopes, type Clinic, eventTypes, type Scope } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { deliveriesOf, URL_OF_RECEIVER, webhookGround } from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog } from '@clinic-data/testing/run/test-database'
import type { Claimed } from '@clinic-data/webhooks/engine/claim'
import { Dispatcher, type Sent } from '@clinic-data/webhooks/engine/dispatcher'
import { OPENING_FAILURES } from '@clinic-data/webhooks/subscriptions/circuit'
import { CLOCKS_APART_MS } from '@clinic-data/webhooks/subscriptions/leases'

const ground = await webhookGround()
const { owner, app, backend, newClinic, subscribe, happen, at, due } = ground

const NEW_URL = 'https://new.example.com/hooks'
const withoutChat = allScopes.filter((scope) => scope !== 'chat:read')

const change = async (clinic: Clinic, id: string, body: object, scopes?: readonly Scope[], by = backend) =>
  (await ask(by, clinic, 'webhooks.update', { params: { id }, body, ...(scopes && { scopes }) })).data
const get = async (clinic: Clinic, id: string) => (await ask(backend, clinic, 'webhooks.get', { params: { id } })).data

test('a change stores the fields that are sent, keeps the others, and can be repeated', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic, ['patient.created'])
  const before = await get(clinic, id)
  for (const fields of [
    { description: 'CRM' },
    { event_types: ['call.updated'] },
    { url: NEW_URL },
    {},
    { description: null },
  ]) {
    const last = await get(clinic, id)
    for (const _ of [1, 2]) assert.deepEqual(await change(clinic, id, fields), { ...last, ...fields })
    assert.deepEqual(await get(clinic, id), { ...last, ...fields })
  }
  assert.deepEqual(await get(clinic, id), { ...before, event_types: ['call.updated'], url: NEW_URL })
})

test('a subscription is created with a description', async () => {
  const clinic = await newClinic()
  const body = { url: URL_OF_RECEIVER, description: 'CRM, ייצור' }
  assert.equal((await ask(backend, clinic, 'webhooks.create', { body })).data.description, 'CRM, ייצור')
})

test('no types are the types that creation takes for none', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic, ['patient.created'])
  const outside = eventTypes.filter((type) => !type.startsWith('chat.'))
  for (const event_types of [null, []]) {
    assert.deepEqual((await change(clinic, id, { event_types }, withoutChat)).event_types, outside)
    assert.deepEqual((await change(clinic, id, { event_types })).event_types, [])
  }
})

test('a key without chat:read neither adds chat types nor moves what has or had them to another address', async () => {
  const clinic = await newClinic()
  const refused = (id: string, body: object) =>
    assert.rejects(change(clinic, id, body, withoutChat), problem('forbidden', /chat:read/))
  const plain = await subscribe(clinic, ['patient.created'])
  await refused(plain, { event_types: ['patient.created', 'chat.message.received'] })
  assert.equal((await change(clinic, plain, { url: NEW_URL }, withoutChat)).url, NEW_URL)
  for (const types of [[], ['chat.message.received', 'patient.created']] as const) {
    const id = await subscribe(clinic, types)
    await refused(id, { url: NEW_URL })
    await refused(id, { url: NEW_URL, event_types: ['patient.created'] })
    assert.equal((await change(clinic, id, { description: 'x', url: URL_OF_RECEIVER }, withoutChat)).description, 'x')
    await change(clinic, id, { event_types: ['patient.created'] }, withoutChat)
    await refused(id, { url: NEW_URL })
    assert.equal((await get(clinic, id)).url, URL_OF_RECEIVER)
    assert.equal((await change(clinic, id, { url: NEW_URL })).url, NEW_URL)
  }
})

test('a new address is checked as at creation, and the one that it has is not', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  const names: string[] = []
  const checking = ground.with({
    checkTarget: async (url) => {
      names.push(url)
      return 'blocked_address'
    },
  })
  await change(clinic, id, { url: URL_OF_RECEIVER, description: 'x' }, allScopes, checking)
  await assert.rejects(change(clinic, id, { url: NEW_URL }, allScopes, checking), problem('unprocessable', /url/))
  assert.deepEqual(names, [NEW_URL])
  assert.equal((await get(clinic, id)).url, URL_OF_RECEIVER)
})

test("nobody changes a disabled subscription, an unknown one or another clinic's", async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  await assert.rejects(change(await newClinic(), id, { description: 'x' }), problem('not-found'))
  await assert.rejects(change(clinic, 'wh_none', { url: NEW_URL }), problem('not-found'))
  await owner.query(sql`update subscription set enabled = false where clinic_id = ${clinic.clinic_id}`)
  await assert.rejects(change(clinic, id, { url: NEW_URL }), problem('conflict', /disabled/))
})

test('types that are no longer wanted bring no new delivery, and what waits is sent', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic, ['patient.created', 'call.updated'])
  await happen(clinic, 'patient.created')
  await change(clinic, id, { event_types: ['call.updated'] })
  await happen(clinic, 'patient.created', 'call.updated')
  assert.deepEqual(
    (await deliveriesOf(owner, clinic)).map(({ event_type, status }) => `${event_type} ${status}`).sort(),
    ['call.updated pending', 'patient.created pending'],
  )
})

const answers: Record<'taken' | 'refused', Sent> = {
  taken: { response_status: 204, error: null, duration_ms: 3, retry_after_seconds: null },
  refused: { response_status: 500, error: 'http_5xx', duration_ms: 3, retry_after_seconds: null },
}

test('a new address closes the circuit, gets what waits at once, and is not blamed for attempts at the former one', async () => {
  at('2026-07-12T06:30:00Z')
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  const sent: Claimed[] = []
  const late = Promise.withResolvers<Sent>()
  const probed = Promise.withResolvers<void>()
  let isLate = false
  const engine = new Dispatcher({
    database: app,
    now: ground.now,
    random: () => 0,
    log: failingLog,
    send: async (claimed) => {
      sent.push(claimed)
      if (claimed.url === NEW_URL) return answers.taken
      if (!isLate) return answers.refused
      probed.resolve()
      return late.promise
    },
  })
  after(() => engine.stop(0))
  const send = async () => {
    engine.wake(clinic.clinic_id)
    await engine.idle()
  }
  const lane = async () =>
    (
      await owner.query(
        sql`select opened_at, failing_since, failed_attempts from lane where clinic_id = ${clinic.clinic_id}`,
      )
    ).rows[0]
  await happen(clinic, ...Array(6).fill('call.updated'))
  await send()
  assert.notEqual((await lane())?.opened_at, null)
  at('2026-07-12T06:30:10Z')
  isLate = true
  const probing = send()
  await probed.promise
  at('2026-07-12T06:30:11Z')
  due.length = 0
  assert.equal((await get(clinic, id)).circuit?.state, 'half_open')
  assert.equal((await change(clinic, id, { url: NEW_URL })).circuit?.state, 'closed')
  assert.deepEqual(due, [clinic.clinic_id])
  late.resolve(answers.refused)
  await probing
  await send()
  assert.deepEqual(await lane(), { opened_at: null, failing_since: null, failed_attempts: 0 })
  const deliveries = await deliveriesOf(owner, clinic)
  assert.deepEqual(new Set(deliveries.map(({ status }) => status)), new Set(['delivered']))
  assert.equal(sent.filter(({ url }) => url === NEW_URL).length, 6)
})

test('what fails late at the former address counts for nothing, whatever the clock of its dispatcher says', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  const FAILURES = OPENING_FAILURES + 1
  const begun = Promise.withResolvers<void>()
  const late = Promise.withResolvers<Sent>()
  let attempts = 0
  const engine = new Dispatcher({
    database: app,
    now: () => new Date(ground.now().getTime() + CLOCKS_APART_MS / 2),
    random: () => 0,
    log: failingLog,
    send: async () => {
      attempts += 1
      if (attempts === FAILURES) begun.resolve()
      return late.promise
    },
  })
  after(() => engine.stop(0))
  await happen(clinic, ...Array(FAILURES).fill('call.updated'))
  engine.wake(clinic.clinic_id)
  await begun.promise
  await change(clinic, id, { url: NEW_URL })
  late.resolve({ ...answers.refused, response_status: 410, error: 'http_4xx' })
  await engine.idle()
  const { rows } = await owner.query(sql`
    select opened_at, failing_since, failed_attempts, first_gone_at from lane where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(rows, [{ opened_at: null, failing_since: null, failed_attempts: 0, first_gone_at: null }])
})
