// Tests that nothing is stored of what an administrator began before the end of the session and would change after it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBackend } from '@clinic-data/backend'
import type { Clinic } from '@clinic-data/contract'
import { hashKey } from '@clinic-data/contract/key'
import { operations } from '@clinic-data/contract/operations'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { newSecretKeys } from '@clinic-data/testing/grounds/webhook-ground'
import { halfSent } from '@clinic-data/testing/half-sent'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { disableAdministrator } from '../src/administrators.ts'
import { listIngestTokens } from '../src/credentials/ingest-tokens.ts'
import { listKeys } from '../src/credentials/keys.ts'
import { CONSOLE_API } from '../src/routes/console-routes.ts'
import { administratorsStillValid, principalOf } from '../src/routes/signed-in.ts'
import { cookieToken } from '../src/sessions/session-cookie.ts'
import { findSession } from '../src/sessions/sessions.ts'
import { Passkey } from './authenticator.ts'
import { connectApp, connecting } from './connecting.ts'
import {
  audited,
  HOST,
  newPassword,
  OWN_PAGE,
  openConsole,
  type Person,
  pairOf,
  person,
  send,
  signedIn,
} from './console-ground.ts'
import { addPasskey, signInWith } from './passkey-ground.ts'
import { inRole, setRole } from './people-ground.ts'

const { owner, app } = await testDatabase()
const opened = await openConsole(owner)

const half = (cookie: string, path: string, body: object) =>
  halfSent(opened.app, {
    path: `${CONSOLE_API}${path}`,
    headers: { ...OWN_PAGE, host: HOST, cookie, 'idempotency-key': 'once' },
    body: JSON.stringify(body),
  })

const KEY = { name: 'Till', scopes: ['patients:read'] }

const mint = (cookie: string) => send(opened, '/keys', { cookie, headers: { 'idempotency-key': 'once' }, body: KEY })

const asOwner = async (clinic: Clinic) => ({ cookie: (await inRole(opened, owner, 'owner', clinic)).cookie })

/** The ways in which a session is ended by somebody else than its own request. */
const ends: Record<string, (noa: Person, cookie: string, passkey_id: string) => Promise<unknown>> = {
  'the administrator was disabled': ({ clinic: { clinic_id }, id }) =>
    disableAdministrator(owner, { clinic_id, id, now: new Date() }),
  'the session was signed out': (_, cookie) => send(opened, '/sign-out', { cookie, body: {} }),
  'another session signed out everywhere': async (noa) =>
    send(opened, '/sign-out', { cookie: await signedIn(opened, owner, noa), body: { everywhere: true } }),
  'another session set a password': async (noa) =>
    send(opened, '/password', { cookie: await signedIn(opened, owner, noa), body: { password: newPassword() } }),
  'an owner ended the sessions': async ({ clinic, id }) =>
    send(opened, `/people/${id}/sessions/end`, { ...(await asOwner(clinic)), body: {} }),
  'an owner removed the person': async ({ clinic, id }) => send(opened, `/people/${id}/remove`, await asOwner(clinic)),
  'another session removed its passkey': async (noa, _, passkey_id) =>
    send(opened, `/passkeys/${passkey_id}/remove`, { cookie: await signedIn(opened, owner, noa) }),
}

/** A session that a passkey began. */
async function byPasskey(noa: Person) {
  const passkey = new Passkey()
  const { id, user_handle } = await addPasskey(opened, await signedIn(opened, owner, noa), passkey)
  return { cookie: pairOf((await signInWith(opened, passkey, user_handle)).setCookie), id }
}

for (const [end, bring] of Object.entries(ends)) {
  test(`nothing is minted by a request whose body arrived after ${end}`, async () => {
    const noa = await person(owner)
    const { cookie, id } = await byPasskey(noa)
    const key = await half(cookie, '/keys', KEY)
    const token = await half(cookie, '/ingest-tokens', { name: 'Exchange' })
    await bring(noa, cookie, id)
    for (const late of [key, token]) {
      const { status, text } = await late.rest()
      assert.deepEqual([status, JSON.parse(text).code], [401, 'unauthorized'])
    }
    const { clinic_id } = noa.clinic
    assert.deepEqual([await listKeys(owner, clinic_id), await listIngestTokens(owner, clinic_id)], [[], []])
    const refused = (await audited(owner, noa.clinic)).filter(({ status }) => status === 401)
    assert.deepEqual(refused.map(({ operation }) => operation).sort(), [
      'console.ingest_tokens.mint',
      'console.keys.mint',
    ])
  })
}

