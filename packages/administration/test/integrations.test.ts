// Integrations in the console: to which one each key, connection and webhook belongs, what is seen of each, and moving between them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { appendAudit } from '@clinic-data/audit/audit'
import { createBackend } from '@clinic-data/backend'
import { INTEGRATIONS_LISTED } from '@clinic-data/console-contract/integration-operations'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { newSecretKeys } from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { disabledReasons } from '@clinic-data/webhooks/subscriptions/circuit'
import { connectApp, connecting, once, requestOf, storeApp } from './connecting.ts'
import { audited, openConsole, send } from './console-ground.ts'
import { integrationGround, storeWebhook, webhookOf } from './integration-ground.ts'

const { owner, app } = await testDatabase()
const { connect, token } = connecting(owner)
const opened = await openConsole(owner, { connect })
const backend = createBackend({ database: app, now: () => new Date(), log: failingLog, secretKeys: newSecretKeys() })
const ground = () => integrationGround(opened, owner)

interface Named {
  id: string
  name: string
}
const named = (all: readonly Named[]) => all.map(({ name }) => name)

test('a key, a connection and a webhook each belong to one integration, of their own or the one that is named', async () => {
  const { clinic, cookie, read, mint, post } = await ground()
  const crm = await mint('CRM', { scopes: ['patients:read', 'chat:read', 'webhooks:manage'] })
  assert.deepEqual(crm.integration, { id: `int_${crm.id}`, name: 'CRM' })
  const second = await mint('CRM, new', { integration_id: crm.integration.id })
  assert.deepEqual(second.integration, crm.integration)
  const own = await connectApp(opened, { owner, cookie, token })
  const request = requestOf(await storeApp(owner))
  const scopes = ['patients:read']
  const allowed = { request, scopes, days: null, integration_id: crm.integration.id }
  assert.equal((await send(opened, '/connect/allow', { cookie, headers: once(), body: allowed })).status, 201)
  // Until the app has taken its tokens it is a consent, and no list shows it.
  assert.deepEqual(named(await read('/integrations')), ['CRM', 'Desk'])
  const scopesOf = { scopes: ['webhooks:manage', 'chat:read'] as const, rate_limit: null, expires_at: null }
  const principal = { key_id: crm.id, clinic, ...scopesOf }
  const body = { url: 'https://crm.example.com/hooks' }
  await ask(backend, clinic, 'webhooks.create', { body, principal })
  await ask(backend, clinic, 'webhooks.create', { body: { ...body, description: 'Chats' }, principal })
  const listed = await read('/integrations')
  assert.deepEqual(
    listed.map(({ keys, connections, webhooks }: Record<string, number>) => [keys, connections, webhooks]),
    [
      [2, 0, 2],
      [0, 1, 0],
    ],
  )
  const page = await read(`/integrations/int_${own.id}`)
  assert.deepEqual(
    page.connection_list.map(({ id }: Named) => id),
    [own.id],
  )
  for (const integration_id of ['int_nobody', (await (await ground()).mint()).integration.id]) {
    const { status, json } = await post('/keys', { name: 'X', scopes: ['patients:read'], integration_id })
    assert.deepEqual([status, json.errors[0].pointer], [422, '#/integration_id'])
    const consent = await post('/connect/allow', { ...allowed, integration_id })
    assert.deepEqual([consent.status, consent.json.errors[0].pointer], [422, '#/integration_id'])
  }
})

test('rows of an older version get an integration each, their webhooks with them, however many look at once', async () => {
  const { clinic_id, read } = await ground()
  for (const [id, name] of [
    ['key_1', 'Till'],
    ['key_2', ''],
  ] as const)
    await owner.query(sql`insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at)
      values (${clinic_id}, ${id}, ${randomBytes(32).toString('hex')}, '', '', ${name}, '{}', now())`)
  const made = await storeWebhook(owner, clinic_id, { made_by: 'key_1' })
  const alone = await storeWebhook(owner, clinic_id)
  const lists = await Promise.all(Array.from({ length: 4 }, () => read('/integrations')))
  for (const list of lists) assert.deepEqual(list, lists[0])
  assert.deepEqual(lists[0].map(({ id }: Named) => id).sort(), ['int_key_1', 'int_key_2', `int_${alone}`].sort())
  assert.equal((await webhookOf(owner, clinic_id, made)).integration_id, 'int_key_1')
  assert.deepEqual(await read('/integrations'), lists[0])
})

