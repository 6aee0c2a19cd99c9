// Importing our own CSV files: the clinic then has their records, a second run changes nothing, and a killed import can be repeated.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { type Statement, sql } from '@clinic-data/database'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { until } from '@clinic-data/testing/until'
import { csvDocument } from '../scripts/csv-document.ts'
import { importCsv } from '../src/csv/import-csv.ts'
import { csvShapes, listThatIsAll } from '../src/csv/shape.ts'
import { type Files, folderWith } from './folder-with.ts'
import { everything } from './import-csv-folder.ts'
import { app, counts, importing, NOW, owner, ownerUrl, rowsOf } from './import-csv-ground.ts'

test('each file becomes its records', async () => {
  // Covers every list and every shape.
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
    start: '2026-08-01 00:00:00+03',
    end: '2026-08-08 00:00:00+03',
  })
  assert.deepEqual(
    await rowsOf(
      clinic,
      sql`select id, first_name, last_name, phone, gender, birth_date, status_id, city, created_at
      from patient order by id`,
    ),
    [
      {
        id: 'p1',
        first_name: 'Testa',
        last_name: 'Probe',
        phone: '050-000 0001',
        gender: 'female',
        birth_date: '1990-02-28',
        status_id: 'active',
        city: 'Haifa',
        created_at: '2024-01-02 00:00:00+02',
      },
      {
        id: 'p2',
        first_name: 'Second\nName',
        last_name: null,
        phone: null,
        gender: null,
        birth_date: null,
        status_id: null,
        city: null,
        created_at: '2024-01-03 10:00:00+02',
      },
      {
        id: 'p3',
        first_name: 'Third',
        last_name: 'Sample',
        phone: '+12025550123',
        gender: null,
        birth_date: null,
        status_id: null,
        city: null,
        created_at: '2026-07-15 11:00:00+03',
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
    note: 'Sent\nby post',
    start: '2026-08-10 09:00:00+03',
  })
  assert.deepEqual(
    await rowsOf(
      clinic,
      sql`select provider_id from appointment_provider where appointment_id = 'a1' order by position`,
    ),
    [{ provider_id: 'dr1' }, { provider_id: 'dr2' }],
  )
  assert.deepEqual(await one(sql`select price_minor, discount_minor, quantity, plan_id from treatment`), {
    price_minor: 35_055,
    discount_minor: 5,
    quantity: 2,
    plan_id: 'plan1',
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
        id: 'c1',
        handled_by_id: 'agent1',
        handled_by_name: 'Desk',
        transcript_segments: [
          { speaker: 'agent', start_seconds: 0, end_seconds: 1.5, text: 'Hello, who is it?' },
          { speaker: 'patient', start_seconds: 1.5, end_seconds: 3, text: 'Testa.' },
        ],
      },
      { id: 'c2', handled_by_id: null, handled_by_name: null, transcript_segments: null },
    ],
  )
  assert.deepEqual(await one(sql`select header_type, header_text, variables from chat_template`), {
    header_type: 'text',
    header_text: 'Tomorrow',
    variables: [{ name: 'name', example: 'Testa' }],
  })
  assert.deepEqual(await one(sql`select media_type, media_file_id, text from chat_message`), {
    media_type: 'image/jpeg',
    media_file_id: null,
    text: 'Hi',
  })
  assert.deepEqual(await one(sql`select attribution, meta, email, phone, phone_normal from lead`), {
    attribution: { utm_source: 'news', clicks: 3 },
    meta: { form: { fields: [1, null] } },
    email: 'lee@example.com',
    phone: 'after five',
    phone_normal: null,
  })
})

