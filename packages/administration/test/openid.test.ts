// Signing in by the identity provider: who comes in, who does not, and that nothing of it is told or logged.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FailedAttempts } from '@clinic-data/gateway/limits/failed-attempts'
import { type Consent, IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createAdministrator, disableAdministrator, unbindAdministrator } from '../src/administrators.ts'
import { countAttempt, MOST_ATTEMPTS } from '../src/sign-in/sign-in-attempts.ts'
import {
  audited,
  HOST,
  openConsole,
  type Person,
  pairOf,
  person,
  send,
  signedIn,
  statusesOf,
  withPassword,
} from './console-ground.ts'
import { comeBack as cameBack } from './openid-ground.ts'

const { owner } = await testDatabase()
const provider = await IdentityProvider.start()
after(() => provider.close())

const logged: string[] = []
const log = { warn: note, error: note }
function note(fields: Record<string, unknown>, line: string): void {
  logged.push(JSON.stringify([fields, line]))
}
const opened = await openConsole(owner, { openId: provider.settings, log })

async function begin(clinic_id: string, cookie: string | null = null) {
  const { status, json, setCookie } = await send(opened, '/sign-in/openid', { cookie, body: { clinic_id } })
  assert.equal(status, 200)
  return { url: json.data.url as string, cookie: /^[^;]+/.exec(setCookie ?? '')?.[0] ?? '', setCookie }
}

const comeBack = (search: string, cookie: string | null) => cameBack(opened, search, cookie)

async function signInAs({ clinic }: Pick<Person, 'clinic'>, consent: Consent) {
  const { url, cookie } = await begin(clinic.clinic_id)
  return comeBack(provider.consent(url, consent), cookie)
}

const verified = ({ email }: Person) => ({ email, email_verified: true })
const REFUSED = { status: 303, place: '/console/#openid=refused', session: null }
const STOPPED = { status: 303, place: '/console/#openid=stopped', session: null }
const shown = ({ status, place, session }: Awaited<ReturnType<typeof comeBack>>) => ({ status, place, session })

test('a verified e-mail of an administrator of the clinic signs in, leads to the page, and has its audit row', async () => {
  const noa = await person(owner)
  const { status, place, session, setCookie } = await signInAs(noa, { claims: verified(noa) })
  assert.deepEqual([status, place], [303, '/console/'])
  assert.match(setCookie, /console_openid=; .*Max-Age=0/)
  assert.match(setCookie, /console_session=[^;]+; Path=\/console; Max-Age=43200; HttpOnly; SameSite=Strict/)
  const sessionAnswer = await send(opened, '/session', { method: 'GET', cookie: session })
  assert.deepEqual(
    [sessionAnswer.json.data.administrator.id, sessionAnswer.json.data.needs_no_password],
    [noa.id, false],
  )
  // Where there is no provider any more, it is no way in.
  const without = await openConsole(owner, { log })
  const sessions = [opened, without].map((one) => send(one, '/session', { method: 'GET', cookie: session }))
  const hasAccount = (await Promise.all(sessions)).map(({ json }) => json.data.administrator.has_provider_account)
  assert.deepEqual(hasAccount, [true, false])
  const rows = (await audited(owner, noa.clinic)).map((row) => [row.operation, row.key_id, row.status])
  assert.deepEqual(rows, [['console.sign_in.provider', noa.id, 200]])
  // Capitals do not matter, and some providers tell the e-mail only when asked.
  const claims = { email: noa.email.toUpperCase(), email_verified: 'true' }
  assert.ok((await signInAs(noa, { claims, isSilent: true })).session)
})

