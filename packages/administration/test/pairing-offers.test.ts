// The offer of an account to another clinic, and who may open a clinic by the sign-in to another one.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PAIRINGS } from '@clinic-data/console-contract/pairing-operations'
import { sql, utcSession } from '@clinic-data/database'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { updateClinic } from '../src/clinics.ts'
import { NOTHING_ELSE } from '../src/credentials/credentials.ts'
import { type Console, openConsole, pairOf, person, send, signedIn } from './console-ground.ts'
import { byOwner, halvesOf, type Member, pairingGround } from './pairing-ground.ts'

const { owner } = await testDatabase()
const provider = await IdentityProvider.start()
after(() => provider.close())
const opened = await openConsole(owner, { openId: provider.settings })
const { signIn, member, offer, pair, listed, idOf, open, ask, openPair } = pairingGround(owner, opened)
const as = ({ cookie }: Member) => ({ cookie })

test('an offer is taken once it is proven, in the browser that made it, for as long as its session lasts and ten minutes', async () => {
  const [carmel, tavor] = [await member(), await member()]
  const accept = (cookie: string) => send(opened, '/pairings', { cookie: `${tavor.cookie}; ${cookie}` })
  assert.equal((await accept('')).status, 409)
  const sameClinic = await offer(tavor)
  assert.equal((await accept(sameClinic)).status, 409)
  const ended = { ...carmel, cookie: await signIn(carmel) }
  const offered = await offer(ended)
  await send(opened, '/sign-out', { cookie: ended.cookie, body: {} })
  assert.equal((await accept(offered)).status, 409, 'its session has ended')
  assert.deepEqual([await halvesOf(owner, carmel), await halvesOf(owner, tavor)], [[], []])
  const good = await offer(carmel)
  const session = (await send(opened, '/session', { method: 'GET', cookie: `${tavor.cookie}; ${good}` })).json.data
  assert.deepEqual(session.offered, {
    clinic_id: carmel.clinic.clinic_id,
    name: session.offered.name,
    email: carmel.email,
  })
  opened.clock.advance(PAIRINGS.offer_minutes)
  assert.equal((await accept(good)).status, 409, 'it is too old')
  assert.equal((await accept(await offer(carmel))).status, 200)
})

test('an offer and its acceptance want a proof of who sits there', async () => {
  const [carmel, tavor] = [await member(), await member()]
  const offered = await offer(carmel)
  const forget = ({ clinic, id }: Member) =>
    owner.query(
      sql`update administrator_session set proven_at = null where clinic_id = ${clinic.clinic_id} and administrator_id = ${id}`,
    )
  await forget(carmel)
  await forget(tavor)
  for (const [path, cookie] of [
    ['/pairings/offer', carmel.cookie],
    ['/pairings', `${tavor.cookie}; ${offered}`],
  ] as const) {
    const { status, json } = await send(opened, path, { cookie })
    assert.deepEqual([status, json.errors[0].code], [403, 'confirmation_required'], path)
  }
  assert.deepEqual(await listed(tavor), [])
})

test('a refused offer is forgotten by the browser', async () => {
  const [carmel, tavor] = [await member(), await member()]
  const { status, setCookie } = await send(opened, '/pairings/refuse', {
    cookie: `${tavor.cookie}; ${await offer(carmel)}`,
  })
  assert.equal(status, 204)
  assert.match(setCookie ?? '', /^console_pairing=; .*Max-Age=0; HttpOnly; SameSite=Strict$/)
})

test('a session by a link opens no other clinic, because somebody else has let its person in', async () => {
  const { carmel, tavor } = await openPair()
  const byLink = { ...carmel, cookie: await signedIn(opened, owner, carmel) }
  assert.deepEqual(
    (await listed(byLink)).map(({ is_open }) => is_open),
    [false],
  )
  assert.equal((await open(byLink)).status, 409)
  assert.equal((await ask(byLink, tavor, '/session')).status, 401)
})

