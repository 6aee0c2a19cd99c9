// Signing in to the console: by a password and by a link, what is refused, and what a refusal tells.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { disableAdministrator, LINK_MS, makeSignInLink } from '../src/administrators.ts'
import {
  audited,
  BASE_URL,
  newPassword,
  openConsole,
  pairOf,
  person,
  send,
  settingPassword,
  signedIn,
  statusesOf,
  withPassword,
} from './console-ground.ts'
import { storePassword } from './stored-password.ts'

const { owner } = await testDatabase()
const opened = await openConsole(owner)

test('a password signs its administrator in, and the session names the administrator and the clinic', async () => {
  const noa = await person(owner)
  const { password } = await withPassword(opened, owner, noa)
  const body = { clinic_id: noa.clinic.clinic_id, email: ` ${noa.email.toUpperCase()} `, password }
  const before = Date.now()
  const { status, json, setCookie, headers } = await send(opened, '/sign-in', { body })
  assert.equal(status, 200)
  assert.equal(headers['cache-control'], 'no-store')
  const { administrator, clinic, api_url, needs_no_password, idle_seconds, expires_at } = json.data
  assert.deepEqual(administrator, {
    id: noa.id,
    name: 'Noa Levi',
    email: noa.email,
    role: 'owner',
    has_password: true,
    has_passkey: false,
    has_provider_account: false,
  })
  const { clinic_id, name, time_zone, currency } = noa.clinic
  assert.deepEqual(clinic, { clinic_id, name, time_zone, currency, week_start: 'sunday' })
  assert.deepEqual(
    { api_url, needs_no_password, idle_seconds },
    { api_url: BASE_URL, needs_no_password: false, idle_seconds: 1800 },
  )
  const lasts = new Date(expires_at).getTime() - 12 * 3_600_000
  assert.ok(lasts >= before && lasts <= Date.now(), expires_at)
  const sessionAnswer = await send(opened, '/session', { method: 'GET', cookie: pairOf(setCookie) })
  assert.deepEqual(sessionAnswer.json, json)
})

test('a refusal is the same for a wrong password, an unknown email, a disabled administrator and an unknown clinic', async () => {
  const [noa, dan] = [await person(owner), await person(owner)]
  const { password } = await withPassword(opened, owner, noa)
  const { password: former } = await withPassword(opened, owner, dan)
  await disableAdministrator(owner, { clinic_id: dan.clinic.clinic_id, id: dan.id, now: new Date() })
  const { clinic_id } = noa.clinic
  const bodies = [
    { clinic_id, email: noa.email, password: newPassword() },
    { clinic_id, email: 'nobody@clinic.example', password },
    { clinic_id: dan.clinic.clinic_id, email: dan.email, password: former },
    { clinic_id: dan.clinic.clinic_id, email: noa.email, password },
    { clinic_id: 'no-such-clinic', email: noa.email, password },
    { clinic_id: "x' or 1", email: noa.email, password },
  ]
  const answers = []
  for (const body of bodies) answers.push(await send(opened, '/sign-in', { body }))
  const parts = answers.map(({ status, json, headers, setCookie }) => {
    const { request_id: _, ...rest } = json
    return { status, rest, setCookie, names: Object.keys(headers).sort() }
  })
  for (const one of parts) assert.deepEqual(one, parts[0])
  assert.deepEqual([parts[0]?.status, parts[0]?.setCookie], [401, null])
})

test('an administrator without a password cannot sign in with any', async () => {
  const noa = await person(owner)
  for (const password of ['null', newPassword()]) {
    const body = { clinic_id: noa.clinic.clinic_id, email: noa.email, password }
    assert.equal((await send(opened, '/sign-in', { body })).status, 401)
  }
})

