// Confirming who sits before a session by the password or a passkey: what does, what does not, and that wrong ones are counted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { MOST_ATTEMPTS } from '../src/sign-in/sign-in-attempts.ts'
import { Passkey } from './authenticator.ts'
import { once } from './connecting.ts'
import { audited, newPassword, openConsole, person, send, signedIn, withPassword } from './console-ground.ts'
import { addPasskey, challengeToAdd, challengeToSignIn } from './passkey-ground.ts'

const { owner } = await testDatabase()
const opened = await openConsole(owner)

const mint = async (cookie: string, console = opened) =>
  (await send(console, '/ingest-tokens', { cookie, body: { name: 'CRM' }, headers: once() })).status

const confirm = (cookie: string, password: string, console = opened) =>
  send(console, '/confirm/password', { cookie, body: { password } })

test('a wrong password confirms nothing, has its row, and after ten no password is looked at', async () => {
  const console = await openConsole(owner)
  const noa = await person(owner)
  const { cookie, password } = await withPassword(console, owner, noa)
  console.clock.advance(15)
  const { status, json } = await confirm(cookie, newPassword(), console)
  assert.deepEqual(
    [status, json.errors],
    [422, [{ pointer: '#/password', code: 'wrong', detail: 'is not the present one' }]],
  )
  for (let n = 1; n < MOST_ATTEMPTS; n++) assert.equal((await confirm(cookie, newPassword(), console)).status, 422)
  const locked = await confirm(cookie, password, console)
  assert.deepEqual([locked.status, locked.headers['retry-after']], [429, '900'])
  assert.equal(await mint(cookie, console), 403)
  const rows = (await audited(owner, noa.clinic)).filter(({ operation }) => operation === 'console.confirm.password')
  assert.deepEqual(
    rows.map(({ status, key_id }) => [status, key_id]),
    [...Array(MOST_ATTEMPTS).fill([422, noa.id]), [429, noa.id]],
  )
})

test('who has no password confirms by none', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  assert.equal((await confirm(cookie, newPassword())).status, 422)
})

test('a new password with the present one needs no other proof, and without it does', async () => {
  const console = await openConsole(owner)
  const noa = await person(owner)
  const { cookie, password } = await withPassword(console, owner, noa)
  console.clock.advance(15)
  const set = async (body: object) => (await send(console, '/password', { cookie, body })).status
  const wanted = newPassword()
  assert.equal(await set({ password: wanted }), 403)
  assert.equal(await set({ password: wanted, current_password: newPassword() }), 422)
  assert.equal(await set({ password: wanted, current_password: password }), 204)
  assert.equal(await mint(cookie, console), 403, 'and that change proves nothing for another')
})

test('a first password is set only soon after a sign-in, whatever stands beside it', async () => {
  const console = await openConsole(owner)
  const cookie = await signedIn(console, owner, await person(owner))
  console.clock.advance(15)
  const body = { password: newPassword(), current_password: newPassword() }
  assert.equal((await send(console, '/password', { cookie, body })).status, 403)
})

const challengeToConfirm = async (cookie: string) =>
  (await send(opened, '/confirm/passkey/challenge', { cookie })).json.data.challenge as string
const confirmBy = async (cookie: string, body: object) =>
  (await send(opened, '/confirm/passkey', { cookie, body })).status

test('a passkey confirms in the session that asked, for a person whom the device knows, once', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const passkey = new Passkey()
  const { user_handle } = await addPasskey(opened, cookie, passkey)
  const other = await signedIn(opened, owner, noa)
  await owner.query(sql`update administrator_session set proven_at = null where clinic_id = ${noa.clinic.clinic_id}`)
  const sign = async (lies = {}) => passkey.sign(await challengeToConfirm(cookie), user_handle, lies)
  assert.equal(await confirmBy(cookie, await sign({ isVerified: false })), 422)
  assert.equal(await confirmBy(cookie, await sign({ origin: 'https://evil.example' })), 422)
  assert.equal(await confirmBy(other, await sign()), 422, 'a challenge of another session')
  const signIn = await challengeToSignIn(opened)
  assert.equal(await confirmBy(cookie, passkey.sign(signIn.challenge, user_handle)), 422)
  assert.equal(await mint(cookie), 403)
  const answer = await sign()
  assert.equal(await confirmBy(cookie, answer), 204)
  assert.equal(await mint(cookie), 201)
  assert.equal(await confirmBy(cookie, answer), 422, 'it was answered before')
  assert.equal(await mint(other), 403)
  const rows = (await audited(owner, noa.clinic)).filter(({ operation }) => operation === 'console.confirm.passkey')
  assert.deepEqual(
    rows.map(({ status }) => status),
    [422, 422, 422, 422, 204, 422],
  )
})

test('a challenge to add a passkey does not confirm', async () => {
  const cookie = await signedIn(opened, owner, await person(owner))
  const passkey = new Passkey()
  const { user_handle } = await addPasskey(opened, cookie, passkey)
  const { challenge } = await challengeToAdd(opened, cookie)
  assert.equal(await confirmBy(cookie, passkey.sign(challenge, user_handle)), 422)
})

test('another person’s passkey confirms nothing, in the same clinic or in another', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  for (const other of [await person(owner, noa.clinic), await person(owner)]) {
    const passkey = new Passkey()
    const { user_handle } = await addPasskey(opened, await signedIn(opened, owner, other), passkey)
    const answer = passkey.sign(await challengeToConfirm(cookie), user_handle)
    assert.equal(await confirmBy(cookie, answer), 422)
  }
})

test('where only the provider opens the console, no password and no passkey confirms', async () => {
  const openId = {
    issuer: 'http://127.0.0.1:9',
    clientId: 'console',
    clientSecret: newPassword(),
    name: 'Clinic SSO',
    isRequired: true,
    groupsClaim: null,
    scopes: 'openid email',
  }
  const console = await openConsole(owner, { openId })
  const noa = await person(owner)
  const { cookie, password } = await withPassword(console, owner, noa)
  assert.equal((await confirm(cookie, password, console)).status, 403)
  assert.equal((await send(console, '/confirm/passkey/challenge', { cookie })).status, 403)
})