test('a webhook that was disabled for its failures counts among the webhooks, of which so many fail', async () => {
  const { clinic_id, mint, read } = await ground()
  const { id } = await mint()
  const counts = async () => {
    const [{ webhooks, failing_webhooks }] = await read('/integrations')
    return [webhooks, failing_webhooks]
  }
  const gone = await storeWebhook(owner, clinic_id, { made_by: id })
  await owner.query(sql`update subscription set enabled = false, disabled_at = now(),
    disabled_reason = ${disabledReasons.endpoint_gone} where clinic_id = ${clinic_id} and id = ${gone}`)
  assert.deepEqual(await counts(), [1, 1])
  await storeWebhook(owner, clinic_id, { made_by: id })
  assert.deepEqual(await counts(), [2, 1])
})

test('another clinic’s integration is not found, whatever is wanted of it', async () => {
  const [ours, theirs] = [await ground(), await ground()]
  const { integration } = await theirs.mint()
  const path = `/integrations/${integration.id}`
  assert.equal((await ours.get(path)).status, 404)
  const wanted: [string, object?][] = [
    [path, { name: 'Ours' }],
    [`${path}/join`, { ids: [(await ours.mint()).id] }],
    [`${path}/stop`],
    [`${path}/resume`],
  ]
  for (const [place, body] of wanted) assert.equal((await ours.post(place, body)).status, 404, place)
  assert.deepEqual((await theirs.read('/integrations'))[0].stopped_at, null)
  const { status, json } = await ours.post(`/integrations/${(await ours.mint()).integration.id}/join`, {
    ids: [(await theirs.mint()).id],
  })
  assert.deepEqual([status, json.errors[0].pointer], [422, '#/ids/0'])
})

test('what is joined moves with the webhooks that it made, and an integration that is left with nothing goes', async () => {
  const { clinic, clinic_id, read, mint, post } = await ground()
  const [crm, agency, other] = [await mint('CRM'), await mint('Agency'), await mint('Other')]
  const made = await storeWebhook(owner, clinic_id, { made_by: agency.id })
  const moved = await storeWebhook(owner, clinic_id, { made_by: agency.id, integration_id: other.integration.id })
  const path = `/integrations/${crm.integration.id}`
  const wrong = await post(`${path}/join`, { ids: ['x', agency.id, 'y'] })
  assert.deepEqual(
    [wrong.status, wrong.json.errors.map(({ pointer }: { pointer: string }) => pointer)],
    [422, ['#/ids/0', '#/ids/2']],
  )
  assert.equal((await read('/integrations')).length, 3)
  const { status, json } = await post(`${path}/join`, { ids: [agency.id] })
  assert.deepEqual([status, json.data.keys, json.data.webhooks], [200, 2, 1])
  assert.deepEqual(named(await read('/integrations')), ['CRM', 'Other'])
  assert.equal((await webhookOf(owner, clinic_id, made)).integration_id, crm.integration.id)
  assert.equal((await webhookOf(owner, clinic_id, moved)).integration_id, other.integration.id)
  // Somebody has written down whom to call: that is not lost.
  await post(`/integrations/${other.integration.id}`, { contact: 'Dan, 03-555-0100' })
  await post(`${path}/join`, { ids: [other.id, moved] })
  assert.deepEqual(named(await read('/integrations')), ['CRM', 'Other'])
  const row = (await audited(owner, clinic)).findLast(({ operation }) => operation === 'console.integrations.join')
  assert.deepEqual(row?.resource_ids, [crm.integration.id, other.id, moved])
})

test('an integration is made once a request, changed, and written down about', async () => {
  const { cookie, read, post } = await ground()
  const sent = { cookie, headers: once(), body: { name: 'Agency', notes: 'Leads only.' } }
  const made = await send(opened, '/integrations', sent)
  assert.equal(made.status, 201)
  assert.equal((await send(opened, '/integrations', sent)).status, 409)
  const path = `/integrations/${made.json.data.id}`
  await post(path, { contact: 'Dan', name: 'The agency' })
  await post(path, { notes: '' })
  const { name, contact, notes, keys } = await read(path)
  assert.deepEqual([name, contact, notes, keys], ['The agency', 'Dan', null, 0])
  assert.equal((await post(path, { name: 'Agen\u200bcy' })).status, 400)
})

test('an integration behind the end of the list is made, changed and shown as any other', async () => {
  const { clinic_id, post, read } = await ground()
  await owner.query(sql`insert into integration (clinic_id, id, name, created_at)
    select ${clinic_id}, 'int_' || n, 'A ' || n, now() from generate_series(1, ${INTEGRATIONS_LISTED}::integer) n`)
  const { status, json } = await post('/integrations', { name: 'Z' })
  assert.deepEqual([status, json.data.name], [201, 'Z'])
  assert.equal((await read('/integrations')).length, INTEGRATIONS_LISTED)
  assert.equal((await read(`/integrations/${json.data.id}`)).name, 'Z')
})

