// Codes and tokens of connected apps: what they open, what uses them up, and what ends them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disableAdministrator } from '@clinic-data/administration/administrators'
import { KEY_CACHE_MS } from '@clinic-data/contract'
import { makeKey } from '@clinic-data/contract/key'
import { sql, utcSession } from '@clinic-data/database'
import { newVerifier } from '@clinic-data/testing/grounds/authorization-request'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { changeConnection } from '../src/connections/change-connection.ts'
import { endConnectionsOfApp } from '../src/connections/end-of-app.ts'
import { allowDevice } from '../src/consent/device-consent.ts'
import { consoleConnect } from '../src/console-connect.ts'
import { register } from '../src/endpoints/register.ts'
import { GRACE_MS } from '../src/tokens/lifetimes.ts'
import { allowed, connected, consenting, newPerson, openConnect, REDIRECT, storeApp } from './connect-ground.ts'

const { owner, app } = await testDatabase()
const opened = openConnect({ owner, app })
const { post, principal } = opened

const refreshing = (client_id: string, refresh_token = '') =>
  post('token', { grant_type: 'refresh_token', client_id, refresh_token })

async function rowsOf(clinic_id: string) {
  return owner.read<{ id: string; end_reason: string | null }>(
    utcSession(clinic_id),
    sql`select id, end_reason from connection where clinic_id = ${clinic_id}`,
  )
}

async function operationsOf(clinic_id: string) {
  const rows = await owner.read<{ operation: string }>(
    utcSession(clinic_id),
    sql`select operation from audit where clinic_id = ${clinic_id} order by id`,
  )
  return rows.map(({ operation }) => operation)
}

test('a code becomes tokens that open the clinic of the person, with the allowed scopes and no more', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const form = await allowed(opened, owner, noa, client_id, { scopes: ['patients:read'], days: 30 })
  const { status, body } = await post('token', form)
  assert.equal(status, 200)
  assert.deepEqual([body.token_type, body.expires_in, body.scope], ['Bearer', 3600, 'patients:read'])
  const found = await principal(body.access_token)
  assert.deepEqual([found?.clinic.clinic_id, found?.scopes], [noa.clinic.clinic_id, ['patients:read']])
  assert.equal(found?.key_id, (await rowsOf(noa.clinic.clinic_id))[0]?.id)
  assert.equal(found?.audience, undefined)
  for (const other of [body.refresh_token, form.code]) assert.equal(await principal(other), null)
  assert.deepEqual(await operationsOf(noa.clinic.clinic_id), ['connect.token'])
})

test('a token for the MCP server names it, and a token ends with its hour or its connection', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const more = { resource: 'https://api.clinic.example/mcp' }
  const { access_token } = await connected(opened, owner, noa, client_id, { days: 1, more })
  const found = await principal(access_token)
  assert.equal(found?.audience, 'mcp')
  const late = openConnect({ owner, app })
  late.advance(61 * 60_000)
  assert.equal(await late.principal(access_token), null)
})

test('of two registrations a second apart the first is connected', async () => {
  const late = openConnect({ owner, app })
  const registering = async () => {
    const metadata = JSON.stringify({ client_name: 'Assistant', redirect_uris: [REDIRECT] })
    const { body } = await register(late.connect, { form: { metadata }, address: '192.0.2.1' })
    return String(body?.client_id)
  }
  const first = await registering()
  late.advance(1_000)
  assert.notEqual(await registering(), first)
  const { access_token } = await connected(late, owner, await newPerson(owner), first)
  assert.ok(await late.principal(access_token))
})

test('a token from a clock that was an hour ahead opens nothing, and not later either once the app has renewed it', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const ahead = openConnect({ owner, app })
  ahead.advance(60 * 60_000)
  const { access_token, refresh_token } = await connected(ahead, owner, noa, client_id)
  assert.ok(await ahead.principal(access_token))
  assert.equal(await principal(access_token), null)
  const { body } = await refreshing(client_id, refresh_token)
  assert.ok(await principal(body.access_token))
  ahead.advance(5 * 60_000)
  assert.equal(await ahead.principal(access_token), null)
})

