// Passkeys: adding, listing and removing them, and signing in with one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PASSKEYS } from '@clinic-data/console-contract/passkey-operations'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { disableAdministrator } from '../src/administrators.ts'
import { Passkey } from './authenticator.ts'
import {
  audited,
  newPassword,
  openConsole,
  pairOf,
  person,
  send,
  signedIn,
  statusesOf,
  withPassword,
} from './console-ground.ts'
import { addPasskey, challengeToAdd, challengeToSignIn, signInWith } from './passkey-ground.ts'

const { owner } = await testDatabase()
const opened = await openConsole(owner)
const list = async (cookie: string) => (await send(opened, '/passkeys', { method: 'GET', cookie })).json

test('a passkey signs in who added it, without any name typed, and each step has its audit row', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const passkey = new Passkey()
  const { id, user_handle } = await addPasskey(opened, cookie, passkey, 'Phone')
  const { status, json, setCookie } = await signInWith(opened, passkey, user_handle)
  assert.equal(status, 200)
  assert.deepEqual([json.data.administrator.id, json.data.clinic.clinic_id], [noa.id, noa.clinic.clinic_id])
  assert.deepEqual([json.data.needs_no_password, json.data.administrator.has_passkey], [true, true])
  assert.deepEqual(await statusesOf(opened, [pairOf(setCookie)]), [200])
  const { data } = await list(cookie)
  assert.deepEqual(
    data.map((one: Record<string, unknown>) => [one.id, one.name, one.credential_id, one.last_used_at !== null]),
    [[id, 'Phone', passkey.credential_id, true]],
  )
  assert.equal((await send(opened, `/passkeys/${id}/remove`, { cookie })).status, 204)
  assert.deepEqual((await list(cookie)).data, [])
  assert.equal((await signInWith(opened, passkey, user_handle)).status, 401)
  assert.deepEqual(
    (await audited(owner, noa.clinic)).map(({ operation, key_id, status, resource_ids }) => ({
      operation,
      key_id,
      status,
      resource_ids,
    })),
    [
      { operation: 'console.sign_in.link', status: 200, resource_ids: [] },
      { operation: 'console.passkeys.add', status: 201, resource_ids: [id] },
      { operation: 'console.sign_in.passkey', status: 200, resource_ids: [] },
      { operation: 'console.passkeys.remove', status: 204, resource_ids: [id] },
    ].map((row) => ({ ...row, key_id: noa.id })),
  )
})

test('removing a passkey ends the sessions that it began, but for the one that removes it, and no others', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const [lost, kept] = [new Passkey(), new Passkey()]
  const { id, user_handle } = await addPasskey(opened, cookie, lost, 'Lost phone')
  await addPasskey(opened, cookie, kept, 'Laptop')
  const come = async (passkey: Passkey) => pairOf((await signInWith(opened, passkey, user_handle)).setCookie)
  // A session that has set a password was begun by the passkey all the same.
  const changed = await come(lost)
  assert.equal((await send(opened, '/password', { cookie: changed, body: { password: newPassword() } })).status, 204)
  const [removing, unused] = [await come(lost), await come(lost)]
  const others = [await come(kept), await signedIn(opened, owner, noa)]
  assert.equal((await send(opened, `/passkeys/${id}/remove`, { cookie: removing })).status, 204)
  assert.deepEqual(await statusesOf(opened, [changed, unused, removing, ...others]), [401, 401, 200, 200, 200])
})

test('a passkey stands for a forgotten password, for 15 minutes of its session', async () => {
  const console = await openConsole(owner)
  const noa = await person(owner)
  const { cookie } = await withPassword(console, owner, noa)
  console.clock.advance(15)
  const change = (of: string) => send(console, '/password', { cookie: of, body: { password: newPassword() } })
  assert.equal((await change(cookie)).status, 403)
  const passkey = new Passkey()
  const { user_handle } = await addPasskey(console, await signedIn(console, owner, noa), passkey, 'Phone')
  const come = async () => pairOf((await signInWith(console, passkey, user_handle)).setCookie)
  const early = await come()
  assert.equal((await change(early)).status, 204)
  assert.equal((await change(early)).status, 422)
  const late = await come()
  console.clock.advance(15)
  assert.equal((await change(late)).status, 403)
})

test('a clinic’s longest id fits into the user handle, and the handle names nobody', async () => {
  const noa = await person(
    owner,
    await testClinic(owner, { clinic_id: `t${Date.now()}${'-z_9'.repeat(15)}`.slice(0, 63) }),
  )
  const cookie = await signedIn(opened, owner, noa)
  const passkey = new Passkey()
  const { user_handle } = await addPasskey(opened, cookie, passkey)
  assert.equal(Buffer.from(user_handle, 'base64url').length, 64)
  assert.ok(!Buffer.from(user_handle, 'base64url').toString('latin1').includes('noa'))
  assert.equal((await signInWith(opened, passkey, user_handle)).status, 200)
})

