// One name, one integration: through every door that grants access, and for Stop, which leaves nothing behind that carries the name.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createBackend } from '@clinic-data/backend'
import { openOperations } from '@clinic-data/console-contract/open-operations'
import { hashKey } from '@clinic-data/contract/key'
import { operations } from '@clinic-data/contract/operations'
import { sql, utcSession } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { newSecretKeys } from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog, ownDatabase } from '@clinic-data/testing/run/test-database'
import { mintKey } from '../src/credentials/keys.ts'
import { removeEndedSignIns } from '../src/remove-ended.ts'
import { administratorsStillValid, principalOf } from '../src/routes/signed-in.ts'
import { cookieToken } from '../src/sessions/session-cookie.ts'
import { findSession } from '../src/sessions/sessions.ts'
import { connectApp, connecting, once, requestOf, storeApp, storeDevice } from './connecting.ts'
import { audited, openConsole, send } from './console-ground.ts'
import { integrationGround, storeWebhook, webhookOf } from './integration-ground.ts'

// Others wait for locks in the shared one.
const { owner, app } = await ownDatabase()
const { connect, token } = connecting(owner)
const opened = await openConsole(owner, { connect })
const now = () => new Date()
const of = { database: app, now, log: failingLog, secretKeys: newSecretKeys() }
const backend = createBackend(of)
const forPeople = createBackend({ ...of, validOf: administratorsStillValid(owner) })
const opens = async (secret = '') => (await backend.authenticate(hashKey(secret))) !== null

/** All are one name to a reader. */
const SPELLINGS = ['Desk', ' DESK ', 'De\u200dsk', 'Ｄｅｓｋ', 'Désk'] as const

async function ground() {
  const made = await integrationGround(opened, owner)
  const { clinic, clinic_id, cookie } = made
  const person = async () => {
    const secret = cookieToken(cookie, false) ?? assert.fail('no cookie')
    const session = (await findSession(owner, secret, { now: now(), isUse: true })) ?? assert.fail('no session')
    return principalOf({ session, address: '192.0.2.1' }, operations['webhooks.create'])
  }
  const webhook = async (body: object, principal?: Awaited<ReturnType<typeof person>>) => {
    const by = principal ? backend : forPeople
    const url = `https://${randomBytes(4).toString('hex')}.example/hook`
    const wanted = { principal: principal ?? (await person()), body: { url, ...body } }
    return (await ask(by, clinic, 'webhooks.create', wanted)).data.id
  }
  const names = async () =>
    (
      await owner.read<{ id: string; name: string }>(
        utcSession(clinic_id),
        sql`select id, name from integration where clinic_id = ${clinic_id} order by created_at, id`,
      )
    ).map(({ name }) => name)
  const former = (id: string, name: string) =>
    owner.query(
      sql`insert into integration (clinic_id, id, name, created_at) values (${clinic_id}, ${id}, ${name}, now())`,
    )
  return { ...made, webhook, names, former }
}

type Ground = Awaited<ReturnType<typeof ground>>

/** Whether it still reads. */
type Access = () => Promise<boolean>

const keyOf =
  (key: string): Access =>
  async () =>
    opens(key)
const hookOf =
  ({ clinic_id }: Ground, id: string): Access =>
  async () =>
    (await webhookOf(owner, clinic_id, id)).enabled