test('the tokens of a bound connection are taken from its networks alone, and elsewhere nothing is used up', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const { clinic } = noa
  const tokens = await connected(opened, owner, noa, client_id)
  const [connection] = await rowsOf(clinic.clinic_id)
  const networks = ['192.0.2.0/24']
  const change = {
    id: connection?.id ?? '',
    by: noa.id,
    now: opened.now(),
    wait: undefined,
    requireCare: () => undefined,
    requireApproval: async () => undefined,
    record: () => undefined,
  }
  const changed = await changeConnection(
    owner,
    utcSession(clinic.clinic_id),
    { networks: ['192.0.2.0/24', '192.0.2.7'] },
    change,
  )
  assert.deepEqual(changed.networks, ['192.0.2.0/24', '192.0.2.7'])
  await changeConnection(owner, utcSession(clinic.clinic_id), { networks }, change)
  assert.deepEqual((await principal(tokens.access_token))?.networks, networks)
  const form = { grant_type: 'refresh_token', client_id, refresh_token: tokens.refresh_token ?? '' }
  for (const address of ['198.51.100.7', 'unknown', '']) {
    const refused = await post('token', form, address)
    assert.deepEqual([refused.status, refused.body.error], [403, 'access_denied'])
    assert.doesNotMatch(JSON.stringify(refused.body), /192\.0\.2\./)
  }
  const renewed = await post('token', form)
  assert.equal(renewed.status, 200)
  assert.deepEqual((await principal(renewed.body.access_token))?.networks, networks)
  assert.deepEqual((await operationsOf(clinic.clinic_id)).slice(1), [
    ...Array<string>(3).fill('connect.elsewhere'),
    'connect.refresh',
  ])
  // It ends what somebody has stolen, from wherever that is tried.
  opened.advance(GRACE_MS + 1)
  assert.equal((await post('token', form, '198.51.100.7')).body.error, 'invalid_grant')
  assert.equal(await principal(renewed.body.access_token), null)
})

test('a code opens nothing a second time, and ends what it opened', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const form = await allowed(opened, owner, noa, client_id)
  const { body } = await post('token', form)
  const again = await post('token', form)
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
  assert.equal(await principal(body.access_token), null)
  assert.equal((await refreshing(client_id, body.refresh_token)).status, 400)
  assert.deepEqual(
    (await rowsOf(noa.clinic.clinic_id)).map((row) => row.end_reason),
    ['reused'],
  )
  assert.deepEqual(await operationsOf(noa.clinic.clinic_id), ['connect.token', 'connect.reused'])
  assert.deepEqual(opened.waits.slice(-1), [KEY_CACHE_MS])
})

test('a code that comes ten times at once is answered once, and then its tokens are ended', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const form = await allowed(opened, owner, noa, client_id)
  // A connection to the database for each: else the first would be done before the others have one.
  await Promise.all(Array.from({ length: 10 }, () => owner.query(sql`select pg_backend_pid()`)))
  const answers = await Promise.all(Array.from({ length: 10 }, () => post('token', form)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(9).fill(400)])
  for (const { body } of answers) assert.equal(await principal(body.access_token), null)
})

test('another verifier, redirect, resource or app gets nothing for a code, and leaves it as it is', async () => {
  const [noa, client_id, other] = [await newPerson(owner), await storeApp(owner), await storeApp(owner)]
  const form = await allowed(opened, owner, noa, client_id)
  const wrong = [
    { ...form, code_verifier: newVerifier() },
    { ...form, code_verifier: 'short' },
    { ...form, redirect_uri: `${form.redirect_uri}/` },
    { ...form, client_id: other },
    { ...form, code: makeKey('oac_live_') },
    { ...form, resource: 'https://api.clinic.example/mcp' },
  ]
  const answers = await Promise.all(wrong.map((one) => post('token', one)))
  assert.deepEqual(
    answers.map(({ body }) => body.error),
    [...Array<string>(5).fill('invalid_grant'), 'invalid_target'],
  )
  assert.equal((await post('token', form)).status, 200)
})

test('a code is good for a minute', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const late = openConnect({ owner, app })
  const form = await allowed(late, owner, noa, client_id)
  late.advance(61_000)
  assert.equal((await late.post('token', form)).body.error, 'invalid_grant')
})

test('ten refreshes at once are all answered, and none of them ends another', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const { refresh_token } = await connected(opened, owner, noa, client_id)
  const answers = await Promise.all(Array.from({ length: 10 }, () => refreshing(client_id, refresh_token)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 10)
  for (const { body } of answers) assert.ok(await principal(body.access_token))
})

test('a refresh token that comes back after the grace ends the connection', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const late = openConnect({ owner, app })
  const { refresh_token } = await connected(late, owner, noa, client_id)
  const form = { grant_type: 'refresh_token', client_id, refresh_token: refresh_token ?? '' }
  const { body } = await late.post('token', form)
  late.advance(61_000)
  assert.ok(await late.principal(body.access_token))
  const again = await late.post('token', form)
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant'])
  assert.equal(await late.principal(body.access_token), null)
  assert.deepEqual(
    (await rowsOf(noa.clinic.clinic_id)).map((row) => row.end_reason),
    ['reused'],
  )
})

