// Apps that register themselves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readScopes } from '@clinic-data/contract'
import { isWellFormedKey, makeKey } from '@clinic-data/contract/key'
import { sql, utcSession } from '@clinic-data/database'
import { ownDatabase } from '@clinic-data/testing/run/test-database'
import { appUse, removeUnusedApps } from '../src/apps/self-registered.ts'
import { readRequest } from '../src/consent/authorization-request.ts'
import { readRegistration, register } from '../src/endpoints/register.ts'
import { OAuthError } from '../src/oauth-error.ts'
import { BASE_URL, openedApps, storeApp } from './apps-ground.ts'

// Its rows are counted.
const { owner } = await ownDatabase()
const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
const skip = citus.length > 0 && 'on a cluster all test files share the rows of apps'
const { apps, authentication, clock } = openedApps(owner)
const now = () => clock.now()
const DAY_MS = 24 * 60 * 60_000
const REDIRECTS = ['http://127.0.0.1/callback']

interface Sending {
  mayRegister?: boolean
  most?: number
  ofBlock?: number
  address?: string
}

const send = (
  metadata: unknown,
  { mayRegister = true, most = 10_000, ofBlock = 200, address = '192.0.2.7' }: Sending = {},
) =>
  register(
    { database: owner, baseUrl: BASE_URL, mayRegister, now },
    { form: { metadata: JSON.stringify(metadata) }, address },
    { all: most, ofBlock },
  )
async function refusal(sent: Promise<unknown>): Promise<OAuthError> {
  const error = await sent.then(
    () => assert.fail('it was registered'),
    (thrown) => thrown,
  )
  assert.ok(error instanceof OAuthError, String(error))
  assert.match(error.message, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  return error
}
const body = async (sent: ReturnType<typeof send>) => {
  const answer = await sent
  assert.equal(answer.status, 201)
  return answer.body ?? {}
}

test('a public app is registered without a secret, and is not verified', async () => {
  const answer = await body(
    send({ client_name: 'Inspector', redirect_uris: REDIRECTS, logo_uri: 'https://x.example/y' }),
  )
  assert.deepEqual(answer, {
    client_id: answer.client_id,
    client_id_issued_at: clock.now().getTime() / 1_000,
    client_name: 'Inspector',
    redirect_uris: REDIRECTS,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: readScopes.join(' '),
    registration_client_uri: `${BASE_URL}/oauth/register/${answer.client_id}`,
    registration_access_token: answer.registration_access_token,
  })
  const app = await apps.find(String(answer.client_id))
  assert.equal(app?.name, 'Inspector')
  assert.equal(app?.isVerified, false)
})

test('an app hears which of the scopes that it names it may ask for, and of other words nothing', async () => {
  for (const [scope, granted] of [
    ['calls:read openid patients:read', 'patients:read calls:read'],
    ['webhooks:manage', 'webhooks:manage'],
    ['openid profile', readScopes.join(' ')],
    ['', readScopes.join(' ')],
    [7, readScopes.join(' ')],
  ])
    assert.equal((await body(send({ redirect_uris: REDIRECTS, scope }))).scope, granted)
})

test('an app that wants a secret gets one, and only its hash is stored', async () => {
  const answer = await body(send({ redirect_uris: REDIRECTS, token_endpoint_auth_method: 'client_secret_post' }))
  const [client_id, client_secret] = [String(answer.client_id), String(answer.client_secret)]
  assert.ok(isWellFormedKey(client_secret, 'oas_live_'))
  assert.equal((await authentication.authenticate({ client_id, client_secret }, null)).id, client_id)
  const { rows } = await owner.query<{ text: string }>(sql`select app::text as text from app where id = ${client_id}`)
  assert.ok(!rows[0]?.text.includes(client_secret))
})

const read = (client_id: unknown, authorization: string | null) =>
  readRegistration({ database: owner, baseUrl: BASE_URL }, { form: { client_id: String(client_id) }, authorization })

test('an app reads what it registered, without its secret, and only a hash of the token for it is stored', async () => {
  const keys = [{ kty: 'EC', crv: 'P-256', kid: 'k', x: 'A'.repeat(43), y: 'A'.repeat(43) }]
  for (const metadata of [
    {},
    { token_endpoint_auth_method: 'none', client_name: 'מרפאה', scope: 'calls:read openid' },
    { token_endpoint_auth_method: 'client_secret_basic' },
    { token_endpoint_auth_method: 'client_secret_post' },
    { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys } },
  ]) {
    const { client_secret, client_secret_expires_at, ...registered } = await body(
      send({ redirect_uris: REDIRECTS, ...metadata }),
    )
    const { client_id, registration_access_token: token } = registered
    assert.ok(isWellFormedKey(String(token), 'oar_live_'))
    for (const scheme of ['Bearer', 'bearer'])
      assert.deepEqual(await read(client_id, `${scheme} ${token}`), { status: 200, body: registered })
    const { rows } = await owner.query<{ text: string }>(
      sql`select app::text as text from app where id = ${String(client_id)}`,
    )
    assert.ok(!rows[0]?.text.includes(String(token)))
  }
})

