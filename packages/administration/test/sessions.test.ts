// The sessions of the console: their cookie, their ends, and what a browser must send along.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allConsoleOperations } from '@clinic-data/console-contract/console-operations'
import { filledPath } from '@clinic-data/contract/routes'
import { sql, utcSession } from '@clinic-data/database'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { disableAdministrator, makeSignInLink } from '../src/administrators.ts'
import { listKeys } from '../src/credentials/keys.ts'
import { removeEndedSignIns } from '../src/remove-ended.ts'
import { CONSOLE_API } from '../src/routes/console-routes.ts'
import {
  audited,
  newPassword,
  OWN_PAGE,
  openConsole,
  pairOf,
  person,
  send,
  settingPassword,
  signedIn,
  statusesOf,
  withPassword,
} from './console-ground.ts'

const { owner } = await testDatabase()
const opened = await openConsole(owner)

const pathOf = (operation: (typeof allConsoleOperations)[number]) =>
  filledPath(operation, { id: 'key_1', delivery_id: 'dlv_1' }).slice(CONSOLE_API.length)

const guarded = allConsoleOperations.filter(({ access }) => access === 'session')

test('no operation but signing in answers without a session', async () => {
  const { clinic } = await person(owner)
  const forged = `console_session=${clinic.clinic_id}.${'a'.repeat(43)}`
  assert.equal(guarded.length, allConsoleOperations.length - 9)
  for (const operation of guarded) {
    for (const cookie of [null, forged, 'console_session=', 'console_session=x']) {
      const { status, json } = await send(opened, pathOf(operation), { method: operation.method, cookie, body: {} })
      assert.deepEqual([status, json.code], [401, 'unauthorized'], `${operation.id} ${cookie}`)
    }
  }
})

test('no change is made for a page that is not the console, whatever its session', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const foreign: Record<string, Record<string, string | undefined>> = {
    'without the header': { 'x-console': undefined },
    'of another site': { 'sec-fetch-site': 'cross-site' },
    'of another host of the site': { 'sec-fetch-site': 'same-site' },
    'of another origin': { origin: 'https://evil.example' },
    'of another origin, in a browser without Sec-Fetch-Site': {
      'sec-fetch-site': undefined,
      origin: 'https://evil.example',
    },
    'of another scheme, in such a browser': {
      'sec-fetch-site': undefined,
      origin: OWN_PAGE.origin.replace('http', 'https'),
    },
    'that tells nothing of itself': { 'sec-fetch-site': undefined, origin: undefined },
    'without an address': { origin: 'null' },
  }
  for (const operation of allConsoleOperations.filter(({ method }) => method !== 'GET')) {
    for (const [page, headers] of Object.entries(foreign)) {
      const { status, json, setCookie } = await send(opened, pathOf(operation), { cookie, headers, body: {} })
      assert.deepEqual([status, json.code, setCookie], [403, 'forbidden', null], `${operation.id}, ${page}`)
    }
  }
  assert.deepEqual(await statusesOf(opened, [cookie]), [200])
  const old = { 'sec-fetch-site': undefined }
  assert.equal((await send(opened, '/sign-out', { cookie, headers: old, body: {} })).status, 204)
})

test('nothing is read for a page that is not the console, and what tells of no page may read', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  for (const operation of guarded.filter(({ method }) => method === 'GET')) {
    for (const site of ['same-site', 'cross-site']) {
      const request = { method: 'GET' as const, cookie, headers: { 'sec-fetch-site': site } }
      const { status, json } = await send(opened, pathOf(operation), request)
      assert.deepEqual([status, json.code], [403, 'forbidden'], `${operation.id}, ${site}`)
    }
  }
  for (const site of [undefined, 'none', 'same-origin']) {
    const request = { method: 'GET' as const, cookie, headers: { 'sec-fetch-site': site } }
    assert.equal((await send(opened, '/session', request)).status, 200, String(site))
  }
})

test('no script reads the cookie, no other site sends it, and behind https no other host sets it', async () => {
  const noa = await person(owner)
  const link = () => makeSignInLink(owner, { clinic_id: noa.clinic.clinic_id, id: noa.id, now: new Date() })
  const body = async () => ({ token: (await link()).token })
  const flags = (setCookie: string | null) => {
    const [session = [], browser = []] = (setCookie ?? '').split(',').map((one) => one.split('; ').slice(1).sort())
    const lasting = session.map((flag) => flag.replace('Max-Age=43200', `Max-Age=${180 * 86_400}`))
    assert.deepEqual(browser, lasting)
    return session
  }
  const plain = await send(opened, '/sign-in/link', { body: await body() })
  assert.match(plain.setCookie ?? '', /^console_session=/)
  assert.deepEqual(flags(plain.setCookie), ['HttpOnly', 'Max-Age=43200', 'Path=/console', 'SameSite=Strict'])
  const headers = { 'test-scheme': 'https', origin: OWN_PAGE.origin.replace('http', 'https') }
  const secure = await send(opened, '/sign-in/link', { body: await body(), headers })
  assert.match(secure.setCookie ?? '', /^__Host-console_session=/)
  assert.deepEqual(flags(secure.setCookie), ['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict', 'Secure'])
  // A cookie that anyone on the way could have set does not count behind https.
  const token = pairOf(secure.setCookie).slice('__Host-'.length)
  const ask = (cookie: string) =>
    send(opened, '/session', { method: 'GET', cookie, headers: { 'test-scheme': 'https' } })
  assert.equal((await ask(token)).status, 401)
  assert.equal((await ask(`__Host-${token}`)).status, 200)
  assert.equal((await ask(`__Host-${token}; __Host-${token}`)).status, 401)
})

