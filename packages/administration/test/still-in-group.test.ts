// How the provider is asked again for the groups of whoever is signed in: how often, by what, and what happens when it does not answer.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '@clinic-data/database'
import { halfSent } from '@clinic-data/testing/half-sent'
import { IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { unbindAdministrator } from '../src/administrators.ts'
import { listKeys } from '../src/credentials/keys.ts'
import { stillInGroup } from '../src/openid/still-in-group.ts'
import { CONSOLE_API } from '../src/routes/console-routes.ts'
import { type ActiveSession, findSession } from '../src/sessions/sessions.ts'
import { connectApp, connecting, once } from './connecting.ts'
import { audited, HOST, OWN_PAGE, openConsole, type Person, send } from './console-ground.ts'
import { groupGround } from './group-ground.ts'

const { owner } = await testDatabase()
const logged: string[] = []
const log = { warn: note, error: note }
function note(fields: Record<string, unknown>, line: string): void {
  logged.push(JSON.stringify([fields, line]))
}
const { connect, token } = connecting(owner)

/** A provider of its own, which a test may make silent. */
async function ground(more: Partial<IdentityProvider> = {}) {
  const provider = Object.assign(await IdentityProvider.start(), more)
  after(() => provider.close())
  provider.groups = new Map()
  const openId = { ...provider.settings, groupsClaim: 'groups' }
  const opened = await openConsole(owner, { openId, connect, log })
  const made = groupGround(owner, opened, provider)
  const signedIn = async () => {
    const people = await made.clinicWith({ 'clinic-admins': 'administrator', audit: 'auditor' })
    made.groups(people.dan, 'clinic-admins')
    return { ...people, session: (await made.signIn(people.dan)).session ?? assert.fail('nobody came in') }
  }
  return { ...made, provider, opened, signedIn, minutes: opened.clock.advance.bind(opened.clock) }
}

const sessionsOf = ({ clinic, id }: Person) =>
  owner.query<{ groups_token: Uint8Array | null }>(sql`select * from administrator_session
    where clinic_id = ${clinic.clinic_id} and administrator_id = ${id} and way = 'provider'`)

for (const [kind, more] of Object.entries({
  'a refresh token that serves once': {},
  'a refresh token, where groups are told only when asked': { tellsGroupsWhenAsked: true },
  'an access token, where there is no refresh token': { givesRefreshTokens: false },
})) {
  test(`the groups are asked for by ${kind}, once in half a minute of use and by one of the requests that come at once`, async () => {
    const { provider, minted, minutes, signedIn, groups } = await ground(more)
    const { dan, session } = await signedIn()
    const each = 'tellsGroupsWhenAsked' in more ? 2 : 1
    provider.asked = 0
    assert.equal(await minted(session), 201)
    assert.equal(provider.asked, 0)
    for (let round = 1; round <= 3; round++) {
      minutes(0.55)
      const statuses = await Promise.all(Array.from({ length: 8 }, () => minted(session)))
      assert.deepEqual(statuses, Array(8).fill(201))
      assert.equal(provider.asked, round * each)
    }
    groups(dan, 'audit')
    minutes(0.55)
    assert.equal(await minted(session), 403)
    groups(dan)
    minutes(0.55)
    assert.equal(await minted(session), 401)
  })
}

test('after a pause requests that come at once wait for one answer, and none asks what another one has just asked', async () => {
  const { provider, opened, minted, minutes, signedIn } = await ground()
  const { session } = await signedIn()
  const found = async () => {
    const looking = { now: opened.clock.now(), isUse: true }
    return (await findSession(owner, session.split('=')[1] ?? '', looking)) ?? assert.fail('it has ended')
  }
  const ask = (one: ActiveSession) => stillInGroup(opened.parts, one, () => undefined)
  minutes(5)
  provider.asked = 0
  const before = await found()
  const statuses = await Promise.all(Array.from({ length: 8 }, () => minted(session)))
  assert.deepEqual([statuses, provider.asked], [Array(8).fill(201), 1])
  assert.equal(await ask(before), true, 'another one has')
  assert.equal(provider.asked, 1)
  minutes(5)
  const paused = await found()
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(paused)))
  assert.deepEqual([answers, provider.asked], [Array(8).fill(false), 2])
})

test('while the provider does not answer a role by group holds for a minute after it last did, and again when it does', async () => {
  const { provider, opened, minted, minutes, signedIn, roleOf } = await ground()
  const { noa, session } = await signedIn()
  provider.isDown = true
  minutes(0.7)
  assert.equal(await minted(session), 201)
  minutes(0.4)
  const refused = await send(opened, '/keys', { method: 'GET', cookie: session })
  assert.deepEqual(
    [refused.status, refused.headers['retry-after'], refused.json.code],
    [503, '2', 'service-unavailable'],
  )
  assert.match(refused.json.detail, /^The identity provider cannot be asked whether a group still gives you your role/)
  // It opens nothing of the clinic.
  assert.equal(await roleOf(session), 'administrator')
  assert.equal(await minted(noa.cookie), 201)
  provider.isDown = false
  minutes(0.5)
  assert.equal(await minted(session), 201)
  assert.ok(logged.some((line) => line.includes('the identity provider did not tell the groups of a person')))
})