/** Every way to get access that belongs to the integration: by its id, or by its name where nobody chose one. */
const WAYS: Readonly<Record<string, (on: Ground, name: string, integration_id: string) => Promise<Access>>> = {
  'a key of the console, by the id': async ({ mint }, _, integration_id) =>
    keyOf((await mint('Other', { integration_id })).key),
  'a key of the console, by its name': async ({ mint }, name) => keyOf((await mint(name)).key),
  'a key of the operator, by the id': async ({ clinic_id }, _, integration_id) => {
    const wanted = { clinic_id, integration_id, name: 'Other', scopes: ['patients:read' as const], rate_limit: null }
    return keyOf((await mintKey(owner, { ...wanted, expires_at: null, now: now() })).key)
  },
  'a key of the operator, by its name': async ({ clinic_id }, name) => {
    const wanted = { clinic_id, name, scopes: ['patients:read' as const], rate_limit: null, expires_at: null }
    return keyOf((await mintKey(owner, { ...wanted, now: now() })).key)
  },
  'an app, by its name': async ({ cookie }) =>
    keyOf((await connectApp(opened, { owner, cookie, token })).tokens.access_token ?? ''),
  'an app, by the id': async ({ cookie }, _, integration_id) =>
    keyOf(
      (await connectApp(opened, { owner, cookie, token }, ['patients:read'], { integration_id })).tokens.access_token ??
        '',
    ),
  'a webhook of a person, by the id': async (on, _, integration_id) => hookOf(on, await on.webhook({ integration_id })),
  'a webhook of a person, by its description': async (on, name) => hookOf(on, await on.webhook({ description: name })),
  'a webhook of a key': async (on, _, integration_id) => {
    const { id } = await on.mint('Other', { integration_id, scopes: ['webhooks:manage', 'chat:read'] })
    const scopes = ['webhooks:manage', 'chat:read'] as const
    const principal = { key_id: id, clinic: on.clinic, scopes, rate_limit: null, expires_at: null }
    return hookOf(on, await on.webhook({ description: 'Its own' }, principal))
  },
  'a webhook of a former version': async (on, name) => {
    await on.former('int_former', name)
    return hookOf(on, await storeWebhook(owner, on.clinic_id, { integration_id: 'int_former' }))
  },
}

test('after Stop nothing reads that was granted to the integration or carries its name, by any way', async () => {
  for (const [way, grant] of Object.entries(WAYS))
    for (const name of way.includes('name') || way.includes('description') ? SPELLINGS.slice(0, 2) : ['Desk']) {
      const on = await ground()
      const { integration } = await on.mint('Desk')
      const reads = await grant(on, name, integration.id)
      assert.equal(await reads(), true, way)
      await on.stop(integration.id)
      assert.equal(await reads(), false, `${way}: ${name}`)
    }
})

test('a stopped integration stays when its only app never took tokens, and refuses the partner when it comes again', async () => {
  const { clinic_id, cookie, stop, names, mint } = await ground()
  const { id } = await connectApp(opened, { owner, cookie, token })
  const [row] = await owner.read<{ integration_id: string; name: string }>(
    utcSession(clinic_id),
    sql`select i.id as integration_id, i.name from api_key k join integration i on i.clinic_id = ${clinic_id}
      and i.id = k.integration_id where k.clinic_id = ${clinic_id} and k.id = ${id}`,
  )
  await stop(row?.integration_id ?? '')
  // As consent leaves it whose code nobody exchanged.
  await owner.query(sql`delete from connection_token where clinic_id = ${clinic_id}`)
  await owner.query(sql`update connection set connected_at = null where clinic_id = ${clinic_id}`)
  const old = new Date(Date.now() - 2 * 86_400_000)
  await owner.query(sql`update api_key set created_at = ${old} where clinic_id = ${clinic_id} and id = ${id}`)
  await removeEndedSignIns(owner, clinic_id, now())
  const left = await owner.read(utcSession(clinic_id), sql`select from connection where clinic_id = ${clinic_id}`)
  assert.deepEqual([left.length, (await names()).includes(row?.name ?? '')], [0, true])
  await assert.rejects(mint(row?.name), /The integration is stopped/)
})

