// Care before power: what gives power wants a proof of who sits there from the last 15 minutes, and what takes it away never asks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Care, careOf, careOfOpen } from '@clinic-data/console-contract/care'
import { consoleOperations } from '@clinic-data/console-contract/console-operations'
import { openOperationIds } from '@clinic-data/console-contract/open-operations'
import { rolesOf, type SessionOperation } from '@clinic-data/console-contract/roles'
import { filledPath } from '@clinic-data/contract/routes'
import { sql } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { CONSOLE_API } from '../src/routes/console-routes.ts'
import { connectApp, connecting, once, requestOf, storeApp, storeDevice } from './connecting.ts'
import { audited, openConsole, type Person, person, send, signedIn } from './console-ground.ts'
import { integrationGround } from './integration-ground.ts'
import { INVITED, inRole, setRole } from './people-ground.ts'
import { storePassword } from './stored-password.ts'

const { owner } = await testDatabase()
const { connect, token } = connecting(owner)
const opened = await openConsole(owner, { connect })

/** Somebody else sits there now, for all that anybody knows. */
const forgetProof = ({ clinic, id }: Person) =>
  owner.query(sql`update administrator_session set proven_at = null
    where clinic_id = ${clinic.clinic_id} and administrator_id = ${id}`)

const codesOf = (json: { errors?: { code: string }[] } | null) => (json?.errors ?? []).map(({ code }) => code)
const ASKS = [403, 'forbidden', ['confirmation_required']]
const told = ({ status, json }: Awaited<ReturnType<typeof send>>) => [status, json?.code, codesOf(json)]

test('every operation stands in the table, and what takes power away is free', () => {
  assert.deepEqual(Object.keys(careOf).sort(), Object.keys(rolesOf).sort())
  assert.deepEqual(Object.keys(careOfOpen).sort(), [...openOperationIds].sort())
  const taking = Object.keys(careOf).filter((name) =>
    /^(revoke|end|remove|disable|withdraw|stop|refuse|signOut)/.test(name),
  ) as SessionOperation[]
  assert.ok(taking.length > 9)
  for (const name of taking) assert.equal(careOf[name], 'free', name)
  assert.equal(careOfOpen['webhooks.delete'], 'free')
  // A read shows what there is already.
  for (const [name, { method }] of Object.entries(consoleOperations)) {
    if (method === 'GET' && name in careOf) assert.equal(careOf[name as SessionOperation], 'free', name)
  }
})

const withCare = (care: Care) => (Object.keys(careOf) as SessionOperation[]).filter((name) => careOf[name] === care)
const part = 'eA'

test('without a late proof each operation that gives power is refused, changes nothing, and has its row', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const app = await storeApp(owner)
  const granted = { scopes: ['patients:read'], days: 30 }
  const bodies: Partial<Record<SessionOperation, object>> = {
    mintKey: { name: 'Till', scopes: ['patients:read'] },
    mintToken: { name: 'Exchange' },
    invite: INVITED,
    allowRequest: { request: requestOf(app), ...granted },
    allowDevice: { user_code: await storeDevice(owner, app), ...granted },
    setSignInRule: { demand: 'passkey' },
    setApprovalRule: { is_on: true },
    exportActivity: { as: 'rows' },
    exportPatient: { include_doubtful: false },
    erasePatient: { include_doubtful: false },
    addPasskey: { name: 'Phone', credential_id: part, client_data: part, attestation: part },
  }
  await forgetProof(noa)
  for (const name of withCare('confirmed')) {
    const operation = consoleOperations[name]
    const path = filledPath(operation, { id: 'int_1' }).slice(CONSOLE_API.length)
    const body = bodies[name]
    const answer = await send(opened, path, { cookie: noa.cookie, headers: once(), ...(body && { body }) })
    assert.deepEqual(told(answer), ASKS, name)
  }
  const rows = (await audited(owner, noa.clinic)).filter(({ status }) => status === 403)
  const known = withCare('confirmed').flatMap((name) => consoleOperations[name].audited ?? [])
  assert.deepEqual(rows.map(({ operation }) => operation).sort(), known.sort())
  const { json } = await send(opened, '/keys', { method: 'GET', cookie: noa.cookie })
  assert.deepEqual(json.data, [])
})

test('no operation that is free asks', async () => {
  const noa = await inRole(opened, owner, 'owner')
  await forgetProof(noa)
  for (const name of withCare('free').filter((one) => one !== 'signOut')) {
    const operation = consoleOperations[name]
    const path = filledPath(operation, { id: 'key_1', delivery_id: 'dlv_1' }).slice(CONSOLE_API.length)
    const { json } = await send(opened, path, {
      method: operation.method,
      cookie: noa.cookie,
      headers: once(),
      ...(operation.body && { body: {} }),
    })
    assert.deepEqual(codesOf(json).includes('confirmation_required'), false, name)
  }
})

