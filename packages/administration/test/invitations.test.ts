// Tests invitations: each makes one account, for one address, once, while it is open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { audited, HOST, openConsole, pairOf, send } from './console-ground.ts'
import { accept, faultOf, INVITED, inRole, invitationBy, look, peopleOf } from './people-ground.ts'

const { owner } = await testDatabase()
const opened = await openConsole(owner)

test('an owner’s invitation makes an account with its role, and signs its person in', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const { token, invitation, url, mail } = await invitationBy(opened, noa)
  assert.deepEqual([url.startsWith(`http://${HOST}/console/#invite=`), mail], [true, 'off'])
  const listed = await send(opened, '/people', { method: 'GET', cookie: noa.cookie })
  assert.deepEqual(listed.json.invitations, [invitation])
  const seen = (await look(opened, token)).json.data
  assert.deepEqual([seen.name, seen.role, seen.made_by], [INVITED.name, 'auditor', 'Noa Levi'])
  assert.equal(JSON.stringify(seen).includes(INVITED.email), false, 'who accepts must know the e-mail')

  const { status, json, setCookie } = await accept(opened, token, ' DANA@clinic.example ')
  assert.equal(status, 200)
  const { administrator, needs_no_password } = json.data
  assert.deepEqual([administrator.email, administrator.role, needs_no_password], [INVITED.email, 'auditor', true])
  const session = await send(opened, '/session', { method: 'GET', cookie: pairOf(setCookie) })
  assert.equal(session.json.data.administrator.role, 'auditor')
  const people = await send(opened, '/people', { method: 'GET', cookie: noa.cookie })
  assert.deepEqual(
    people.json.data.map(({ name, role }: { name: string; role: string }) => [name, role]),
    [
      [INVITED.name, 'auditor'],
      ['Noa Levi', 'owner'],
    ],
  )
  assert.deepEqual(people.json.invitations, [])
  const rows = (await audited(owner, noa.clinic)).map(({ operation, key_id }) => [operation, key_id])
  assert.deepEqual(rows.slice(-2), [
    ['console.invitations.make', noa.id],
    ['console.invitations.accept', administrator.id],
  ])
})

test('a used, a withdrawn, an expired and a guessed invitation make nobody, and each says why', async () => {
  const timed = await openConsole(owner)
  const noa = await inRole(timed, owner, 'owner')
  const used = await invitationBy(timed, noa, { ...INVITED, email: 'used@clinic.example' })
  assert.equal((await accept(timed, used.token, 'used@clinic.example')).status, 200)
  const withdrawn = await invitationBy(timed, noa)
  const withdraw = `/invitations/${withdrawn.invitation.id}/withdraw`
  assert.equal((await send(timed, withdraw, { cookie: noa.cookie })).status, 204)
  const expired = await invitationBy(timed, noa, { ...INVITED, email: 'late@clinic.example' })
  const people = (await peopleOf(timed, noa)).length
  timed.clock.advance(72 * 60)
  const guess = `${noa.clinic.clinic_id}.${'a'.repeat(43)}`
  const tokens = { used: used.token, withdrawn: withdrawn.token, expired: expired.token, unknown: guess }
  const said = new Set<string>()
  for (const [code, token] of Object.entries(tokens)) {
    for (const answer of [await look(timed, token), await accept(timed, token, 'late@clinic.example')]) {
      assert.deepEqual(faultOf(answer), [422, `#/token ${code}`])
      said.add(answer.json.detail)
    }
  }
  assert.equal(said.size, 4)
  const { rows } = await owner.query(sql`select from administrator where clinic_id = ${noa.clinic.clinic_id}`)
  assert.equal(rows.length, people)
})

test('a text that is no token is no invitation', async () => {
  for (const token of ['x', 'no-clinic.x', `../x.${'a'.repeat(43)}`, `nowhere.${'a'.repeat(43)}`])
    assert.deepEqual(faultOf(await accept(opened, token)), [422, '#/token unknown'])
})

test('an invitation is for its own address, and whoever tries others is locked out', async () => {
  const timed = await openConsole(owner)
  const noa = await inRole(timed, owner, 'owner')
  const { token } = await invitationBy(timed, noa)
  for (let tries = 0; tries < 10; tries++)
    assert.deepEqual(faultOf(await accept(timed, token, `dan.${tries}@clinic.example`)), [422, '#/email other_address'])
  assert.equal((await accept(timed, token)).status, 429, 'even the right one')
  assert.equal((await peopleOf(timed, noa)).length, 1)
  timed.clock.advance(16)
  assert.equal((await accept(timed, token)).status, 200)
})