test('a clinic that demands a way of signing in is not opened by a password of another one, and an open one is held', async () => {
  for (const demand of ['passkey', 'provider'] as const) {
    const { carmel, tavor } = await openPair()
    await updateClinic(owner, tavor.clinic.clinic_id, { sign_in_demand: demand }, NOTHING_ELSE)
    assert.equal((await ask(carmel, tavor, '/session')).json.data.held.demand, demand)
    assert.equal((await ask(carmel, tavor, '/keys')).status, 403)
    assert.deepEqual(
      (await listed(carmel)).map(({ is_open }) => is_open),
      [false],
    )
    assert.equal((await open(carmel)).status, 409)
  }
})

test('a clinic that comes to demand passkeys holds a session that a passkey of another clinic opened', async () => {
  const [carmel, tavor] = [await member(), await member()]
  await pair(carmel, tavor)
  await begunBy(carmel, 'passkey', null)
  assert.equal((await open(carmel)).status, 204)
  await updateClinic(owner, tavor.clinic.clinic_id, { sign_in_demand: 'passkey' }, NOTHING_ELSE)
  assert.equal((await ask(carmel, tavor, '/keys')).status, 403)
})

test('the cookie of a sign-in by the provider is no offer', async () => {
  const tavor = await member()
  const { setCookie } = await send(opened, '/sign-in/openid', { body: { clinic_id: 'carmel' } })
  const cookie = pairOf(setCookie).replace('console_openid=', 'console_pairing=')
  const { json } = await send(opened, '/session', { method: 'GET', cookie: `${tavor.cookie}; ${cookie}` })
  assert.equal(json.data.offered, null)
})

/** As if the session had begun so, by this account of the provider. */
const begunBy = ({ clinic: { clinic_id }, id }: Member, way: string, subject: string | null) =>
  owner.write(utcSession(clinic_id), async (tx) => {
    await tx.query(
      sql`update administrator_session set way = ${way} where clinic_id = ${clinic_id} and administrator_id = ${id}`,
    )
    await tx.query(sql`update administrator set openid_issuer = ${subject && 'https://id.example'}, openid_subject = ${subject}
      where clinic_id = ${clinic_id} and id = ${id}`)
  })

test('the provider opens a clinic that demands it, where both have the same account; a passkey opens none that demands one', async () => {
  const same = `same-${Date.now()}`
  const tried = async (
    demand: 'any' | 'passkey' | 'provider',
    way: string,
    subjects: [string | null, string | null],
    by: Console = opened,
  ) => {
    const [carmel, tavor] = [await member(), await member()]
    await pair(carmel, tavor)
    await begunBy(carmel, way, subjects[0])
    await begunBy(tavor, 'provider', subjects[1])
    await updateClinic(owner, tavor.clinic.clinic_id, { sign_in_demand: demand }, NOTHING_ELSE)
    const { status } = await send(by, `/pairings/${await idOf(carmel)}/open`, as(carmel))
    return status === 204 ? (await ask(carmel, tavor, '/keys')).status : status
  }
  assert.equal(await tried('provider', 'provider', [same, same]), 200)
  assert.equal(await tried('provider', 'provider', [`${same}a`, `${same}b`]), 409)
  assert.equal(await tried('provider', 'provider', [null, null]), 409)
  // It has not signed in by that account now.
  assert.equal(await tried('provider', 'password', [`${same}c`, `${same}c`]), 409)
  assert.equal(await tried('any', 'provider', [`${same}d`, null]), 200)
  assert.equal(await tried('passkey', 'passkey', [null, null]), 409)
  assert.equal(await tried('passkey', 'provider', [`${same}e`, `${same}e`]), 409)
  assert.equal(await tried('any', 'passkey', [null, null]), 200)
  const required = await openConsole(owner, { openId: { ...provider.settings, isRequired: true } })
  assert.equal(await tried('any', 'provider', [`${same}f`, `${same}f`], required), 200)
  assert.equal(await tried('any', 'provider', [`${same}g`, null], required), 409)
})