test('a session ends after 30 minutes without a request, and after 12 hours whatever is asked', async () => {
  const timed = await openConsole(owner)
  const noa = await person(owner)
  const cookie = await signedIn(timed, owner, noa)
  timed.clock.advance(29)
  assert.deepEqual(await statusesOf(timed, [cookie]), [200])
  timed.clock.advance(30)
  const ended = await send(timed, '/session', { method: 'GET', cookie })
  assert.equal(ended.status, 401)
  // Another tab may have signed in again meanwhile: its cookie must stay.
  assert.equal(ended.setCookie, null)
  const used = await signedIn(timed, owner, noa)
  for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
    timed.clock.advance(20)
    assert.deepEqual(await statusesOf(timed, [used]), [200], String(minutes))
  }
  timed.clock.advance(20)
  assert.deepEqual(await statusesOf(timed, [used]), [401])
})

test('signing out ends the session, everywhere ends all of the administrator’s and no other’s', async () => {
  const clinic = await testClinic(owner)
  const [noa, dan] = [await person(owner, clinic), await person(owner, clinic)]
  const other = await signedIn(opened, owner, dan)
  const cookies = [
    await signedIn(opened, owner, noa),
    await signedIn(opened, owner, noa),
    await signedIn(opened, owner, noa),
  ]
  const [first = '', second = ''] = cookies
  const out = await send(opened, '/sign-out', { cookie: first, body: {} })
  assert.equal(out.status, 204)
  assert.match(out.setCookie ?? '', /^console_session=; .*Max-Age=0/)
  assert.deepEqual(await statusesOf(opened, [...cookies, other]), [401, 200, 200, 200])
  await send(opened, '/sign-out', { cookie: second, body: { everywhere: true } })
  assert.deepEqual(await statusesOf(opened, [...cookies, other]), [401, 401, 401, 200])
  const rows = (await audited(owner, clinic)).filter(({ operation }) => operation === 'console.sign_out')
  assert.deepEqual(
    rows.map(({ key_id, status }) => [key_id, status]),
    Array(2).fill([noa.id, 204]),
  )
})

test('disabling an administrator ends the sessions and the links at once', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const which = { clinic_id: noa.clinic.clinic_id, id: noa.id, now: new Date() }
  const { token } = await makeSignInLink(owner, which)
  await disableAdministrator(owner, which)
  assert.deepEqual(await statusesOf(opened, [cookie]), [401])
  assert.equal((await send(opened, '/sign-in/link', { body: { token } })).status, 401)
  await assert.rejects(makeSignInLink(owner, which), /no administrator/)
})

test('the password of a disabled administrator is forgotten, also of one whom an earlier version disabled', async () => {
  const noa = await person(owner)
  const { clinic_id } = noa.clinic
  const passwordsOf = async () => {
    const rows = await owner.read<{ password: string | null }>(
      utcSession(clinic_id),
      sql`select password from administrator where clinic_id = ${clinic_id} and id = ${noa.id}`,
    )
    return rows.map(({ password }) => password)
  }
  const give = () =>
    owner.query(sql`update administrator set password = 'hash' where clinic_id = ${clinic_id} and id = ${noa.id}`)
  await give()
  await removeEndedSignIns(owner, clinic_id, new Date())
  assert.deepEqual(await passwordsOf(), ['hash'])
  await disableAdministrator(owner, { clinic_id, id: noa.id, now: new Date() })
  assert.deepEqual(await passwordsOf(), [null])
  await give()
  await removeEndedSignIns(owner, clinic_id, new Date())
  assert.deepEqual(await passwordsOf(), [null])
})

test('what a disabled administrator made stays', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const headers = { 'idempotency-key': 'till' }
  const body = { name: 'Till', scopes: ['patients:read'] }
  const { json } = await send(opened, '/keys', { cookie, headers, body })
  const { clinic_id } = noa.clinic
  await disableAdministrator(owner, { clinic_id, id: noa.id, now: new Date() })
  const keys = await listKeys(owner, clinic_id)
  assert.equal(keys.find(({ id }) => id === json.data.id)?.revoked_at, null)
})