test('a disabled administrator’s passkey opens nothing, and the account’s lock-out does not keep a passkey out', async () => {
  const noa = await person(owner)
  const { cookie } = await withPassword(opened, owner, noa)
  const passkey = new Passkey()
  const { user_handle } = await addPasskey(opened, cookie, passkey)
  const body = { clinic_id: noa.clinic.clinic_id, email: noa.email }
  for (let n = 0; n < 11; n++) await send(opened, '/sign-in', { body: { ...body, password: newPassword() } })
  assert.equal((await send(opened, '/sign-in', { body: { ...body, password: newPassword() } })).status, 429)
  assert.equal((await signInWith(opened, passkey, user_handle)).status, 200)
  await disableAdministrator(owner, { clinic_id: noa.clinic.clinic_id, id: noa.id, now: new Date() })
  assert.equal((await signInWith(opened, passkey, user_handle)).status, 401)
  const { operation, status } = (await audited(owner, noa.clinic)).at(-1) ?? assert.fail()
  assert.deepEqual([operation, status], ['console.sign_in.passkey', 401])
})

test('a challenge of a sign-in is answered once, soon, and by the browser that asked for it', async () => {
  const timed = await openConsole(owner)
  const noa = await person(owner)
  const passkey = new Passkey({ counts: false })
  const { user_handle } = await addPasskey(timed, await signedIn(timed, owner, noa), passkey)
  const post = (cookie: string | null, body: object) => send(timed, '/sign-in/passkey', { cookie, body })
  const first = await challengeToSignIn(timed)
  const answer = passkey.sign(first.challenge, user_handle)
  assert.equal((await post(first.cookie, answer)).status, 200)
  // The very same answer, and a new one to the same challenge.
  assert.equal((await post(first.cookie, answer)).status, 401)
  assert.equal((await post(first.cookie, passkey.sign(first.challenge, user_handle))).status, 401)
  const [own, other] = [await challengeToSignIn(timed), await challengeToSignIn(timed)]
  assert.equal((await post(other.cookie, passkey.sign(own.challenge, user_handle))).status, 401)
  assert.equal((await post(null, passkey.sign(own.challenge, user_handle))).status, 401)
  assert.equal((await post(own.cookie, passkey.sign(own.challenge, user_handle))).status, 200)
  // A second tab leaves the first one's challenge alone.
  const tab = await challengeToSignIn(timed)
  assert.equal((await challengeToSignIn(timed, tab.cookie)).cookie, tab.cookie)
  assert.equal((await post(tab.cookie, passkey.sign(tab.challenge, user_handle))).status, 200)
  const late = await challengeToSignIn(timed)
  timed.clock.advance(PASSKEYS.challenge_seconds / 60)
  assert.equal((await post(late.cookie, passkey.sign(late.challenge, user_handle))).status, 401)
})

test('an answer that lies about anything opens nothing, and the refusal has its row', async () => {
  const [noa, dan] = [await person(owner), await person(owner)]
  const [passkey, other] = [new Passkey(), new Passkey()]
  const { user_handle } = await addPasskey(opened, await signedIn(opened, owner, noa), passkey)
  const { user_handle: theirs } = await addPasskey(opened, await signedIn(opened, owner, dan), other)
  const noas = await person(owner, noa.clinic)
  const { user_handle: colleagues } = await addPasskey(opened, await signedIn(opened, owner, noas), new Passkey())
  const stranger = new Passkey()
  const refused = {
    'another origin': await signInWith(opened, passkey, user_handle, { origin: 'http://evil.example' }),
    'https where the page is http': await signInWith(opened, passkey, user_handle, {
      origin: 'https://console.clinic.example',
    }),
    'another relying party': await signInWith(opened, passkey, user_handle, { rpId: 'evil.example' }),
    'an answer about adding': await signInWith(opened, passkey, user_handle, { type: 'webauthn.create' }),
    'nobody verified': await signInWith(opened, passkey, user_handle, { isVerified: false }),
    'another clinic’s handle': await signInWith(opened, passkey, theirs),
    'a colleague’s handle': await signInWith(opened, passkey, colleagues),
    'a handle of no form': await signInWith(opened, passkey, 'x'),
    'an unknown passkey': await signInWith(opened, stranger, user_handle),
    'another key under its id': await (async () => {
      const { challenge, cookie } = await challengeToSignIn(opened)
      const body = { ...stranger.sign(challenge, user_handle), credential_id: passkey.credential_id }
      return send(opened, '/sign-in/passkey', { cookie, body })
    })(),
    'a made-up challenge': await (async () => {
      const { cookie } = await challengeToSignIn(opened)
      const body = passkey.sign(Buffer.alloc(56, 7).toString('base64url'), user_handle)
      return send(opened, '/sign-in/passkey', { cookie, body })
    })(),
    'no client data': await (async () => {
      const { challenge, cookie } = await challengeToSignIn(opened)
      const body = { ...passkey.sign(challenge, user_handle), client_data: 'bm8' }
      return send(opened, '/sign-in/passkey', { cookie, body })
    })(),
  }
  for (const [lie, { status, setCookie }] of Object.entries(refused)) {
    assert.deepEqual([status, setCookie], [401, null], lie)
  }
  assert.equal((await signInWith(opened, passkey, user_handle)).status, 200)
  const rows = (await audited(owner, noa.clinic)).filter(({ status }) => status === 401)
  // Those that named a passkey of hers with a challenge of ours.
  assert.equal(rows.length, 6)
})