test('no token, one of another app, and one of an app that is gone or disabled get the same refusal', async () => {
  const registering = () => body(send({ redirect_uris: REDIRECTS }))
  const [app, other, gone, disabled] = [
    await registering(),
    await registering(),
    await registering(),
    await registering(),
  ]
  await owner.query(sql`delete from app where id = ${String(gone.client_id)}`)
  await owner.query(sql`update app set disabled_at = now() where id = ${String(disabled.client_id)}`)
  const former = await storeApp(owner, { kind: 'self_registered' })
  const good = `Bearer ${app.registration_access_token}`
  const told = new Set<string>()
  const requests: [client_id: unknown, authorization: string | null][] = [
    [app.client_id, null],
    [app.client_id, ''],
    [app.client_id, `Bearer ${makeKey('oar_live_')}`],
    [app.client_id, `Bearer ${other.registration_access_token}`],
    [app.client_id, good.replace('Bearer', 'Basic')],
    [app.client_id, good.slice(0, -1)],
    [gone.client_id, `Bearer ${gone.registration_access_token}`],
    [disabled.client_id, `Bearer ${disabled.registration_access_token}`],
    // Of before tokens were given.
    [former, good],
    ['sc', good],
    ['app_\u0000', good],
    ['x'.repeat(16_000), good],
  ]
  for (const [client_id, authorization] of requests) {
    const { code, status, message } = await refusal(read(client_id, authorization))
    told.add(`${status} ${code} ${message}`)
  }
  assert.equal(told.size, 1)
  assert.match(String([...told]), /^401 invalid_token /)
})

test('what is wrong is said at once, in the words of RFC 7591', async () => {
  const { code, message } = await refusal(
    send({
      client_name: 'x'.repeat(201),
      redirect_uris: ['http://crm.example.com/'],
      token_endpoint_auth_method: 'tls',
    }),
  )
  assert.equal(code, 'invalid_client_metadata')
  for (const member of ['client_name', 'redirect_uris[0]', 'token_endpoint_auth_method'])
    assert.ok(message.includes(member), message)
  assert.equal((await refusal(send({ redirect_uris: ['data:text/html,x'] }))).code, 'invalid_redirect_uri')
  assert.equal((await refusal(send([]))).code, 'invalid_client_metadata')
  const keys = {
    redirect_uris: REDIRECTS,
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: 'https://a.example/k',
  }
  assert.match((await refusal(send(keys))).message, /jwks_uri is not read/)
})

test('a name of blanks, with invisible characters, right to left marks, line breaks or 201 characters is refused, and Hebrew is not', async () => {
  const blank = ['', ' ', '\u00a0\u3000', '\u2800\u2800', '\u{1d159}', '\u3164', '\u115f', '\u0301', '\u2800 \ufe0f']
  for (const client_name of [...blank, 'A\u202eB', 'A\u200bB', 'A\u2066B', 'A\nB', 'A\u0000', 'x'.repeat(201), 7])
    assert.match((await refusal(send({ client_name, redirect_uris: REDIRECTS }))).message, /client_name/)
  for (const client_name of ['מרפאת הגליל', 'x'.repeat(200), '7', '🦷'])
    assert.equal((await body(send({ client_name, redirect_uris: REDIRECTS }))).client_name, client_name)
})

test('nobody is sent to an address that an earlier version registered and that is refused now', async () => {
  const kept = REDIRECTS[0] ?? ''
  const bad = ['ms-officecmd:x', 'itms-services://x/?a=b', 'smb://x.example/share']
  const client_id = await storeApp(owner, { kind: 'self_registered' })
  await owner.query(sql`update app set redirect_uris = ${[kept, ...bad]}::text[] where id = ${client_id}`)
  const asked = (redirect_uri: string) =>
    readRequest({ apps, baseUrl: BASE_URL }, 'a-clinic', String(new URLSearchParams({ client_id, redirect_uri })))
  for (const uri of bad) await assert.rejects(asked(uri), { slug: 'unprocessable' }, uri)
  assert.equal((await asked(kept)).redirectUri, kept)
})

test('nobody registers where the operator has not allowed it', async () => {
  const before = await owner.query(sql`select id from app`)
  const { status } = await refusal(send({ redirect_uris: REDIRECTS }, { mayRegister: false }))
  assert.equal(status, 403)
  assert.equal((await owner.query(sql`select id from app`)).rowCount, before.rowCount)
})

