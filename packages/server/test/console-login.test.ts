// The console works with a login of its own: row level security binds it as it binds requests, and it may do no more than administrators do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAdministrator, makeSignInLink } from '@clinic-data/administration/administrators'
import * as schema from '@clinic-data/backend/migrations'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { DatabaseError, type Statement, sql, utcSession } from '@clinic-data/database'
import { consoleLogin } from '@clinic-data/installation/database/database-logins'
import { openForConsole } from '@clinic-data/installation/database/storage'
import { newSecretKeys, serveHere } from '@clinic-data/testing/grounds/in-this-process'
import { testClinic } from '@clinic-data/testing/grounds/test-clinic'
import { ownGround } from '@clinic-data/testing/run/own-ground'

const { url, owner, opened } = await ownGround(schema)
const SECRET_KEYS = newSecretKeys()
const storage = { ownerUrl: url, appUrl: null }
const derivedFrom = (text: string) => consoleLogin(url, { databaseConsoleUrl: null }, parseSecretKeys(text))
const derived = derivedFrom(SECRET_KEYS)
const console = await openForConsole(storage, derived, (error) => assert.fail(error))
opened.defer(async () => {
  await console.close()
  await owner.query(sql`drop role ${sql.identifier(derived.login.name)}`)
})

/** A clinic with an administrator, a sign-in link and a key. */
async function filledClinic() {
  const clinic = await testClinic(owner)
  const { clinic_id } = clinic
  const now = new Date()
  const { id } = await createAdministrator(owner, { clinic_id, email: 'noa@clinic.example', name: 'Noa Levi', now })
  const { token } = await makeSignInLink(owner, { clinic_id, id, now })
  return { clinic_id, id, token }
}
const [ours, theirs] = [await filledClinic(), await filledClinic()]

test('a statement of the console sees the rows of its clinic alone, and none without a clinic', async () => {
  for (const table of ['clinic', 'api_key', 'administrator', 'sign_in_link'].map(sql.identifier)) {
    const seen = sql`select distinct clinic_id from ${table}`
    assert.deepEqual(await console.read(utcSession(ours.clinic_id), seen), [{ clinic_id: ours.clinic_id }])
    assert.deepEqual((await console.query(seen)).rows, [])
  }
})

test('a change without a condition changes the rows of its clinic alone', async () => {
  await console.write(utcSession(ours.clinic_id), (tx) => tx.query(sql`update administrator set name = 'Changed'`))
  const { rows } = await owner.query(sql`select clinic_id from administrator where name = 'Changed'`)
  assert.deepEqual(rows, [{ clinic_id: ours.clinic_id }])
})

const rowOf = (clinic_id: string) => sql`insert into audit
  (clinic_id, at, key_id, operation, surface, resource_ids, count, status, request_id, address)
  values (${clinic_id}, now(), 'a', 'console.sign_out', 'console', '{}', 0, 200, 'r', '')`
const refused: Record<string, Statement> = {
  'an audit row of another clinic': rowOf(theirs.clinic_id),
  'a changed audit row': sql`update audit set key_id = 'b'`,
  'a removed audit row': sql`delete from audit`,
  'an administrator of another clinic': sql`insert into administrator (clinic_id, id, email, name, created_at)
    values (${theirs.clinic_id}, 'x', 'x@clinic.example', 'X', now())`,
  'how a payment was made': sql`select method_type from payment`,
  'what was treated': sql`select catalog_treatment_id from treatment`,
  'the note of an appointment': sql`select note from appointment`,
  'the text of a chat message': sql`select text from chat_message`,
  'another clinic’s id': sql`update clinic set clinic_id = ${theirs.clinic_id}`,
  'another name of the clinic': sql`update clinic set name = 'X'`,
  'a changed patient': sql`update patient set first_name = 'X'`,
  'a policy dropped': sql`drop policy clinic on administrator`,
  'a table without its wall': sql`alter table administrator disable row level security`,
}
for (const [what, statement] of Object.entries(refused)) {
  test(`the console’s login may not have ${what}`, async () => {
    await assert.rejects(
      console.write(utcSession(ours.clinic_id), (tx) => tx.query(statement)),
      (error) => error instanceof DatabaseError && error.code === '42501',
    )
  })
}

test('an audit row of its own clinic is stored', async () => {
  await console.write(utcSession(ours.clinic_id), (tx) => tx.query(rowOf(ours.clinic_id)))
})

test('a login that is not bound is refused', async () => {
  const login = { ...derived, url }
  await assert.rejects(
    openForConsole(storage, login, () => undefined),
    /is not bound by row level security/,
  )
})

test('a service asks for the console with that login, also when people are invited and changed', async () => {
  const keys = newSecretKeys()
  const { login } = derivedFrom(keys)
  opened.defer(async () => {
    await owner.query(sql`drop role ${sql.identifier(login.name)}`)
  })
  const service = await serveHere({ DATABASE_URL: url, SECRET_KEYS: keys })
  try {
    const headers = { 'content-type': 'application/json', origin: service.adminAddress, 'x-console': '1' }
    let cookie = ''
    const post = async (path: string, body: object, expected: number) => {
      const [address, sent] = [`${service.adminAddress}/console/api${path}`, { ...headers, cookie }]
      const answer = await fetch(address, { method: 'POST', headers: sent, body: JSON.stringify(body) })
      const text = await answer.text()
      assert.equal(answer.status, expected, `${path}: ${text}`)
      return { data: text === '' ? null : JSON.parse(text).data, set: answer.headers.get('set-cookie') ?? '' }
    }
    cookie = /^[^;]+/.exec((await post('/sign-in/link', { token: ours.token }, 200)).set)?.[0] ?? ''
    const invited = { email: 'dana@clinic.example', name: 'Dana', role: 'member' }
    const { data } = await post('/invitations', invited, 201)
    const token = data.url.split('#invite=')[1]
    // In another browser: it would end the session of this one.
    const owners = cookie
    cookie = ''
    const { administrator } = (await post('/invitations/accept', { token, email: invited.email }, 200)).data
    cookie = owners
    await post('/member-scopes', { scopes: ['patients:read'] }, 200)
    for (const [what, body] of [
      ['role', { role: 'auditor' }],
      ['sessions/end', {}],
    ] as const)
      await post(`/people/${administrator.id}/${what}`, body, what === 'role' ? 200 : 204)
    const removing = { method: 'POST', headers: { 'x-console': '1', origin: service.adminAddress, cookie } }
    const removed = await fetch(`${service.adminAddress}/console/api/people/${administrator.id}/remove`, removing)
    assert.equal(removed.status, 204, await removed.text())
    const { rows } = await owner.query(sql`select from pg_stat_activity where usename = ${login.name}`)
    assert.ok(rows.length > 0)
  } finally {
    await service.stop()
  }
})
