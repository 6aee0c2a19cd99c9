// Importing our own CSV files: what each says is what the clinic then has, all of it or nothing, and a second run changes nothing.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { testClinic, testDatabase } from '../../backend/test/test-database.ts'
import { csvDocument } from '../scripts/csv-document.ts'
import { importCsv } from '../src/csv.ts'
import { csvShapes, listThatIsAll } from '../src/csv-shapes.ts'
import { everything, type Files, folderWith } from './import-csv-folder.ts'

const { ownerUrl, owner, app } = await testDatabase()
const NOW = new Date('2026-07-15T08:00:00Z')

const rowsOf = (clinic: Clinic, statement: Statement) => app.read(clinic, statement)

async function importing(clinic: Clinic, files: Files) {
  return importCsv({ database: app, clinic, folder: await folderWith(files), now: () => NOW })
}

/** The faults as an operator reads them. */
async function faultsOf(files: Files, clinic?: Clinic): Promise<string[]> {
  const { faults, resources } = await importing(clinic ?? (await testClinic(owner)), files)
  assert.deepEqual(resources, {})
  return faults.map(({ file, line, column, detail }) => `${[file, line, column].join(' ').trim()}: ${detail}`)
}

async function counts(clinic: Clinic): Promise<Record<string, unknown>> {
  const tables = csvShapes.flatMap(({ table }) => table)
  const counted = tables.map(async (table) => {
    const [row] = await rowsOf(clinic, sql`select count(*)::int as rows from ${sql.identifier(table)}`)
    return [table, row?.rows] as const
  })
  return Object.fromEntries(await Promise.all(counted))
}

test('each file becomes the records that it tells of', async () => {
  // What is tried here is all that there is.
  for (const source of csvShapes.flatMap((shape) => listThatIsAll(shape) ?? [shape, ...shape.lists])) {
    const [header] = (everything as Files)[source.file]?.toString().split('\n', 1) ?? []
    assert.deepEqual(header?.split(',').sort(), source.columns.map(({ name }) => name).sort(), source.file)
  }
  const clinic = await testClinic(owner)
  const { faults, files, resources } = await importing(clinic, everything)
  assert.deepEqual(faults, [])
  assert.equal(files, Object.keys(everything).length)
  assert.deepEqual(
    Object.keys(resources),
    csvShapes.map(({ name }) => name),
  )
  const one = async (statement: Statement) => (await rowsOf(clinic, statement))[0]

  assert.deepEqual(await rowsOf(clinic, sql`select id, name, street, country, color from branch order by id`), [
    { id: 'north', name: 'North', street: '1 Sample Street', country: 'IL', color: '#2a9d8f' },
    { id: 'south', name: 'South, "new"', street: null, country: null, color: null },
  ])
  assert.deepEqual(
    await rowsOf(
      clinic,
      sql`select provider_id, count(*)::int as windows, max(ends_at)::text as until
    from working_hours group by 1 order by 1`,
    ),
    [
      { provider_id: 'dr1', windows: 3, until: '24:00:00' },
      { provider_id: 'dr2', windows: 1, until: '15:30:00' },
    ],
  )
  assert.deepEqual(await one(sql`select start, "end" from time_off where id = 'off1'`), {
    ...{ start: '2026-08-01 00:00:00+03', end: '2026-08-08 00:00:00+03' },
  })
  assert.deepEqual(
    await rowsOf(
      clinic,
      sql`select id, first_name, last_name, phone, gender, birth_date, status_id, city, created_at
      from patient order by id`,
    ),
    [
      {
        ...{ id: 'p1', first_name: 'Testa', last_name: 'Probe', phone: '050-000 0001', gender: 'female' },
        ...{ birth_date: '1990-02-28', status_id: 'active', city: 'Haifa', created_at: '2024-01-02 00:00:00+02' },
      },
      {
        ...{ id: 'p2', first_name: 'Second\nName', last_name: null, phone: null, gender: null, birth_date: null },
        ...{ status_id: null, city: null, created_at: '2024-01-03 10:00:00+02' },
      },
      {
        ...{
          id: 'p3',
          first_name: 'Third',
          last_name: 'Sample',
          phone: '+12025550123',
          gender: null,
          birth_date: null,
        },
        ...{ status_id: null, city: null, created_at: '2026-07-15 11:00:00+03' },
      },
    ],
  )
  assert.deepEqual(
    await rowsOf(clinic, sql`select patient_id, value, label, is_primary from patient_contact order by 1, position`),
    [
      { patient_id: 'p1', value: '050-000 0001', label: null, is_primary: true },
      { patient_id: 'p1', value: 'testa@example.com', label: null, is_primary: true },
      { patient_id: 'p1', value: '050-000 0002', label: 'work', is_primary: false },
      { patient_id: 'p1', value: 'other@example.com', label: null, is_primary: false },
      { patient_id: 'p3', value: '+12025550123', label: 'mobile', is_primary: true },
    ],
  )
  assert.deepEqual(await one(sql`select note, start from appointment where id = 'a1'`), {
    ...{ note: 'Sent\nby post', start: '2026-08-10 09:00:00+03' },
  })
  assert.deepEqual(
    await rowsOf(
      clinic,
      sql`select provider_id from appointment_provider where appointment_id = 'a1' order by position`,
    ),
    [{ provider_id: 'dr1' }, { provider_id: 'dr2' }],
  )
  assert.deepEqual(await one(sql`select price_minor, discount_minor, quantity, plan_id from treatment`), {
    ...{ price_minor: 35_055, discount_minor: 5, quantity: 2, plan_id: 'plan1' },
  })
  assert.deepEqual(
    await rowsOf(
      clinic,
      sql`select p.id, amount_minor, refunded_payment_id, d.id as document, number::int
      from payment p join payment_document d on d.clinic_id = p.clinic_id and d.payment_id = p.id
      where p.clinic_id = ${clinic.clinic_id} order by p.id`,
    ),
    [
      { id: 'back1', amount_minor: 10_000, refunded_payment_id: 'pay1', document: 'doc2', number: 1 },
      { id: 'pay1', amount_minor: 35_050, refunded_payment_id: null, document: 'doc1', number: 1001 },
    ],
  )
  assert.deepEqual(
    await rowsOf(clinic, sql`select id, handled_by_id, handled_by_name, transcript_segments from call order by id`),
    [
      {
        ...{ id: 'c1', handled_by_id: 'agent1', handled_by_name: 'Desk' },
        transcript_segments: [
          { speaker: 'agent', start_seconds: 0, end_seconds: 1.5, text: 'Hello, who is it?' },
          { speaker: 'patient', start_seconds: 1.5, end_seconds: 3, text: 'Testa.' },
        ],
      },
      { id: 'c2', handled_by_id: null, handled_by_name: null, transcript_segments: null },
    ],
  )
  assert.deepEqual(await one(sql`select header_type, header_text, variables from chat_template`), {
    ...{ header_type: 'text', header_text: 'Tomorrow', variables: [{ name: 'name', example: 'Testa' }] },
  })
  assert.deepEqual(await one(sql`select media_type, media_file_id, text from chat_message`), {
    ...{ media_type: 'image/jpeg', media_file_id: null, text: 'Hi' },
  })
  assert.deepEqual(await one(sql`select attribution, meta, email, phone, phone_normal from lead`), {
    ...{ attribution: { utm_source: 'news', clicks: 3 }, meta: { form: { fields: [1, null] } } },
    ...{ email: 'lee@example.com', phone: 'after five', phone_normal: null },
  })
})

