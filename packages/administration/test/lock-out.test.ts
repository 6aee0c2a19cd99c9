// Guessing passwords: an account and an address are locked out, for a while, and alike whether or not there is such an account. Nobody who
// signed in before is locked out by others, and no other way in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { FailedAttempts } from '@clinic-data/gateway/limits/failed-attempts'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { countAttempt, LOCKED_MS, MOST_ATTEMPTS } from '../src/sign-in/sign-in-attempts.ts'
import { Passkey } from './authenticator.ts'
import {
  audited,
  type Console,
  newPassword,
  openConsole,
  type Person,
  pairOf,
  person,
  send,
  signedIn,
  withPassword,
} from './console-ground.ts'
import { addPasskey, signInWith } from './passkey-ground.ts'

const { owner } = await testDatabase()

/** Attempts whose password nobody checks. */
async function counted({ clock }: Console, clinic_id: string, emails: readonly string[]): Promise<void> {
  for (const email of emails) await countAttempt(owner, { clinic_id, who: ['stranger', email], now: clock.now() })
}

/** The cookies of a browser that signed in by its password. */
async function knownBrowser(opened: Console, { clinic: { clinic_id }, email }: Person, password: string) {
  const { status, headers } = await send(opened, '/sign-in', { body: { clinic_id, email, password } })
  assert.equal(status, 200)
  return [headers['set-cookie'] ?? []].flat().map(pairOf).join('; ')
}

/** The methods of the database that are called, in order. */
function watched(database: Database, calls: string[]): Database {
  return new Proxy(database, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name, target)
      if (typeof found !== 'function') return found
      return (...args: unknown[]) => {
        calls.push(String(name))
        return Reflect.apply(found, target, args)
      }
    },
  })
}

test('ten failures lock an account out for 15 minutes, known or not, and not its administrator’s links', async () => {
  const opened = await openConsole(owner)
  const noa = await person(owner)
  const { password } = await withPassword(opened, owner, noa)
  const { clinic_id } = noa.clinic
  const statuses = async (email: string, count: number) => {
    // From a new address each, at the same moment.
    const attempts = Array.from({ length: count }, (_, n) =>
      send(opened, '/sign-in', {
        body: { clinic_id, email, password: newPassword() },
        headers: { 'test-address': `198.51.100.${n}` },
      }),
    )
    return (await Promise.all(attempts)).map(({ status }) => status).sort()
  }
  assert.deepEqual(await statuses(noa.email, MOST_ATTEMPTS + 2), [...Array(MOST_ATTEMPTS).fill(401), 429, 429])
  // Where nobody is, checking a password takes some tenths of a second of a processor. So all but one are only counted.
  await counted(opened, clinic_id, Array(MOST_ATTEMPTS - 1).fill('nobody@clinic.example'))
  assert.deepEqual(await statuses('nobody@clinic.example', 3), [401, 429, 429])
  const right = { clinic_id, email: noa.email, password }
  const locked = await send(opened, '/sign-in', { body: right })
  assert.equal(locked.status, 429)
  const seconds = Number(locked.headers['retry-after'])
  assert.ok(seconds > 0 && seconds <= LOCKED_MS / 1000, String(seconds))
  // An attempt that comes while it is locked fills no log.
  assert.equal((await audited(owner, noa.clinic)).filter(({ status }) => status === 401).length, MOST_ATTEMPTS)
  assert.notEqual((await audited(owner, noa.clinic)).at(-1)?.status, 429)
  await signedIn(opened, owner, noa)
  opened.clock.advance(14)
  assert.equal((await send(opened, '/sign-in', { body: right })).status, 429)
  opened.clock.advance(1)
  assert.equal((await send(opened, '/sign-in', { body: right })).status, 200)
  // Signing in has ended the count.
  assert.equal((await send(opened, '/sign-in', { body: { ...right, password: newPassword() } })).status, 401)
  assert.equal((await send(opened, '/sign-in', { body: right })).status, 200)
})

test('attempts that lock nobody out any more are forgotten, so that guesses at many emails fill no table', async () => {
  const opened = await openConsole(owner)
  const { clinic } = await person(owner)
  const { clinic_id } = clinic
  const stored = () =>
    owner.read<{ email_hash: string }>(
      utcSession(clinic_id),
      sql`select email_hash from sign_in_attempt where clinic_id = ${clinic_id}`,
    )
  const guess = (email: string) => send(opened, '/sign-in', { body: { clinic_id, email, password: newPassword() } })
  await counted(
    opened,
    clinic_id,
    Array.from({ length: 5 }, (_, n) => `nobody${n}@clinic.example`),
  )
  assert.equal((await stored()).length, 5)
  opened.clock.advance(16)
  await guess('somebody@clinic.example')
  assert.equal((await stored()).length, 1)
})

