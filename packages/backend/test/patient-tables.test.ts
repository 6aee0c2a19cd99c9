// The rule of a person's export: a table that leads to a patient is in it, or says why not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { recordKinds } from '@clinic-data/records/record-kinds'
import type { RecordKind } from '@clinic-data/records/storing/record-kind'
import { ownDatabase } from '@clinic-data/testing/run/test-database'
import { clinicTables } from '../src/clinic-tables.ts'
import { hiddenColumns, personalColumns } from '../src/patient-erase/personal-columns.ts'
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

const WORD = 'a word of a list, or a code'
/** The texts of a patient's rows that an erasure leaves. */
const KEPT: Readonly<Record<string, string>> = {
  'call.clinic_phone': 'the clinic’s side',
  'call.direction': WORD,
  'call.from_phone': 'the clinic’s side stays, the patient’s is emptied',
  'call.handled_by_name': 'works for the clinic',
  'call.status': WORD,
  'call.to_phone': 'the clinic’s side stays, the patient’s is emptied',
  'chat_message.direction': WORD,
  'chat_message.from_phone': 'the clinic’s side stays, the patient’s is emptied',
  'chat_message.status': WORD,
  'chat_message.template': 'the name of a template, the clinic’s own words',
  'chat_message.to_phone': 'the clinic’s side stays, the patient’s is emptied',
  'chat_message.type': WORD,
  'event.type': WORD,
  'idempotency.key': 'the client’s own, for a day',
  'idempotency.request_hash': 'a hash, for a day',
  'idempotency.scope': 'a path with the id, for a day',
  'lead.source': WORD,
  'lead.status': WORD,
  'lead_activity.kind': WORD,
  'payment.currency': WORD,
  'payment.method_type': WORD,
  'payment.status': WORD,
  'payment_document.allocation_number': 'the tax authority’s number, as the law asks',
  'payment_document.type': WORD,
}

/** By a way of their own in `erase-rows.ts`. `patients-erase.test.ts` looks at the rows. */
const OTHERWISE = `patient.name_folded treatment_plan.name payment_document.content lead.first_name lead.attribution
  lead_activity.note lead_activity.submission event.body idempotency.answer`

test('each text of a row that stays of an erased patient is erased, or says why it is not', async () => {
  const tables = Object.entries(patientTables).flatMap(([table, { erased }]) =>
    erased === 'made anonymous' ? table : [],
  )
  const { rows } = await owner.query<{ place: string }>(sql`
    select relname || '.' || attname as place from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped and attgenerated = ''
      and relname = any(${[...tables, 'appointment_provider', 'treatment']}::text[])
      and attname !~ '(^|(?<!external)(?<!platform_message)_)id$'
      and atttypid in ('text'::regtype, 'json'::regtype, 'jsonb'::regtype, 'bytea'::regtype, 'text[]'::regtype)`)
  const emptied = Object.entries(personalColumns).flatMap(([table, columns]) => columns.map((one) => `${table}.${one}`))
  const hidden = Object.entries(hiddenColumns).map(([table, column]) => `${table}.${column}`)
  const erased = new Set([...emptied, ...hidden, ...OTHERWISE.split(/\s+/)])
  const left = rows.map(({ place }) => place).filter((place) => !erased.has(place))
  assert.deepEqual(left.sort(), Object.keys(KEPT))
})
