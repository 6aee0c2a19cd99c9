// Tests what members may do with apps: give them what the clinic lets members give, and see and end their own connections alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { connectApp, connecting, once, requestOf, storeApp, storeDevice } from './connecting.ts'
import { openConsole, send } from './console-ground.ts'
import { faultOf, inRole, type SignedPerson } from './people-ground.ts'

const { owner } = await testDatabase()
const { connect, token } = connecting(owner)
const opened = await openConsole(owner, { connect })

const allow = (by: SignedPerson, app: string, scopes: string[]) =>
  send(opened, '/connect/allow', {
    cookie: by.cookie,
    headers: once(),
    body: { request: requestOf(app, undefined, { scope: 'patients:read catalog:read' }), scopes, days: 30 },
  })

const setScopes = (by: SignedPerson, scopes: string[]) =>
  send(opened, '/member-scopes', { cookie: by.cookie, body: { scopes } })

test('a member gives apps nothing of a patient until the clinic says so, and is told what', async () => {
  const noa = await inRole(opened, owner, 'administrator')
  const dana = await inRole(opened, owner, 'member', noa.clinic)
  const app = await storeApp(owner)
  const request = requestOf(app, undefined, { scope: 'patients:read catalog:read' })
  const look = async (by: SignedPerson) =>
    (await send(opened, '/connect/look', { cookie: by.cookie, body: { request } })).json.data.access.may_give
  assert.deepEqual([await look(noa), await look(dana)], [['patients:read', 'catalog:read'], ['catalog:read']])
  assert.deepEqual(faultOf(await allow(dana, app, ['patients:read', 'catalog:read'])), [422, '#/scopes not_yours'])
  assert.equal((await allow(dana, app, ['catalog:read'])).status, 201)
  assert.deepEqual((await setScopes(noa, ['patients:read'])).json.data.scopes, ['patients:read'])
  assert.deepEqual(await look(dana), ['patients:read'])
  assert.equal((await allow(dana, app, ['patients:read'])).status, 201)
  assert.deepEqual(faultOf(await allow(dana, app, ['catalog:read'])), [422, '#/scopes not_yours'])
})

test('a member’s device gets what members may give', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const dana = await inRole(opened, owner, 'member', noa.clinic)
  const user_code = await storeDevice(owner, await storeApp(owner))
  const body = { user_code, scopes: ['patients:read'], days: 30 }
  const access = (await send(opened, '/device/look', { cookie: dana.cookie, body: { user_code } })).json.data
  assert.deepEqual(access.may_give, [])
  const answer = await send(opened, '/device/allow', { cookie: dana.cookie, headers: once(), body })
  assert.deepEqual(faultOf(answer), [422, '#/scopes not_yours'])
  assert.equal((await send(opened, '/device/allow', { cookie: noa.cookie, headers: once(), body })).status, 204)
})

test('a member sees, changes and ends the own connections, and those of others are unknown', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const dana = await inRole(opened, owner, 'member', noa.clinic)
  await setScopes(noa, ['patients:read'])
  const theirs = await connectApp(opened, { owner, cookie: noa.cookie, token })
  const own = await connectApp(opened, { owner, cookie: dana.cookie, token })
  const list = async ({ cookie }: SignedPerson) =>
    (await send(opened, '/connections', { method: 'GET', cookie })).json.data.map(({ id }: { id: string }) => id)
  assert.deepEqual([await list(dana), await list(noa)], [[own.id], [own.id, theirs.id]])
  const { cookie } = dana
  assert.equal((await send(opened, `/connections/${theirs.id}`, { method: 'GET', cookie })).status, 404)
  assert.equal((await send(opened, `/connections/${theirs.id}`, { cookie, body: { expires_at: null } })).status, 404)
  assert.equal((await send(opened, `/connections/${theirs.id}/end`, { cookie })).status, 404)
  const still = await send(opened, `/connections/${theirs.id}`, { method: 'GET', cookie: noa.cookie })
  assert.equal(still.json.data.ended_at, null)
  assert.equal((await send(opened, `/connections/${own.id}/end`, { cookie })).status, 200)
})