test('an e-mail that only looks like the administrator’s is refused', async () => {
  const clinic = await testClinic(owner)
  const email = `kim.${clinic.clinic_id.slice(-6)}@clinic.example`
  await createAdministrator(owner, { clinic_id: clinic.clinic_id, email, name: 'Kim', now: new Date() })
  const lookalikes = {
    'a Kelvin sign': email.replace('k', '\u212a'),
    'a full-width letter': email.replace('k', '\uff4b'),
    'an invisible character': email.replace('k', 'k\u200b'),
    'a soft hyphen': `\u00ad${email}`,
    'another dot': email.replace('.', '\uff0e'),
    'a space': ` ${email}`,
    'a dotted capital I': email.replace('i', '\u0130'),
  }
  for (const [name, told_email] of Object.entries(lookalikes)) {
    const claims = { email: told_email, email_verified: true }
    assert.deepEqual(shown(await signInAs({ clinic }, { claims })), REFUSED, name)
  }
  const claims = { email: email.toUpperCase(), email_verified: true }
  assert.ok((await signInAs({ clinic }, { claims })).session)
})

test('after the first sign-in only the same account of the provider comes in, until the operator unbinds it', async () => {
  const dan = await person(owner)
  const noa = await person(owner, dan.clinic)
  const { clinic_id } = noa.clinic
  const as = async (sub: string, claims: object) => signInAs(noa, { claims: { ...claims, sub } })
  const idOf = async ({ session }: { session: string | null }) =>
    (await send(opened, '/session', { method: 'GET', cookie: session })).json.data.administrator.id
  assert.equal(await idOf(await as('first', verified(noa))), noa.id)
  assert.deepEqual(shown(await as('second', verified(noa))), REFUSED)
  assert.deepEqual(shown(await as('FIRST', verified(noa))), REFUSED)
  // The account is the person, whatever its e-mail has become.
  assert.equal(await idOf(await as('first', { email: 'married@clinic.example', email_verified: true })), noa.id)
  assert.equal(await idOf(await as('first', verified(dan))), noa.id)
  assert.deepEqual(shown(await as('first', { email: noa.email, email_verified: false })), REFUSED)
  for (const sub of ['x'.repeat(256), 'person\u200b'])
    assert.deepEqual(shown(await as(sub, verified(dan))), REFUSED, sub)
  const refused = (await audited(owner, noa.clinic)).filter(({ status }) => status === 401)
  assert.deepEqual(
    refused.map(({ key_id }) => key_id),
    [noa.id, noa.id, noa.id],
  )
  await unbindAdministrator(owner, { clinic_id, id: noa.id })
  assert.equal(await idOf(await as('second', verified(noa))), noa.id)
  assert.deepEqual(shown(await as('first', verified(noa))), REFUSED)
  // At another provider the same subject is somebody else.
  const other = await IdentityProvider.start()
  after(() => other.close())
  const elsewhere = await openConsole(owner, { openId: other.settings, log })
  const begun = await send(elsewhere, '/sign-in/openid', { body: { clinic_id } })
  const search = other.consent(begun.json.data.url, { claims: { ...verified(noa), sub: 'second' } })
  const back = await send(elsewhere, `/sign-in/openid/return${search}`, {
    method: 'GET',
    cookie: pairOf(begun.setCookie),
  })
  assert.equal(back.headers.location, REFUSED.place)
})

test('a browser that came in by the provider is known to its account, and strangers who guess there do not lock it out', async () => {
  const noa = await person(owner)
  const { password } = await withPassword(opened, owner, noa)
  const { setCookie } = await signInAs(noa, { claims: verified(noa) })
  const browser = /console_browser=[^;,]+/.exec(setCookie)?.[0] ?? null
  const guessing = { clinic_id: noa.clinic.clinic_id, who: ['stranger', noa.email] as const, now: opened.clock.now() }
  for (let n = 0; n < MOST_ATTEMPTS; n++) await countAttempt(owner, guessing)
  const body = { clinic_id: noa.clinic.clinic_id, email: noa.email, password }
  assert.equal((await send(opened, '/sign-in', { body })).status, 429)
  assert.equal((await send(opened, '/sign-in', { body, cookie: browser })).status, 200)
})

