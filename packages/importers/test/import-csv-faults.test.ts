// Importing wrong CSV files: every fault is reported with its file, line and column, and nothing of the folder is imported.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import test from 'node:test'
import { sql } from '@clinic-data/database'
import { sized } from '@clinic-data/testing/run/size'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { importCsv } from '../src/csv/import-csv.ts'
import { csvShapes } from '../src/csv/shape.ts'
import { folderWith } from './folder-with.ts'
import { everything } from './import-csv-folder.ts'
import { app, counts, faultsOf, importing, owner } from './import-csv-ground.ts'

test('each fault is reported with its file, line and column, and nothing of the folder is imported', async () => {
  const clinic = await testClinic(owner)
  const files = {
    ...everything,
    'appointment_types.csv':
      'id,name,duration_minutes,color\nok,Fine,30,\nlong,Long,1441,\nhalf,Half,30.5,\nexp,Exp,3e1,\n',
    'appointment_statuses.csv': `id,name,color,enabled,kind
booked,Booked,#888888,TRUE,booked
gone,,#ff0000,false,vanished
`,
    'patients.csv': `id,first_name,email,birth_date,address.country,created_at,status_id
p1,Testa,x@example.com,2024-02-30,,,
p2,"Two
lines",,,Israel,yesterday,
p3,Third,,,,,gone
p1,Again,,,,,
p4,Too,few
${'x'.repeat(129)},Long,,,,,
`,
    'patient_contacts.csv': `patient_id,type,value,label,is_primary
p1,fax,1,,true
p1,phone,${'5'.repeat(41)},,true
p2,phone,2,,
nobody,phone,3,,true
p1,phone,4,,true
`,
    'leads.csv': `id,first_name,phone,email,source,status,attribution,meta
l1,Lee,,,social,new,,
l2,Lee,1,,social,new,"{""a"":[1]}",{}
l3,Lee,1,,social,new,{a:1},
l4,Lee,1,,social,new,,"{""b"":""\\u0000""}"
`,
  }
  assert.deepEqual(await faultsOf(files, clinic), [
    'appointment_types.csv 3 duration_minutes: must be from 0 to 1440',
    'appointment_types.csv 4 duration_minutes: must be a whole number from 0 to 1440',
    'appointment_types.csv 5 duration_minutes: must be a whole number from 0 to 1440',
    'appointment_statuses.csv 2 enabled: must be true or false',
    'appointment_statuses.csv 3 name: is required',
    'appointment_statuses.csv 3 kind: must be one of: booked, confirmed, arrived, completed, cancelled, no_show',
    'patients.csv 2 birth_date: must be a date that exists, YYYY-MM-DD, from 1850 to 2199',
    'patients.csv 3 address.country: must be a country in two capital letters (ISO 3166-1), for example IL',
    'patients.csv 3 created_at: must be an ISO 8601 instant with offset, for example 2026-07-12T09:30:00+03:00, or a date (YYYY-MM-DD), within the years 1900 to 2199',
    'patients.csv 5 status_id: must be the id of a row of patient_statuses.csv, or of the clinic',
    'patients.csv 6 id: is in line 2 already',
    'patients.csv 7: must have 7 values, as the header has; it has 3',
    'patients.csv 8 id: must have at most 128 characters',
    'patient_contacts.csv 2 type: must be one of: phone, email',
    'patient_contacts.csv 4 is_primary: is required',
    'patient_contacts.csv 5 patient_id: must be an id of patients.csv',
    'patient_contacts.csv 6 patient_id: must be next to the other rows with the same value, in the order of patients.csv',
    'appointments.csv 2 type_id: must be the id of a row of appointment_types.csv, or of the clinic',
    'leads.csv 2: must have at least one of phone, email',
    'leads.csv 3 attribution: must be a string or a number or true or false',
    'leads.csv 4 attribution: must be JSON as the interfaces take it: in double quotes, at most 32 levels deep',
    'leads.csv 5 meta: must be JSON as the interfaces take it: in double quotes, at most 32 levels deep',
  ])
  assert.deepEqual(new Set(Object.values(await counts(clinic))), new Set([0]))
})

