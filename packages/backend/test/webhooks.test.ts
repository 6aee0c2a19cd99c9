// Webhook subscriptions: the stored data, the permissions, and that the secret is shown once and stored nowhere in plain text.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { allScopes, type Clinic, type EventType, eventTypes, type Scope } from '@clinic-data/contract'
import { signingKeys } from '@clinic-data/contract/secret-keys'
import { isWebhookSecret } from '@clinic-data/contract/webhook-signature'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { tablesThatHold } from '@clinic-data/testing/grounds/tables-that-hold'
import {
  deliveriesOf,
  newSecretKeys,
  URL_OF_RECEIVER,
  webhookGround,
} from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog } from '@clinic-data/testing/run/test-database'
import { openSecret } from '@clinic-data/webhooks/subscriptions/sealed-secret'
import { createBackend } from '../src/backend.ts'

const ground = await webhookGround()
const { owner, app, backend, newClinic, subscribe, happen } = ground

interface WebhookRequest {
  event_types?: readonly EventType[]
  url?: string
  scopes?: readonly Scope[]
  key?: string
  key_id?: string
}

const create = (clinic: Clinic, { scopes, key, key_id, ...body }: WebhookRequest = {}, by = backend) =>
  ask(by, clinic, 'webhooks.create', {
    body: { url: URL_OF_RECEIVER, ...body },
    ...(scopes && { scopes }),
    ...(key_id && { key_id }),
    ...(key !== undefined && { idempotency_key: key }),
  })
const list = async (clinic: Clinic) => (await ask(backend, clinic, 'webhooks.list')).data
const get = async (clinic: Clinic, id: string) => (await ask(backend, clinic, 'webhooks.get', { params: { id } })).data
const remove = (clinic: Clinic, id: string, by = backend) => ask(by, clinic, 'webhooks.delete', { params: { id } })

const withoutChat = allScopes.filter((scope) => scope !== 'chat:read')

test('a subscription shows its secret in the answer to its creation, and masked from then on', async () => {
  const clinic = await newClinic()
  const { data, status } = await create(clinic, { event_types: ['call.completed', 'call.updated'] })
  const { id, secret, ...rest } = data
  assert.equal(status, undefined)
  assert.ok(isWebhookSecret(secret))
  assert.deepEqual(rest, {
    url: URL_OF_RECEIVER,
    event_types: ['call.completed', 'call.updated'],
    description: null,
    enabled: true,
    disabled_at: null,
    disabled_reason: null,
    created_at: '2026-07-12T09:30:00.123+03:00',
    circuit: { state: 'closed', opened_at: null, next_attempt_at: null },
  })
  const masked = { ...data, secret: `whsec_…${secret.slice(-4)}` }
  assert.deepEqual(await get(clinic, id), masked)
  assert.deepEqual(await list(clinic), [masked])
})

test('no row of any table holds a secret, and the sealed one opens only for its own subscription', async () => {
  const clinic = await newClinic()
  const secretKeys = newSecretKeys()
  const sealing = createBackend({ database: app, now: ground.now, log: failingLog, secretKeys })
  const { data } = await create(clinic, { key: 'once' }, sealing)
  const { data: other } = await create(clinic, {}, sealing)
  const bytes = Buffer.from(data.secret.slice('whsec_'.length), 'base64').toString('hex')
  const forms = [data.secret.slice('whsec_'.length, -4), bytes, Buffer.from(data.secret).toString('hex')]
  assert.deepEqual(await tablesThatHold(owner, clinic.clinic_id, forms), [])
  const { rows } = await owner.query<{ id: string; secret: Uint8Array }>(sql`
    select id, secret from subscription where clinic_id = ${clinic.clinic_id}`)
  const sealed = rows.find(({ id }) => id === data.id)?.secret ?? assert.fail()
  const keys = signingKeys(secretKeys, 'webhook-secret')
  assert.equal(openSecret(keys, { clinic_id: clinic.clinic_id, subscription_id: data.id }, sealed), data.secret)
  assert.throws(() => openSecret(keys, { clinic_id: clinic.clinic_id, subscription_id: other.id }, sealed))
})

test('without types a subscription is to every type, including future ones, if the key may read chats', async () => {
  const clinic = await newClinic()
  assert.deepEqual((await create(clinic)).data.event_types, [])
  assert.deepEqual((await create(clinic, { event_types: [] })).data.event_types, [])
})

