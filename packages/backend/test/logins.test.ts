// The login of requests: it cannot become another one, and can do only what requests do.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Database, openDatabase, sql, type Transaction } from '@clinic-data/database'
import { insertPatient } from '@clinic-data/testing/grounds/rows'
import { asApplication } from '@clinic-data/testing/run/application'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'

const { owner, app, ownerUrl } = await testDatabase()
const application = new URL(asApplication(ownerUrl).url).username
const ownerName = await loginOf((statement) => owner.query(statement))

type Ask = (statement: ReturnType<typeof sql>) => Promise<{ rows: object[] }>

async function loginOf(ask: Ask): Promise<string> {
  const { rows } = await ask(sql`select session_user::text as login`)
  return (rows as { login: string }[])[0]?.login ?? assert.fail()
}

test('every connection that serves requests logs in as the application, and only what is appended as the owner', async () => {
  const clinic = await testClinic(owner)
  const names = sql`select session_user::text as login, current_user::text as role`
  const statements: Record<string, () => Promise<object[]>> = {
    read: () => app.read(clinic, names),
    scan: async () => (await app.scan(clinic, names, 1000)).rows,
    readByKeyHash: () => app.readByKeyHash('0'.repeat(64), names),
    readAsDispatcher: () => app.readAsDispatcher(names),
    write: () => app.write(clinic, async (tx) => (await tx.query(names)).rows),
    query: async () => (await app.query(names)).rows,
  }
  for (const [use, ask] of Object.entries(statements)) {
    assert.deepEqual(await ask(), [{ login: application, role: application }], use)
  }
  assert.notEqual(application, ownerName)
  assert.equal(await app.append(sql`select 1 where session_user = ${ownerName}`), 1)
})

test('no statement gives a connection that serves requests another role; whoever names a clinic sees that one alone, and the next transaction its own', async () => {
  const [clinic, other] = [await testClinic(owner), await testClinic(owner)]
  await insertPatient(owner, other, { id: 'q', first_name: 'Tal' }, [])
  await insertPatient(owner, clinic, { id: 'p', first_name: 'Noa' }, [])
  const words = [
    ...['set role none', 'reset role', 'set session authorization default', 'reset session authorization'],
    ...['reset all', "set local app.clinic_id to ''", 'set local row_security to on'],
  ]
  const nobody = { clinic_id: 'nobody', time_zone: 'UTC' }
  const seen = async (tx: Transaction) => {
    const { rows } = await tx.query<{ count: number }>(sql`
      select count(*)::int as count from patient where clinic_id = ${clinic.clinic_id}`)
    return rows[0]?.count
  }
  await app.write(nobody, async (tx) => {
    for (const word of words) {
      await tx.script(word)
      assert.equal(await seen(tx), 0, word)
      assert.equal(await loginOf((statement) => tx.query(statement)), application, word)
    }
  })
  // An injected statement can do this: the clinic is a setting of the session.
  const patients = sql`select id from patient where clinic_id in (${clinic.clinic_id}, ${other.clinic_id})`
  await app.write(other, async (tx) => {
    await tx.script(`set local app.clinic_id to '${clinic.clinic_id}'`)
    assert.deepEqual((await tx.query(patients)).rows, [{ id: 'p' }])
    assert.equal(await loginOf((statement) => tx.query(statement)), application)
    await tx.script(`set local app.clinic_id to '${clinic.clinic_id},${other.clinic_id}'`)
    assert.deepEqual((await tx.query(patients)).rows, [])
  })
  for (const again of ['local', 'session']) {
    await app.write(other, (tx) => tx.script(`set ${again} app.clinic_id to '${clinic.clinic_id}'`))
    assert.deepEqual(await app.write(other, async (tx) => (await tx.query(patients)).rows), [{ id: 'q' }], again)
  }
  for (const word of [`set role "${ownerName}"`, `set session authorization "${ownerName}"`]) {
    await assert.rejects(
      app.write(clinic, (tx) => tx.script(word)),
      /permission denied/,
      word,
    )
  }
})

test('a request can mint no key or token, write no audit row or seal, close no clinic, and end no day, of its own clinic or another', async () => {
  const clinic = await testClinic(owner)
  const { clinic_id } = clinic
  const hash = randomBytes(32).toString('hex')
  const forbidden = [
    sql`insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at)
      values (${clinic_id}, 'k', ${hash}, '', '', 'k', '{}', now())`,
    sql`update api_key set scopes = '{}' where clinic_id = ${clinic_id}`,
    sql`update api_key set revoked_at = null, expires_at = null where clinic_id = ${clinic_id}`,
    sql`insert into ingest_token (clinic_id, id, key_hash, first_characters, last_characters, name, created_at)
      values (${clinic_id}, 't', ${hash}, '', '', 't', now())`,
    sql`update ingest_token set revoked_at = null where clinic_id = ${clinic_id}`,
    sql`insert into audit (clinic_id, at, key_id, operation, surface, resource_ids, count, status, request_id, address)
      values (${clinic_id}, now(), '', '', 'rest', '{}', 0, 200, '', '')`,
    sql`insert into audit_seal (clinic_id, number, last_id, day, row_count, rows_hash, hash, sealed_at)
      values (${clinic_id}, 1, 1, now()::date, 1, ${hash}, ${hash}, now())`,
    sql`insert into audit_head (clinic_id, number, key_id, mac) values (${clinic_id}, 1, 'k', ${hash})`,
    sql`update audit_head set number = 1 where clinic_id = ${clinic_id}`,
    sql`update clinic set closed_at = now() where clinic_id = ${clinic_id}`,
    sql`update clinic set deleted_at = now() where clinic_id = ${clinic_id}`,
    sql`update clinic set currency = 'USD' where clinic_id = ${clinic_id}`,
    sql`select maintain_audit(30)`,
    sql`select maintain_events(30, null)`,
    sql`create table mine (id int)`,
    sql`create role mine`,
  ]
  for (const statement of forbidden) {
    const { text } = statement.render()
    await assert.rejects(
      app.write(clinic, (tx) => tx.query(statement)),
      /permission denied/,
      text,
    )
  }
})

/** Logins that could see more than requests may, each by a power of its own. */
const powers: Record<string, (name: string) => string> = {
  'an owner of the tables': (name) => `grant "${ownerName}" to ${name}`,
  'a maker of roles': (name) => `alter role ${name} createrole`,
  'an exempt one': (name) => `alter role ${name} bypassrls`,
  'a reader of everything': (name) => `grant pg_read_all_data to ${name}`,
  'a member of an exempt one': (name) => `create role ${name}_exempt bypassrls; grant ${name}_exempt to ${name}`,
}

test('a login that row level security does not bind, or that can become one, serves no request', async (t) => {
  await assert.rejects(openDatabase({ url: ownerUrl, ownerUrl }), /is not bound by row level security/)
  for (const [what, power] of Object.entries(powers)) {
    const name = `test_${randomBytes(6).toString('hex')}`
    const password = randomBytes(16).toString('hex')
    const url = new URL(ownerUrl)
    Object.assign(url, { username: name, password })
    t.after(() => owner.maintain((tx) => tx.script(`drop role if exists ${name}; drop role if exists ${name}_exempt`)))
    await owner.maintain((tx) => tx.script(`create role ${name} login password '${password}'`))
    const bound: Database = await openDatabase({ url: url.href, ownerUrl })
    await bound.close()
    await owner.maintain((tx) => tx.script(power(name)))
    await assert.rejects(openDatabase({ url: url.href, ownerUrl }), /is not bound by row level security/, what)
  }
})