test('a header must name all required columns, none twice and none that is unknown', async () => {
  const header = (text: string) => faultsOf({ 'providers.csv': `${text}\ndr1,Dr. Sample,dentist\n` })
  assert.deepEqual(await header('id,name,typ'), [
    'providers.csv 1 typ: is not a column of this file',
    'providers.csv 1 type: is missing',
  ])
  assert.deepEqual(await header('id,name,id'), [
    'providers.csv 1 id: stands in the header twice',
    'providers.csv 1 type: is missing',
  ])
  assert.deepEqual(await header('id;name;type'), ['providers.csv 1: must have commas between its values'])
  const none = 'is no header: it names no column of this file'
  assert.deepEqual(await header('dr0,Dr. Secret,dentist'), [`providers.csv 1: ${none}`])
  assert.deepEqual(await faultsOf({ 'providers.csv': '' }), ['providers.csv 1: has no header'])
})

test('a misnamed, missing or cut file is reported, and the ids that it might hold are not reported as missing', async () => {
  const { 'patients.csv': patients, 'appointment_types.csv': _, ...others } = everything
  assert.deepEqual(
    await faultsOf({ ...others, 'Patients.csv': patients, 'appointment_types.csv': 'id,name,duration_minutes\n"x' }),
    [
      `Patients.csv: is none of the files that are imported: ${Object.keys(everything).join(', ')}`,
      'appointment_types.csv 2: has a quote that is not closed, in the row that begins here',
      'patient_contacts.csv: needs patients.csv beside it',
      'appointments.csv 2 patient_id: must be the id of a row of patients.csv, or of the clinic',
      'treatments.csv 2 patient_id: must be the id of a row of patients.csv, or of the clinic',
      'payments.csv 2 patient_id: must be the id of a row of patients.csv, or of the clinic',
      'payments.csv 3 patient_id: must be the id of a row of patients.csv, or of the clinic',
    ],
  )
})

test('the first fifty faults of a file are reported, and the rest counted', async () => {
  const rows = Array.from({ length: 2_500 }, (_, i) => `s${i},,`)
  const { faults, unlisted } = await importing(await testClinic(owner), {
    'patient_statuses.csv': ['id,name,color', ...rows].join('\n'),
    'treatment_plans.csv': 'id,name\np,\n',
  })
  assert.deepEqual(
    faults.map(({ line }) => line),
    [...Array.from({ length: 50 }, (_, i) => i + 2), 2],
  )
  assert.deepEqual(unlisted, { 'patient_statuses.csv': 2_450 })
})

test('a row may name a record that the clinic already has, but no unknown one', async () => {
  const clinic = await testClinic(owner)
  await importing(clinic, everything)
  const header = everything['appointments.csv'].split('\n')[0]
  const row = (id: string, providers: string) => `${id},p1,north,checkup,booked,${providers},,,,,2026-07-01`
  assert.deepEqual(
    await faultsOf({ 'appointments.csv': [header, row('a8', 'dr1;dr3'), row('a9', 'dr1;;dr2')].join('\n') }, clinic),
    [
      'appointments.csv 2 provider_ids: must be the id of a row of providers.csv, or of the clinic',
      'appointments.csv 3 provider_ids: must not be empty',
    ],
  )
  const { faults, resources } = await importing(clinic, { 'appointments.csv': [header, row('a8', 'dr2')].join('\n') })
  assert.deepEqual(faults, [])
  assert.equal(resources.appointments?.inserted, 1)
  const elsewhere = await testClinic(owner)
  assert.equal((await faultsOf({ 'appointments.csv': [header, row('a8', 'dr2')].join('\n') }, elsewhere)).length, 5)
})