test('without types a key that may not read chats subscribes to the 15 types outside of them', async () => {
  const clinic = await newClinic()
  const outside = eventTypes.filter((type) => !type.startsWith('chat.'))
  assert.equal(outside.length, 15)
  assert.deepEqual((await create(clinic, { scopes: withoutChat })).data.event_types, outside)
  assert.deepEqual((await create(clinic, { scopes: withoutChat, event_types: [] })).data.event_types, outside)
})

test('a chat type is refused to a key that may not read chats, before any other check', async () => {
  const clinic = await newClinic()
  const wanted = { event_types: ['patient.created', 'chat.message.read'] as const, key: 'chat' }
  await create(clinic, wanted)
  const names: string[] = []
  const checking = ground.with({
    checkTarget: async (url) => {
      names.push(url)
      return 'dns'
    },
  })
  await assert.rejects(create(clinic, { ...wanted, scopes: withoutChat }, checking), (error) => {
    assert.deepEqual((error as { members: object }).members, { required_scope: 'chat:read' })
    return problem('forbidden', /chat:read/)(error)
  })
  assert.deepEqual(names, [])
  assert.equal((await list(clinic)).length, 1)
})

test('a forbidden address is refused by its field, and nothing is stored', async () => {
  const clinic = await newClinic()
  const names: string[] = []
  const refusing = ground.with({
    checkTarget: async (url) => {
      names.push(url)
      return url.includes('inside') ? 'blocked_address' : null
    },
  })
  await assert.rejects(create(clinic, { url: 'https://inside.example/x', key: 'k' }, refusing), (error) => {
    assert.deepEqual(
      (error as { members: { errors: { pointer: string }[] } }).members.errors.map(({ pointer }) => pointer),
      ['#/url'],
    )
    return problem('unprocessable')(error)
  })
  assert.deepEqual(await list(clinic), [])
  await create(clinic, { key: 'k' }, refusing)
  assert.deepEqual(names, ['https://inside.example/x', URL_OF_RECEIVER])
})

test('while an address is resolved no writing connection is used', async () => {
  const clinic = await newClinic()
  const looking = Promise.withResolvers<null>()
  const slow = ground.with({ checkTarget: () => looking.promise })
  const waiting = Array.from({ length: 12 }, () => create(clinic, {}, slow))
  // There are eight connections that write: were they taken, this one would wait.
  assert.ok((await create(clinic)).data.id)
  looking.resolve(null)
  assert.equal((await Promise.all(waiting)).length, 12)
})