test('of two who accept at once, one is in and the other learns that it was used', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const { token } = await invitationBy(opened, noa)
  const { clinic_id } = noa.clinic
  const [first, second] = await owner.write(utcSession(clinic_id), async (tx) => {
    await tx.query(sql`select from invitation where clinic_id = ${clinic_id} for update`)
    const first = accept(opened, token)
    await doneOrWaiting(owner, tx, first, 'update invitation%')
    const second = accept(opened, token)
    await doneOrWaiting(owner, tx, second, '%people%', 'insert into administrator%')
    return [first, second] as const
  })
  assert.equal((await first).status, 200)
  assert.deepEqual(faultOf(await second), [422, '#/token used'])
  assert.equal((await peopleOf(opened, noa)).length, 2)
})

test('an invitation ends with the rights of the owner who made it', async () => {
  for (const end of ['disable', 'role'] as const) {
    const noa = await inRole(opened, owner, 'owner')
    const dan = await inRole(opened, owner, 'owner', noa.clinic)
    const { token } = await invitationBy(opened, dan)
    const body = end === 'role' ? { role: 'administrator' } : undefined
    const { status } = await send(opened, `/people/${dan.id}/${end}`, { cookie: noa.cookie, ...(body && { body }) })
    assert.equal(status, 200)
    assert.deepEqual(faultOf(await accept(opened, token)), [422, '#/token withdrawn'], end)
  }
})

test('a new invitation of an e-mail replaces the former one', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const first = await invitationBy(opened, noa)
  const second = await invitationBy(opened, noa, { ...INVITED, role: 'member' })
  assert.deepEqual(faultOf(await accept(opened, first.token)), [422, '#/token withdrawn'])
  assert.equal((await accept(opened, second.token)).json.data.administrator.role, 'member')
})

test('an e-mail with an account is not invited, and an invitation of before does not make a second one', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const { token } = await invitationBy(opened, noa, { ...INVITED, email: 'both@clinic.example' })
  const dan = await inRole(opened, owner, 'member', noa.clinic)
  await owner.write(utcSession(noa.clinic.clinic_id), (tx) =>
    tx.query(sql`update administrator set email = 'both@clinic.example'
      where clinic_id = ${noa.clinic.clinic_id} and id = ${dan.id}`),
  )
  assert.equal((await accept(opened, token, 'both@clinic.example')).status, 409)
  const again = { ...INVITED, email: 'Both@clinic.example' }
  assert.equal((await send(opened, '/invitations', { cookie: noa.cookie, body: again })).status, 409)
  assert.equal((await peopleOf(opened, noa)).length, 2)
})

test('an invitation of another clinic is unknown', async () => {
  const [noa, far] = [await inRole(opened, owner, 'owner'), await inRole(opened, owner, 'owner')]
  const { token, invitation } = await invitationBy(opened, noa)
  const moved = token.replace(noa.clinic.clinic_id, far.clinic.clinic_id)
  assert.deepEqual(faultOf(await accept(opened, moved)), [422, '#/token unknown'])
  const withdraw = `/invitations/${invitation.id}/withdraw`
  assert.equal((await send(opened, withdraw, { cookie: far.cookie })).status, 404)
  assert.equal((await accept(opened, token)).status, 200)
  assert.equal((await send(opened, withdraw, { cookie: noa.cookie })).status, 409, 'it was accepted')
})

test('what is no e-mail is not invited, and a clinic makes a hundred invitations in three days', async () => {
  const noa = await inRole(opened, owner, 'owner')
  for (const email of ['dana', 'a@b@c.example', 'x@y.example, z@y.example', 'x@y.example\r\nbcc: z@y.example'])
    assert.deepEqual(faultOf(await send(opened, '/invitations', { cookie: noa.cookie, body: { ...INVITED, email } })), [
      422,
      '#/email format',
    ])
  const { clinic_id } = noa.clinic
  await owner.write(utcSession(clinic_id), (tx) =>
    tx.query(sql`insert into invitation (clinic_id, id, token_hash, email, name, role, made_by, created_at, expires_at, withdrawn_at)
      select ${clinic_id}, 'inv_' || i, md5('a' || i) || md5('b' || i), 'x@clinic.example', 'X', 'member', ${noa.id}, now(),
        now() + interval '72 hours', now() from generate_series(1, 100) i`),
  )
  const { status, headers } = await send(opened, '/invitations', { cookie: noa.cookie, body: INVITED })
  assert.deepEqual([status, headers['retry-after']], [429, '3600'])
})