test('duplicates of unique values are refused, within the files and against the clinic', async () => {
  const clinic = await testClinic(owner)
  await importing(clinic, everything)
  const payment = (id: string, external_id: string) => `${id},1,ILS,cash,false,recorded,${external_id}`
  const document = (payment_id: string, id: string, number: number) =>
    `${payment_id},${id},main,tax_invoice_receipt,${number},2026-08-10`
  const conversation = (id: string, phone: string) => `${id},${phone},false`
  const files = {
    'payments.csv': [
      'id,amount,currency,method_type,is_refund,status,external_id',
      payment('pay1', 'pos-17'),
      payment('pay2', 'pos-17'),
      payment('pay3', 'pos-18'),
      payment('pay4', 'pos-18'),
      payment('pay5', ''),
      payment('pay6', ''),
    ].join('\n'),
    'payment_documents.csv': [
      'payment_id,id,billing_account_id,type,number,issued_at',
      document('pay1', 'doc1', 1001),
      document('pay2', 'doc7', 1001),
      document('pay3', 'doc8', 1002),
      document('pay4', 'doc8', 1003),
    ].join('\n'),
    'chat_conversations.csv': ['id,patient_phone,is_handled', conversation('conv2', '+972500000001')].join('\n'),
  }
  assert.deepEqual(await faultsOf(files, clinic), [
    'payments.csv 3 external_id: is in line 2 already',
    'payments.csv 3 external_id: is that of another payment',
    'payments.csv 5 external_id: is in line 4 already',
    'payment_documents.csv 3 number: is in line 2 already, with the same billing_account_id, type',
    'payment_documents.csv 3 number: is that of another payment document',
    'payment_documents.csv 5 id: is in line 4 already',
    'chat_conversations.csv 2 patient_phone: is that of another chat conversation',
  ])
})

/** More than one batch. */
const PAYMENTS = sized({ everyday: 1_010, long: 1_500 })

test('a refund may come before or after its payment, but may not name another refund', async () => {
  const payments = Array.from({ length: PAYMENTS }, (_, i) => `pay${i},5,ILS,cash,false,,recorded`)
  const refunds = Array.from({ length: PAYMENTS }, (_, i) => `back${i},1,ILS,cash,true,pay${PAYMENTS - 1 - i},recorded`)
  const header = 'id,amount,currency,method_type,is_refund,refunded_payment_id,status'
  const clinic = await testClinic(owner)
  const { faults, resources } = await importing(clinic, {
    'payments.csv': [header, ...refunds, ...payments].join('\n'),
  })
  assert.deepEqual(faults, [])
  assert.deepEqual(resources.payments, {
    read: 2 * PAYMENTS,
    inserted: 2 * PAYMENTS,
    updated: 0,
    unchanged: 0,
    skipped: {},
  })
  assert.deepEqual(
    await faultsOf({
      'payments.csv': [header, ...refunds.slice(0, 1), payments.at(-1), 'b,1,ILS,cash,true,back0,recorded'].join('\n'),
    }),
    ['payments.csv 4 refunded_payment_id: must name a row whose own refunded_payment_id is empty'],
  )
})

const CONTACTS = sized({ everyday: 10_000, long: 100_000 })

test('a record whose list is too long is reported, even if the list is very long', async () => {
  const contacts = Array.from({ length: CONTACTS }, (_, i) => `p1,phone,${i},,false`)
  assert.deepEqual(
    await faultsOf({
      'patients.csv': 'id\np1\n',
      'patient_contacts.csv': ['patient_id,type,value,label,is_primary', ...contacts].join('\n'),
    }),
    ['patient_contacts.csv 2: must have at most 48 items'],
  )
})

/** Their weeks are more rows than one batch. */
const PROVIDERS = sized({ everyday: 160, long: 400 })

