// Webhook subscriptions through the whole gateway: statuses and headers, strict input, the order of checks, and a secret that
// appears in one answer only.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { allScopes, eventTypes } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask, emptyClinic, keyOf, startService, type TestService } from '@clinic-data/testing/run/test-service'

const url = 'https://crm.example.com/hooks/clinic'

let service: TestService
let key: string

before(async () => {
  service = await startService()
  key = await keyOf(service.owner, await emptyClinic(service.owner), allScopes)
})
after(() => service.close())

const create = (body: unknown, headers: Record<string, string> = {}, by = key) =>
  ask(service, by, '/v1/webhooks', { method: 'POST', body, headers })
const remove = (id: string) => ask(service, key, `/v1/webhooks/${id}`, { method: 'DELETE' })

test('a subscription is created with 201 and its address, read, deleted with 204, and then not found', async () => {
  const made = await create({ url })
  assert.equal(made.status, 201)
  const { id, secret } = made.json.data
  assert.equal(made.headers.location, `/v1/webhooks/${id}`)
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const read = await ask(service, key, `/v1/webhooks/${id}`)
  assert.deepEqual([read.status, read.json.data], [200, { ...made.json.data, secret: `whsec_…${secret.slice(-4)}` }])
  const deleted = await remove(id)
  assert.deepEqual([deleted.status, deleted.text, deleted.headers['content-type']], [204, '', undefined])
  for (const answer of [await remove(id), await ask(service, key, `/v1/webhooks/${id}`)]) {
    assert.equal(answer.status, 404)
    assert.match(answer.json.type, /\/problems\/not-found$/)
  }
})

test('a fault that the schema can see is refused with 400 and its field', async () => {
  for (const [body, pointer] of [
    [{ url: 'http://crm.example.com/hooks' }, '#/url'],
    [{ url: 'https://user:word@crm.example.com/' }, '#/url'],
    [{ url: 'https://crm.example.com/#part' }, '#/url'],
    [{ url: `https://crm.example.com/${'x'.repeat(2048)}` }, '#/url'],
    [{ url, event_types: ['patient.deleted'] }, '#/event_types/0'],
    [{ url, event_types: 'patient.created' }, '#/event_types'],
    [{ url, event_types: [null] }, '#/event_types/0'],
    [{ url, enabled: null }, '#/enabled'],
    [{ url, enabled: false }, '#/enabled'],
    [{}, '#/url'],
  ] as const) {
    const { status, json } = await create(body)
    const pointers = json.errors?.map((fault: { pointer: string }) => fault.pointer)
    assert.deepEqual([status, pointers], [400, [pointer]], JSON.stringify(body).slice(0, 80))
  }
})

test('null event types are the default list, and a repeated type counts once', async () => {
  const poor = await keyOf(service.owner, await emptyClinic(service.owner), ['webhooks:manage'])
  const byDefault = await create({ url, event_types: null }, {}, poor)
  assert.deepEqual(
    [byDefault.status, byDefault.json.data.event_types],
    [201, eventTypes.filter((type) => !type.startsWith('chat.'))],
  )
  const twice = await create({ url, event_types: ['patient.updated', 'patient.created', 'patient.updated'] })
  assert.deepEqual([twice.status, twice.json.data.event_types], [201, ['patient.updated', 'patient.created']])
  // There are more names than types, and each type is still stored once.
  const all = await create({ url, event_types: [...eventTypes, ...eventTypes] })
  assert.deepEqual([all.status, all.json.data.event_types], [201, [...eventTypes]])
  const since = new Date(Date.now() - 60_000).toISOString()
  for (const event_types of [null, ['patient.updated', 'patient.updated']]) {
    const path = `/v1/webhooks/${all.json.data.id}/replay`
    const { status, json } = await ask(service, key, path, { method: 'POST', body: { since, event_types } })
    assert.deepEqual([status, json.data], [202, { matched: 0 }])
  }
  const feed = await ask(service, key, '/v1/events?event_types=patient.updated,patient.updated')
  assert.deepEqual([feed.status, feed.json.data], [200, []])
})

