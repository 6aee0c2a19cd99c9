// Connected apps in the console: the person's yes or no, and the connections that a clinic has, of which no other sees anything.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once as listens } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { appendAudit } from '@clinic-data/audit/audit'
import { createBackend } from '@clinic-data/backend'
import { KEY_CACHE_MS } from '@clinic-data/contract'
import { hashKey } from '@clinic-data/contract/key'
import { sql } from '@clinic-data/database'
import { newVerifier } from '@clinic-data/testing/grounds/authorization-request'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { isUsable, listKeys } from '../src/credentials/keys.ts'
import { connectApp, connecting, once, REDIRECT, requestOf, storeApp, storeDevice } from './connecting.ts'
import { audited, BASE_URL, openConsole, person, send, signedIn } from './console-ground.ts'

const { owner, app } = await testDatabase()
const { connect, token } = connecting(owner)
const waits: number[] = []
const wait = async (ms: number) => {
  waits.push(ms)
}
const opened = await openConsole(owner, { connect, wait })
const backend = createBackend({ database: app, now: () => new Date(), log: failingLog })
const principal = (access_token = '') => backend.authenticate(hashKey(access_token))

async function newSession() {
  const noa = await person(owner)
  return { noa, cookie: await signedIn(opened, owner, noa) }
}

type Answer = Awaited<ReturnType<typeof send>>
const post = (cookie: string, path: string, body: object = {}, headers = {}): Promise<Answer> =>
  send(opened, path, { cookie, body, headers })
const list = (cookie: string) => send(opened, '/connections', { method: 'GET', cookie })

test('an allowed app is listed with who connected it, and no key is', async () => {
  const { noa, cookie } = await newSession()
  const { id, tokens, client_id } = await connectApp(opened, { owner, cookie, token })
  const { data } = (await list(cookie)).json
  assert.deepEqual(
    data.map((one: Record<string, unknown>) => [one.id, one.connected_by, one.scopes, one.ended_at, one.requests_24h]),
    [[id, { id: noa.id, name: 'Noa Levi' }, ['patients:read'], null, 0]],
  )
  assert.deepEqual(data[0].app, { id: client_id, name: 'Desk', host: null, is_verified: true })
  assert.equal((await principal(tokens.access_token))?.key_id, id)
  assert.deepEqual((await send(opened, '/keys', { method: 'GET', cookie })).json.data, [])
  const { clinic_id } = noa.clinic
  assert.deepEqual(await listKeys(owner, clinic_id), [])
  assert.equal(await isUsable(owner, { clinic_id, key: tokens.access_token ?? '', now: new Date() }), false)
  assert.equal((await post(cookie, `/keys/${id}/revoke`)).status, 404)
  const actors = (await send(opened, '/activity/actors', { method: 'GET', cookie })).json.data
  assert.deepEqual(
    actors.filter((one: { id: string }) => one.id === id),
    [{ id, name: 'Desk', kind: 'connection', connected_by: 'Noa Levi' }],
  )
})

test('an answer goes back with the state and the issuer, and each consent is on record with its connection', async () => {
  const { noa, cookie } = await newSession()
  const request = requestOf(await storeApp(owner))
  const looked = (await post(cookie, '/connect/look', { request })).json.data
  assert.deepEqual([looked.redirect_to, looked.access.returns_to], [null, 'app.example'])
  const refused = new URL((await post(cookie, '/connect/refuse', { request })).json.data.redirect_to).searchParams
  assert.deepEqual([refused.get('error'), refused.get('state'), refused.get('iss')], ['access_denied', 'st', BASE_URL])
  const body = { request, scopes: ['patients:read'], days: 30 }
  const headers = once()
  const { status, json } = await post(cookie, '/connect/allow', body, headers)
  const allowed = new URL(json.data.redirect_to)
  assert.deepEqual([status, `${allowed.origin}${allowed.pathname}`], [201, REDIRECT])
  assert.deepEqual([allowed.searchParams.get('state'), allowed.searchParams.get('iss')], ['st', BASE_URL])
  const again = await post(cookie, '/connect/allow', body, headers)
  assert.equal(again.status, 409)
  const rows = (await audited(owner, noa.clinic)).slice(1)
  assert.deepEqual(
    rows.map(({ operation, key_id, status, resource_ids }) => [operation, key_id, status, resource_ids.length]),
    [
      ['console.connect.refuse', noa.id, 200, 0],
      ['console.connect.allow', noa.id, 201, 1],
      ['console.connect.allow', noa.id, 409, 0],
    ],
  )
  // Until its code is exchanged it is no connection.
  assert.deepEqual((await list(cookie)).json.data, [])
})

