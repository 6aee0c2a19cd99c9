// The console with an owner whom row level security binds, as on every managed PostgreSQL: the second wall between clinics.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { type Database, openDatabase, sql, utcSession } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { disableAdministrator, listAdministrators } from '../src/administrators.ts'
import {
  audited,
  newPassword,
  openConsole,
  person,
  send,
  settingPassword,
  signedIn,
  statusesOf,
} from './console-ground.ts'

const { owner, ownerUrl } = await testDatabase()
const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
const skip = citus.length > 0 && 'on a cluster the owner is exempt, because shards could not move otherwise'

/** A login with the rights of the owner, but no superuser. It ends with the test, before the database does. */
async function boundOwner(t: TestContext): Promise<Database> {
  const [username, password] = [`bound_${randomBytes(6).toString('hex')}`, newPassword()]
  const { rows } = await owner.query<{ name: string }>(sql`select current_user::text as name`)
  const ownerName = rows[0]?.name ?? assert.fail()
  await owner.maintain((tx) => tx.script(`create role ${username} login password '${password}' in role "${ownerName}"`))
  const bound = await openDatabase({ url: Object.assign(new URL(ownerUrl), { username, password }).href })
  t.after(async () => {
    await bound.close()
    await owner.query(sql`drop role ${sql.identifier(username)}`)
  })
  return bound
}

test('an owner bound by row level security can do all of the console’s work', { skip }, async (t) => {
  const bound = await boundOwner(t)
  const opened = await openConsole(bound)
  const noa = await person(bound, (await person(owner)).clinic)
  const { cookie, password } = await settingPassword(opened, bound, noa)
  const wrong = { clinic_id: noa.clinic.clinic_id, email: noa.email, password: newPassword() }
  assert.equal((await send(opened, '/sign-in', { body: wrong })).status, 401)
  assert.equal((await send(opened, '/sign-in', { body: { ...wrong, password } })).status, 200)
  const headers = { 'idempotency-key': randomUUID() }
  const body = { name: 'Web site', scopes: ['patients:read'] }
  const minted = await send(opened, '/keys', { cookie, headers, body })
  assert.equal(minted.status, 201)
  assert.equal((await send(opened, '/keys', { cookie, headers, body })).status, 409)
  assert.equal((await send(opened, `/keys/${minted.json.data.id}/revoke`, { cookie })).status, 200)
  assert.equal((await send(opened, '/keys', { method: 'GET', cookie })).json.data.length, 1)
  assert.equal((await audited(owner, noa.clinic)).length, 7)
  await disableAdministrator(bound, { clinic_id: noa.clinic.clinic_id, id: noa.id, now: new Date() })
  assert.deepEqual(await statusesOf(opened, [cookie]), [401])
  assert.equal((await listAdministrators(bound, noa.clinic.clinic_id)).length, 2)
})

test('under one clinic’s settings no row of another’s console is seen, whatever a statement asks for', {
  skip,
}, async (t) => {
  const bound = await boundOwner(t)
  const opened = await openConsole(bound)
  const [noa, dan] = [await person(owner), await person(owner)]
  for (const one of [noa, dan]) await signedIn(opened, bound, one)
  const seen = async (table: string) => {
    const statement = sql`select clinic_id from ${sql.identifier(table)}`
    const rows = await bound.read<{ clinic_id: string }>(utcSession(noa.clinic.clinic_id), statement)
    return [...new Set(rows.map(({ clinic_id }) => clinic_id))]
  }
  for (const table of ['administrator', 'administrator_session', 'sign_in_link']) {
    assert.deepEqual(await seen(table), [noa.clinic.clinic_id], table)
  }
})