test('a narrower role ends the connections that it could not make, also one that was being made', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const dan = await inRole(opened, owner, 'administrator', noa.clinic)
  const { cookie } = dan
  const wide = await connectApp(opened, { owner, cookie, token }, ['patients:read', 'catalog:read'])
  const narrow = await connectApp(opened, { owner, cookie, token }, ['catalog:read'])
  const app = await storeApp(owner)
  const { clinic_id } = noa.clinic
  const role = (name: string) => send(opened, `/people/${dan.id}/role`, { cookie: noa.cookie, body: { role: name } })
  const [allowing, changing] = await owner.write(utcSession(clinic_id), async (tx) => {
    // Connecting refers to the clinic's row: first by an integration, and on a cluster by the key.
    await tx.query(sql`select from clinic where clinic_id = ${clinic_id} for update`)
    const allowing = allow(dan, app, ['patients:read'])
    await doneOrWaiting(owner, tx, allowing, 'insert into integration%', 'insert into api_key%')
    const changing = role('member')
    // On a cluster the end of a key already waits for the other one's insert.
    const waits = ['select pg_advisory_xact_lock(hashtextextended($1%', 'update api_key set revoked_at%']
    await doneOrWaiting(owner, tx, changing, ...waits)
    return [allowing, changing] as const
  })
  assert.deepEqual([(await allowing).status, (await changing).status], [201, 200])
  const lasting = async () => {
    const { rows } = await owner.query<{ id: string }>(sql`select c.id from connection c
      join api_key k on k.clinic_id = ${clinic_id} and k.id = c.id
      where c.clinic_id = ${clinic_id} and k.revoked_at is null order by 1`)
    return rows.map(({ id }) => id)
  }
  assert.deepEqual(await lasting(), [narrow.id])
  const refresh = {
    grant_type: 'refresh_token',
    refresh_token: wide.tokens.refresh_token ?? '',
    client_id: wide.client_id,
  }
  assert.equal((await token(refresh)).status, 400)
  assert.equal((await role('auditor')).status, 200)
  assert.deepEqual(await lasting(), [])
})

test('a member gives an app no integration but its own', async () => {
  const noa = await inRole(opened, owner, 'administrator')
  const dana = await inRole(opened, owner, 'member', noa.clinic)
  const made = await send(opened, '/keys', {
    cookie: noa.cookie,
    headers: once(),
    body: { name: 'CRM', scopes: ['catalog:read'], expires_at: null, rate_limit: null },
  })
  const { id: integration_id } = made.json.data.integration
  const app = await storeApp(owner)
  const request = requestOf(app, undefined, { scope: 'catalog:read' })
  const body = { request, scopes: ['catalog:read'], days: 30, integration_id }
  const allowing = async (by: SignedPerson) =>
    (await send(opened, '/connect/allow', { cookie: by.cookie, headers: once(), body })).status
  assert.deepEqual([await allowing(dana), await allowing(noa)], [403, 201])
})

test('a member widens no connection beyond what the clinic lets members give now, and narrows and ends it still', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const dana = await inRole(opened, owner, 'member', noa.clinic)
  await setScopes(noa, ['patients:read', 'catalog:read'])
  const { cookie } = dana
  const { id } = await connectApp(opened, { owner, cookie, token }, ['patients:read', 'catalog:read'])
  const change = (by: SignedPerson, body: object) => send(opened, `/connections/${id}`, { cookie: by.cookie, body })
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  assert.equal((await change(dana, { expires_at: inDays(5), networks: ['192.0.2.0/24'] })).status, 200)
  await setScopes(noa, ['catalog:read'])
  const taken = [422, '#/scopes not_yours']
  for (const wider of [
    { expires_at: inDays(6) },
    { expires_at: null },
    { networks: null },
    { networks: ['192.0.2.0/23'] },
    { networks: ['192.0.2.0/24', '198.51.100.1'] },
    { expires_at: inDays(6), networks: ['192.0.2.0/25'] },
    { expires_at: inDays(6), scopes: ['patients:read'] },
  ])
    assert.deepEqual(faultOf(await change(dana, wider)), taken, JSON.stringify(wider))
  assert.equal((await change(dana, { expires_at: inDays(4), networks: ['192.0.2.0/25'] })).status, 200)
  assert.equal((await change(noa, { expires_at: inDays(6) })).status, 200)
  // What is left is what a member may give.
  assert.equal((await change(dana, { expires_at: null, scopes: ['catalog:read'] })).status, 200)
  await setScopes(noa, [])
  assert.deepEqual(faultOf(await change(dana, { networks: null })), taken)
  assert.equal((await send(opened, `/connections/${id}/end`, { cookie })).status, 200)
})
