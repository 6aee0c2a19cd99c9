// How an owner says which group gives which role: what is asked for before, and what is not taken.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { GROUP_ROLES, type rolesByGroup } from '@clinic-data/console-contract/role-by-group'
import type { Role } from '@clinic-data/console-contract/role-names'
import { sql } from '@clinic-data/database'
import { IdentityProvider } from '@clinic-data/testing/receivers/identity-provider'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { updateClinic } from '../src/clinics.ts'
import { NOTHING_ELSE } from '../src/credentials/credentials.ts'
import { approvalGround, codesOf, WAITS } from './approval-ground.ts'
import { openConsole, send } from './console-ground.ts'
import { groupGround, MAPPED } from './group-ground.ts'
import type { SignedPerson } from './people-ground.ts'

const { owner } = await testDatabase()
const provider = await IdentityProvider.start()
after(() => provider.close())
provider.groups = new Map()
const opened = await openConsole(owner, { openId: { ...provider.settings, groupsClaim: 'groups' } })
const { clinicWith, set, read } = groupGround(owner, opened, provider)

test('a group is asked for before it is added: care, approval, a provider that tells groups, and no more than some', async () => {
  const { noa } = await clinicWith({})
  const forget = () =>
    owner.query(sql`update administrator_session set proven_at = null
      where clinic_id = ${noa.clinic.clinic_id} and administrator_id = ${noa.id}`)
  await set(noa, 'staff', 'developer')
  await forget()
  const codes = async (role: (typeof rolesByGroup)[number] | null) => codesOf(await set(noa, 'staff', role))
  assert.deepEqual(await codes('administrator'), [403, 'forbidden', 'confirmation_required'])
  assert.deepEqual(await codes('member'), [403, 'forbidden', 'confirmation_required'])
  assert.deepEqual(await codes('developer'), [200, undefined, undefined])
  assert.deepEqual(await codes(null), [200, undefined, undefined])
  const other = await clinicWith({})
  for (let n = 0; n < GROUP_ROLES.most; n++) assert.equal((await set(other.noa, `group ${n}`, 'member')).status, 200)
  const tooMany = await set(other.noa, 'one more', 'member')
  assert.deepEqual(
    [tooMany.status, tooMany.json.detail],
    [409, 'At most 50 groups give roles in a clinic. Take one off first.'],
  )
  assert.equal((await read(other.noa)).data.length, GROUP_ROLES.most)
  const silent = await openConsole(owner, { openId: provider.settings, now: opened.clock.now })
  const { noa: tal } = await clinicWith({ staff: 'member' })
  const refused = await send(silent, '/group-roles', { cookie: tal.cookie, body: { group: 'x', role: 'member' } })
  assert.deepEqual([refused.status, refused.json.code], [409, 'conflict'])
  const off = await send(silent, '/group-roles', { cookie: tal.cookie, body: { group: 'staff', role: null } })
  assert.deepEqual([off.status, off.json.is_offered, off.json.data], [200, false, []])
  for (const body of [
    { group: '', role: 'member' },
    { group: '  ', role: 'member' },
    { group: 'x'.repeat(201), role: 'member' },
    { group: 'x', role: 'owner' },
    { group: 'x' },
  ])
    assert.equal(
      (await send(opened, '/group-roles', { cookie: other.noa.cookie, body })).status,
      400,
      JSON.stringify(body),
    )
})

test('where the clinic wants approvals, a group that gives people who approve waits for one', async () => {
  const { clinicOfTwo, decide, latest } = approvalGround(owner, opened)
  const { noa, dan } = await clinicOfTwo()
  const give = (who: SignedPerson, role: Role | null) => set(who, 'clinic-admins', role)
  assert.deepEqual(codesOf(await give(noa, 'developer')), [200, undefined, undefined])
  assert.deepEqual(codesOf(await give(noa, 'administrator')), WAITS)
  const asked = await latest(dan)
  assert.deepEqual(JSON.parse(asked.request).shown, { name: 'clinic-admins', former: { role: 'developer' } })
  await decide(dan, asked, 'approve')
  assert.deepEqual(codesOf(await give(noa, 'administrator')), [200, undefined, undefined])
  assert.deepEqual(codesOf(await give(noa, null)), [200, undefined, undefined])
})

test('a clinic demands a passkey, or gives roles by group, and not both', async () => {
  const { noa } = await clinicWith(MAPPED)
  await owner.query(sql`update administrator_session set way = 'passkey' where clinic_id = ${noa.clinic.clinic_id}`)
  const demand = () => send(opened, '/sign-in-demand', { cookie: noa.cookie, body: { demand: 'passkey' } })
  assert.deepEqual(codesOf(await demand()).slice(0, 2), [409, 'conflict'])
  for (const group of Object.keys(MAPPED)) await set(noa, group, null)
  assert.equal((await demand()).status, 200)
  assert.deepEqual(codesOf(await set(noa, 'staff', 'member')).slice(0, 2), [409, 'conflict'])
  await updateClinic(owner, noa.clinic.clinic_id, { sign_in_demand: 'any' }, NOTHING_ELSE)
})