test('a counter that does not grow is refused, and one that is always 0 is not', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const [counting, shared] = [new Passkey(), new Passkey({ counts: false })]
  const { user_handle } = await addPasskey(opened, cookie, counting)
  await addPasskey(opened, cookie, shared)
  assert.equal((await signInWith(opened, counting, user_handle, { counter: 7 })).status, 200)
  assert.equal((await signInWith(opened, counting, user_handle, { counter: 7 })).status, 401)
  assert.equal((await signInWith(opened, counting, user_handle, { counter: 3 })).status, 401)
  assert.equal((await signInWith(opened, counting, user_handle, { counter: 8 })).status, 200)
  for (const status of [200, 200]) assert.equal((await signInWith(opened, shared, user_handle)).status, status)
})

test('a passkey is added only as the answer to a challenge of the session, once, and at its address', async () => {
  const noa = await person(owner)
  const [cookie, second] = [await signedIn(opened, owner, noa), await signedIn(opened, owner, noa)]
  const add = (answer: object, as = cookie) =>
    send(opened, '/passkeys', { cookie: as, body: { name: 'One', ...answer } })
  const challenge = async (as = cookie) => (await challengeToAdd(opened, as)).challenge
  const passkey = new Passkey()
  for (const [lie, answer, as] of [
    ['another session', passkey.add(await challenge(second)), cookie],
    ['a challenge for signing in', passkey.add((await challengeToSignIn(opened)).challenge), cookie],
    ['another origin', passkey.add(await challenge(), { origin: 'http://evil.example' }), cookie],
    ['another relying party', passkey.add(await challenge(), { rpId: 'evil.example' }), cookie],
    ['nobody verified', passkey.add(await challenge(), { isVerified: false }), cookie],
    ['another id', { ...passkey.add(await challenge()), credential_id: new Passkey().credential_id }, cookie],
    ['no attestation', { ...passkey.add(await challenge()), attestation: 'oA' }, cookie],
  ] as const) {
    assert.equal((await add(answer, as)).status, 422, lie)
  }
  const once = await challenge()
  assert.equal((await add(passkey.add(once))).status, 201)
  assert.equal((await add(new Passkey().add(once))).status, 422)
  assert.equal((await add(passkey.add(await challenge()))).status, 409)
  assert.equal((await list(cookie)).data.length, 1)
})

test('an administrator has at most ten passkeys, also when several are added at the same moment', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const answers = await Promise.all(
    Array.from({ length: PASSKEYS.most + 2 }, async (_, n) => {
      const { challenge } = await challengeToAdd(opened, cookie)
      return send(opened, '/passkeys', { cookie, body: { name: `${n}`, ...new Passkey().add(challenge) } })
    }),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(PASSKEYS.most).fill(201), 409, 409])
  assert.equal((await list(cookie)).data.length, PASSKEYS.most)
})

test('another’s passkeys are neither shown nor removed, in the same clinic or in another', async () => {
  const clinic = await testClinic(owner)
  const [noa, dan, far] = [await person(owner, clinic), await person(owner, clinic), await person(owner)]
  const mine = await signedIn(opened, owner, noa)
  const theirs = [await signedIn(opened, owner, dan), await signedIn(opened, owner, far)]
  const passkey = new Passkey()
  const { id, user_handle } = await addPasskey(opened, mine, passkey)
  for (const cookie of theirs) {
    assert.deepEqual((await list(cookie)).data, [])
    assert.equal((await send(opened, `/passkeys/${id}/remove`, { cookie })).status, 404)
  }
  assert.equal((await signInWith(opened, passkey, user_handle)).status, 200)
})

test('a way in is made only soon after a sign-in or a confirmation: a passkey, or a first password', async () => {
  const timed = await openConsole(owner)
  const noa = await person(owner)
  const passkey = new Passkey()
  const { user_handle } = await addPasskey(timed, await signedIn(timed, owner, noa), passkey)
  const cookie = pairOf((await signInWith(timed, passkey, user_handle)).setCookie)
  const { challenge } = await challengeToAdd(timed, cookie)
  timed.clock.advance(4)
  const before = new Passkey().add(challenge)
  timed.clock.advance(12)
  const statuses = [
    await send(timed, '/passkeys/challenge', { cookie }),
    await send(timed, '/passkeys', { cookie, body: { name: 'Late', ...before } }),
    await send(timed, '/password', { cookie, body: { password: newPassword() } }),
  ].map(({ status }) => status)
  assert.deepEqual(statuses, [403, 403, 403])
  const again = pairOf((await signInWith(timed, passkey, user_handle)).setCookie)
  assert.equal((await send(timed, '/password', { cookie: again, body: { password: newPassword() } })).status, 204)
})
