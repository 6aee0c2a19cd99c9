// What the logins of requests and of the console may do with each table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { ownDatabase } from '@clinic-data/testing/test-database'

// Other tests have tables of their own in the shared one.
const { owner } = await ownDatabase()

const isPartition = (name: string) => /^(audit|event|delivery|attempt)_(rest|\d{8})$/.test(name)

async function privilegesOf(role: string) {
  const { rows } = await owner.query<{ name: string; privileges: string }>(sql`
    select c.relname as name, coalesce((select string_agg(privilege_type, ' ' order by privilege_type)
      from aclexplode(c.relacl) where grantee = ${role}::regrole), '') as privileges
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p')`)
  const { rows: owned } = await owner.query(sql`select from pg_class where relowner = ${role}::regrole`)
  assert.equal(owned.length, 0)
  return rows
}

test('the console’s role owns nothing, and may do what administrators do', async () => {
  const reads = [
    'clinic',
    'working_hours',
    'patient',
    'patient_name',
    'patient_contact',
    'subscription',
    'lane',
    'event',
  ]
  reads.push('delivery', 'attempt', 'attempt_hour', 'audit_seal', 'audit_hour', 'schema_migration')
  const own = ['administrator_session', 'sign_in_link', 'sign_in_attempt', 'passkey', 'spent_challenge']
  const expected: Record<string, string> = {
    ...Object.fromEntries(reads.map((name) => [name, 'SELECT'])),
    ...Object.fromEntries(own.map((name) => [name, 'DELETE INSERT SELECT UPDATE'])),
    ...{ api_key: 'INSERT SELECT UPDATE', ingest_token: 'INSERT SELECT UPDATE' },
    ...{ administrator: 'SELECT UPDATE', audit: 'INSERT SELECT' },
  }
  for (const { name, privileges } of await privilegesOf('clinic_data_console'))
    assert.equal(privileges, expected[name] ?? '', name)
})

test('the program’s role owns nothing and may only read and write rows', async () => {
  const special: Record<string, string> = {
    ...{
      clinic: 'SELECT UPDATE',
      api_key: 'SELECT',
      ingest_token: 'SELECT',
      payment_document: 'INSERT SELECT',
      audit: 'SELECT',
      audit_seal: 'SELECT',
      audit_former_seal: 'SELECT',
      audit_head: 'SELECT',
      audit_hour: '',
      administrator: '',
      administrator_session: '',
      sign_in_link: '',
      sign_in_attempt: '',
      passkey: '',
      spent_challenge: '',
    },
    schema_migration: 'SELECT',
  }
  for (const { name, privileges } of await privilegesOf('clinic_data_app')) {
    const ordinary = isPartition(name) ? '' : 'DELETE INSERT SELECT UPDATE'
    assert.equal(privileges, special[name] ?? ordinary, name)
  }
})
