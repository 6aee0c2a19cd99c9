// The clinic's own rule about apps: stricter than the operator's policy, for consents, devices and connections that are there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { connectApp, connecting, once, requestOf, storeApp, storeDevice } from './connecting.ts'
import { audited, openConsole, person, send, signedIn } from './console-ground.ts'

const { owner } = await testDatabase()
const { connect, token } = connecting(owner)
const opened = await openConsole(owner, { connect })
const granted = { scopes: ['patients:read'], days: 30 }

/** An app of another's, which nobody has verified. */
async function unverifiedApp(): Promise<string> {
  const id = await storeApp(owner)
  await owner.query(sql`update app set kind = 'self_registered' where id = ${id}`)
  return id
}

async function administrator() {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const set = (allowed: string) => send(opened, '/connect/rule', { cookie, body: { allowed } })
  const look = async (request: string) => (await send(opened, '/connect/look', { cookie, body: { request } })).json.data
  const allow = async (request: string) =>
    (await send(opened, '/connect/allow', { cookie, headers: once(), body: { request, ...granted } })).status
  return { ...noa, cookie, set, look, allow }
}

const rules = [
  { allowed: 'any', registered: true, other: true },
  { allowed: 'verified', registered: true, other: false },
  { allowed: 'none', registered: false, other: false },
]
for (const { allowed, registered, other } of rules) {
  test(`where the clinic allows ${allowed}, a consent and a device get what the rule says, and the page is told before`, async () => {
    const noa = await administrator()
    assert.equal((await noa.set(allowed)).json.data.allowed, allowed)
    for (const [app, isAllowed] of [
      [await storeApp(owner), registered],
      [await unverifiedApp(), other],
    ] as const) {
      assert.equal((await noa.look(requestOf(app))).access.is_allowed, isAllowed)
      assert.equal(await noa.allow(requestOf(app)), isAllowed ? 201 : 403)
      const user_code = await storeDevice(owner, app)
      const { cookie } = noa
      const looked = await send(opened, '/device/look', { cookie, body: { user_code } })
      assert.equal(looked.json.data.is_allowed, isAllowed)
      const answer = await send(opened, '/device/allow', { cookie, headers: once(), body: { user_code, ...granted } })
      assert.equal(answer.status, isAllowed ? 204 : 403)
    }
  })
}

test('a stricter rule ends the connections that it does not allow, says before how many, and is on record with them', async () => {
  const noa = await administrator()
  const ground = { owner, cookie: noa.cookie, token }
  const [ours, theirs] = [await connectApp(opened, ground), await connectApp(opened, ground)]
  const { clinic_id } = noa.clinic
  await owner.query(sql`update connection set is_verified = false where clinic_id = ${clinic_id} and id = ${theirs.id}`)
  const refresh = async ({ tokens, client_id }: typeof ours) =>
    (await token({ grant_type: 'refresh_token', client_id, refresh_token: tokens.refresh_token ?? '' })).status
  const asked = await send(opened, '/connect/rule', { method: 'GET', cookie: noa.cookie })
  assert.deepEqual(asked.json.data, { allowed: 'any', would_end: { verified: 1, none: 2 } })
  const set = await noa.set('verified')
  assert.deepEqual(set.json.data, { allowed: 'verified', would_end: { verified: 0, none: 1 } })
  assert.deepEqual([await refresh(ours), await refresh(theirs)], [200, 400])
  const listed = await send(opened, '/connections', { method: 'GET', cookie: noa.cookie })
  const reasons = new Map(listed.json.data.map((one: { id: string; end_reason: unknown }) => [one.id, one.end_reason]))
  assert.deepEqual([reasons.get(ours.id), reasons.get(theirs.id)], [null, 'not_allowed'])
  const row = (await audited(owner, noa.clinic)).find(({ operation }) => operation === 'console.connect.set_rule')
  assert.deepEqual(row?.resource_ids, ['verified', theirs.id])
})

test('a looser rule brings no connection back', async () => {
  const noa = await administrator()
  const { tokens, client_id } = await connectApp(opened, { owner, cookie: noa.cookie, token })
  await noa.set('none')
  await noa.set('any')
  const form = { grant_type: 'refresh_token', client_id, refresh_token: tokens.refresh_token ?? '' }
  assert.equal((await token(form)).status, 400)
})

test('the rule of one clinic is no other’s', async () => {
  const [noa, dan] = [await administrator(), await administrator()]
  await noa.set('none')
  assert.equal(await dan.allow(requestOf(await storeApp(owner))), 201)
})

test('no consent slips through beside a change of the rule', async () => {
  const [noa, dan] = [await administrator(), await administrator()]
  const { clinic_id } = noa.clinic
  const app = await storeApp(owner)
  for (let round = 0; round < 8; round += 1) {
    const [set, theirs] = await Promise.all([
      noa.set('none'),
      dan.allow(requestOf(app)),
      noa.allow(requestOf(app)),
      noa.allow(requestOf(app)),
    ])
    assert.deepEqual([set.status, theirs], [200, 201])
    const { rows } = await owner.query(sql`select id from api_key
      where clinic_id = ${clinic_id} and id like 'con\_%' and revoked_at is null`)
    assert.deepEqual(rows, [])
    await noa.set('any')
  }
})