test('a provider’s week is stored whole, so its rows must be together', async () => {
  const week = (provider: string, weekday: number) => `${provider},north,${weekday},08:00,17:00`
  const providers = Array.from({ length: PROVIDERS }, (_, i) => `dr${i}`)
  const files = (rows: string[]) => ({
    'branches.csv': 'id,name\nnorth,North\n',
    'providers.csv': ['id,name,type', ...providers.map((id) => `${id},Dr. Sample,dentist`)].join('\n'),
    'working_hours.csv': ['provider_id,branch_id,weekday,starts_at,ends_at', ...rows].join('\n'),
  })
  const clinic = await testClinic(owner)
  const rows = providers.flatMap((id) => [0, 1, 2, 3, 4, 5, 6].map((weekday) => week(id, weekday)))
  assert.deepEqual((await importing(clinic, files(rows))).faults, [])
  assert.equal((await counts(clinic)).working_hours, 7 * PROVIDERS)
  const { resources } = await importing(clinic, files(rows))
  assert.deepEqual(resources.working_hours, {
    read: PROVIDERS,
    inserted: 0,
    updated: 0,
    unchanged: PROVIDERS,
    skipped: {},
  })
  assert.deepEqual(await faultsOf(files([week('dr1', 0), week('dr1', 0), week('', 1), 'dr2,nowhere,1,09:00,9:30'])), [
    'working_hours.csv 3: must not overlap another window of the provider',
    'working_hours.csv 4 provider_id: is required',
    'working_hours.csv 5 ends_at: must be a time of day, HH:MM, up to 24:00',
  ])
  assert.deepEqual(await faultsOf(files([week('dr1', 0), week('dr2', 0), week('dr1', 1), week('dr2', 0)])), [
    'working_hours.csv 4 provider_id: must be next to the other rows with the same value',
    'working_hours.csv 5 provider_id: must be next to the other rows with the same value',
  ])
})

test('every reference that the database keeps is checked before anything is stored', async () => {
  const { rows } = await owner.query<{ table: string; column: string; named: string }>(sql`
    select conrelid::regclass::text as table, attname as column, confrelid::regclass::text as named
    from pg_constraint cross join unnest(conkey) as key join pg_attribute on attrelid = conrelid and attnum = key
    where contype = 'f' and attname <> 'clinic_id'`)
  const known = csvShapes
    .flatMap((shape) => [shape, ...shape.lists])
    .flatMap(({ table, references }) =>
      Object.entries(references).map(([column, named]) => `${table} ${column} ${named}`),
    )
  const otherwise: Record<string, string> = {
    'appointment_provider provider_id provider': 'appointment provider_ids provider',
    'chat_message media_file_id file': 'chat_message media.file_id file',
  }
  const tables = new Set(csvShapes.flatMap(({ table }) => [table, 'appointment_provider', 'payment_document']))
  const missing = rows
    .filter(({ table }) => tables.has(table))
    // A row of a list has no id. Its place identifies it.
    .filter(({ table, named }) => !(table === 'payment_document' && named === 'payment'))
    .filter(({ table, named }) => !(table === 'appointment_provider' && named === 'appointment'))
    .map(({ table, column, named }) => `${table} ${column} ${named}`)
    .filter((one) => !known.includes(otherwise[one] ?? one))
  assert.deepEqual(missing, [])
  assert.ok(rows.length > 20)
})

test('nothing at the folder is an error', async () => {
  const clinic = await testClinic(owner)
  const folder = await folderWith({ 'a.txt': '' })
  const at = (path: string) => importCsv({ database: app, clinic, folder: path })
  await assert.rejects(at(join(folder, 'missing')), /there is no folder/)
  await assert.rejects(at(join(folder, 'a.txt')), /there is no folder/)
  await assert.rejects(at(folder), /there is no \*\.csv file/)
})

test('an amount in another currency than the clinic’s, or with decimals that its currency lacks, is reported', async () => {
  const header = 'id,amount,currency,method_type,is_refund,status'
  const payments = `${header}\ny1,10,USD,cash,false,recorded\ny2,10,ILS,cash,false,recorded\n`
  assert.deepEqual(await faultsOf({ 'payments.csv': payments }), [
    "payments.csv 2 currency: must be the clinic's currency, ILS",
  ])
  const japan = await testClinic(owner, { currency: 'JPY' })
  const yen = `${header}\ny1,10.5,JPY,cash,false,recorded\n`
  assert.deepEqual(await faultsOf({ 'payments.csv': yen }, japan), [
    'payments.csv 2 amount: must have no decimals in JPY',
  ])
})
