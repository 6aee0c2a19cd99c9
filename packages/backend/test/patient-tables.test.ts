// The rule of a person's export: a table that leads to a patient is in it, or says why not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { recordKinds } from '@clinic-data/records/record-kinds'
import type { RecordKind } from '@clinic-data/records/storing/record-kind'
import { ownDatabase } from '@clinic-data/testing/run/test-database'
import { clinicTables } from '../src/clinic-tables.ts'
import { OF_CLINIC, OF_NOBODY, OF_STAFF, patientTables } from '../src/patient-export/patient-tables.ts'

// Other tests have tables of their own in the shared one.
const { owner } = await ownDatabase()

const reasonOf = (table: string): string | null => {
  const kept = patientTables[table]
  return kept !== undefined && 'leftOut' in kept ? kept.leftOut : null
}
const isOf = (table: string, ...reasons: string[]) => reasons.includes(reasonOf(table) ?? '')

test('every table with a clinic’s rows says whether it is in the export of a person', () => {
  assert.deepEqual(Object.keys(patientTables).sort(), Object.keys(clinicTables).sort())
})

test('a table that refers to a patient, by however many steps, is exported or says why its rows are no loss', async () => {
  // A phone in the form in which it is compared ties a row to a patient as a reference does.
  const { rows } = await owner.query<{ table: string }>(sql`
    with recursive references_of as (
        select conrelid::regclass::text as table, confrelid::regclass::text as named from pg_constraint where contype = 'f'),
      found as (
        select distinct attrelid::regclass::text as table from pg_attribute join pg_class on pg_class.oid = attrelid
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0
          and attname ~ '^patient(_id|_phone|_ids)?$|^phone_normal$'
        union select 'patient'
        union select references_of.table from found join references_of on references_of.named = found.table)
    select distinct "table" from found order by 1`)
  const found = rows.map(({ table }) => table)
  for (const known of ['appointment_provider', 'chat_send', 'lead_activity', 'payment_document', 'patient_name'])
    assert.ok(found.includes(known), known)
  assert.deepEqual(
    found.filter((table) => patientTables[table] === undefined || isOf(table, OF_NOBODY, OF_CLINIC, OF_STAFF)),
    [],
  )
})

test('a table that holds nothing about a patient has no column for a contact, a name, or a text of any content', async () => {
  const { rows } = await owner.query<{ table: string; column: string }>(sql`
    select relname as table, attname as column from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and attnum > 0 and relname = any(${Object.keys(patientTables)}::text[])
      and (atttypid in ('json'::regtype, 'jsonb'::regtype, 'text[]'::regtype, 'bytea'::regtype)
        or attname ~ 'patient|phone|email|first_name|last_name|display_name|birth|body|note|text|answer|content|resource_id')`)
  assert.ok(rows.length > 50)
  assert.deepEqual(
    rows.filter(({ table }) => isOf(table, OF_NOBODY)),
    [],
  )
})

test('a kind of record that names a patient is exported, and so is each kind that names such a record', () => {
  const named = new Set(['patient'])
  // No kind names records of a later one.
  for (const { table, references, lists } of Object.values<RecordKind>(recordKinds)) {
    if (!Object.values(references).some((one) => named.has(one))) continue
    named.add(table)
    for (const [field, { table: rows = `${table}_${field}` }] of Object.entries(lists))
      if (clinicTables[rows] !== undefined) assert.equal(reasonOf(rows), null, rows)
  }
  for (const table of named) assert.equal(reasonOf(table), null, table)
  assert.ok(named.size > 3)
})