test('a locked account is refused by the same work, whether or not there is one', async () => {
  const calls: string[] = []
  const opened = await openConsole(watched(owner, calls))
  const noa = await person(owner)
  const { clinic_id } = noa.clinic
  const work = async (email: string) => {
    await counted(opened, clinic_id, Array(MOST_ATTEMPTS).fill(email))
    calls.length = 0
    const { status } = await send(opened, '/sign-in', { body: { clinic_id, email, password: newPassword() } })
    return { status, calls: [...calls] }
  }
  const known = await work(noa.email)
  assert.equal(known.status, 429)
  assert.deepEqual(await work('nobody@clinic.example'), known)
})

test('too many failures of an address refuse the passwords of strangers there, and nobody else and no other way in', async () => {
  const failedSignIns = new FailedAttempts({ limit: 3 })
  const opened = await openConsole(owner, { failedSignIns })
  const [noa, dan] = [await person(owner), await person(owner)]
  const { password } = await withPassword(opened, owner, noa)
  const { cookie: dans, password: passwordOfDan } = await withPassword(opened, owner, dan)
  const passkey = new Passkey()
  const { user_handle } = await addPasskey(opened, dans, passkey)
  const browser = await knownBrowser(opened, noa, password)
  const right = { clinic_id: noa.clinic.clinic_id, email: noa.email, password }
  const rightOfDan = { clinic_id: dan.clinic.clinic_id, email: dan.email, password: passwordOfDan }
  for (let n = 0; n < 3; n++) {
    assert.equal((await send(opened, '/sign-in', { body: { ...rightOfDan, password: newPassword() } })).status, 401)
  }
  const refused = await send(opened, '/sign-in', { body: rightOfDan })
  assert.deepEqual([refused.status, Number(refused.headers['retry-after']) > 0], [429, true])
  // Noa’s browser is known at Noa’s account alone.
  assert.equal((await send(opened, '/sign-in', { body: rightOfDan, cookie: browser })).status, 429)
  assert.equal((await send(opened, '/sign-in', { body: right, cookie: browser })).status, 200)
  const headers = { 'test-address': '203.0.113.10' }
  assert.equal((await send(opened, '/sign-in', { body: rightOfDan, headers })).status, 200)
  await signedIn(opened, owner, dan)
  assert.equal((await signInWith(opened, passkey, user_handle)).status, 200)
})

test('failed passkeys and links lock nobody out', async () => {
  const opened = await openConsole(owner, { failedSignIns: new FailedAttempts({ limit: 3 }) })
  const noa = await person(owner)
  const { password } = await withPassword(opened, owner, noa)
  const { clinic_id } = noa.clinic
  for (let n = 0; n < 4; n++) {
    assert.equal((await signInWith(opened, new Passkey(), 'x')).status, 401)
    const body = { token: `${clinic_id}.${'a'.repeat(43)}` }
    assert.equal((await send(opened, '/sign-in/link', { body })).status, 401)
    assert.equal((await send(opened, '/sign-in/link/look', { body })).status, 401)
  }
  assert.equal((await send(opened, '/sign-in', { body: { clinic_id, email: noa.email, password } })).status, 200)
})

test('strangers who lock an account out keep out neither a browser that signed in to it nor a change of its password', async () => {
  const opened = await openConsole(owner)
  const noa = await person(owner)
  const { clinic_id } = noa.clinic
  const { password, cookie } = await withPassword(opened, owner, noa)
  const browser = await knownBrowser(opened, noa, password)
  // The last as if the administrator's id were an email.
  for (const email of [noa.email, noa.id]) await counted(opened, clinic_id, Array(MOST_ATTEMPTS).fill(email))
  const right = { clinic_id, email: noa.email, password }
  assert.equal((await send(opened, '/sign-in', { body: right })).status, 429)
  const change = { current_password: newPassword(), password: newPassword() }
  assert.equal((await send(opened, '/password', { cookie, body: change })).status, 422)
  assert.equal((await send(opened, '/sign-in', { body: right, cookie: browser })).status, 200)
  // It has a count of its own, and no other browser's text counts as known.
  const wrong = { ...right, password: newPassword() }
  for (let n = 0; n < MOST_ATTEMPTS; n++) {
    assert.equal((await send(opened, '/sign-in', { body: wrong, cookie: browser })).status, 401)
  }
  assert.equal((await send(opened, '/sign-in', { body: right, cookie: browser })).status, 429)
  const forged = browser.replace(
    /console_browser=./,
    (start) => `${start.slice(0, -1)}${start.endsWith('A') ? 'B' : 'A'}`,
  )
  opened.clock.advance(LOCKED_MS / 60_000)
  await counted(opened, clinic_id, Array(MOST_ATTEMPTS).fill(noa.email))
  assert.equal((await send(opened, '/sign-in', { body: right, cookie: forged })).status, 429)
})