test('no way makes a second integration of a name, however it is written', async () => {
  const on = await ground()
  const { mint, post, cookie, names } = on
  const { integration } = await mint('Desk')
  const other = await mint('Other')
  const request = requestOf(await storeApp(owner))
  const granted = { scopes: ['patients:read'], days: null }
  for (const name of SPELLINGS.filter((one) => !one.includes('\u200d'))) {
    const refused: [path: string, pointer: string, body: object][] = [
      ['/integrations', '#/name', { name: name.trim() }],
      [`/integrations/${other.integration.id}`, '#/name', { name: name.trim() }],
      ['/keys', '#/integration_name', { name: 'K', scopes: ['patients:read'], integration_name: name.trim() }],
      ['/connect/allow', '#/integration_name', { request, ...granted, integration_name: name.trim() }],
      [
        '/device/allow',
        '#/integration_name',
        { user_code: await storeDevice(owner, await storeApp(owner)), ...granted, integration_name: name.trim() },
      ],
    ]
    for (const [path, pointer, body] of refused) {
      const { status, json } = await post(path, body)
      const [fault] = json.errors ?? []
      assert.deepEqual([status, fault?.pointer, fault?.code], [422, pointer, 'name_taken'], `${path} ${name}`)
    }
    await assert.rejects(on.webhook({ integration_name: name.trim() }), { slug: 'unprocessable' })
    assert.equal((await mint(name.trim())).integration.id, integration.id)
  }
  assert.deepEqual(await names(), ['Desk', 'Other'])
  await connectApp(opened, { owner, cookie, token })
  assert.deepEqual(await names(), ['Desk', 'Other'], 'an app of the name belongs to it')
  const path = `/integrations/${integration.id}`
  assert.equal((await post(path, { name: 'DESK', notes: 'Ours.' })).status, 200, 'its own name in other letters')
  await on.stop(integration.id)
  const again = await post('/keys', { name: 'desk', scopes: ['patients:read'] })
  assert.deepEqual([again.status, again.json.errors[0].code], [409, 'stopped'])
  assert.equal((await post('/connect/allow', { request, ...granted })).status, 409)
  await assert.rejects(on.webhook({ description: 'desk' }), { slug: 'conflict' })
})

test('a new integration is made with what is granted, once a request', async () => {
  const { cookie, post, names, webhook, clinic_id } = await ground()
  const body = { name: 'First', scopes: ['patients:read'], integration_name: 'CRM' }
  const sent = { cookie, headers: once(), body }
  const made = await send(opened, '/keys', sent)
  assert.equal(made.json.data.integration.name, 'CRM')
  assert.equal((await send(opened, '/keys', sent)).status, 409, 'it was minted, and its name is not at fault')
  const request = requestOf(await storeApp(owner))
  const allowed = await post('/connect/allow', {
    request,
    scopes: ['patients:read'],
    days: null,
    integration_name: 'Assistant',
  })
  assert.equal(allowed.status, 201)
  const id = await webhook({ integration_name: 'Warehouse', description: 'Nightly' })
  assert.equal((await webhookOf(owner, clinic_id, id)).integration_id, `int_${id}`)
  assert.deepEqual((await names()).sort(), ['Assistant', 'CRM', 'Warehouse'])
})

test('what is made while another one of the name is being made belongs to it, or is refused', async () => {
  const on = await ground()
  const { clinic_id, post, names } = on
  const doors: Record<string, (name: string) => Promise<unknown>> = {
    integration: (name) => post('/integrations', { name }),
    key: (name) => post('/keys', { name, scopes: ['patients:read'] }),
    'key of a new one': (name) => post('/keys', { name: 'K', scopes: ['patients:read'], integration_name: name }),
    webhook: (description) => on.webhook({ description }),
  }
  for (const [door, make] of Object.entries(doors)) {
    const other = await owner.write(utcSession(clinic_id), async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${clinic_id} integrations`}, 0))`)
      const made = make(door)
      await doneOrWaiting(owner, tx, made, '%pg_advisory_xact_lock(%')
      await tx.query(sql`insert into integration (clinic_id, id, name, created_at)
        values (${clinic_id}, ${`int_${door}`}, ${door.toUpperCase()}, now())`)
      return { made }
    })
    await other.made
  }
  assert.deepEqual(await names(), ['INTEGRATION', 'KEY', 'KEY OF A NEW ONE', 'WEBHOOK'])
})