test('nobody is sent to an address that is not to the letter the app’s own', async () => {
  const { cookie } = await newSession()
  const client_id = await storeApp(owner)
  const sound = requestOf(client_id)
  const others = [
    ...[
      `${REDIRECT}/`,
      `${REDIRECT}?a=1`,
      'https://app.example/',
      'https://app.example:8443/callback',
      '',
      'javascript:x',
    ],
    ...['http://app.example/callback', 'https://app.example.evil.example/callback', `${REDIRECT}#x`],
  ].map((redirect_uri) => requestOf(client_id, newVerifier(), { redirect_uri }))
  const doubled = [`${sound}&redirect_uri=https%3A%2F%2Fevil.example`, `${sound}&client_id=x`]
  const without = ['state=1', requestOf('app_none'), requestOf(client_id).replace(/&?redirect_uri=[^&]*/, '')]
  for (const request of [...others, ...doubled, ...without]) {
    const { status, payload } = await post(cookie, '/connect/look', { request })
    assert.equal(status, 422, request)
    assert.ok(!payload.includes('redirect_to'), request)
  }
})

test('whoever asks for an app learns nothing of which there are', async () => {
  const { cookie } = await newSession()
  const disabled = await storeApp(owner)
  await owner.query(sql`update app set disabled_at = now() where id = ${disabled}`)
  const faults = []
  for (const client_id of [disabled, 'app_none', 'x'.repeat(600)])
    faults.push((await post(cookie, '/connect/look', { request: requestOf(client_id) })).json.errors)
  const [first] = faults
  assert.deepEqual(faults, [first, first, first])
})

