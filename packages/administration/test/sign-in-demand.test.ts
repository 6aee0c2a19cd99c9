// What a clinic demands of those who sign in: each way in meets each demand or opens nothing, for sessions, invitations and what is under way.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { consoleOperations } from '@clinic-data/console-contract/console-operations'
import { openOperations } from '@clinic-data/console-contract/open-operations'
import { openWhileHeld, rolesOf, type SessionOperation } from '@clinic-data/console-contract/roles'
import { meetsDemand, type SignInDemand, signInDemands } from '@clinic-data/console-contract/sign-in-demand'
import { filledPath } from '@clinic-data/contract/routes'
import { sql } from '@clinic-data/database'
import { halfSent } from '@clinic-data/testing/half-sent'
import { IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { updateClinic } from '../src/clinics.ts'
import { NOTHING_ELSE } from '../src/credentials/credentials.ts'
import { listKeys } from '../src/credentials/keys.ts'
import { CONSOLE_API } from '../src/routes/console-routes.ts'
import { signedIn as signedInRequest } from '../src/routes/signed-in.ts'
import { Passkey } from './authenticator.ts'
import { once } from './connecting.ts'
import { audited, HOST, OWN_PAGE, openConsole, type Person, pairOf, person, send, signedIn } from './console-ground.ts'
import { signInByProvider } from './openid-ground.ts'
import { addPasskey, challengeToAdd, signInWith } from './passkey-ground.ts'
import { accept, INVITED, inRole, invitationBy, setRole } from './people-ground.ts'
import { storePassword } from './stored-password.ts'

const { owner } = await testDatabase()
const provider = await IdentityProvider.start()
after(() => provider.close())
const opened = await openConsole(owner, { openId: provider.settings })
const PASSWORD = 'four words are enough'

/** As the operator demands it, by `clinicd clinics update`. */
const demandOf = ({ clinic: { clinic_id } }: Pick<Person, 'clinic'>, sign_in_demand: SignInDemand) =>
  updateClinic(owner, clinic_id, { sign_in_demand }, NOTHING_ELSE)

const ask = (cookie: string | null, path: string) => send(opened, path, { method: 'GET', cookie })
const sessionOf = async (cookie: string | null) => (await ask(cookie, '/session')).json.data
const set = (cookie: string, demand: SignInDemand) => send(opened, '/sign-in-demand', { cookie, body: { demand } })

async function byPassword(noa: Person) {
  await storePassword(owner, noa, PASSWORD)
  const body = { clinic_id: noa.clinic.clinic_id, email: noa.email, password: PASSWORD }
  const { status, setCookie } = await send(opened, '/sign-in', { body })
  assert.equal(status, 200)
  return pairOf(setCookie)
}

/** Adds a passkey. @returns what signs in with it. */
async function withPasskey(noa: Person) {
  const passkey = new Passkey()
  const { user_handle } = await addPasskey(opened, await signedIn(opened, owner, noa), passkey)
  return async () => pairOf((await signInWith(opened, passkey, user_handle)).setCookie)
}

const byPasskey = async (noa: Person) => (await withPasskey(noa))()

async function byProvider({ clinic, email, id }: Person) {
  const claims = { sub: id, email, email_verified: true, auth_time: Math.floor(Date.now() / 1000) }
  return (await signInByProvider({ opened, provider }, { clinic }, { claims })).session ?? assert.fail('no session')
}

const ways = {
  password: byPassword,
  link: (noa: Person) => signedIn(opened, owner, noa),
  passkey: byPasskey,
  provider: byProvider,
}

for (const [way, signInBy] of Object.entries(ways)) {
  for (const demand of signInDemands) {
    const isMet = meetsDemand(demand, way)
    test(`a session by ${way} ${isMet ? 'meets' : 'opens nothing under'} the demand ${demand}, made before it or after`, async () => {
      const noa = await person(owner)
      const [before, dan] = [await signInBy(noa), await again(noa)]
      // Where the provider is demanded, nobody adds a passkey any more.
      const signInLater = way === 'passkey' ? await withPasskey(dan) : () => signInBy(dan)
      await demandOf(noa, demand)
      for (const cookie of [before, await signInLater()]) {
        const { held } = await sessionOf(cookie)
        assert.equal(held?.demand ?? null, isMet ? null : demand)
        for (const path of ['/people', '/keys', '/home'])
          assert.equal((await ask(cookie, path)).status, isMet ? 200 : 403, path)
      }
      await demandOf(noa, 'any')
      assert.equal((await ask(before, '/people')).status, 200, 'a looser demand lets it go on')
    })
  }
}

/** Another person of the clinic: one device keeps one passkey, and one account of the provider is one person's. */
const again = ({ clinic }: Person) => person(owner, clinic)

test('a session that is held may see why, sign out and add a first passkey, and nothing else of all operations', async () => {
  assert.deepEqual([...openWhileHeld].sort(), [
    'addPasskey',
    'confirmByPassword',
    'listPasskeys',
    'passkeyChallenge',
    'session',
    'signOut',
  ])
  const noa = await person(owner)
  const cookie = await byPassword(noa)
  await demandOf(noa, 'passkey')
  const before = await owner.query(sql`select xmin::text from administrator where id = ${noa.id}`)
  for (const name of Object.keys(rolesOf) as SessionOperation[]) {
    if (openWhileHeld.includes(name)) continue
    const operation = consoleOperations[name]
    const path = filledPath(operation, { id: 'key_1', delivery_id: 'dlv_1' }).slice(CONSOLE_API.length)
    const { status, json } = await send(opened, path, { method: operation.method, cookie, headers: once() })
    assert.deepEqual([status, json.code], [403, 'forbidden'], name)
    assert.match(json.detail, /^The clinic demands a passkey of everybody/)
  }
  // The operations of the public contract ask the same door.
  const raw = { method: 'GET', headers: { ...OWN_PAGE, host: HOST, cookie } } as never
  assert.ok(openOperations.length > 0)
  await assert.rejects(signedInRequest(opened.parts, raw, { request_id: 'req_1' }), /demands a passkey/)
  assert.deepEqual(await owner.query(sql`select xmin::text from administrator where id = ${noa.id}`), before)
})

test('whoever has no passkey adds one in the held session, and signs in with it; a password adds none beside it', async () => {
  const noa = await person(owner)
  await demandOf(noa, 'passkey')
  const cookie = await byPassword(noa)
  assert.deepEqual((await sessionOf(cookie)).held, { demand: 'passkey', may_add_passkey: true })
  const { challenge } = await challengeToAdd(opened, cookie)
  const passkey = new Passkey()
  const { user_handle } = await addPasskey(opened, cookie, passkey)
  assert.equal((await ask(cookie, '/people')).status, 403, 'it did not begin by the passkey')
  assert.deepEqual((await sessionOf(cookie)).held, { demand: 'passkey', may_add_passkey: false })
  const second = await send(opened, '/passkeys', { cookie, body: { name: 'Thief', ...new Passkey().add(challenge) } })
  assert.equal(second.status, 403)
  assert.equal((await send(opened, '/passkeys/challenge', { cookie })).status, 403)
  assert.equal((await ask(pairOf((await signInWith(opened, passkey, user_handle)).setCookie), '/people')).status, 200)
  // Whoever lost it gets a link of the operator, and adds another one.
  const link = await signedIn(opened, owner, noa)
  assert.deepEqual((await sessionOf(link)).held, { demand: 'passkey', may_add_passkey: true })
  const other = new Passkey()
  const added = await addPasskey(opened, link, other, 'New phone')
  assert.equal(
    (await ask(pairOf((await signInWith(opened, other, added.user_handle)).setCookie), '/people')).status,
    200,
  )
})

test('two first passkeys at once are one', async () => {
  const noa = await person(owner)
  await demandOf(noa, 'passkey')
  const cookie = await byPassword(noa)
  const challenges = [await challengeToAdd(opened, cookie), await challengeToAdd(opened, cookie)]
  const adding = challenges.map(({ challenge }) =>
    send(opened, '/passkeys', { cookie, body: { name: 'Phone', ...new Passkey().add(challenge) } }),
  )
  assert.deepEqual((await Promise.all(adding)).map(({ status }) => status).sort(), [201, 403])
})

test('the last passkey is not removed where the clinic demands one', async () => {
  const noa = await person(owner)
  const cookie = await byPasskey(noa)
  await demandOf(noa, 'passkey')
  const { json } = await ask(cookie, '/passkeys')
  const remove = (id: string) => send(opened, `/passkeys/${id}/remove`, { cookie })
  assert.equal((await remove(json.data[0].id)).status, 409)
  const { id } = await addPasskey(opened, cookie, new Passkey(), 'Second')
  assert.equal((await remove(id)).status, 204)
  await demandOf(noa, 'any')
  assert.equal((await remove(json.data[0].id)).status, 204)
})

for (const [way, signInBy] of Object.entries(ways)) {
  test(`an owner who came by ${way} demands what that meets, and is told why nothing else is taken`, async () => {
    const noa = await person(owner)
    const cookie = await signInBy(noa)
    const rule = (await ask(cookie, '/sign-in-demand')).json.data
    assert.deepEqual(rule.offered, signInDemands)
    assert.deepEqual(
      rule.met,
      signInDemands.filter((demand) => meetsDemand(demand, way)),
    )
    for (const demand of signInDemands) {
      const { status, json } = await set(cookie, demand)
      assert.equal(status, meetsDemand(demand, way) ? 200 : 409, demand)
      if (status === 409) assert.match(json.detail, /^You would lock yourself out/)
      else assert.equal(json.data.demand, demand)
    }
    const rows = (await audited(owner, noa.clinic)).filter(
      ({ operation }) => operation === 'console.sign_in_demand.set',
    )
    assert.deepEqual(
      rows.map(({ status, resource_ids }) => [status, ...resource_ids]),
      signInDemands.map((demand) => (meetsDemand(demand, way) ? [200, demand] : [409])),
    )
  })
}

test('the provider is offered only where there is one, and a passkey only where it signs in', async () => {
  const noa = await person(owner)
  const cookie = await byPasskey(noa)
  const without = await openConsole(owner)
  const strict = await openConsole(owner, { openId: { ...provider.settings, isRequired: true } })
  for (const [site, offered, refused] of [
    [without, ['any', 'passkey'], 'provider'],
    [strict, ['any', 'provider'], 'passkey'],
  ] as const) {
    const rule = await send(site, '/sign-in-demand', { method: 'GET', cookie })
    assert.deepEqual(rule.json.data.offered, offered)
    assert.equal((await send(site, '/sign-in-demand', { cookie, body: { demand: refused } })).status, 409)
  }
})

test('only an owner demands, and what one clinic demands is no other’s', async () => {
  const noa = await person(owner)
  const [cookie, dan] = [await byPasskey(noa), await person(owner, noa.clinic)]
  const theirs = await byPasskey(dan)
  await setRole(owner, dan, 'administrator')
  assert.equal((await set(theirs, 'passkey')).status, 403)
  const other = await inRole(opened, owner, 'owner')
  assert.equal((await set(cookie, 'passkey')).status, 200)
  assert.equal((await ask(other.cookie, '/people')).status, 200)
})

for (const demand of ['passkey', 'provider'] as const) {
  test(`whoever accepts an invitation under the demand ${demand} gets in only so`, async () => {
    const noa = await person(owner)
    const cookie = await ways[demand](noa)
    await demandOf(noa, demand)
    const { token } = await invitationBy(opened, { ...noa, cookie })
    const accepted = await accept(opened, token)
    assert.equal(accepted.status, 200)
    if (demand === 'provider') {
      assert.deepEqual([accepted.json.data, accepted.setCookie], [null, null])
      const { rows } = await owner.query<{ id: string }>(sql`select id from administrator
        where clinic_id = ${noa.clinic.clinic_id} and email = ${INVITED.email}`)
      const dana = await byProvider({ clinic: noa.clinic, email: INVITED.email, id: rows[0]?.id ?? '' })
      assert.equal((await ask(dana, '/activity')).status, 200)
      return
    }
    const theirs = pairOf(accepted.setCookie)
    assert.equal((await ask(theirs, '/activity')).status, 403)
    const passkey = new Passkey()
    const { user_handle } = await addPasskey(opened, theirs, passkey)
    assert.equal(
      (await ask(pairOf((await signInWith(opened, passkey, user_handle)).setCookie), '/activity')).status,
      200,
    )
  })
}

test('nothing is stored of what arrives in a session that the demand holds meanwhile, and the demand is answered after it', async () => {
  const noa = await person(owner)
  const [cookie, dan] = [await byPasskey(noa), await person(owner, noa.clinic)]
  const late = await halfSent(opened.app, {
    path: `${CONSOLE_API}/keys`,
    headers: { ...OWN_PAGE, host: HOST, cookie: await byPassword(dan), ...once() },
    body: JSON.stringify({ name: 'Till', scopes: ['patients:read'] }),
  })
  assert.equal((await set(cookie, 'passkey')).status, 200)
  assert.equal((await late.rest()).status, 403)
  assert.deepEqual(await listKeys(owner, noa.clinic.clinic_id), [])
})

test('a demand beside sign-ins and beside another owner’s demand lets nobody in who does not meet it', async () => {
  const noa = await person(owner)
  const dan = await person(owner, noa.clinic)
  const [cookie, theirs] = [await byPasskey(noa), await byProvider(dan)]
  await storePassword(owner, noa, PASSWORD)
  const body = { clinic_id: noa.clinic.clinic_id, email: noa.email, password: PASSWORD }
  for (let round = 0; round < 4; round += 1) {
    const [first, second, signing] = await Promise.all([
      set(cookie, 'passkey'),
      set(theirs, 'provider'),
      send(opened, '/sign-in', { body }),
    ])
    assert.deepEqual([first.status, second.status].sort(), [200, 403], 'the later one does not meet the former')
    assert.equal((await ask(pairOf(signing.setCookie), '/people')).status, 403)
    await demandOf(noa, 'any')
  }
})

test('a passkey’s session of the version before meets the demand, and any other of that version does not', async () => {
  const noa = await person(owner)
  const cookies = [await byPasskey(noa), await byProvider(noa)]
  await owner.query(sql`update administrator_session set way = null where administrator_id = ${noa.id}`)
  for (const [demand, expected] of [
    ['passkey', [200, 403]],
    ['provider', [403, 403]],
    ['any', [200, 200]],
  ] as const) {
    await demandOf(noa, demand)
    const statuses = await Promise.all(cookies.map(async (cookie) => (await ask(cookie, '/people')).status))
    assert.deepEqual(statuses, expected, demand)
  }
})

test('the database takes the demands of the list, and no other', async () => {
  const { rows } = await owner.query<{ text: string }>(sql`select pg_get_constraintdef(oid) as text from pg_constraint
    where conname = 'clinic_sign_in_demand_check'`)
  assert.deepEqual(
    [...(rows[0]?.text ?? '').matchAll(/'(\w+)'/g)].map(([, one]) => one),
    [...signInDemands],
  )
})