test('another app neither refreshes nor revokes a token, and ends nothing by it', async () => {
  const [noa, client_id, other] = [await newPerson(owner), await storeApp(owner), await storeApp(owner)]
  const { access_token = '', refresh_token = '' } = await connected(opened, owner, noa, client_id)
  assert.equal((await refreshing(other, refresh_token)).body.error, 'invalid_grant')
  for (const token of [access_token, refresh_token, 'nothing'])
    assert.deepEqual(await post('revoke', { client_id: other, token }), { status: 200, body: {}, is_guess: true })
  assert.ok(await principal(access_token))
})

test('an app that gives back an access token loses it, and with a refresh token its connection', async () => {
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const { access_token = '', refresh_token } = await connected(opened, owner, noa, client_id)
  assert.equal((await post('revoke', { client_id, token: access_token })).is_guess, false)
  assert.equal(await principal(access_token), null)
  const { body } = await refreshing(client_id, refresh_token)
  assert.ok(await principal(body.access_token))
  assert.equal((await post('revoke', { client_id, token: body.refresh_token ?? '' })).is_guess, false)
  assert.equal(await principal(body.access_token), null)
  assert.deepEqual(
    (await rowsOf(noa.clinic.clinic_id)).map((row) => row.end_reason),
    ['by_app'],
  )
})

test('nobody gets tokens once the person or the app is disabled, or the clinic closed', async () => {
  const now = new Date()
  const wait = async () => undefined
  const disabling = {
    person: async (clinic_id: string, id: string) =>
      disableAdministrator(owner, { clinic_id, id, now }, undefined, wait),
    app: async (clinic_id: string, _: string, app_id: string) => {
      await owner.query(sql`update app set disabled_at = now() where id = ${app_id}`)
      await endConnectionsOfApp(owner, { app_id, clinic_ids: [clinic_id], now, beside: () => () => undefined, wait })
    },
    clinic: async (clinic_id: string) => {
      await owner.query(sql`update clinic set closed_at = now() where clinic_id = ${clinic_id}`)
    },
  }
  for (const [what, disable] of Object.entries(disabling)) {
    const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
    const { access_token, refresh_token } = await connected(opened, owner, noa, client_id)
    const form = await allowed(opened, owner, noa, client_id)
    await disable(noa.clinic.clinic_id, noa.id, client_id)
    const refused = what === 'app' ? 'invalid_client' : 'invalid_grant'
    assert.equal((await post('token', form)).body.error, refused, what)
    assert.equal((await refreshing(client_id, refresh_token)).body.error, refused, what)
    assert.equal(await principal(access_token), null, what)
  }
})

test('no code or token stands in a row, and no session of another clinic sees one', async () => {
  const [noa, dan, client_id] = [await newPerson(owner), await newPerson(owner), await storeApp(owner)]
  const form = await allowed(opened, owner, noa, client_id)
  const { access_token = '', refresh_token = '' } = (await post('token', form)).body
  const { clinic_id } = noa.clinic
  for (const table of ['connection', 'connection_token', 'api_key', 'audit']) {
    const all = sql`select row_to_json(t)::text as row from ${sql.identifier(table)} t where clinic_id = ${clinic_id}`
    const rows = await owner.read<{ row: string }>(utcSession(clinic_id), all)
    assert.ok(rows.length > 0, table)
    for (const { row } of rows)
      for (const secret of [access_token, refresh_token, form.code]) assert.ok(!row.includes(secret), table)
    if (table === 'audit') continue
    assert.deepEqual(await app.read(utcSession(dan.clinic.clinic_id), all), [], table)
  }
})

test('a device gets its tokens when a person has typed its code, and hears how long to wait until then', async () => {
  const late = openConnect({ owner, app })
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const { body } = await late.post('device', { client_id, scope: 'patients:read' })
  assert.match(body.user_code ?? '', /^[B-Z]{4}-[B-Z]{4}$/)
  const poll = () =>
    late.post('token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id,
      device_code: body.device_code ?? '',
    })
  assert.equal((await poll()).body.error, 'authorization_pending')
  assert.equal((await poll()).body.error, 'slow_down')
  const parts = consoleConnect({ apps: late.apps, baseUrl: '', database: owner })
  const person = consenting(late, owner, noa)
  const allowing = { scopes: ['patients:read' as const], days: null, mint_request: 'one' }
  await assert.rejects(allowDevice(parts, person, 'BBBB-BBBB', allowing), { slug: 'not-found' })
  await allowDevice(parts, person, (body.user_code ?? '').toLowerCase(), allowing)
  const tokens = await poll()
  assert.equal(tokens.status, 200)
  assert.ok(await late.principal(tokens.body.access_token))
  // A lost answer is asked for again.
  assert.equal((await poll()).status, 200)
})