test('a link signs in once, also when it is used several times at the same moment', async () => {
  const noa = await person(owner)
  const { token } = await makeSignInLink(owner, { clinic_id: noa.clinic.clinic_id, id: noa.id, now: new Date() })
  const answers = await Promise.all(Array.from({ length: 4 }, () => send(opened, '/sign-in/link', { body: { token } })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
  assert.equal((await send(opened, '/sign-in/link', { body: { token } })).status, 401)
})

test('looking at a link tells whose session it begins, changes nothing, and tells nothing of one that signs nobody in', async () => {
  const noa = await person(owner)
  const { clinic_id } = noa.clinic
  const { token } = await makeSignInLink(owner, { clinic_id, id: noa.id, now: opened.clock.now() })
  const look = (text: string) => send(opened, '/sign-in/link/look', { body: { token: text } })
  const { json, setCookie } = await look(token)
  assert.deepEqual(json, {
    data: { clinic: { clinic_id, name: json.data.clinic.name }, name: 'Noa Levi', email: noa.email },
  })
  assert.equal(setCookie, null)
  assert.deepEqual(await audited(owner, noa.clinic), [])
  const method = 'GET' as const
  for (const path of ['/sign-in/link', '/sign-in/link/look', `/sign-in/link?token=${token}`])
    assert.equal((await send(opened, path, { method })).status, 405)
  const foreign = { headers: { 'x-console': undefined }, body: { token } }
  assert.equal((await send(opened, '/sign-in/link/look', foreign)).status, 403)
  assert.equal((await send(opened, '/sign-in/link', { body: { token } })).status, 200)
  const refused = [await look(token)]
  const { token: ofDisabled } = await makeSignInLink(owner, { clinic_id, id: noa.id, now: opened.clock.now() })
  await disableAdministrator(owner, { clinic_id, id: noa.id, now: new Date() })
  for (const text of [ofDisabled, 'x', `${token.split('.')[0]}.${'a'.repeat(43)}`]) refused.push(await look(text))
  assert.deepEqual(
    refused.map(({ status, json }) => [status, json.detail]),
    Array(4).fill([401, refused[0]?.json.detail]),
  )
})

test('an expired link, a replaced one and another text are refused', async () => {
  const noa = await person(owner)
  const link = { clinic_id: noa.clinic.clinic_id, id: noa.id }
  const { token: expired } = await makeSignInLink(owner, { ...link, now: new Date(Date.now() - LINK_MS) })
  assert.equal((await send(opened, '/sign-in/link', { body: { token: expired } })).status, 401)
  const { token: replaced } = await makeSignInLink(owner, { ...link, now: new Date() })
  const { token } = await makeSignInLink(owner, { ...link, now: new Date() })
  for (const other of [replaced, `${token}a`, 'x', `${token.split('.')[0]}.${'a'.repeat(43)}`]) {
    assert.equal((await send(opened, '/sign-in/link', { body: { token: other } })).status, 401, other)
  }
  assert.equal((await send(opened, '/sign-in/link', { body: { token } })).status, 200)
})

test('signing in never takes over a token that the browser already had, and ends the session of that token', async () => {
  const noa = await person(owner)
  const planted = `console_session=${noa.clinic.clinic_id}.${'a'.repeat(43)}`
  const { token } = await makeSignInLink(owner, { clinic_id: noa.clinic.clinic_id, id: noa.id, now: new Date() })
  const { setCookie } = await send(opened, '/sign-in/link', { cookie: planted, body: { token } })
  assert.notEqual(pairOf(setCookie), planted)
  assert.deepEqual(await statusesOf(opened, [planted, pairOf(setCookie)]), [401, 200])
  const first = pairOf(setCookie)
  const again = await makeSignInLink(owner, { clinic_id: noa.clinic.clinic_id, id: noa.id, now: new Date() })
  const next = await send(opened, '/sign-in/link', { cookie: first, body: { token: again.token } })
  assert.deepEqual(await statusesOf(opened, [first, pairOf(next.setCookie)]), [401, 200])
})

test('sign-ins and refused ones of a known administrator stand in the audit log under the administrator’s id', async () => {
  const noa = await person(owner)
  const { password } = await settingPassword(opened, owner, noa)
  await storePassword(owner, noa, password)
  const body = { clinic_id: noa.clinic.clinic_id, email: noa.email, password }
  await send(opened, '/sign-in', { body })
  await send(opened, '/sign-in', { body: { ...body, password: newPassword() } })
  await send(opened, '/sign-in', { body: { ...body, email: 'nobody@clinic.example' } })
  const rows = await audited(owner, noa.clinic)
  assert.deepEqual(
    rows.map(({ operation, status, key_id, address }) => ({ operation, status, key_id, address })),
    [
      ['console.sign_in.link', 200],
      ['console.password', 204],
      ['console.sign_in.password', 200],
      ['console.sign_in.password', 401],
    ].map(([operation, status]) => ({ operation, status, key_id: noa.id, address: '192.0.2.1' })),
  )
})

test('passwords, tokens of sessions and of links are stored as hashes alone', async () => {
  const opened = await openConsole(owner, { passwordCost: undefined })
  const noa = await person(owner)
  const { cookie, password } = await settingPassword(opened, owner, noa)
  const link = await makeSignInLink(owner, { clinic_id: noa.clinic.clinic_id, id: noa.id, now: new Date() })
  await signedIn(opened, owner, noa)
  const secrets = [password, cookie.split('.')[1] ?? '', link.token.split('.')[1] ?? '']
  for (const table of ['administrator', 'administrator_session', 'sign_in_link', 'sign_in_attempt', 'audit']) {
    const rows = await owner.read<{ whole: string }>(
      utcSession(noa.clinic.clinic_id),
      sql`select t::text as whole from ${sql.identifier(table)} t where clinic_id = ${noa.clinic.clinic_id}`,
    )
    for (const { whole } of rows) for (const secret of secrets) assert.ok(!whole.includes(secret), table)
  }
  const [stored] = await owner.read<{ password: string }>(
    utcSession(noa.clinic.clinic_id),
    sql`select password from administrator where clinic_id = ${noa.clinic.clinic_id}`,
  )
  assert.match(stored?.password ?? '', /^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
})
