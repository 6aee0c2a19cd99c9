// Importing an outpatient clinic's data set: the records, faulty rows, the changes of clocks, and a second run.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { importOutpatient } from '../src/outpatient/import-outpatient.ts'
import { LocalTime } from '../src/outpatient/local-time.ts'
import { type Files, folderWith } from './folder-with.ts'

const { owner, app } = await testDatabase()
const NOW = new Date('2025-12-02T08:00:00Z')

const rowsOf = (clinic: Clinic, statement: Statement) => app.read(clinic, statement)
const newClinic = () => testClinic(owner, { time_zone: 'Europe/London', country: 'GB', currency: 'GBP', week_start: 1 })
const importing = (clinic: Clinic, folder: string) =>
  importOutpatient({ database: app, clinic, folder, now: () => NOW })

const COLUMNS =
  'appointment_id,slot_id,scheduling_date,appointment_date,appointment_time,scheduling_interval,status,check_in_time,appointment_duration,start_time,end_time,waiting_time,patient_id,sex,age,age_group'
const appointment = (id: string, when: string, status: string, patient = '001', booked = '2023-12-14') =>
  `${id},s${id},${booked},${when},18,${status},07:38:18,24.7,08:01:08,08:25:50,22.8,${patient},Female,60,60-64`

const small: Files = {
  'patients.csv': `patient_id,name,sex,dob
001,Mrs. Allison Probe,Female,1951-11-25
002,Noa Sample MD,Male,1940-08-24
003,Testa Mary Specimen Jr.,Other,
004,Single,Female,2001-01-01
`,
  'appointments.csv': [
    COLUMNS,
    appointment('1', '2024-01-01,08:00:00', 'attended'),
    appointment('2', '2024-07-01,08:15:00', 'did not attend', '002'),
    appointment('3', '2024-07-02,08:15:00', 'cancelled', '002', '2023-11-30'),
    appointment('4', '2025-12-24,17:45:00', 'scheduled'),
    appointment('5', '2024-07-03,08:15:00', 'unknown', '003'),
  ].join('\n'),
  'slots.csv': `slot_id,appointment_date,appointment_time,is_available
1,2024-01-01,08:00:00,False
2,2024-01-01,08:20:00,False
3,2024-01-01,13:00:00,False
4,2024-01-02,23:40:00,True
5,2024-01-08,08:40:00,True
`,
}

test('patients and appointments become records, with statuses and a type that the import makes', async () => {
  const clinic = await newClinic()
  const report = await importing(clinic, await folderWith(small))
  assert.deepEqual(report, {
    files: 3,
    failed: [],
    resources: {
      patients: { read: 4, inserted: 4, updated: 0, unchanged: 0, skipped: {} },
      appointments: { read: 5, inserted: 5, updated: 0, unchanged: 0, skipped: {} },
    },
  })
  assert.deepEqual(
    await rowsOf(
      clinic,
      sql`select id, first_name, last_name, gender, birth_date, created_date from patient order by id`,
    ),
    [
      {
        id: '001',
        first_name: 'Allison',
        last_name: 'Probe',
        gender: 'female',
        birth_date: '1951-11-25',
        created_date: '2023-12-14',
      },
      {
        id: '002',
        first_name: 'Noa',
        last_name: 'Sample',
        gender: 'male',
        birth_date: '1940-08-24',
        created_date: '2023-11-30',
      },
      {
        id: '003',
        first_name: 'Testa Mary',
        last_name: 'Specimen Jr.',
        gender: null,
        birth_date: null,
        created_date: '2023-12-14',
      },
      {
        id: '004',
        first_name: 'Single',
        last_name: null,
        gender: 'female',
        birth_date: '2001-01-01',
        created_date: '2025-12-02',
      },
    ],
  )
  const place = { branch: 'Outpatient clinic', type: 'Outpatient visit', provider_id: 'outpatient' }
  const appointments = await rowsOf(
    clinic,
    sql`select a.id, a.patient_id, a.start, a."end", s.name as status, s.kind, p.busy, a.created_at, b.name as branch,
        t.name as type, p.provider_id
      from appointment a join appointment_status s on s.clinic_id = a.clinic_id and s.id = a.status_id
      join branch b on b.clinic_id = a.clinic_id and b.id = a.branch_id
      join appointment_type t on t.clinic_id = a.clinic_id and t.id = a.type_id
      join appointment_provider p on p.clinic_id = a.clinic_id and p.appointment_id = a.id
      where a.clinic_id = ${clinic.clinic_id} order by a.id`,
  )
  const one = (id: string, patient_id: string, start: string, end: string, status: string, kind: string) => ({
    id,
    patient_id,
    start,
    end,
    status,
    kind,
    busy: kind !== 'cancelled',
    created_at: id === '3' ? '2023-11-30 00:00:00+00' : '2023-12-14 00:00:00+00',
    ...place,
  })
  assert.deepEqual(appointments, [
    one('1', '001', '2024-01-01 08:00:00+00', '2024-01-01 08:20:00+00', 'Attended', 'completed'),
    one('2', '002', '2024-07-01 08:15:00+01', '2024-07-01 08:35:00+01', 'Did not attend', 'no_show'),
    one('3', '002', '2024-07-02 08:15:00+01', '2024-07-02 08:35:00+01', 'Cancelled', 'cancelled'),
    one('4', '001', '2025-12-24 17:45:00+00', '2025-12-24 18:05:00+00', 'Scheduled', 'booked'),
    one('5', '003', '2024-07-03 08:15:00+01', '2024-07-03 08:35:00+01', 'Unknown', 'booked'),
  ])
  assert.deepEqual(
    await rowsOf(clinic, sql`select weekday, starts_at::text, ends_at::text from working_hours order by 1, 2`),
    [
      { weekday: 1, starts_at: '08:00:00', ends_at: '09:00:00' },
      { weekday: 1, starts_at: '13:00:00', ends_at: '13:20:00' },
      { weekday: 2, starts_at: '23:40:00', ends_at: '24:00:00' },
    ],
  )
})