test('a second run changes nothing, in any order of columns and with any line ends', async () => {
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

test('changed rows get the values of the file, and updated_at is the time of storing', async () => {
  const clinic = await testClinic(owner)
  await importing(clinic, everything)
  const later = new Date(NOW.getTime() + 60_000)
  const changed = {
    ...everything,
    'patients.csv': everything['patients.csv'].replace('Third,Sample', 'Third,Changed'),
    'patient_contacts.csv': 'patient_id,type,value,label,is_primary\np1,phone,050-000 0002,,false\n',
  }
  const { resources } = await importCsv({
    database: app,
    clinic,
    folder: await folderWith(changed),
    now: () => later,
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

test('the documentation matches the files', async () => {
  const path = join(import.meta.dirname, '../../../docs/csv.md')
  const remedy = 'write it anew: node packages/importers/scripts/csv-document.ts > docs/csv.md'
  assert.equal(await readFile(path, 'utf8'), csvDocument(), remedy)
})

test('the import reports its progress without naming files', async () => {
  const clinic = await testClinic(owner)
  const rows = Array.from({ length: 2_500 }, (_, i) => `s${i},Sample`)
  const folder = await folderWith({ 'patient_statuses.csv': ['id,name', ...rows].join('\n') })
  const reports: unknown[] = []
  await importCsv({ database: app, clinic, folder, onProgress: (progress) => reports.push(progress) })
  assert.deepEqual(
    reports.filter((one) => isDeepStrictEqual(one, { step: 'reading', rows: 2_500, of: null })).length,
    1,
  )
  assert.deepEqual(reports.at(-4), { step: 'checking', rows: 2_500, of: 2_500 })
  assert.deepEqual(reports.at(-1), { step: 'importing', rows: 2_500, of: 2_500 })
})

/** Whether an import waits for a row that another transaction has stored. */
async function isWaiting(child: ChildProcess): Promise<boolean> {
  assert.equal(child.exitCode, null)
  const { rows } = await owner.query(sql`select from pg_stat_activity
    where datname = current_database() and wait_event = 'transactionid' and query like '%into patient%'`)
  return rows.length > 0
}

test('an import that was killed is completed by running it again', async (t) => {
  const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
  if (citus.length > 0) return t.skip('the coordinator of a cluster does not show who waits on a worker')
  const clinic = await testClinic(owner)
  const total = 4_000
  const rows = Array.from({ length: total }, (_, i) => `p${i},Testa ${i},Probe`)
  const folder = await folderWith({ 'patients.csv': ['id,first_name,last_name', ...rows].join('\n') })
  // Another transaction has stored a patient of the third thousand, so the import stops there until it ends.
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const holding = owner
    .maintain(async (tx) => {
      // The import may begin late.
      await tx.query(sql`set local idle_in_transaction_session_timeout = 0`)
      await tx.query(sql`insert into patient (clinic_id, id, name_folded, created_at, updated_at, created_date)
        values (${clinic.clinic_id}, 'p2500', '', ${NOW}, ${NOW}, '2026-07-15')`)
      held()
      await mayEnd
      throw new Error('nothing of this is stored')
    })
    .catch(() => undefined)
  await isHeld
  const script = `
    import { openDatabase } from ${JSON.stringify(import.meta.resolve('@clinic-data/database'))}
    import { importCsv } from ${JSON.stringify(import.meta.resolve('../src/csv/import-csv.ts'))}
    const database = await openDatabase({ url: ${JSON.stringify(ownerUrl)} })
    await importCsv({ database, ...${JSON.stringify({ clinic, folder })} })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' })
  const ended = once(child, 'close')
  try {
    await until(
      () => isWaiting(child),
      () => 'the import does not wait for the row',
    )
    child.kill('SIGKILL')
    await ended
    assert.equal(child.signalCode, 'SIGKILL')
  } finally {
    end()
    await holding
  }
  const { resources } = await importCsv({ database: app, clinic, folder, now: () => NOW })
  const { inserted = 0, unchanged = 0, updated = 0 } = resources.patients ?? {}
  assert.deepEqual([inserted + unchanged, updated], [total, 0])
  assert.ok(unchanged > 0 && inserted > 0)
  assert.equal((await counts(clinic)).patient, total)
})