test('the same Idempotency-Key answers the creation again with its secret, even if the address or the subscription has changed', async () => {
  const clinic = await newClinic()
  const first = await create(clinic, { key: 'k1' })
  await owner.query(sql`update subscription set enabled = false, disabled_at = now(), disabled_reason = 'Gone.'
    where clinic_id = ${clinic.clinic_id} and id = ${first.data.id}`)
  const gone = ground.with({ checkTarget: async () => 'dns' })
  assert.deepEqual(await create(clinic, { key: 'k1' }, gone), { ...first, replayed: true })
  assert.equal((await list(clinic)).length, 1)
  await assert.rejects(
    create(clinic, { key: 'k1', event_types: ['patient.created'] }),
    problem('idempotency-key-reused'),
  )
  const { rows } = await owner.query(sql`select answer from idempotency where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(rows, [{ answer: { subscription_id: first.data.id } }])
})

test('the same Idempotency-Key from another key of the clinic gets the answer without the secret', async () => {
  const clinic = await newClinic()
  const { data } = await create(clinic, { key: 'k1' })
  await owner.query(sql`insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at)
    values (${clinic.clinic_id}, 'other', ${randomBytes(32).toString('hex')}, '', '', 'other', '{webhooks:manage}', now())`)
  const again = await create(clinic, { key: 'k1', key_id: 'other' })
  assert.deepEqual(again, { data: { ...data, secret: `whsec_…${data.secret.slice(-4)}` }, replayed: true })
  assert.equal((await create(clinic, { key: 'k1' })).data.secret, data.secret)
})

test('simultaneous requests with one Idempotency-Key make one subscription', async () => {
  const clinic = await newClinic()
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => create(clinic, { key: 'k' })))
  const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.data.secret : []))
  assert.ok(made.length > 0)
  assert.equal(new Set(made).size, 1)
  for (const answer of answers) if (answer.status === 'rejected') problem('conflict')(answer.reason)
  assert.equal((await list(clinic)).length, 1)
})

test('an Idempotency-Key whose subscription was deleted is a conflict', async () => {
  const clinic = await newClinic()
  const { data } = await create(clinic, { key: 'k' })
  await remove(clinic, data.id)
  await assert.rejects(create(clinic, { key: 'k' }), problem('conflict', /deleted/))
  assert.deepEqual(await list(clinic), [])
})

test('of 30 simultaneous creations 20 succeed, and a freed place can be used', async () => {
  const clinic = await newClinic()
  const answers = await Promise.allSettled(Array.from({ length: 30 }, () => create(clinic)))
  for (const answer of answers) {
    if (answer.status === 'rejected') problem('unprocessable', /at most 20/)(answer.reason)
  }
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 20)
  const subscriptions = await list(clinic)
  assert.equal(subscriptions.length, 20)
  await remove(clinic, subscriptions[7]?.id ?? assert.fail())
  await create(clinic)
  assert.equal((await list(clinic)).length, 20)
  assert.ok((await create(await newClinic())).data.id, 'another clinic has places of its own')
})

test('subscriptions are listed in the order of their creation', async () => {
  const clinic = await newClinic()
  const ids: string[] = []
  for (const second of ['07', '08', '09']) {
    ground.at(`2026-07-12T06:30:${second}.000Z`)
    ids.push(await subscribe(clinic))
  }
  assert.deepEqual(
    (await list(clinic)).map(({ id }) => id),
    ids,
  )
})

test('a disabled subscription shows since when and why', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  await owner.query(sql`update subscription set enabled = false, disabled_at = ${'2026-07-12T07:00:00.5Z'},
    disabled_reason = 'It kept failing.' where clinic_id = ${clinic.clinic_id} and id = ${id}`)
  const { enabled, disabled_at, disabled_reason } = await get(clinic, id)
  assert.deepEqual(
    { enabled, disabled_at, disabled_reason },
    { enabled: false, disabled_at: '2026-07-12T10:00:00.500+03:00', disabled_reason: 'It kept failing.' },
  )
})

test('deleting ends a subscription: its lane and waiting deliveries are gone, its log is not found, new events skip it', async () => {
  const clinic = await newClinic()
  const [id, other] = [await subscribe(clinic), await subscribe(clinic)]
  await happen(clinic, 'patient.created', 'patient.updated')
  await owner.query(sql`update delivery set status = 'failed', due_at = null
    where clinic_id = ${clinic.clinic_id} and subscription_id = ${id} and event_type = 'patient.created'`)
  assert.equal(await remove(clinic, id), null)
  await happen(clinic, 'patient.created')
  const left = await deliveriesOf(owner, clinic)
  assert.deepEqual(
    left.filter(({ subscription_id }) => subscription_id === id).map(({ status }) => status),
    ['failed'],
  )
  assert.equal(left.filter(({ subscription_id }) => subscription_id === other).length, 3)
  const { rows: lanes } = await owner.query(sql`select subscription_id from lane where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(lanes, [{ subscription_id: other }])
  const params = { params: { id } }
  await assert.rejects(get(clinic, id), problem('not-found'))
  await assert.rejects(remove(clinic, id), problem('not-found'))
  await assert.rejects(ask(backend, clinic, 'webhooks.deliveries.list', params), problem('not-found'))
  await assert.rejects(
    ask(backend, clinic, 'webhooks.test', { ...params, body: { event_type: 'patient.created' } }),
    problem('not-found'),
  )
})

test('a deletion answers when the sender has confirmed that nothing more is sent, and asks it after the commit', async () => {
  const clinic = await newClinic()
  const id = await subscribe(clinic)
  const order: string[] = []
  const ended = ground.with({
    onSubscriptionEnded: async (...subscription) => {
      assert.deepEqual(subscription, [clinic.clinic_id, id])
      assert.deepEqual(await list(clinic), [], 'it is committed')
      order.push('ended')
    },
  })
  await remove(clinic, id, ended)
  order.push('answered')
  assert.deepEqual(order, ['ended', 'answered'])
  await assert.rejects(remove(clinic, id, ended), problem('not-found'))
  assert.equal(order.length, 2)
})

test("a key of one clinic neither sees nor ends another clinic's subscription", async () => {
  const [ours, theirs] = [await newClinic(), await newClinic()]
  const id = await subscribe(theirs)
  await assert.rejects(get(ours, id), problem('not-found'))
  await assert.rejects(remove(ours, id), problem('not-found'))
  assert.deepEqual(await list(ours), [])
  assert.equal((await get(theirs, id)).id, id)
})