test('a second run changes nothing, whatever the order of its columns and the form of its lines', async () => {
  const clinic = await testClinic(owner)
  await importing(clinic, everything)
  const later = new Date(NOW.getTime() + 60_000)
  const folder = await folderWith({
    ...everything,
    'billing_accounts.csv':
      'business_id,id,document_type,business_name\r\n514000000,main,tax_invoice_receipt,"Sample Dental Ltd"',
  })
  const { faults, resources } = await importCsv({ database: app, clinic, folder, now: () => later })
  assert.deepEqual(faults, [])
  for (const [name, { inserted, updated, unchanged }] of Object.entries(resources)) {
    assert.deepEqual([inserted, updated], [0, 0], name)
    assert.ok(unchanged > 0, name)
  }
})

test('what has changed is brought up to the file, and updated_at is the time of storing', async () => {
  const clinic = await testClinic(owner)
  await importing(clinic, everything)
  const later = new Date(NOW.getTime() + 60_000)
  const changed = {
    ...everything,
    'patients.csv': everything['patients.csv'].replace('Third,Sample', 'Third,Changed'),
    'patient_contacts.csv': 'patient_id,type,value,label,is_primary\np1,phone,050-000 0002,,false\n',
  }
  const { resources } = await importCsv({
    ...{ database: app, clinic, folder: await folderWith(changed), now: () => later },
  })
  assert.deepEqual(resources.patients, { read: 3, inserted: 0, updated: 2, unchanged: 1, skipped: {} })
  assert.deepEqual(
    await rowsOf(clinic, sql`select id, last_name, updated_at = ${later} as now from patient order by id`),
    [
      { id: 'p1', last_name: 'Probe', now: true },
      { id: 'p2', last_name: null, now: false },
      { id: 'p3', last_name: 'Changed', now: true },
    ],
  )
})