test('faults of form are reported first, then a scope that the body needs, then the idempotent replay', async () => {
  const poor = await keyOf(service.owner, await emptyClinic(service.owner), ['webhooks:manage'])
  const chat = { url, event_types: ['chat.message.read'] }
  const refused = await create(chat, { 'idempotency-key': 'one' }, poor)
  assert.deepEqual([refused.status, refused.json.required_scope], [403, 'chat:read'])
  assert.equal((await create({ ...chat, url: 'ftp://x' }, { 'idempotency-key': 'one' }, poor)).status, 400)
  const { status, json } = await create({ url }, { 'idempotency-key': 'one' }, poor)
  assert.deepEqual([status, json.data.event_types], [201, eventTypes.filter((type) => !type.startsWith('chat.'))])
  assert.equal((await create(chat, { 'idempotency-key': 'one' }, poor)).status, 403)
  const other = await create({ url: `${url}/2` }, { 'idempotency-key': 'one' }, poor)
  assert.equal(other.status, 422)
  assert.match(other.json.type, /\/problems\/idempotency-key-reused$/)
})

test('a creation repeated with its Idempotency-Key is answered byte for byte, and marked', async () => {
  const headers = { 'idempotency-key': 'again' }
  const [first, again] = [await create({ url }, headers), await create({ url }, headers)]
  assert.deepEqual([again.status, again.text, again.headers.location], [201, first.text, first.headers.location])
  assert.deepEqual([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']], [undefined, 'true'])
})

test('no log line or audit row holds a secret, only one answer does, and that one is never compressed', async () => {
  const answer = await service.send({
    method: 'POST',
    url: '/v1/webhooks',
    headers: {
      host: 'x',
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'accept-encoding': 'br, gzip',
      'idempotency-key': 'compressed',
    },
    payload: JSON.stringify({ url: `https://crm.example.com/${'x'.repeat(2000)}` }),
  })
  assert.deepEqual([answer.status, answer.headers['content-encoding']], [201, undefined])
  const { id, secret } = JSON.parse(answer.bytes.toString()).data
  const others = [
    await ask(service, key, '/v1/webhooks'),
    await ask(service, key, `/v1/webhooks/${id}`),
    await ask(service, key, `/v1/webhooks/${id}/test`, { method: 'POST', body: { event_type: 'call.completed' } }),
    await ask(service, key, `/v1/webhooks/${id}/deliveries`),
    await ask(service, key, `/v1/webhooks/${id}/replay`, { method: 'POST', body: { since: '2000-01-01T00:00:00Z' } }),
  ]
  assert.deepEqual(
    others.map(({ status }) => status),
    [200, 200, 202, 200, 422],
  )
  const { rows: audited } = await service.owner.query<{ row: string }>(sql`
    select audit::text as row from audit where ${id} = any(resource_ids)`)
  assert.ok(audited.length >= 4 && service.logLines.length > 0)
  const core = secret.slice('whsec_'.length, -4)
  for (const text of [...service.logLines, ...others.map(({ text }) => text), ...audited.map(({ row }) => row)])
    assert.ok(!text.includes(core), 'a secret has got out')
})

test('the log’s cursor belongs to its subscription and its filters', async () => {
  const [id, other] = [(await create({ url })).json.data.id, (await create({ url })).json.data.id]
  const path = `/v1/webhooks/${id}/deliveries`
  for (const event_type of ['patient.created', 'patient.updated', 'call.completed'])
    await ask(service, key, `/v1/webhooks/${id}/test`, { method: 'POST', body: { event_type } })
  const { json } = await ask(service, key, `${path}?limit=2`)
  assert.deepEqual([json.data.length, typeof json.next_cursor], [2, 'string'])
  const rest = await ask(service, key, `${path}?limit=2&cursor=${json.next_cursor}`)
  assert.deepEqual([rest.json.data.length, rest.json.next_cursor], [1, null])
  for (const wrong of [
    `/v1/webhooks/${other}/deliveries?limit=2&cursor=${json.next_cursor}`,
    `${path}?limit=2&status=pending&cursor=${json.next_cursor}`,
  ])
    assert.equal((await ask(service, key, wrong)).status, 400)
  assert.equal((await ask(service, key, `${path}?status=sent`)).status, 400)
  assert.equal((await ask(service, key, `${path}?event_type=patient.deleted`)).status, 400)
})