test('two of a name that a former version made are merged with all that is theirs and all that is written down', async () => {
  const on = await ground()
  const { clinic, clinic_id, cookie, mint, post, read, former, names } = on
  const crm = await mint('CRM', { scopes: ['patients:read', 'webhooks:manage'] })
  await former('int_twin', 'crm')
  const resumed = new Date()
  await owner.query(
    sql`update integration set resumed_at = ${resumed} where clinic_id = ${clinic_id} and id = 'int_twin'`,
  )
  const second = await mint('Second', { integration_id: 'int_twin' })
  const desk = await connectApp(opened, { owner, cookie, token })
  await post('/integrations/int_twin/join', { ids: [desk.id] })
  const hook = await storeWebhook(owner, clinic_id, { integration_id: 'int_twin' })
  const path = `/integrations/${crm.integration.id}`
  await post(path, { contact: 'Dan', notes: 'Leads only.' })
  await post('/integrations/int_twin', { contact: 'Dan', notes: 'Since May.' })
  const { status, json } = await post(`${path}/merge`, { from: 'int_twin' })
  assert.deepEqual([status, json.data.keys, json.data.connections, json.data.webhooks], [200, 2, 1, 1])
  const { contact, notes } = await read(path)
  assert.deepEqual([contact, notes], ['Dan', 'Leads only.\n\nSince May.'])
  // Else an alert of before would stop it again.
  const [kept] = await owner.read<{ is: boolean }>(
    utcSession(clinic_id),
    sql`select resumed_at = ${resumed} as is from integration where clinic_id = ${clinic_id} and id = ${crm.integration.id}`,
  )
  assert.equal(kept?.is, true)
  assert.deepEqual(await names(), ['CRM'])
  assert.equal((await webhookOf(owner, clinic_id, hook)).integration_id, crm.integration.id)
  assert.equal(await opens(second.key), true)
  const row = (await audited(owner, clinic)).findLast(({ operation }) => operation === 'console.integrations.merge')
  assert.deepEqual(row?.resource_ids, [crm.integration.id, 'int_twin'])
  for (const from of ['int_twin', crm.integration.id, (await (await ground()).mint()).integration.id]) {
    const wrong = await post(`${path}/merge`, { from })
    assert.deepEqual([wrong.status, wrong.json.errors[0].pointer], [422, '#/from'], from)
  }
  assert.equal((await post('/integrations/int_twin/merge', { from: crm.integration.id })).status, 404)
})

test('merged with one that is stopped, all of both is stopped, and nothing that was stopped goes on', async () => {
  for (const stops of ['kept', 'other'] as const) {
    const on = await ground()
    const { clinic_id, mint, post, stop, resume } = on
    const [kept, other] = [await mint('CRM'), await mint('Agency')]
    const hooks = [
      await storeWebhook(owner, clinic_id, { made_by: kept.id }),
      await storeWebhook(owner, clinic_id, { made_by: other.id }),
    ]
    await stop({ kept, other }[stops].integration.id)
    const path = `/integrations/${kept.integration.id}`
    const { json } = await post(`${path}/merge`, { from: other.integration.id })
    assert.notEqual(json.data.stopped_at, null)
    const state = async () => [
      await opens(kept.key),
      await opens(other.key),
      ...(await Promise.all(hooks.map(async (id) => (await webhookOf(owner, clinic_id, id)).enabled))),
    ]
    assert.deepEqual(await state(), [false, false, false, false], stops)
    await resume(kept.integration.id)
    assert.deepEqual(await state(), [true, true, true, true])
  }
})

test('texts that are too long together are not cut: the merge says so', async () => {
  const { mint, post, read } = await ground()
  const [kept, other] = [await mint('CRM'), await mint('Agency')]
  for (const { integration } of [kept, other])
    await post(`/integrations/${integration.id}`, { notes: integration.name.repeat(1_000).slice(0, 2_001) })
  const path = `/integrations/${kept.integration.id}`
  const { status, json } = await post(`${path}/merge`, { from: other.integration.id })
  assert.deepEqual([status, json.errors?.[0].code], [422, 'too_long'])
  assert.equal((await read('/integrations')).length, 2)
})

test('the console’s request alone takes a choice of the webhook’s integration', () => {
  const fields = (body: object | null | undefined) => Object.keys((body as { properties: object }).properties)
  const mine = openOperations.find(({ id }) => id === 'webhooks.create')
  assert.deepEqual(
    fields(mine?.body).filter((field) => !fields(operations['webhooks.create'].body).includes(field)),
    ['integration_id', 'integration_name'],
  )
})
