// Roles that groups of the identity provider give: who gets which, what takes them away, and how soon.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { rolesByGroup } from '@clinic-data/console-contract/role-by-group'
import type { Role } from '@clinic-data/console-contract/role-names'
import { sql, utcSession } from '@clinic-data/database'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { applyGroups } from '../src/openid/apply-groups.ts'
import { lockPeople } from '../src/people/people-lock.ts'
import { approvalGround, codesOf, WAITS } from './approval-ground.ts'
import { connectApp, connecting } from './connecting.ts'
import { audited, openConsole, type Person, send } from './console-ground.ts'
import { groupGround, MAPPED } from './group-ground.ts'
import { inRole, setRole } from './people-ground.ts'

const { owner } = await testDatabase()
const provider = await IdentityProvider.start()
after(() => provider.close())
provider.groups = new Map()
const { connect, token } = connecting(owner)
const openId = { ...provider.settings, groupsClaim: 'groups' }
const opened = await openConsole(owner, { openId, connect })
const { clinicWith, set, groups, signIn, listed, read, roleOf, minted } = groupGround(owner, opened, provider)

test('of several groups the one that gives the first role of the list counts, and the log says who got it', async () => {
  const { noa, dan } = await clinicWith(MAPPED)
  groups(dan, 'elsewhere', 'audit', 'clinic-admins', 'builders')
  const { session } = await signIn(dan)
  assert.deepEqual(await roleOf(session), 'administrator')
  const shown = (await listed(noa)).find(({ id }) => id === dan.id)
  assert.deepEqual([shown?.role, shown?.role_group], ['administrator', 'clinic-admins'])
  const rows = (await audited(owner, noa.clinic)).filter(
    (row) => row.key_id === dan.id && !row.operation.endsWith('link'),
  )
  assert.deepEqual(
    rows.map(({ operation, status, resource_ids }) => [operation, status, resource_ids]),
    [
      ['console.people.role_by_group', 200, [dan.id]],
      ['console.sign_in.provider', 200, []],
    ],
  )
  for (const role of rolesByGroup.slice(1)) {
    const [group = ''] = Object.entries(MAPPED).find(([, one]) => one === role) ?? []
    groups(dan, group, 'elsewhere')
    assert.equal(await roleOf((await signIn(dan)).session), role)
  }
})

test('a role by hand stays while no group gives one, and an owner stays one whatever the groups say', async () => {
  const { noa, dan } = await clinicWith(MAPPED)
  groups(dan, 'elsewhere', 'CLINIC-ADMINS', 'clinic-admins ', 'clinic')
  assert.equal(await roleOf((await signIn(dan)).session), 'auditor')
  groups(noa, 'staff')
  assert.equal(await roleOf((await signIn(noa)).session), 'owner')
  assert.deepEqual(
    (await listed(noa)).map(({ role_group }) => role_group),
    [null, null],
  )
})

test('names of groups in any other form give nothing', async () => {
  const { dan } = await clinicWith({ ...MAPPED, '7': 'administrator', true: 'administrator' })
  for (const claim of [undefined, null, 7, true, { builders: true }, [['builders']], [7, null, {}], '', 'build', []]) {
    const { session } = await signIn(dan, { claims: { groups: claim } })
    assert.equal(await roleOf(session), 'auditor', JSON.stringify(claim))
  }
  // Some providers write a single group as a text.
  const { session } = await signIn(dan, { claims: { groups: 'builders' } })
  assert.equal(await roleOf(session), 'developer')
})

test('an e-mail counts as verified by the answer that names it, though groups are in another one', async () => {
  const { noa, dan } = await clinicWith(MAPPED)
  const whenAsked = { email: noa.email, email_verified: true, groups: ['clinic-admins'] }
  const unverified = { email_verified: undefined, groups: undefined }
  assert.equal((await signIn(dan, { claims: unverified, whenAsked })).session, null)
  const { session } = await signIn(dan, { claims: { groups: undefined }, whenAsked })
  assert.equal((await send(opened, '/session', { method: 'GET', cookie: session })).json.data.administrator.id, dan.id)
})

test('groups give roles in their own clinic alone', async () => {
  const [carmel, tavor] = [await clinicWith(MAPPED), await clinicWith({})]
  groups(tavor.dan, 'clinic-admins')
  assert.equal(await roleOf((await signIn(tavor.dan)).session), 'auditor')
  assert.deepEqual((await read(tavor.noa)).data, [])
  assert.equal((await read(carmel.noa)).data.length, 4)
})