test('a change asks if it widens, and never if it narrows or only renames', async () => {
  const { noa, cookie, post, mint } = await integrationGround(opened, owner)
  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
  const key = await mint('CRM', { expires_at: days(90), rate_limit: 100, networks: ['10.0.0.0/8', '2001:db8::/32'] })
  const usual = await mint('Usual', { expires_at: days(90) })
  const connection = await connectApp(opened, { owner, cookie, token }, ['patients:read', 'calls:read'])
  const dan = await inRole(opened, owner, 'developer', noa.clinic)
  const tal = await inRole(opened, owner, 'administrator', noa.clinic)
  const [keyPath, connectionPath, rolePath] = [
    `/keys/${key.id}`,
    `/connections/${connection.id}`,
    `/people/${dan.id}/role`,
  ]
  await post(connectionPath, { expires_at: days(90), networks: ['10.0.0.0/8'] })
  await post('/connect/rule', { allowed: 'verified' })
  await post('/longest-life', { days: 180 })
  await post('/member-scopes', { scopes: ['catalog:read'] })
  await forgetProof(noa)
  const widening: [path: string, body: object][] = [
    [keyPath, { expires_at: days(91) }],
    [keyPath, { expires_at: null }],
    [keyPath, { rate_limit: 101 }],
    [keyPath, { rate_limit: null }],
    [keyPath, { networks: null }],
    [keyPath, { networks: ['10.0.0.0/7'] }],
    [connectionPath, { networks: null }],
    [connectionPath, { networks: ['10.0.0.0/8', '192.0.2.1'] }],
    [`/keys/${usual.id}`, { rate_limit: 601 }],
    [rolePath, { role: 'owner' }],
    [rolePath, { role: 'auditor' }],
    // Members connect apps, and developers do not.
    [rolePath, { role: 'member' }],
    ['/connect/rule', { allowed: 'any' }],
    ['/longest-life', { days: 181 }],
    ['/longest-life', { days: null }],
    ['/member-scopes', { scopes: ['catalog:read', 'patients:read'] }],
  ]
  for (const [path, body] of widening)
    assert.deepEqual(told(await post(path, body)), ASKS, `${path} ${JSON.stringify(body)}`)
  const narrowing: typeof widening = [
    [keyPath, { name: 'CRM of 2026', rate_limit: 100 }],
    ['/group-roles', { group: 'staff', role: null }],
    [keyPath, { expires_at: days(30), rate_limit: 50 }],
    [keyPath, { networks: ['10.1.0.0/16', '2001:DB8:0::/48'] }],
    [connectionPath, { networks: ['10.0.0.9'] }],
    [`/keys/${usual.id}`, { rate_limit: 600 }],
    [`/people/${tal.id}/role`, { role: 'auditor' }],
    ['/connect/rule', { allowed: 'none' }],
    ['/longest-life', { days: 30 }],
    ['/member-scopes', { scopes: [] }],
  ]
  for (const [path, body] of narrowing)
    assert.equal((await post(path, body)).status, 200, `${path} ${JSON.stringify(body)}`)
})

test('a connection is narrowed without a question, and lasts longer only after one', async () => {
  const { noa, cookie, post } = await integrationGround(opened, owner)
  const { id } = await connectApp(opened, { owner, cookie, token }, ['patients:read', 'calls:read'])
  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
  await forgetProof(noa)
  for (const body of [{ scopes: ['patients:read'] }, { expires_at: days(60) }, { expires_at: days(30) }])
    assert.equal((await post(`/connections/${id}`, body)).status, 200)
  for (const expires_at of [days(31), null])
    assert.deepEqual(told(await post(`/connections/${id}`, { expires_at })), ASKS)
})

test('a proof is of one session alone, and of its last 15 minutes', async () => {
  const console = await openConsole(owner)
  const noa = await person(owner)
  await storePassword(owner, noa, 'correct horse battery')
  const [here, there] = [await signedIn(console, owner, noa), await signedIn(console, owner, noa)]
  const mint = async (cookie: string) =>
    (await send(console, '/keys', { cookie, body: { name: 'Till', scopes: ['patients:read'] }, headers: once() }))
      .status
  assert.deepEqual([await mint(here), await mint(there)], [201, 201])
  console.clock.advance(15)
  assert.deepEqual([await mint(here), await mint(there)], [403, 403])
  const confirm = { cookie: here, body: { password: 'correct horse battery' } }
  assert.equal((await send(console, '/confirm/password', confirm)).status, 204)
  assert.deepEqual([await mint(here), await mint(there)], [201, 403])
  console.clock.advance(14)
  assert.equal(await mint(here), 201)
  console.clock.advance(1)
  assert.equal(await mint(here), 403)
  const rows = (await audited(owner, noa.clinic)).filter(({ operation }) => operation === 'console.confirm.password')
  assert.deepEqual(
    rows.map(({ status, key_id }) => [status, key_id]),
    [[204, noa.id]],
  )
})

test('a clock that goes back forgets the proofs that it made while it was ahead', async () => {
  const console = await openConsole(owner)
  const noa = await person(owner)
  console.clock.advance(60)
  const cookie = await signedIn(console, owner, noa)
  const mint = async () =>
    (await send(console, '/keys', { cookie, body: { name: 'Till', scopes: ['patients:read'] }, headers: once() }))
      .status
  console.clock.advance(-60)
  assert.equal(await mint(), 403)
  console.clock.advance(61)
  assert.equal(await mint(), 403, 'not when that time comes, either')
})

test('a session that a program of before has begun is asked first', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  await owner.query(sql`update administrator_session set proven_at = default, proven_by = default
    where clinic_id = ${noa.clinic.clinic_id}`)
  assert.deepEqual(told(await send(opened, '/ingest-tokens', { cookie, body: { name: 'CRM' }, headers: once() })), ASKS)
})

test('a malformed request and one of the wrong role are refused as that, and nobody is asked for them', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  await forgetProof(noa)
  assert.equal((await send(opened, '/keys', { cookie, body: {}, headers: once() })).status, 400)
  await setRole(owner, noa, 'auditor')
  const { json } = await send(opened, '/keys', { cookie, body: {}, headers: once() })
  assert.deepEqual([json.code, codesOf(json)], ['forbidden', []])
})
