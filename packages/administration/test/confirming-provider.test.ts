// Confirming by the identity provider: the same account, asked after we asked, once. Whoever finds the browser open can change the address on the
// way to the provider, which then answers from its own session.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '@clinic-data/database'
import { IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { once } from './connecting.ts'
import { audited, openConsole, type Person, pairOf, person, send, statusesOf } from './console-ground.ts'
import { comeBack as cameBack, signInByProvider } from './openid-ground.ts'

const { owner } = await testDatabase()
const log = { warn: () => undefined, error: () => undefined }
const started = async (tellsWhenAsked: boolean) => {
  const provider = await IdentityProvider.start()
  provider.tellsWhenAsked = tellsWhenAsked
  after(() => provider.close())
  return { provider, opened: await openConsole(owner, { openId: provider.settings, log }) }
}
const [telling, silent] = [await started(true), await started(false)]
type Ground = typeof telling

const seconds = (before = 0) => Math.floor(Date.now() / 1000) - before
const claimsOf = ({ email }: Person, more: object = {}) => ({ email, email_verified: true, ...more })

async function comeBack({ opened }: Ground, search: string, cookie: string) {
  const { place, session } = await cameBack(opened, search, cookie)
  return { place, session }
}

/** @param more claims of the provider. */
async function signedInBy(ground: Ground, noa: Person, more: object = {}): Promise<string> {
  const { session } = await signInByProvider(ground, noa, { claims: claimsOf(noa, more) })
  return session ?? assert.fail('nobody came in')
}

async function asking({ opened }: Ground, cookie: string) {
  const { status, json, setCookie } = await send(opened, '/confirm/provider', { cookie })
  assert.equal(status, 200)
  return { url: json.data.url as string, kept: pairOf(setCookie) }
}

/** Leaves for the provider and comes back, without the session's cookie: the browser keeps it from another site. */
async function confirm(ground: Ground, cookie: string, claims: Record<string, unknown>) {
  const { url, kept } = await asking(ground, cookie)
  return comeBack(ground, ground.provider.consent(url, { claims }), kept)
}

const mint = async ({ opened }: Ground, cookie: string) =>
  (await send(opened, '/ingest-tokens', { cookie, body: { name: 'CRM' }, headers: once() })).status

const UNCONFIRMED = { place: '/console/#openid=unconfirmed', session: null }
const CONFIRMED = { place: '/console/', session: null }

test('a session that a provider began is proven from when the provider asked, and not at all when it does not say', async () => {
  const noa = await person(owner)
  assert.equal(await mint(telling, await signedInBy(telling, noa, { auth_time: seconds() })), 201)
  assert.equal(await mint(telling, await signedInBy(telling, noa, { auth_time: seconds(16 * 60) })), 403)
  assert.equal(await mint(telling, await signedInBy(telling, noa, { auth_time: seconds(-3_600) })), 403)
  assert.equal(await mint(telling, await signedInBy(telling, noa)), 403)
  const dan = await person(owner)
  assert.equal(await mint(silent, await signedInBy(silent, dan)), 403)
})

test('the provider is asked to let the person sign in anew, and who did may go on in the same session', async () => {
  const noa = await person(owner)
  const cookie = await signedInBy(telling, noa)
  const { url } = await asking(telling, cookie)
  const { searchParams } = new URL(url)
  assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], ['login', '0'])
  assert.deepEqual(await confirm(telling, cookie, claimsOf(noa, { auth_time: seconds() })), CONFIRMED)
  assert.equal(await mint(telling, cookie), 201)
  const rows = (await audited(owner, noa.clinic)).filter(({ operation }) => operation === 'console.confirm.provider')
  assert.deepEqual(
    rows.map(({ status, key_id }) => [status, key_id]),
    [[204, noa.id]],
  )
})

test('an answer from the provider’s own session confirms nothing, and leaves a row', async () => {
  const noa = await person(owner)
  const cookie = await signedInBy(telling, noa)
  for (const claims of [
    claimsOf(noa, { auth_time: seconds(120) }),
    claimsOf(noa, { auth_time: seconds(-120) }),
    claimsOf(noa),
  ])
    assert.deepEqual(await confirm(telling, cookie, claims), UNCONFIRMED, JSON.stringify(claims))
  assert.equal(await mint(telling, cookie), 403)
  const rows = (await audited(owner, noa.clinic)).filter(({ status }) => status === 401)
  assert.deepEqual(
    rows.map(({ operation, key_id }) => [operation, key_id]),
    Array(3).fill(['console.confirm.provider', noa.id]),
  )
})

test('a provider that never tells when it asked confirms by its answer, and one that tells it all the same by that', async () => {
  const noa = await person(owner)
  const cookie = await signedInBy(silent, noa)
  assert.deepEqual(await confirm(silent, cookie, claimsOf(noa, { auth_time: seconds(120) })), UNCONFIRMED)
  assert.deepEqual(await confirm(silent, cookie, claimsOf(noa)), CONFIRMED)
  assert.equal(await mint(silent, cookie), 201)
})

test('another account of the provider confirms nothing, and signs nobody in', async () => {
  const noa = await person(owner)
  const cookie = await signedInBy(telling, noa)
  const claims = claimsOf(noa, { sub: 'another', auth_time: seconds() })
  assert.deepEqual(await confirm(telling, cookie, claims), UNCONFIRMED)
  assert.equal(await mint(telling, cookie), 403)
})

test('an answer confirms once, in the browser that asked, and only while its session lasts', async () => {
  const noa = await person(owner)
  const cookie = await signedInBy(telling, noa)
  const claims = claimsOf(noa, { auth_time: seconds() })
  const [first, second] = [await asking(telling, cookie), await asking(telling, cookie)]
  const search = telling.provider.consent(first.url, { claims })
  assert.deepEqual(await comeBack(telling, search, second.kept), UNCONFIRMED)
  assert.deepEqual(await comeBack(telling, search, first.kept), CONFIRMED)
  await owner.query(sql`update administrator_session set proven_at = null where clinic_id = ${noa.clinic.clinic_id}`)
  // The same state with a new code.
  const again = telling.provider.consent(first.url, { claims })
  assert.deepEqual(await comeBack(telling, again, first.kept), UNCONFIRMED)
  assert.equal(await mint(telling, cookie), 403)
  const late = await asking(telling, cookie)
  assert.equal((await send(telling.opened, '/sign-out', { cookie, body: {} })).status, 204)
  assert.deepEqual(await comeBack(telling, telling.provider.consent(late.url, { claims }), late.kept), UNCONFIRMED)
  assert.deepEqual(await statusesOf(telling.opened, [cookie]), [401])
})