test('of two first sign-ins at the same moment one account is kept', async () => {
  const noa = await person(owner)
  const outcomes = await Promise.all(
    ['one', 'two', 'three'].map((sub) => signInAs(noa, { claims: { ...verified(noa), sub } })),
  )
  assert.equal(outcomes.filter(({ session }) => session !== null).length, 1)
})

test('the browser is sent to the provider alone, with a cookie that its page may send back and no script reads', async () => {
  const noa = await person(owner)
  const { url, setCookie } = await begin(noa.clinic.clinic_id)
  const { origin, pathname, searchParams } = new URL(url)
  assert.deepEqual([origin, pathname], [provider.issuer, '/authorize'])
  assert.equal(searchParams.get('redirect_uri'), `http://${HOST}/console/api/sign-in/openid/return`)
  assert.equal(searchParams.get('scope'), 'openid email')
  assert.match(setCookie ?? '', /^console_openid=[^;]+; Path=\/console; Max-Age=600; HttpOnly; SameSite=Lax$/)
  assert.ok(!url.includes(provider.clientSecret))
})

test('an unverified, unknown or missing e-mail, and a disabled administrator, are refused', async () => {
  const [noa, dan] = [await person(owner), await person(owner)]
  const { email } = noa
  for (const claims of [
    { email, email_verified: false },
    { email },
    { email: 'nobody@clinic.example', email_verified: true },
    verified(dan),
  ]) {
    assert.deepEqual(shown(await signInAs(noa, { claims })), REFUSED, JSON.stringify(claims))
  }
  assert.deepEqual(shown(await signInAs(noa, { claims: {} })), STOPPED)
  await disableAdministrator(owner, { clinic_id: noa.clinic.clinic_id, id: noa.id, now: new Date() })
  assert.deepEqual(shown(await signInAs(noa, { claims: verified(noa) })), REFUSED)
  for (const clinic_id of ['no-such-clinic', "x' or 1"]) {
    const { url, cookie } = await begin(clinic_id)
    assert.deepEqual(shown(await comeBack(provider.consent(url, { claims: verified(noa) }), cookie)), REFUSED)
  }
  const rows = (await audited(owner, noa.clinic)).map(({ key_id, status }) => [key_id, status])
  assert.deepEqual(rows, Array(2).fill([noa.id, 401]))
})

test('a token for another client, of another provider, with another nonce, too old or of another key is refused', async () => {
  const noa = await person(owner)
  const past = Math.floor(Date.now() / 1000) - 3_600
  for (const lie of [{ aud: 'another' }, { iss: 'https://evil.example' }, { nonce: 'another' }, { exp: past }]) {
    const outcome = await signInAs(noa, { claims: { ...verified(noa), ...lie } })
    assert.deepEqual(shown(outcome), STOPPED, JSON.stringify(lie))
  }
  assert.deepEqual(shown(await signInAs(noa, { claims: verified(noa), isForged: true })), STOPPED)
})

test('what comes back must belong to the browser, to the sign-in and to no earlier one', async () => {
  const noa = await person(owner)
  const { clinic_id } = noa.clinic
  const consent = { claims: verified(noa) }
  const [first, second] = [await begin(clinic_id), await begin(clinic_id)]
  const search = provider.consent(first.url, consent)
  for (const cookie of [null, second.cookie, 'console_openid=x.y', `${first.cookie}x`]) {
    assert.deepEqual(shown(await comeBack(search, cookie)), STOPPED, String(cookie))
  }
  assert.deepEqual(shown(await comeBack(search.replace(/state=[^&]+/, 'state=another'), first.cookie)), STOPPED)
  assert.ok((await comeBack(search, first.cookie)).session)
  assert.deepEqual(shown(await comeBack(search, first.cookie)), STOPPED)
  // The sign-in cannot be used with a new code either.
  const again = await comeBack(provider.consent(first.url, consent), first.cookie)
  assert.deepEqual(shown(again), REFUSED)
  for (const answer of ['?error=access_denied', '', '?code=x']) {
    const { cookie } = await begin(clinic_id)
    assert.deepEqual(shown(await comeBack(answer, cookie)), STOPPED)
  }
  const late = await begin(clinic_id)
  opened.clock.advance(11)
  assert.deepEqual(shown(await comeBack(provider.consent(late.url, consent), late.cookie)), STOPPED)
})