test('an operation of the contract whose administrator was disabled or got another role since it was let in changes nothing', async () => {
  const noa = await person(owner)
  const { clinic, id } = noa
  const now = () => new Date()
  const token = cookieToken(await signedIn(opened, owner, noa), false) ?? assert.fail('no cookie')
  const session = (await findSession(owner, token, { now: now(), isUse: true })) ?? assert.fail('no session')
  const validOf = administratorsStillValid(owner)
  const backend = createBackend({ database: app, now, log: failingLog, validOf, secretKeys: newSecretKeys() })
  const requests = {
    body: { url: 'https://receiver.clinic.example/events' },
    principal: principalOf({ session, address: '192.0.2.1' }, operations['webhooks.create']),
  }
  await ask(backend, clinic, 'webhooks.create', requests)
  await setRole(owner, noa, 'developer')
  await assert.rejects(ask(backend, clinic, 'webhooks.create', requests), problem('forbidden'))
  await setRole(owner, noa, 'administrator')
  await disableAdministrator(owner, { clinic_id: clinic.clinic_id, id, now: now() })
  await assert.rejects(ask(backend, clinic, 'webhooks.create', requests), problem('unauthorized'))
  const { rows } = await owner.query(sql`select from subscription where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows.length, 1)
})

test('a write of an app that lost its scope while the body arrived changes nothing, and others go on', async () => {
  const noa = await person(owner)
  const { connect, token } = connecting(owner)
  const console = await openConsole(owner, { connect })
  const cookie = await signedIn(console, owner, noa)
  const { tokens, id } = await connectApp(console, { owner, cookie, token }, ['leads:write', 'payments:write'])
  const backend = createBackend({ database: app, now: () => new Date(), log: failingLog })
  const principal = (await backend.authenticate(hashKey(tokens.access_token ?? ''))) ?? assert.fail('no principal')
  const lead = { body: { first_name: 'Dana', phone: '052-765-4321', source: 'website' }, principal }
  await ask(backend, noa.clinic, 'leads.create', lead)
  const change = (scopes: string[]) => send(console, `/connections/${id}`, { cookie, body: { scopes } })
  assert.equal((await change(['leads:write'])).status, 200)
  await ask(backend, noa.clinic, 'leads.create', lead)
  await owner.query(
    sql`update api_key set scopes = '{payments:write}' where clinic_id = ${noa.clinic.clinic_id} and id = ${id}`,
  )
  const another = { principal, body: { ...lead.body, phone: '052-765-4322' } }
  await assert.rejects(ask(backend, noa.clinic, 'leads.create', another), problem('forbidden'))
  const { rows } = await owner.query(sql`select from lead where clinic_id = ${noa.clinic.clinic_id}`)
  assert.equal(rows.length, 1)
})

/** The list must not grow any more once the end was answered. */
async function assertAnsweredAfter({ clinic: { clinic_id } }: Person, cookie: string, bring: () => Promise<unknown>) {
  let minting: Promise<unknown> = Promise.resolve()
  let ending: Promise<unknown> = Promise.resolve()
  await owner.write({ clinic_id, time_zone: 'UTC' }, async (tx) => {
    // Minting makes an integration, which refers to the clinic's row.
    await tx.query(sql`select from clinic where clinic_id = ${clinic_id} for update`)
    minting = mint(cookie)
    await doneOrWaiting(owner, tx, minting, 'insert into integration%', 'insert into api_key%')
    ending = bring().then(() => listKeys(owner, clinic_id))
    await doneOrWaiting(owner, tx, ending, 'select pg_advisory_xact_lock(hashtextextended($1%')
  })
  assert.deepEqual(await ending, await minting.then(() => listKeys(owner, clinic_id)))
  assert.equal((await listKeys(owner, clinic_id)).length, 1)
}

test('disabling an administrator is answered after the changes that it met', async () => {
  const noa = await person(owner)
  const { clinic_id } = noa.clinic
  await assertAnsweredAfter(noa, await signedIn(opened, owner, noa), () =>
    disableAdministrator(owner, { clinic_id, id: noa.id, now: new Date() }),
  )
})

test('the removal of a passkey is answered after the changes of its sessions that it met', async () => {
  const noa = await person(owner)
  const { cookie, id } = await byPasskey(noa)
  const other = await signedIn(opened, owner, noa)
  await assertAnsweredAfter(noa, cookie, () => send(opened, `/passkeys/${id}/remove`, { cookie: other }))
})