test('a group that is lost while signed in ends every right within a minute: of the session, and of connected apps', async () => {
  const { noa, dan } = await clinicWith(MAPPED)
  groups(dan, 'clinic-admins')
  const { session } = await signIn(dan)
  const other = (await signIn(dan)).session
  const app = await connectApp(opened, { owner, cookie: session ?? '', token })
  groups(dan, 'elsewhere')
  // It was asked just now.
  assert.equal(await minted(session), 201)
  opened.clock.advance(0.6)
  assert.equal(await minted(session), 401)
  assert.equal(await minted(other), 401)
  assert.equal(await roleOf(session), null)
  const connection = await send(opened, `/connections/${app.id}`, { method: 'GET', cookie: noa.cookie })
  assert.notEqual(connection.json.data.ended_at, null)
  const ended = (await audited(owner, noa.clinic)).filter(({ operation }) => operation === 'console.people.group_ended')
  assert.deepEqual(
    ended.map(({ key_id, status }) => [key_id, status]),
    [[dan.id, 200]],
  )
  const again = await signIn(dan)
  assert.deepEqual([again.place, again.session], ['/console/#openid=refused', null])
  const shown = (await listed(noa)).find(({ id }) => id === dan.id)
  assert.deepEqual(
    [shown?.role, shown?.role_group, shown?.sessions, shown?.connections],
    ['member', 'clinic-admins', 0, 0],
  )
  assert.notEqual(shown?.group_ended_at, null)
  assert.equal((await read(noa)).data.find(({ group }) => group === 'clinic-admins')?.people, 0)
  // Until an owner gives a role by hand, or the provider the group.
  await send(opened, `/people/${dan.id}/role`, { cookie: noa.cookie, body: { role: 'auditor' } })
  assert.equal(await roleOf((await signIn(dan)).session), 'auditor')
  groups(dan, 'builders')
  assert.equal(await roleOf((await signIn(dan)).session), 'developer')
})

test('whoever has lost the group of the narrowest role is let in again by it, and not by what it gives anew meanwhile', async () => {
  const { noa, dan } = await clinicWith(MAPPED)
  groups(dan, 'staff')
  await signIn(dan)
  groups(dan)
  assert.equal((await signIn(dan)).session, null)
  await set(noa, 'staff', 'auditor')
  assert.notEqual((await listed(noa)).find(({ id }) => id === dan.id)?.group_ended_at, null)
  await set(noa, 'staff', 'member')
  groups(dan, 'staff')
  assert.equal(await roleOf((await signIn(dan)).session), 'member')
  assert.equal((await listed(noa)).find(({ id }) => id === dan.id)?.group_ended_at, null)
  const rows = (await audited(owner, noa.clinic)).filter(
    (row) => row.operation.includes('group') && row.key_id === dan.id,
  )
  assert.deepEqual(
    rows.map(({ operation }) => operation),
    ['console.people.role_by_group', 'console.people.group_ended', 'console.people.role_by_group'],
  )
})

test('what whoever loses the group has approved lets nothing through', async () => {
  const { demand, decide, latest, mint } = approvalGround(owner, opened)
  const { noa, dan } = await clinicWith({ 'clinic-admins': 'administrator' })
  groups(dan, 'clinic-admins')
  const { session } = await signIn(dan)
  const approver = { ...dan, cookie: session ?? '' }
  await demand(noa, true)
  assert.deepEqual(codesOf(await mint(noa)), WAITS)
  assert.deepEqual(await decide(approver, await latest(approver), 'approve'), [200, 'approved'])
  groups(dan)
  opened.clock.advance(0.6)
  assert.equal(await minted(session), 401)
  assert.deepEqual(codesOf(await mint(noa)), WAITS)
})

test('apps end in the transaction in which the group’s rights end, also of a process that is killed after it', async () => {
  const { dan } = await clinicWith(MAPPED)
  groups(dan, 'clinic-admins')
  const { session } = await signIn(dan)
  await connectApp(opened, { owner, cookie: session ?? '', token })
  const { clinic_id } = dan.clinic
  await owner.write(utcSession(clinic_id), (tx) => applyGroups(tx, { clinic_id, id: dan.id }, [], opened.clock.now()))
  const { rows } = await owner.query<{ is_ended: boolean }>(sql`select revoked_at is not null as is_ended
    from api_key where clinic_id = ${clinic_id} and id in (select id from connection where clinic_id = ${clinic_id})`)
  assert.deepEqual(rows, [{ is_ended: true }])
})

test('another role of the groups holds within a minute, in the session that has begun', async () => {
  const { noa, dan } = await clinicWith(MAPPED)
  groups(dan, 'clinic-admins')
  const { session } = await signIn(dan)
  await connectApp(opened, { owner, cookie: session ?? '', token })
  groups(dan, 'audit')
  opened.clock.advance(0.6)
  assert.equal(await minted(session), 403)
  assert.equal(await roleOf(session), 'auditor')
  const { json } = await send(opened, '/connections', { method: 'GET', cookie: noa.cookie })
  assert.deepEqual(
    json.data.map(({ ended_at }: { ended_at: string | null }) => ended_at === null),
    [false],
  )
  groups(dan, 'clinic-admins')
  opened.clock.advance(0.6)
  assert.equal(await minted(session), 201)
})