test('a clinic in which a group gives the role is opened by its own sign-in alone, and closed when a group comes to give it', async () => {
  const [{ carmel, tavor }, other] = [await openPair(), await openPair()]
  const byGroup = ({ clinic: { clinic_id }, id }: Member) =>
    owner.query(sql`update administrator set role = 'administrator', role_group = 'admins'
      where clinic_id = ${clinic_id} and id = ${id}`)
  const same = `group-${Date.now()}`
  for (const one of [carmel, tavor]) await begunBy(one, 'provider', same)
  assert.equal((await ask(carmel, tavor, '/keys')).status, 200)
  await byGroup(tavor)
  assert.equal((await ask(carmel, tavor, '/keys')).status, 401)
  assert.equal((await open(carmel)).status, 409)
  assert.deepEqual(
    (await listed(carmel)).map(({ is_open }) => is_open),
    [false],
  )
  await byGroup(other.tavor)
  assert.equal((await ask(other.carmel, other.tavor, '/keys')).status, 403)
})

test('whoever is disabled while the pairing is made is paired with nothing', async () => {
  const [carmel, tavor] = [await member(), await member()]
  const offered = await offer(carmel)
  await byOwner(opened, owner, carmel, `/people/${carmel.id}/disable`)
  assert.equal((await send(opened, '/pairings', { cookie: `${tavor.cookie}; ${offered}` })).status, 409)
  assert.deepEqual(await listed(tavor), [])
  const lone = await person(owner)
  assert.deepEqual(await listed({ ...lone, cookie: await signedIn(opened, owner, lone) }), [])
})

test('an account whose session ends while the pairing is made is paired with nothing', async () => {
  const [carmel, tavor] = [await member(), await member()]
  const offered = await offer(carmel)
  const { clinic_id } = carmel.clinic
  const mine = sql`clinic_id = ${clinic_id} and administrator_id = ${carmel.id}`
  // The second half waits for this transaction, which ends the session.
  let pairing: ReturnType<typeof send> | undefined
  await owner.write(utcSession(clinic_id), async (tx) => {
    await tx.query(sql`select id from administrator where clinic_id = ${clinic_id} and id = ${carmel.id} for update`)
    await tx.query(sql`delete from administrator_session where ${mine}`)
    pairing = send(opened, '/pairings', { cookie: `${tavor.cookie}; ${offered}` })
    await doneOrWaiting(owner, tx, pairing, '%for update%')
  })
  assert.equal((await pairing)?.status, 409)
  assert.deepEqual([await listed(tavor), await halvesOf(owner, carmel)], [[], []])
})

test('a pairing that holds stays when it is made anew, also where its other clinic can store nothing', async () => {
  const [carmel, tavor] = [await member(), await member()]
  assert.equal((await pair(carmel, tavor)).status, 200)
  const id = await idOf(carmel)
  assert.equal((await pair(tavor, carmel)).status, 200)
  const offered = await offer(carmel)
  const { clinic_id } = carmel.clinic
  let anew: ReturnType<typeof send> | undefined
  await owner.write(utcSession(clinic_id), async (tx) => {
    await tx.query(sql`select id from administrator where clinic_id = ${clinic_id} and id = ${carmel.id} for update`)
    await tx.query(
      sql`delete from administrator_session where clinic_id = ${clinic_id} and administrator_id = ${carmel.id}`,
    )
    anew = send(opened, '/pairings', { cookie: `${tavor.cookie}; ${offered}` })
    await doneOrWaiting(owner, tx, anew, '%for update%')
  })
  assert.equal((await anew)?.status, 200)
  assert.deepEqual(
    (await listed(tavor)).map((one) => one.id),
    [id],
  )
  assert.deepEqual(await halvesOf(owner, carmel), [{ id }])
  const other = await member(carmel.clinic)
  assert.equal((await pair(other, tavor)).status, 200, 'another person there takes the place of the first one')
  assert.deepEqual([(await listed(tavor)).length, (await listed(other)).length], [1, 1])
  assert.notEqual(await idOf(tavor), id)
})