test('a new password ends all other sessions, however they began, and the open links', async () => {
  const noa = await person(owner)
  const { cookie: first, password } = await withPassword(opened, owner, noa)
  const second = await signedIn(opened, owner, noa)
  const own = { clinic_id: noa.clinic.clinic_id, email: noa.email, password }
  const third = pairOf((await send(opened, '/sign-in', { body: own })).setCookie)
  const { token } = await makeSignInLink(owner, { clinic_id: noa.clinic.clinic_id, id: noa.id, now: new Date() })
  const body = { current_password: password, password: newPassword() }
  assert.equal((await send(opened, '/password', { cookie: first, body })).status, 204)
  assert.deepEqual(await statusesOf(opened, [first, second, third]), [200, 401, 401])
  assert.equal((await send(opened, '/sign-in/link', { body: { token } })).status, 401)
  const with_ = (password: string) =>
    send(opened, '/sign-in', { body: { clinic_id: noa.clinic.clinic_id, email: noa.email, password } })
  assert.equal((await with_(password)).status, 401)
  assert.equal((await with_(body.password)).status, 200)
})

test('the current password is asked for, except once in a session that began by a link', async () => {
  const noa = await person(owner)
  const { cookie } = await settingPassword(opened, owner, noa)
  const change = (current_password?: string) =>
    send(opened, '/password', {
      cookie,
      body: { password: newPassword(), ...(current_password && { current_password }) },
    })
  for (const password of [undefined, newPassword()]) {
    const { status, json } = await change(password)
    assert.deepEqual([status, json.errors[0].pointer], [422, '#/current_password'])
  }
  const short = await send(opened, '/password', { cookie, body: { password: 'a'.repeat(11) } })
  assert.deepEqual([short.status, short.json.errors[0].pointer], [400, '#/password'])
})

test('without the current password only a session that began by a link in the last 15 minutes sets another', async () => {
  const console = await openConsole(owner)
  const noa = await person(owner)
  await withPassword(console, owner, noa)
  const cookie = await signedIn(console, owner, noa)
  const change = () => send(console, '/password', { cookie, body: { password: newPassword() } })
  const byLink = async () => (await send(console, '/session', { method: 'GET', cookie })).json.data.needs_no_password
  assert.equal(await byLink(), true)
  console.clock.advance(15)
  assert.equal(await byLink(), false)
  const { status, json } = await change()
  assert.deepEqual([status, json.errors[0].code], [403, 'confirmation_required'])
  const nobody = await person(owner)
  const first = await signedIn(console, owner, nobody)
  console.clock.advance(15)
  const refused = await send(console, '/password', { cookie: first, body: { password: newPassword() } })
  assert.equal(refused.status, 403)
  const fresh = await signedIn(console, owner, noa)
  console.clock.advance(14)
  const body = { password: newPassword() }
  assert.equal((await send(console, '/password', { cookie: fresh, body })).status, 204)
})

test('guesses at the current password are counted like those at a sign-in', async () => {
  const noa = await person(owner)
  const { cookie } = await withPassword(opened, owner, noa)
  const answers = []
  for (let n = 0; n < 11; n++) {
    const body = { current_password: newPassword(), password: newPassword() }
    answers.push((await send(opened, '/password', { cookie, body })).status)
  }
  assert.deepEqual(answers, [...Array(10).fill(422), 429])
})

test('what a page reads by itself does not keep a session, and a change always does', async () => {
  const console = await openConsole(owner)
  const cookie = await signedIn(console, owner, await person(owner))
  const ask = (headers: Record<string, string>) => send(console, '/session', { method: 'GET', cookie, headers })
  console.clock.advance(20)
  assert.equal((await ask({ 'x-console-watch': '1' })).status, 200)
  const headers = { 'x-console-watch': '1', 'idempotency-key': 'once' }
  const changed = await send(console, '/integrations', { cookie, headers, body: { name: 'Till' } })
  assert.equal(changed.status, 201)
  console.clock.advance(20)
  assert.equal((await ask({ 'x-console-watch': '1' })).status, 200)
  console.clock.advance(11)
  assert.equal((await ask({})).status, 401)
})

test('a page that shows one person does nothing in the name of another who has signed in since', async () => {
  const [noa, dan] = [await person(owner), await person(owner)]
  const cookie = await signedIn(opened, owner, dan)
  const make = (reader: string) =>
    send(opened, '/integrations', {
      cookie,
      headers: { 'x-console-reader': reader, 'idempotency-key': 'once' },
      body: { name: 'CRM' },
    })
  const { status, json } = await make(noa.id)
  assert.deepEqual([status, json.detail], [401, 'Somebody else has signed in to this browser since. Sign in again.'])
  const read = await send(opened, '/integrations', { method: 'GET', cookie, headers: { 'x-console-reader': noa.id } })
  assert.equal(read.status, 401)
  assert.equal((await make(dan.id)).status, 201)
})