test('of an app whose own document cannot be used, the person hears why, and nobody is sent anywhere', async (t) => {
  const { cookie } = await newSession()
  const server = createServer((_, response) => response.end('{"client_id":"https://other.example/app"}'))
  server.listen(0, '127.0.0.1')
  await listens(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  // The name is of nobody, for ever (RFC 2606).
  for (const [client_id, why] of [
    [`http://127.0.0.1:${port}/app`, /client_id must be the address of the document itself/],
    ['https://app.invalid/app', /cannot be read/],
  ] as const) {
    const request = requestOf(client_id)
    const looked = await post(cookie, '/connect/look', { request })
    console.error(looked)
    assert.deepEqual([looked.status, looked.json.errors[0].pointer], [422, '#/request'])
    assert.match(looked.json.errors[0].detail, why)
    const body = { request, scopes: ['patients:read'], days: null }
    assert.equal((await post(cookie, '/connect/allow', body, once())).status, 422)
    const user_code = await storeDevice(owner, client_id)
    assert.equal((await post(cookie, '/device/look', { user_code })).status, 422)
  }
})

test('another fault goes to the app in the words of OAuth, with state and issuer, and cannot be allowed', async () => {
  const { cookie } = await newSession()
  const client_id = await storeApp(owner)
  const faulty = (more: Record<string, string>) => requestOf(client_id, newVerifier(), more)
  const cases: [string, string][] = [
    [faulty({ code_challenge_method: 'plain' }), 'invalid_request'],
    [requestOf(client_id).replace(/&code_challenge=[^&]*/, ''), 'invalid_request'],
    [faulty({ code_challenge: 'short' }), 'invalid_request'],
    [faulty({ response_type: 'token' }), 'unsupported_response_type'],
    [faulty({ response_mode: 'fragment' }), 'invalid_request'],
    [faulty({ request_uri: 'https://x.example' }), 'invalid_request'],
    [faulty({ prompt: 'none' }), 'consent_required'],
    [faulty({ scope: 'everything' }), 'invalid_scope'],
    [faulty({ resource: 'https://other.example' }), 'invalid_target'],
    [`${faulty({ resource: BASE_URL })}&resource=${encodeURIComponent(`${BASE_URL}/mcp`)}`, 'invalid_target'],
    [`${requestOf(client_id)}&scope=reads&scope=reads`, 'invalid_request'],
  ]
  for (const [request, error] of cases) {
    const { access, redirect_to } = (await post(cookie, '/connect/look', { request })).json.data
    const { searchParams } = new URL(redirect_to)
    assert.deepEqual([access, searchParams.get('error'), searchParams.get('state')], [null, error, 'st'], request)
    assert.equal(searchParams.get('iss'), BASE_URL)
    const body = { request, scopes: ['patients:read'], days: null }
    assert.equal((await post(cookie, '/connect/allow', body, once())).status, 422)
  }
  const { redirect_to } = (await post(cookie, '/connect/look', { request: `${requestOf(client_id)}&state=two` })).json
    .data
  assert.equal(new URL(redirect_to).searchParams.get('state'), null)
})

test('a person allows no more than was asked, and nothing after signing out', async () => {
  const { cookie } = await newSession()
  const request = requestOf(await storeApp(owner), newVerifier(), { scope: 'patients:read offline_access' })
  const wide = await post(cookie, '/connect/allow', { request, scopes: ['leads:write'], days: null }, once())
  assert.deepEqual([wide.status, wide.json.errors[0].pointer], [422, '#/scopes'])
  await post(cookie, '/sign-out', {})
  const after = await post(cookie, '/connect/allow', { request, scopes: ['patients:read'], days: null }, once())
  assert.equal(after.status, 401)
})

test('a scope that is taken away, and a connection that is ended, are refused from the answer on', async () => {
  const { noa, cookie } = await newSession()
  const { id, tokens, client_id } = await connectApp(opened, { owner, cookie, token }, ['patients:read', 'calls:read'])
  const narrowed = await post(cookie, `/connections/${id}`, { scopes: ['calls:read'] })
  assert.deepEqual([narrowed.status, narrowed.json.data.scopes, waits.splice(0)], [200, ['calls:read'], [KEY_CACHE_MS]])
  assert.deepEqual((await principal(tokens.access_token))?.scopes, ['calls:read'])
  const wider = await post(cookie, `/connections/${id}`, {
    scopes: ['patients:read'],
    expires_at: '2020-01-01T00:00:00Z',
  })
  assert.equal(wider.status, 422)
  assert.deepEqual(
    wider.json.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['#/scopes', '#/expires_at'],
  )
  const far = new Date(Date.now() + 366 * 86_400_000).toISOString()
  assert.equal((await post(cookie, `/connections/${id}`, { expires_at: far })).status, 422)
  const soon = new Date(Date.now() + 86_400_000).toISOString()
  assert.equal((await post(cookie, `/connections/${id}`, { expires_at: soon })).status, 200)
  waits.splice(0)
  await owner.query(sql`insert into subscription (clinic_id, id, url, event_types, secret, secret_last_characters, created_at, made_by)
    values (${noa.clinic.clinic_id}, 'wh_1', 'https://app.example/hook', '{}', '', '', now(), ${id})`)
  const ended = await send(opened, `/connections/${id}/end`, { cookie })
  assert.deepEqual([ended.status, ended.json.data.end_reason, waits.splice(0)], [200, 'ended', [KEY_CACHE_MS]])
  assert.equal(await principal(tokens.access_token), null)
  const form = { grant_type: 'refresh_token', client_id, refresh_token: tokens.refresh_token ?? '' }
  assert.equal((await token(form)).body.error, 'invalid_grant')
  const { rows } = await owner.query(
    sql`select enabled, is_paused from subscription where clinic_id = ${noa.clinic.clinic_id}`,
  )
  assert.deepEqual(rows, [{ enabled: false, is_paused: false }])
  assert.equal((await post(cookie, `/connections/${id}`, { expires_at: null })).status, 409)
  assert.equal((await send(opened, `/connections/${id}/end`, { cookie })).status, 200)
})

test('another clinic’s connections are neither shown nor changed nor ended', async () => {
  const [{ cookie }, dan] = [await newSession(), await newSession()]
  const { id, tokens } = await connectApp(opened, { owner, cookie, token })
  assert.deepEqual((await list(dan.cookie)).json.data, [])
  assert.equal((await send(opened, `/connections/${id}`, { method: 'GET', cookie: dan.cookie })).status, 404)
  assert.equal((await post(dan.cookie, `/connections/${id}`, { expires_at: null })).status, 404)
  assert.equal((await send(opened, `/connections/${id}/end`, { cookie: dan.cookie })).status, 404)
  assert.ok(await principal(tokens.access_token))
})

test('a connection tells from where it asked in a week, and what it read last', async () => {
  const { noa, cookie } = await newSession()
  const { id, tokens } = await connectApp(opened, { owner, cookie, token })
  const { clinic_id } = noa.clinic
  const at = new Date().toISOString()
  const row = { clinic_id, key_id: id, at, resource_ids: [], patient_ids: [], status: 200, surface: 'rest' as const }
  const asked = [
    { operation: 'patients.list', address: '192.0.2.1', count: 3 },
    { operation: 'leads.create', address: '192.0.2.2', count: 1 },
    { operation: 'patients.list', address: '192.0.2.1', count: 2 },
  ]
  await appendAudit(
    owner,
    asked.map((one) => ({ ...row, ...one, request_id: randomUUID() })),
  )
  await owner.query(sql`update api_key set last_used_at = now() where clinic_id = ${clinic_id} and id = ${id}`)
  assert.ok(await principal(tokens.access_token))
  const { data } = (await send(opened, `/connections/${id}`, { method: 'GET', cookie })).json
  assert.deepEqual([data.last_read.operation, data.last_read.count, data.requests_24h], ['patients.list', 2, 3])
  assert.deepEqual(new Date(data.last_read.at), new Date(at))
  assert.deepEqual(
    new Set(data.addresses.map((one: { last_at: string }) => Date.parse(one.last_at))),
    new Set([Date.parse(at)]),
  )
  assert.deepEqual(data.addresses.map((one: Record<string, unknown>) => [one.address, one.requests]).sort(), [
    ['192.0.2.1', 2],
    ['192.0.2.2', 1],
  ])
})

test('a device’s code is answered once, and wrong ones are limited', async () => {
  const { cookie } = await newSession()
  const client_id = await storeApp(owner)
  const [first, second] = [await storeDevice(owner, client_id), await storeDevice(owner, client_id)]
  const typed = `${first.slice(0, 4)}-${first.slice(4)}`.toLowerCase()
  const looked = await post(cookie, '/device/look', { user_code: typed })
  assert.deepEqual(looked.json.data.scopes, ['patients:read', 'calls:read'])
  const granted = { user_code: typed, scopes: ['calls:read'], days: 30 }
  assert.equal((await post(cookie, '/device/allow', granted, once())).status, 204)
  assert.equal((await post(cookie, '/device/allow', granted, once())).status, 404)
  assert.equal((await post(cookie, '/device/refuse', { user_code: second })).status, 204)
  for (let n = 0; n < 9; n++) assert.equal((await post(cookie, '/device/look', { user_code: 'BBBBBBBB' })).status, 404)
  assert.equal((await post(cookie, '/device/look', { user_code: 'BBBBBBBB' })).status, 429)
})

test('a service to which no app can be connected has none of this', async () => {
  const without = await openConsole(owner)
  const noa = await person(owner)
  const cookie = await signedIn(without, owner, noa)
  assert.equal((await send(without, '/connections', { method: 'GET', cookie })).status, 404)
  const body = { request: requestOf(await storeApp(owner)) }
  assert.equal((await send(without, '/connect/look', { cookie, body })).status, 404)
})