test('a token that the provider takes no more ends its session alone: nobody knows of the groups', async () => {
  const { provider, opened, minted, minutes, signedIn, signIn, roleOf } = await ground()
  const { noa, dan, session } = await signedIn()
  const app = await connectApp(opened, { owner, cookie: session, token })
  provider.endTokensOf(dan.id)
  const other = (await signIn(dan)).session
  minutes(0.6)
  assert.deepEqual([await minted(session), await minted(other)], [401, 201])
  assert.equal(await roleOf(session), null)
  const { json } = await send(opened, `/connections/${app.id}`, { method: 'GET', cookie: noa.cookie })
  assert.equal(json.data.ended_at, null)
})

test('a person of the provider is asked about alone: an answer about another one ends the session', async () => {
  const { provider, minted, minutes, signedIn } = await ground()
  const { session } = await signedIn()
  provider.answersAbout = 'somebody'
  provider.groups?.set('somebody', ['clinic-admins'])
  minutes(0.6)
  assert.equal(await minted(session), 401)
})

test('an account that the operator has unbound has nothing to be asked by: its session ends', async () => {
  const { provider, minted, minutes, signedIn, roleOf } = await ground()
  const { dan, session } = await signedIn()
  await unbindAdministrator(owner, { clinic_id: dan.clinic.clinic_id, id: dan.id })
  provider.asked = 0
  minutes(0.6)
  assert.equal(await minted(session), 401)
  // Whoever comes after the one that found it is not let in for the rest of the minute.
  assert.equal(await minted(session), 401)
  assert.deepEqual([await roleOf(session), provider.asked], [null, 0])
})

test('while another process asks, the role holds for its minute, and whoever comes after that waits', async () => {
  const { provider, opened, minted, minutes, signedIn } = await ground()
  const { dan, session } = await signedIn()
  const askedBy = (at: Date) =>
    owner.query(sql`update administrator_session set groups_asked_at = ${at}
      where clinic_id = ${dan.clinic.clinic_id} and administrator_id = ${dan.id}`)
  provider.asked = 0
  minutes(0.6)
  await askedBy(opened.clock.now())
  assert.equal(await minted(session), 201)
  minutes(0.35)
  await askedBy(opened.clock.now())
  minutes(0.2)
  assert.deepEqual([await minted(session), provider.asked], [503, 0])
  // That process was killed, perhaps.
  minutes(0.3)
  assert.deepEqual([await minted(session), provider.asked], [201, 1])
})

test('where the operator has switched groups off since, a role by group is nobody’s', async () => {
  const { provider, opened, minted, minutes, signedIn, listed } = await ground()
  const { noa, dan, session } = await signedIn()
  const now = opened.clock.now
  const off = await openConsole(owner, { openId: provider.settings, log, now })
  const none = await openConsole(owner, { log, now })
  minutes(0.6)
  assert.equal((await send(off, '/keys', { method: 'GET', cookie: session })).status, 401)
  assert.equal(await minted(session), 401)
  // Nobody has said that the group is lost.
  assert.equal((await listed(noa)).find(({ id }) => id === dan.id)?.role, 'administrator')
  const again = groupGround(owner, off, provider)
  assert.equal((await again.signIn(dan)).place, '/console/#openid=refused')
  assert.equal((await send(none, '/keys', { method: 'GET', cookie: session })).status, 401)
})

test('what arrives after the group was lost is not stored, though it began before', async () => {
  const { opened, minutes, signedIn, groups, minted } = await ground()
  const { dan, session } = await signedIn()
  const late = await halfSent(opened.app, {
    path: `${CONSOLE_API}/keys`,
    headers: { ...OWN_PAGE, host: HOST, cookie: session, ...once() },
    body: JSON.stringify({ name: 'Till', scopes: ['patients:read'] }),
  })
  groups(dan)
  minutes(0.6)
  assert.equal(await minted(session), 401)
  assert.equal((await late.rest()).status, 401)
  assert.deepEqual(await listKeys(owner, dan.clinic.clinic_id), [])
})

test('a token is stored sealed for its person, ends with the session, and is in no log', async () => {
  const { provider, minted, minutes, signedIn, opened } = await ground()
  const { noa, dan, session } = await signedIn()
  const [stored] = (await sessionsOf(dan)).rows
  const text = Buffer.from(stored?.groups_token ?? []).toString('latin1')
  assert.ok(text.length > 40)
  for (const secret of provider.secrets) assert.ok(!text.includes(secret))
  // Of another person it opens nothing: the row of one says nothing of another.
  const other = await signedIn()
  await owner.query(sql`update administrator_session set groups_token = ${stored?.groups_token ?? null}
    where clinic_id = ${other.dan.clinic.clinic_id} and administrator_id = ${other.dan.id}`)
  minutes(0.6)
  assert.deepEqual([await minted(other.session), await minted(session)], [401, 201])
  await send(opened, '/sign-out', { cookie: session, body: {} })
  assert.deepEqual((await sessionsOf(dan)).rows, [])
  for (const secret of provider.secrets) assert.ok(!logged.some((line) => line.includes(secret)))
  assert.ok(
    (await audited(owner, noa.clinic)).every(
      (row) => !provider.secrets.some((one) => JSON.stringify(row).includes(one)),
    ),
  )
})