test('the page says what it may do, what it did today, and from where, of its own keys alone', async () => {
  const { clinic_id, read, mint, post } = await ground()
  const crm = await mint('CRM', { scopes: ['patients:read', 'payments:write'] })
  const other = await mint('Other')
  const gone = await mint('Gone', { scopes: ['calls:read'], integration_id: crm.integration.id })
  await post(`/keys/${gone.id}/revoke`)
  const at = new Date().toISOString()
  const row = { at, clinic_id, surface: 'rest' as const, resource_ids: [], count: 1, status: 200, request_id: 'r' }
  const rows = [
    { ...row, key_id: crm.id, operation: 'patients.get', patient_ids: ['p1'], address: '192.0.2.1' },
    { ...row, key_id: crm.id, operation: 'patients.list', patient_ids: ['p1', 'p2'], address: '192.0.2.2' },
    { ...row, key_id: crm.id, operation: 'patients.get', patient_ids: ['p9'], status: 404, address: '192.0.2.2' },
    { ...row, key_id: crm.id, operation: 'payments.create', patient_ids: ['p3'], address: '192.0.2.2' },
    { ...row, key_id: other.id, operation: 'patients.get', patient_ids: ['p4'], address: '192.0.2.3' },
  ]
  await appendAudit(owner, rows)
  await owner.query(sql`update api_key set last_used_at = now() where clinic_id = ${clinic_id} and id = ${crm.id}`)
  const page = await read(`/integrations/${crm.integration.id}`)
  const may = page.may.filter(({ reads, writes }: Record<string, boolean>) => reads || writes)
  assert.deepEqual(may, [
    { resource: 'patients', reads: true, writes: false },
    { resource: 'payments', reads: false, writes: true },
  ])
  const { requests, refusals, patients_read, changes, busiest } = page.today
  assert.deepEqual([requests, refusals, patients_read, changes], [4, 1, 2, 1])
  assert.deepEqual([busiest.key.name, busiest.rate_limit], ['CRM', 600])
  assert.equal(page.month.requests, 4)
  assert.deepEqual(page.addresses.map(({ address }: { address: string }) => address).sort(), ['192.0.2.1', '192.0.2.2'])
  assert.equal(page.patients_read_today, 2)
  const activity = await read(`/activity?integration=${crm.integration.id}`)
  assert.equal(activity.length, 4)
})

test('a key’s page shows its webhooks, and its name, end and limit are changed, and its scopes are not', async () => {
  const { clinic_id, read, mint, post } = await ground()
  const key = await mint('Web site')
  const webhook = await storeWebhook(owner, clinic_id, { made_by: key.id })
  const path = `/keys/${key.id}`
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  assert.equal((await post(path, { name: 'Site', expires_at: soon, rate_limit: 30 })).status, 200)
  assert.equal((await post(path, { scopes: ['payments:read'] })).status, 400)
  assert.equal((await post(path, { expires_at: '2020-01-01T00:00:00Z' })).status, 422)
  const { name, rate_limit, expires_at, scopes, webhooks } = await read(path)
  assert.deepEqual([name, rate_limit, Date.parse(expires_at)], ['Site', 30, Date.parse(soon)])
  assert.deepEqual([scopes, webhooks.map(({ id }: Named) => id)], [['patients:read'], [webhook]])
  await post(`${path}/revoke`)
  assert.equal((await post(path, { name: 'Again' })).status, 409)
  assert.equal((await (await ground()).get(path)).status, 404)
})

test('the first page says what is new since the last visit, and what ends within 14 days', async () => {
  const { clinic, mint, read } = await ground()
  const day = 24 * 60 * 60 * 1000
  const ends = (days: number) => ({ expires_at: new Date(Date.now() + days * day).toISOString() })
  const soon = await mint('Soon', ends(13))
  await mint('Later', ends(15))
  const first = await read('/home')
  assert.deepEqual([first.since, first.news], [null, []])
  assert.deepEqual(
    first.expiring.map(({ id }: Named) => id),
    [soon.id],
  )
  const dan = await integrationGround(opened, owner, clinic)
  const before = await dan.mint('Before')
  const { clinic_id } = clinic
  await owner.query(sql`update api_key set created_at = now() - interval '2 hours' where clinic_id = ${clinic_id}`)
  await owner.query(sql`update administrator_session set before_at = now() - interval '1 hour'
    where clinic_id = ${clinic_id}`)
  const webhook = await storeWebhook(owner, clinic.clinic_id, { made_by: before.id })
  await dan.mint('New')
  const { news } = await dan.read('/home')
  assert.deepEqual(
    news.map(({ kind, name }: { kind: string; name: string }) => [kind, name]).sort(),
    [
      ['key', 'New'],
      ['webhook', `https://${webhook.replace('_', '-')}.example/hook`],
    ].sort(),
  )
})
