// Tests that a change that an operator makes for a clinic by `clinicd` stands in the clinic's audit log, with the change or not at all.
import assert from 'node:assert/strict'
import { userInfo } from 'node:os'
import { test } from 'node:test'
import { listActivity } from '@clinic-data/administration/pages/activity'
import { namedIn } from '@clinic-data/audit/stored-ids'
import * as schema from '@clinic-data/backend/migrations'
import { sql, utcSession } from '@clinic-data/database'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { clinicWithoutKeys, testClinic } from '@clinic-data/testing/grounds/test-clinic'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { operator } from '@clinic-data/testing/shared/operator'

// Its own: one test lets the audit log refuse every row.
const { url, owner } = await ownGround(schema)
const environment = { DATABASE_URL: url, SECRET_KEYS: newSecretKeys() }
const run = (argv: readonly string[]) => operator.run(argv, environment)

async function changesTo(clinic_id: string) {
  const of = (...argv: string[]) => run([...argv, '--clinic', clinic_id, '--json'])
  const json = async (...argv: string[]) => JSON.parse((await of(...argv)).out)
  const person = ['--email', 'noa@clinic.example', '--name', 'Noa Levi']
  const made = await json('admins', 'create', ...person)
  const key = await json('keys', 'mint', '--scopes', 'reads')
  const token = await json('ingest-tokens', 'mint')
  await json('admins', 'link', made.id)
  await json('admins', 'unbind', made.id)
  await json('admins', 'role', made.id, '--role', 'owner')
  await json('admins', 'disable', made.id)
  await json('keys', 'revoke', key.id)
  await json('ingest-tokens', 'revoke', token.id)
  return { administrator: made.id, key: key.id, token: token.id }
}

test('each change of an operator’s command has a row that names the operator and what was changed', async () => {
  const clinic = await testClinic(owner)
  const { clinic_id } = clinic
  const { administrator, key, token } = await changesTo(clinic_id)
  const rows = await owner.read<{ operation: string; key_id: string; status: number; resource_ids: string[] }>(
    utcSession(clinic_id),
    sql`select operation, key_id, status, resource_ids from audit where clinic_id = ${clinic_id} order by id`,
  )
  const key_id = `operator:${userInfo().username}`
  assert.deepEqual(
    rows.map((row) => ({ ...row, resource_ids: namedIn(row.resource_ids).resource_ids })),
    [
      ['operator.admins.create', administrator],
      ['operator.keys.mint', key],
      ['operator.ingest_tokens.mint', token],
      ['operator.admins.link', administrator],
      ['operator.admins.unbind', administrator],
      ['operator.admins.role', administrator],
      ['operator.admins.disable', administrator],
      ['operator.keys.revoke', key],
      ['operator.ingest_tokens.revoke', token],
    ].map(([operation, id]) => ({ operation, key_id, status: 200, resource_ids: [id] })),
  )
  const { data } = await listActivity(owner, clinic, { limit: 1 }, new Date())
  assert.deepEqual(data[0]?.who, { id: key_id, name: key_id, kind: 'operator', connected_by: null })
  const shown = await run(['audit', 'show', '--clinic', clinic_id])
  assert.match(shown.out, /operator\.keys\.mint/)
})

test('whom a command makes is an owner unless it says otherwise, and the last owner keeps the role', async () => {
  const { clinic_id } = await clinicWithoutKeys(owner)
  const admins = (...argv: string[]) => run(['admins', ...argv, '--clinic', clinic_id, '--json'])
  const make = async (email: string, ...more: string[]) =>
    JSON.parse((await admins('create', '--email', email, '--name', 'Noa Levi', ...more)).out)
  const [noa, dan] = [await make('noa@clinic.example'), await make('dan@clinic.example', '--role', 'auditor')]
  assert.deepEqual([noa.role, dan.role], ['owner', 'auditor'])
  const last = await admins('role', noa.id, '--role', 'member')
  assert.match(last.errors, /last owner/)
  assert.match(
    (await admins('role', dan.id, '--role', 'boss')).errors,
    /owner, administrator, developer, auditor, member/,
  )
  await admins('role', dan.id, '--role', 'owner')
  await admins('role', noa.id, '--role', 'member')
  const listed = JSON.parse((await admins('list')).out)
  assert.deepEqual(listed.map(({ id, role }: Record<string, string>) => [id, role]).sort(), [
    [noa.id, 'member'],
    [dan.id, 'owner'],
  ])
})

test('without its row nothing is changed', async (t) => {
  const { clinic_id } = await clinicWithoutKeys(owner)
  await owner.query(sql`alter table audit add constraint no_more_rows check (false) not valid`)
  t.after(() => owner.query(sql`alter table audit drop constraint no_more_rows`))
  for (const argv of [
    ['keys', 'mint', '--scopes', 'reads'],
    ['ingest-tokens', 'mint'],
    ['admins', 'create', '--email', 'noa@clinic.example', '--name', 'Noa Levi'],
  ]) {
    assert.equal((await run([...argv, '--clinic', clinic_id])).code, 1, argv.join(' '))
    const [group = ''] = argv
    assert.equal((await run([group, 'list', '--clinic', clinic_id, '--json'])).out, '[]\n')
  }
})