test('a second run changes nothing, and keeps the clinic’s changes of statuses and type', async () => {
  const clinic = await newClinic()
  const { 'slots.csv': _, ...withoutSlots } = small
  await importing(clinic, await folderWith(withoutSlots))
  const { clinic_id } = clinic
  await app.write(clinic, async (tx) => {
    await tx.query(sql`update appointment_status set name = 'Came' where clinic_id = ${clinic_id} and id = 'attended'`)
    await tx.query(sql`update provider set name = 'Dr. Sample' where clinic_id = ${clinic_id}`)
  })
  const { resources } = await importing(clinic, await folderWith(withoutSlots))
  assert.deepEqual(resources.patients, { read: 4, inserted: 0, updated: 0, unchanged: 4, skipped: {} })
  assert.deepEqual(resources.appointments, { read: 5, inserted: 0, updated: 0, unchanged: 5, skipped: {} })
  const [row] = await rowsOf(
    clinic,
    sql`select s.name as status, p.name as provider, t.duration_minutes from appointment_status s
      join provider p on p.clinic_id = s.clinic_id join appointment_type t on t.clinic_id = s.clinic_id
      where s.clinic_id = ${clinic_id} and s.id = 'attended'`,
  )
  assert.deepEqual(row, { status: 'Came', provider: 'Dr. Sample', duration_minutes: 15 })
})

test('the first rows of an import replace the plans for empty tables', async () => {
  // Only the owner may have PostgreSQL count a table's rows.
  await importOutpatient({ database: owner, clinic: await newClinic(), folder: await folderWith(small) })
  const { rows } = await owner.query(sql`select relname from pg_class
    where oid in ('patient'::regclass, 'appointment'::regclass) and reltuples >= 0 order by relname`)
  assert.deepEqual(rows, [{ relname: 'appointment' }, { relname: 'patient' }])
})

test('a row that cannot be imported is left out with the reason, and the others are stored', async () => {
  const clinic = await newClinic()
  const report = await importing(
    clinic,
    await folderWith({
      'patients.csv': `patient_id,name,sex,dob,note
001,Allison Probe,Female,1951-11-25,
001,Allison Again,Female,1951-11-25,
002,Noa Sample,Male,24/08/1940,
003,Too,few
${'x'.repeat(129)},Long Id,,,
`,
      'appointments.csv': [
        COLUMNS,
        appointment('1', '2024-01-01,08:00:00', 'attended'),
        appointment('1', '2024-01-02,08:00:00', 'attended'),
        appointment('2', '2024-01-01,08:00:00', 'attended', '002'),
        appointment('3', '2024-02-30,08:00:00', 'attended'),
        appointment('4', '2024-02-01,8:00', 'attended'),
        appointment('5', '2024-02-01,08:00:00', 'vanished'),
        appointment('6', '2024-02-01,08:00:00', 'attended', '001', '14.12.2023'),
      ].join('\n'),
    }),
  )
  assert.deepEqual(report.resources.patients?.skipped, {
    'has the id of an earlier row': 1,
    'birth_date must be a date that exists, YYYY-MM-DD, from 1850 to 2199': 1,
    'has other values than its header has columns, or broken quotes': 1,
    'id must have at most 128 characters': 1,
  })
  assert.deepEqual(report.resources.appointments?.skipped, {
    'has the id of an earlier row': 1,
    'is of a patient who is not known': 1,
    'has no date and time': 2,
    'has a status that is not known': 1,
    'created_at must be an ISO 8601 instant with offset, for example 2026-07-12T09:30:00+03:00, or a date (YYYY-MM-DD), within the years 1900 to 2199': 1,
  })
  assert.deepEqual(await rowsOf(clinic, sql`select id, start from appointment`), [
    { id: '1', start: '2024-01-01 08:00:00+00' },
  ])
})