test('a browser cannot change what its cookie says of the sign-in', async () => {
  const [noa, dan] = [await person(owner), await person(owner)]
  const { url, cookie } = await begin(noa.clinic.clinic_id)
  const [, content = '', mac = ''] = /^console_openid=([^.]+)\.(.+)$/.exec(cookie) ?? []
  const said = Buffer.from(content, 'base64url').toString().replace(noa.clinic.clinic_id, dan.clinic.clinic_id)
  const forged = `console_openid=${Buffer.from(said).toString('base64url')}.${mac}`
  assert.deepEqual(shown(await comeBack(provider.consent(url, { claims: verified(dan) }), forged)), STOPPED)
})

test('nothing of the request decides where the browser is led', async () => {
  const noa = await person(owner)
  const { url, cookie } = await begin(noa.clinic.clinic_id)
  const search = provider.consent(url, { claims: verified(noa) })
  const more = '&return=https://evil.example&redirect_uri=https://evil.example&next=//evil.example'
  assert.equal((await comeBack(`${search}${more}`, cookie)).place, '/console/')
})

test('a new session takes over no token, and failures lock nobody out', async () => {
  const limited = await openConsole(owner, {
    openId: provider.settings,
    log,
    failedSignIns: new FailedAttempts({ limit: 3 }),
  })
  const noa = await person(owner)
  const old = await signedIn(opened, owner, noa)
  const { url, cookie } = await begin(noa.clinic.clinic_id)
  const search = provider.consent(url, { claims: verified(noa) })
  const { session } = await comeBack(search, `${cookie}; ${old}`)
  assert.notEqual(session, old)
  assert.deepEqual(await statusesOf(opened, [session ?? '', old]), [200, 401])
  const body = { clinic_id: noa.clinic.clinic_id }
  const begun = await send(limited, '/sign-in/openid', { body })
  const kept = /^[^;]+/.exec(begun.setCookie ?? '')?.[0] ?? ''
  for (let n = 0; n < 4; n++) {
    await send(limited, '/sign-in/openid/return?error=access_denied', { method: 'GET', cookie: kept })
  }
  assert.equal((await send(limited, '/sign-in/openid', { body })).status, 200)
})

test('without a provider there is no such way in, and one that cannot be reached is told as that', async () => {
  const noa = await person(owner)
  const body = { clinic_id: noa.clinic.clinic_id }
  const without = await openConsole(owner)
  const waysOf = async (of: typeof opened) => (await send(of, '/sign-in/ways', { method: 'GET' })).json.data
  assert.deepEqual(
    [await waysOf(without), await waysOf(opened)],
    [{ openid: null }, { openid: { name: 'Clinic SSO', is_required: false } }],
  )
  assert.equal((await send(without, '/sign-in/openid', { body })).status, 404)
  const back = await send(without, '/sign-in/openid/return?code=x', { method: 'GET' })
  assert.deepEqual([back.status, back.headers.location], [303, '/console/#openid=stopped'])
  const gone = await IdentityProvider.start()
  await gone.close()
  const lost = await openConsole(owner, { openId: gone.settings, log })
  const { status, json } = await send(lost, '/sign-in/openid', { body })
  assert.deepEqual([status, json.code], [503, 'service-unavailable'])
})

test('no code, token or secret stands in the log', () => {
  assert.ok(logged.length > 5)
  for (const secret of provider.secrets) assert.ok(logged.every((line) => !line.includes(secret)))
  assert.ok(logged.every((line) => !line.includes('@clinic.example')))
})