test('each fault is told with its file, line and column, and nothing of the folder is imported', async () => {
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
    'patients.csv 2 birth_date: must be a date, YYYY-MM-DD, from 1850 to 2199',
    'patients.csv 3 address.country: must have at most 2 characters',
    'patients.csv 3 created_at: must be an ISO 8601 instant with offset, for example 2026-07-12T09:30:00+03:00, or a date (YYYY-MM-DD), within the years 1900 to 2199',
    'patients.csv 5 status_id: must be the id of a row of patient_statuses.csv, or of the clinic',
    'patients.csv 6 id: stands in line 2 already',
    'patients.csv 7: must have 7 values, as the header has; it has 3',
    'patients.csv 8 id: must have at most 128 characters',
    'patient_contacts.csv 2 type: must be one of: phone, email',
    'patient_contacts.csv 4 is_primary: is required',
    'patient_contacts.csv 5 patient_id: must be an id of patients.csv',
    'patient_contacts.csv 6 patient_id: must stand with the other rows of it, in the order of patients.csv',
    'appointments.csv 2 type_id: must be the id of a row of appointment_types.csv, or of the clinic',
    'leads.csv 2: must have at least one of phone, email',
    'leads.csv 3 attribution: must be a string or a number or true or false',
    'leads.csv 4 attribution: must be JSON as the interfaces take it: in double quotes, at most 32 levels deep',
    'leads.csv 5 meta: must be JSON as the interfaces take it: in double quotes, at most 32 levels deep',
  ])
  assert.deepEqual(new Set(Object.values(await counts(clinic))), new Set([0]))
})