test('no other way of signing in opens anything for whoever has a role by group', async () => {
  const { noa, dan } = await clinicWith({ 'clinic-admins': 'administrator' })
  const byLink = dan.cookie
  assert.equal((await send(opened, '/activity', { method: 'GET', cookie: byLink })).status, 200)
  const before = (await signIn(dan)).session
  groups(dan, 'clinic-admins')
  const { session } = await signIn(dan)
  assert.deepEqual([await minted(session), await minted(byLink)], [201, 403])
  const held = (await send(opened, '/session', { method: 'GET', cookie: byLink })).json.data.held
  assert.equal(held.demand, 'provider')
  // It began by the provider before a group gave the role: nothing tells whether it does.
  assert.equal(await minted(before), 401)
  assert.equal((await listed(noa)).length, 2)
})

test('a role by hand holds until the next sign-in by the provider, and that of an owner for good', async () => {
  const { noa, dan } = await clinicWith(MAPPED)
  groups(dan, 'builders')
  const { session } = await signIn(dan)
  const give = (role: Role) => send(opened, `/people/${dan.id}/role`, { cookie: noa.cookie, body: { role } })
  const given = (await give('member')).json.data
  assert.deepEqual([given.role, given.role_group], ['member', null])
  opened.clock.advance(2)
  assert.equal(await roleOf(session), 'member')
  assert.equal(await roleOf((await signIn(dan)).session), 'developer')
  await give('owner')
  assert.equal(await roleOf((await signIn(dan)).session), 'owner')
})

test('what a group gives is changed and taken off at once, for whoever has a role by it', async () => {
  const { noa, dan } = await clinicWith(MAPPED)
  groups(dan, 'clinic-admins', 'staff')
  const { session } = await signIn(dan)
  assert.deepEqual(
    (await read(noa)).data.map(({ group, role, people }) => [group, role, people]),
    [
      ['audit', 'auditor', 0],
      ['builders', 'developer', 0],
      ['clinic-admins', 'administrator', 1],
      ['staff', 'member', 0],
    ],
  )
  await set(noa, 'clinic-admins', 'auditor')
  assert.deepEqual([await roleOf(session), await minted(session)], ['auditor', 403])
  await set(noa, 'clinic-admins', null)
  assert.equal(await roleOf(session), null)
  // Another of the groups gives a role still.
  assert.equal(await roleOf((await signIn(dan)).session), 'member')
  assert.equal((await set(noa, 'unknown', null)).status, 200)
})

test('a group shows since when it gives its role, and a person since when no group does', async () => {
  const { noa, dan } = await clinicWith({ staff: 'member' })
  const since = async () => new Date((await read(noa)).data[0]?.created_at ?? 0)
  const later = () => {
    opened.clock.advance(0.6)
    return opened.clock.now()
  }
  const first = await since()
  const changing = later()
  assert.ok(first < changing)
  await set(noa, 'staff', 'member')
  assert.deepEqual(await since(), first)
  await set(noa, 'staff', 'developer')
  assert.ok((await since()) >= changing)
  groups(dan, 'staff')
  await signIn(dan)
  const removing = later()
  assert.ok((await since()) < removing)
  await set(noa, 'staff', null)
  await set(noa, 'staff', 'developer')
  assert.ok((await since()) >= removing)
  const ended = (await listed(noa)).find(({ id }) => id === dan.id)?.group_ended_at
  assert.ok(new Date(ended ?? 0) >= removing)
})

test('a sign-in with groups is done in turn with whoever changes people, and one without waits for nobody', async () => {
  const { dan } = await clinicWith(MAPPED)
  const without = await openConsole(owner, { openId: provider.settings, now: opened.clock.now })
  groups(dan, 'staff')
  const { clinic_id } = dan.clinic
  const { waiting } = await owner.write(utcSession(clinic_id), async (tx) => {
    await lockPeople(tx, clinic_id)
    const free = groupGround(owner, without, provider).signIn(dan)
    const isWaiting = doneOrWaiting(owner, tx, free, '%people%').then(() => 'it waits')
    assert.equal(await Promise.race([free.then(({ place }) => place), isWaiting]), '/console/')
    const waiting = signIn(dan)
    await doneOrWaiting(owner, tx, waiting, '%people%')
    await tx.query(sql`delete from group_role where clinic_id = ${clinic_id}`)
    return { waiting }
  })
  assert.equal(await roleOf((await waiting).session), 'auditor')
})

test('whoever was disabled, or has left the clinic, gets no role by a group, and loses none', async () => {
  const { noa, dan } = await clinicWith(MAPPED)
  groups(dan, 'clinic-admins')
  await signIn(dan)
  await send(opened, `/people/${dan.id}/disable`, { cookie: noa.cookie, body: {} })
  const { session } = await signIn(dan)
  assert.equal(session, null)
  const ofDan = async () => (await listed(noa)).find(({ id }) => id === dan.id)
  const disabled = await ofDan()
  for (const role of ['developer', null] as const) {
    assert.equal((await set(noa, 'clinic-admins', role)).status, 200)
    assert.deepEqual(await ofDan(), disabled)
  }
  await set(noa, 'clinic-admins', 'administrator')
  const someone: Person = await inRole(opened, owner, 'member')
  groups(someone, 'clinic-admins')
  assert.equal((await signIn({ ...someone, clinic: noa.clinic })).session, null)
  await setRole(owner, noa, 'owner')
})