test('a million registrations leave a bounded number, and the oldest unused go first', { skip }, async () => {
  await owner.query(sql`delete from app`)
  const registered = await storeApp(owner)
  const ids: string[] = []
  for (let i = 0; i < 8; i++) {
    ids.push(String((await body(send({ redirect_uris: REDIRECTS }, { most: 5 }))).client_id))
    if (i === 0) await owner.query(appUse(String(ids[0]), now()))
    await clock.run(1_000)
  }
  const { rows } = await owner.query<{ id: string }>(sql`select id from app order by created_at, id`)
  assert.deepEqual(
    rows.map(({ id }) => id),
    [registered, ids[0], ...ids.slice(4)],
  )
  await owner.query(sql`update app set last_used_at = now()`)
  assert.equal((await refusal(send({ redirect_uris: REDIRECTS }, { most: 5 }))).code, 'temporarily_unavailable')
})

test('a flood of registrations removes no app that a person was asked about', { skip }, async () => {
  await owner.query(sql`delete from app`)
  const asked = String((await body(send({ redirect_uris: REDIRECTS }))).client_id)
  assert.notEqual(await apps.find(asked), null)
  for (let i = 0; i < 8; i++) await body(send({ redirect_uris: REDIRECTS }, { most: 5, address: `203.0.113.${i}` }))
  assert.notEqual(await apps.find(asked), null)
  // Four days for another person's decision, and one to use it.
  await clock.run(5 * DAY_MS)
  for (let i = 0; i < 8; i++) await body(send({ redirect_uris: REDIRECTS }, { most: 5, address: `203.0.113.${i}` }))
  assert.notEqual(await apps.find(asked), null)
  // Later nobody is at the page any more.
  await clock.run(6 * DAY_MS + 1)
  for (let i = 0; i < 5; i++) await body(send({ redirect_uris: REDIRECTS }, { most: 5, address: `203.0.113.${i}` }))
  assert.equal(await apps.find(asked), null)
})

test('apps that register at once each remove another one, of all and of a block, and all get in', {
  skip,
}, async () => {
  for (const few of [{ most: 4 }, { ofBlock: 4 }]) {
    await owner.query(sql`delete from app`)
    const made = async () => {
      await clock.run(1)
      return String((await body(send({ redirect_uris: REDIRECTS }, few))).client_id)
    }
    const unused = [await made(), await made(), await made(), await made()]
    const rest = async () => (await owner.query<{ id: string }>(sql`select id from app order by created_at, id`)).rows
    // Another process removes the oldest at this moment.
    const added = await owner.write(utcSession('another'), async (tx) => {
      await tx.query(sql`delete from app where id = ${unused[0] ?? ''}`)
      return made()
    })
    assert.deepEqual(
      (await rest()).map(({ id }) => id),
      [...unused.slice(2), added],
    )
    await Promise.all([made(), made(), made()])
  }
})

test('a block of addresses has a share of the apps that nobody has connected, and its own oldest go first', {
  skip,
}, async () => {
  await owner.query(sql`delete from app`)
  const made = async (address: string) => {
    await clock.run(1)
    return String((await body(send({ redirect_uris: REDIRECTS }, { ofBlock: 2, address }))).client_id)
  }
  const others = [await made('192.0.2.1'), await made('2001:db8:1::1')]
  const own = [await made('192.0.2.2'), await made('192.0.2.2'), await made('192.0.2.2')]
  const wide: string[] = []
  for (let i = 0; i < 9; i++) wide.push(await made(`2001:db8:0:${i}::1`))
  const { rows } = await owner.query<{ id: string }>(sql`select id from app order by created_at, id`)
  assert.deepEqual(
    rows.map(({ id }) => id),
    [...others, ...own.slice(1), ...wide.slice(1)],
  )
})

test('an app that nobody has connected is removed after a week', { skip }, async () => {
  await owner.query(sql`delete from app`)
  const unused = String((await body(send({ redirect_uris: REDIRECTS }))).client_id)
  const used = String((await body(send({ redirect_uris: REDIRECTS }))).client_id)
  await owner.query(appUse(used, now()))
  await clock.run(7 * DAY_MS)
  assert.equal(await removeUnusedApps(owner, now()), 0)
  await clock.run(1)
  const young = String((await body(send({ redirect_uris: REDIRECTS }))).client_id)
  assert.equal(await removeUnusedApps(owner, now()), 1)
  assert.equal(await apps.find(unused), null)
  for (const id of [used, young]) assert.notEqual(await apps.find(id), null)
})