test('a file that cannot be read to its end is reported, and nothing of the folder is imported', async () => {
  const clinic = await newClinic()
  const cut = { ...small, 'appointments.csv': `${small['appointments.csv']}\n"x` }
  const { failed, resources } = await importing(clinic, await folderWith(cut))
  assert.deepEqual(
    failed.map(({ fault }) => fault),
    ['line 7: has a quote that is not closed, in the row that begins here'],
  )
  assert.deepEqual(resources, {})
  assert.deepEqual(await rowsOf(clinic, sql`select id from branch`), [])
  const lacking = await importing(clinic, await folderWith({ ...small, 'patients.csv': 'id,name\n1,Noa' }))
  assert.deepEqual(
    lacking.failed.map(({ fault }) => fault),
    ['line 1: has no column patient_id, sex, dob'],
  )
  const { 'patients.csv': _, ...without } = small
  await assert.rejects(importing(clinic, await folderWith(without)), /there is no patients\.csv/)
})

test('a local time that clocks skip moves forward with them, and a time that comes twice means the first', () => {
  const london = new LocalTime('Europe/London')
  assert.equal(london.instant('2024-03-31', '00:59:59'), '2024-03-31T00:59:59+00:00')
  assert.equal(london.instant('2024-03-31', '01:30:00'), '2024-03-31T02:30:00+01:00')
  assert.equal(london.instant('2024-03-31', '02:00:00'), '2024-03-31T02:00:00+01:00')
  assert.equal(london.instant('2024-10-27', '00:30:00'), '2024-10-27T00:30:00+01:00')
  assert.equal(london.instant('2024-10-27', '01:30:00'), '2024-10-27T01:30:00+01:00')
  assert.equal(london.instant('2024-10-27', '02:00:00'), '2024-10-27T02:00:00+00:00')
  // Clocks change at midnight, by half an hour, and once by a whole day.
  assert.equal(new LocalTime('America/Santiago').instant('2024-09-08', '00:15:00'), '2024-09-08T01:15:00-03:00')
  assert.equal(new LocalTime('Australia/Lord_Howe').instant('2024-10-06', '02:15:00'), '2024-10-06T02:45:00+11:00')
  assert.equal(new LocalTime('Pacific/Apia').instant('2011-12-30', '09:00:00'), '2011-12-31T09:00:00+14:00')
  for (const [date, time] of [
    ['2024-02-30', '08:00:00'],
    ['2024-02-03', '8:00'],
    ['', ''],
  ] as const) {
    assert.equal(london.instant(date, time), null)
  }
})

test('every local time of a year becomes an instant that shows as that time, unless clocks skip it', () => {
  for (const zone of ['Asia/Jerusalem', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']) {
    const time = new LocalTime(zone)
    const shown = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    let skipped = 0
    for (let day = 0; day < 366; day++) {
      const date = new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10)
      for (let minutes = 0; minutes < 24 * 60; minutes += 30) {
        const local = new Date(minutes * 60_000).toISOString().slice(11, 19)
        const instant = time.instant(date, local)
        if (shown.format(new Date(instant ?? '')) !== `${date} ${local}`) skipped += 1
      }
    }
    const expected = { 'Asia/Kolkata': 0, 'Australia/Lord_Howe': 1 }[zone] ?? 2
    assert.equal(skipped, expected, zone)
  }
})

test('more rows than one batch are all stored, each once, and told by their fate', async () => {
  const clinic = await newClinic()
  const ids = Array.from({ length: 1_003 }, (_, n) => String(n + 1))
  const files = {
    'patients.csv': ['patient_id,name,sex,dob', ...ids.map((id) => `${id},Noa Sample,Female,1951-11-25`)].join('\n'),
    'appointments.csv': [
      COLUMNS,
      ...ids.map((id) =>
        appointment(id, '2024-01-01,08:00:00', Number(id) % 5 > 0 ? 'attended' : 'did not attend', id),
      ),
    ].join('\n'),
  }
  const { resources } = await importing(clinic, await folderWith(files))
  const all = { read: 1_003, inserted: 1_003, updated: 0, unchanged: 0, skipped: {} }
  assert.deepEqual(resources, { patients: all, appointments: all })
  assert.deepEqual(
    await rowsOf(clinic, sql`select status_id, count(*)::int as appointments from appointment group by 1 order by 1`),
    [
      { status_id: 'attended', appointments: 803 },
      { status_id: 'did_not_attend', appointments: 200 },
    ],
  )
})