test('a header that names no column twice, none unknown and all that must be told is needed', async () => {
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

test('a file that is misnamed, missing beside its list or cut is told, and what it might have brought is not missed', async () => {
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

test('of many faults the first fifty of a file are told, and the rest counted', async () => {
  const rows = Array.from({ length: 2_500 }, (_, i) => `s${i},,`)
  const { faults, untold } = await importing(await testClinic(owner), {
    'patient_statuses.csv': ['id,name,color', ...rows].join('\n'),
    'treatment_plans.csv': 'id,name\np,\n',
  })
  assert.deepEqual(
    faults.map(({ line }) => line),
    [...Array.from({ length: 50 }, (_, i) => i + 2), 2],
  )
  assert.deepEqual(untold, { 'patient_statuses.csv': 2_450 })
})

test('a row may name what the clinic has already, and nothing else', async () => {
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

test('what must be unique is, within the files and beside what the clinic has', async () => {
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
    'payments.csv 3 external_id: stands in line 2 already',
    'payments.csv 3 external_id: is that of another payment',
    'payments.csv 5 external_id: stands in line 4 already',
    'payment_documents.csv 3 number: stands in line 2 already, with the same billing_account_id, type',
    'payment_documents.csv 3 number: is that of another payment document',
    'payment_documents.csv 5 id: stands in line 4 already',
    'chat_conversations.csv 2 patient_phone: is that of another chat conversation',
  ])
})

test('a refund may stand anywhere beside its payment, but names no other refund', async () => {
  const payments = Array.from({ length: 1_500 }, (_, i) => `pay${i},5,ILS,cash,false,,recorded`)
  const refunds = Array.from({ length: 1_500 }, (_, i) => `back${i},1,ILS,cash,true,pay${1_499 - i},recorded`)
  const header = 'id,amount,currency,method_type,is_refund,refunded_payment_id,status'
  const clinic = await testClinic(owner)
  const { faults, resources } = await importing(clinic, {
    'payments.csv': [header, ...refunds, ...payments].join('\n'),
  })
  assert.deepEqual(faults, [])
  assert.deepEqual(resources.payments, { read: 3_000, inserted: 3_000, updated: 0, unchanged: 0, skipped: {} })
  assert.deepEqual(
    await faultsOf({
      'payments.csv': [header, ...refunds.slice(0, 1), payments[1499], 'b,1,ILS,cash,true,back0,recorded'].join('\n'),
    }),
    ['payments.csv 4 refunded_payment_id: must name a row whose own refunded_payment_id is empty'],
  )
})

test('a record whose list is too long is told, however long the list is', async () => {
  const contacts = Array.from({ length: 100_000 }, (_, i) => `p1,phone,${i},,false`)
  assert.deepEqual(
    await faultsOf({
      'patients.csv': 'id\np1\n',
      'patient_contacts.csv': ['patient_id,type,value,label,is_primary', ...contacts].join('\n'),
    }),
    ['patient_contacts.csv 2: must have at most 48 items'],
  )
})

test('a provider’s week is stored whole, so its rows stand together', async () => {
  const week = (provider: string, weekday: number) => `${provider},north,${weekday},08:00,17:00`
  const providers = Array.from({ length: 400 }, (_, i) => `dr${i}`)
  const files = (rows: string[]) => ({
    'branches.csv': 'id,name\nnorth,North\n',
    'providers.csv': ['id,name,type', ...providers.map((id) => `${id},Dr. Sample,dentist`)].join('\n'),
    'working_hours.csv': ['provider_id,branch_id,weekday,starts_at,ends_at', ...rows].join('\n'),
  })
  const clinic = await testClinic(owner)
  const rows = providers.flatMap((id) => [0, 1, 2, 3, 4, 5, 6].map((weekday) => week(id, weekday)))
  assert.deepEqual((await importing(clinic, files(rows))).faults, [])
  assert.equal((await counts(clinic)).working_hours, 2_800)
  const { resources } = await importing(clinic, files(rows))
  assert.deepEqual(resources.working_hours, { read: 400, inserted: 0, updated: 0, unchanged: 400, skipped: {} })
  assert.deepEqual(await faultsOf(files([week('dr1', 0), week('dr1', 0), week('', 1), 'dr2,nowhere,1,09:00,9:30'])), [
    'working_hours.csv 3: must not overlap another window of the provider',
    'working_hours.csv 4 provider_id: is required',
    'working_hours.csv 5 ends_at: must be a time of day, HH:MM, up to 24:00',
  ])
  assert.deepEqual(await faultsOf(files([week('dr1', 0), week('dr2', 0), week('dr1', 1), week('dr2', 0)])), [
    'working_hours.csv 4 provider_id: must stand with the other rows of it',
    'working_hours.csv 5 provider_id: must stand with the other rows of it',
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
    // What a list's rows belong to is found by their place.
    .filter(({ table, named }) => !(table === 'payment_document' && named === 'payment'))
    .filter(({ table, named }) => !(table === 'appointment_provider' && named === 'appointment'))
    .map(({ table, column, named }) => `${table} ${column} ${named}`)
    .filter((one) => !known.includes(otherwise[one] ?? one))
  assert.deepEqual(missing, [])
  assert.ok(rows.length > 20)
})

test('the documentation is that of the files as they are', async () => {
  const path = join(import.meta.dirname, '../../../docs/csv.md')
  const remedy = 'write it anew: node packages/importers/scripts/csv-document.ts > docs/csv.md'
  assert.equal(await readFile(path, 'utf8'), csvDocument(), remedy)
})

test('the import tells of its progress, without naming files', async () => {
  const clinic = await testClinic(owner)
  const rows = Array.from({ length: 2_500 }, (_, i) => `s${i},Sample`)
  const folder = await folderWith({ 'patient_statuses.csv': ['id,name', ...rows].join('\n') })
  const told: unknown[] = []
  await importCsv({ database: app, clinic, folder, onProgress: (progress) => told.push(progress) })
  assert.deepEqual(told.filter((one) => isDeepStrictEqual(one, { step: 'reading', rows: 2_500, of: null })).length, 1)
  assert.deepEqual(told.at(-4), { step: 'checking', rows: 2_500, of: 2_500 })
  assert.deepEqual(told.at(-1), { step: 'importing', rows: 2_500, of: 2_500 })
})

test('an import that was killed is completed by running it again', async () => {
  const clinic = await testClinic(owner)
  const total = 20_000
  const rows = Array.from({ length: total }, (_, i) => `p${i},Testa ${i},Probe`)
  const folder = await folderWith({ 'patients.csv': ['id,first_name,last_name', ...rows].join('\n') })
  const program = join(import.meta.dirname, '../../server/bin/clinicd.mjs')
  const child = spawn(process.execPath, [program, 'import', 'csv', folder, '--clinic', clinic.clinic_id], {
    env: { PATH: process.env.PATH, DATABASE_URL: ownerUrl },
    stdio: 'ignore',
  })
  const ended = once(child, 'close')
  while ((await counts(clinic)).patient === 0) assert.equal(child.exitCode, null)
  child.kill('SIGKILL')
  await ended
  assert.equal(child.signalCode, 'SIGKILL')
  const { resources } = await importCsv({ database: app, clinic, folder, now: () => NOW })
  const { inserted = 0, unchanged = 0, updated = 0 } = resources.patients ?? {}
  assert.deepEqual([inserted + unchanged, updated], [total, 0])
  assert.ok(unchanged > 0 && inserted > 0)
  assert.equal((await counts(clinic)).patient, total)
})

test('nothing at the folder is an error', async () => {
  const clinic = await testClinic(owner)
  const folder = await folderWith({ 'a.txt': '' })
  const at = (path: string) => importCsv({ database: app, clinic, folder: path })
  await assert.rejects(at(join(folder, 'missing')), /there is no folder/)
  await assert.rejects(at(join(folder, 'a.txt')), /there is no folder/)
  await assert.rejects(at(folder), /there is no \*\.csv file/)
})
