// Tests what owners do with the people of a clinic: roles, disabling, removing, their sessions, and the last owner.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { halfSent } from '@clinic-data/testing/half-sent'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { listKeys } from '../src/credentials/keys.ts'
import { CONSOLE_API } from '../src/routes/console-routes.ts'
import { Passkey } from './authenticator.ts'
import { audited, HOST, OWN_PAGE, openConsole, send, signedIn, statusesOf } from './console-ground.ts'
import { addPasskey, signInWith } from './passkey-ground.ts'
import { accept, INVITED, inRole, invitationBy, peopleOf, type SignedPerson } from './people-ground.ts'

const { owner } = await testDatabase()
const opened = await openConsole(owner)

const change = (by: SignedPerson, id: string, what: string, body?: object) =>
  send(opened, `/people/${id}/${what}`, { cookie: by.cookie, ...(body && { body }) })

test('whom a program that knows no roles has made is an owner', async () => {
  const noa = await inRole(opened, owner, 'auditor')
  const { clinic } = noa
  const [id, email] = ['adm_of_before', 'before@clinic.example']
  await owner.query(sql`insert into administrator (clinic_id, id, email, name, created_at)
    values (${clinic.clinic_id}, ${id}, ${email}, 'Dan Cohen', now())`)
  const dan = { clinic, id, email }
  const people = await peopleOf(opened, { ...dan, cookie: await signedIn(opened, owner, dan) })
  assert.deepEqual(
    people.map(({ name, role }) => [name, role]),
    [
      ['Dan Cohen', 'owner'],
      ['Noa Levi', 'auditor'],
    ],
  )
})

/** The ways in which an owner stops being one. */
const ends: readonly [what: string, body?: object][] = [['role', { role: 'administrator' }], ['disable'], ['remove']]

test('the last owner keeps the role, is not disabled and not removed, also beside owners who were disabled', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const dan = await inRole(opened, owner, 'owner', noa.clinic)
  await inRole(opened, owner, 'administrator', noa.clinic)
  assert.equal((await change(noa, dan.id, 'disable')).status, 200)
  for (const [what, body] of ends) {
    const { status, json } = await change(noa, noa.id, what, body)
    assert.deepEqual([status, json.code], [409, 'conflict'], what)
  }
  assert.equal((await change(noa, noa.id, 'role', { role: 'owner' })).status, 200, 'it stays what it is')
  assert.deepEqual(await statusesOf(opened, [noa.cookie]), [200])
})

test('of two owners who take each other’s rights at the same moment, one is left', async () => {
  for (const [what, body] of ends) {
    const noa = await inRole(opened, owner, 'owner')
    const dan = await inRole(opened, owner, 'owner', noa.clinic)
    const { clinic_id } = noa.clinic
    const under = await owner.write(utcSession(clinic_id), async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${clinic_id}::text || ' people', 0))`)
      const both = [change(noa, dan.id, what, body), change(dan, noa.id, what, body)] as const
      for (const one of both) await doneOrWaiting(owner, tx, one, '%people%')
      return both
    })
    const statuses = (await Promise.all(under)).map(({ status }) => status).sort()
    assert.deepEqual(statuses, [what === 'remove' ? 204 : 200, what === 'role' ? 403 : 401], what)
    const { rows } = await owner.query(sql`select from administrator
      where clinic_id = ${clinic_id} and role = 'owner' and disabled_at is null`)
    assert.equal(rows.length, 1, what)
  }
})

test('an owner who leaves beside another waits for that one, and then stays', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const dan = await inRole(opened, owner, 'owner', noa.clinic)
  const { clinic_id } = noa.clinic
  const [first, second] = await owner.write(utcSession(clinic_id), async (tx) => {
    // The first one has looked for another owner by then.
    await tx.query(
      sql`select from sign_in_link where clinic_id = ${clinic_id} and administrator_id = ${noa.id} for update`,
    )
    const first = change(noa, noa.id, 'remove')
    await doneOrWaiting(owner, tx, first, 'delete from sign_in_link%')
    const second = change(dan, dan.id, 'remove')
    await doneOrWaiting(owner, tx, second, '%people%')
    return [first, second] as const
  })
  assert.deepEqual([(await first).status, (await second).status], [204, 409])
})

test('a role that was taken away while a form was open mints nothing', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const dan = await inRole(opened, owner, 'administrator', noa.clinic)
  const late = await halfSent(opened.app, {
    path: `${CONSOLE_API}/keys`,
    headers: { ...OWN_PAGE, host: HOST, cookie: dan.cookie, 'idempotency-key': 'once' },
    body: JSON.stringify({ name: 'Till', scopes: ['patients:read'] }),
  })
  assert.equal((await change(noa, dan.id, 'role', { role: 'auditor' })).json.data.role, 'auditor')
  const { status, text } = await late.rest()
  assert.deepEqual([status, JSON.parse(text).code], [403, 'forbidden'])
  assert.deepEqual(await listKeys(owner, noa.clinic.clinic_id), [])
  const rows = (await audited(owner, noa.clinic)).filter((row) => row.key_id === dan.id && row.status === 403)
  assert.deepEqual(
    rows.map(({ operation }) => operation),
    ['console.keys.mint'],
  )
  assert.deepEqual(await statusesOf(opened, [dan.cookie]), [200], 'the session goes on, with the new role')
})

test('a change of role is answered after the changes by the former one that it met', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const dan = await inRole(opened, owner, 'administrator', noa.clinic)
  const { clinic_id } = noa.clinic
  const body = { name: 'Till', scopes: ['patients:read'] }
  const [minting, changing] = await owner.write(utcSession(clinic_id), async (tx) => {
    // Minting refers to the clinic's row: first by an integration, and on a cluster by the key.
    await tx.query(sql`select from clinic where clinic_id = ${clinic_id} for update`)
    const minting = send(opened, '/keys', { cookie: dan.cookie, body, headers: { 'idempotency-key': 'once' } })
    await doneOrWaiting(owner, tx, minting, 'insert into integration%', 'insert into api_key%')
    const changing = change(noa, dan.id, 'role', { role: 'member' }).then(() => listKeys(owner, clinic_id))
    await doneOrWaiting(owner, tx, changing, 'select pg_advisory_xact_lock(hashtextextended($1%')
    return [minting, changing] as const
  })
  assert.deepEqual([(await changing).length, (await minting).status], [1, 201])
})

test('a disabled person is refused in every session and by every way in, and the list says so', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const dan = await inRole(opened, owner, 'developer', noa.clinic)
  const second = await signedIn(opened, owner, dan)
  const passkey = new Passkey()
  const { user_handle } = await addPasskey(opened, second, passkey)
  const { status, json } = await change(noa, dan.id, 'disable')
  assert.deepEqual([status, json.data.disabled_at !== null, json.data.sessions], [200, true, 0])
  assert.deepEqual(await statusesOf(opened, [dan.cookie, second]), [401, 401])
  assert.equal((await signInWith(opened, passkey, user_handle)).status, 401)
  assert.deepEqual(
    (await peopleOf(opened, noa)).map(({ id }) => id),
    [noa.id, dan.id],
    'disabled ones are last',
  )
  assert.equal((await change(noa, dan.id, 'role', { role: 'owner' })).status, 409, 'that would be a way back')
})

test('a removed person leaves the list and keeps the name in the log, and may be invited anew', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const { token } = await invitationBy(opened, noa)
  const { id, name } = (await accept(opened, token)).json.data.administrator
  assert.equal((await change(noa, id, 'remove')).status, 204)
  assert.deepEqual(
    (await peopleOf(opened, noa)).map((one) => one.id),
    [noa.id],
  )
  const actors = await send(opened, '/activity/actors', { method: 'GET', cookie: noa.cookie })
  assert.equal(actors.json.data.find((actor: { id: string }) => actor.id === id)?.name, name)
  for (const [what, body] of ends) assert.equal((await change(noa, id, what, body)).status, 404, what)
  const again = await invitationBy(opened, noa)
  const { administrator } = (await accept(opened, again.token)).json.data
  assert.notEqual(administrator.id, id)
  assert.equal(administrator.email, INVITED.email)
})

test('an owner sees a person’s sessions, and ends one of them or all', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const dan = await inRole(opened, owner, 'member', noa.clinic)
  const [second, third] = [await signedIn(opened, owner, dan), await signedIn(opened, owner, dan)]
  const list = async (id: string) =>
    (await send(opened, `/people/${id}/sessions`, { method: 'GET', cookie: noa.cookie })).json.data
  const sessions = await list(dan.id)
  assert.deepEqual([sessions.length, sessions[0].way, sessions[0].is_this], [3, 'link', false])
  const text = JSON.stringify(sessions)
  for (const cookie of [dan.cookie, second, third]) assert.equal(text.includes(cookie.split('=')[1] ?? ''), false)
  const end = (body: object) => send(opened, `/people/${dan.id}/sessions/end`, { cookie: noa.cookie, body })
  // The latest used is the first of the list.
  assert.equal((await end({ session_id: sessions[0].id })).status, 204)
  assert.deepEqual(await statusesOf(opened, [dan.cookie, second, third]), [200, 200, 401])
  assert.equal((await end({})).status, 204)
  assert.deepEqual(await statusesOf(opened, [dan.cookie, second]), [401, 401])
  assert.deepEqual(
    (await list(noa.id)).map((one: { is_this: boolean }) => one.is_this),
    [true],
  )
})

test('the people of another clinic are unknown', async () => {
  const [noa, far] = [await inRole(opened, owner, 'owner'), await inRole(opened, owner, 'owner')]
  await inRole(opened, owner, 'owner', far.clinic)
  for (const [what, body] of [...ends, ['sessions/end', {}] as const])
    assert.equal((await change(noa, far.id, what, body)).status, 404, what)
  const sessions = await send(opened, `/people/${far.id}/sessions`, { method: 'GET', cookie: noa.cookie })
  assert.equal(sessions.status, 404)
  assert.deepEqual(await statusesOf(opened, [far.cookie]), [200])
})
