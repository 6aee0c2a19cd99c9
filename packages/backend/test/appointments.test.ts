// Appointments: the form of a row, the lists with their filters, and paging over appointments without a time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { ask, problem, walk } from '@clinic-data/testing/grounds/ask'
import { insert, insertAppointment, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date('2026-07-12T06:30:00Z'), log: failingLog })

async function staffedClinic(settings: Partial<Clinic> = {}): Promise<Clinic> {
  const clinic = await testClinic(owner, settings)
  await insert(owner, clinic, 'branch', { id: 'north', name: 'North' }, { id: 'south', name: 'South' })
  await insert(owner, clinic, 'provider', { id: 'dr-a', name: 'Dr. A' }, { id: 'dr-b', name: 'Dr. B' })
  await insert(owner, clinic, 'appointment_type', { id: 'checkup', name: 'Check-up', duration_minutes: 30 })
  await insert(owner, clinic, 'appointment_status', { id: 'booked', name: 'Booked', color: '#457b9d' })
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' })
  await insertPatient(owner, clinic, { id: 'p2', first_name: null, last_name: null })
  return clinic
}

const ids = (answer: { data: readonly { id: string }[] }) => answer.data.map(({ id }) => id)

test('an appointment is answered with all embedded resources, in the clinic’s offset at each instant', async () => {
  const clinic = await staffedClinic()
  const row = {
    id: 'a1',
    patient_id: 'p1',
    branch_id: 'north',
    type_id: 'checkup',
    status_id: 'booked',
    start: '2026-07-14T07:00:00Z',
    end: '2026-07-14T07:30:00Z',
    note: 'Prefers mornings',
    created_at: '2026-01-01T08:00:00.040Z',
    updated_at: '2026-07-12T06:30:00.123Z',
  }
  await insertAppointment(owner, clinic, row, ['dr-b', 'dr-a'])
  const concise = {
    id: 'a1',
    patient: { id: 'p1', first_name: 'Noa', last_name: 'Levi' },
    branch: { id: 'north', name: 'North' },
    type: { id: 'checkup', name: 'Check-up', duration_minutes: 30 },
    status: { id: 'booked', name: 'Booked', color: '#457b9d' },
    providers: [
      { id: 'dr-b', name: 'Dr. B' },
      { id: 'dr-a', name: 'Dr. A' },
    ],
    start: '2026-07-14T10:00:00+03:00',
    end: '2026-07-14T10:30:00+03:00',
    created_at: '2026-01-01T10:00:00.040+02:00',
    updated_at: '2026-07-12T09:30:00.123+03:00',
  }
  assert.deepEqual(await ask(backend, clinic, 'appointments.get', { params: { id: 'a1' } }), { data: concise })
  assert.deepEqual(await ask(backend, clinic, 'appointments.list'), { data: [concise], next: null })
  const detailed = await ask(backend, clinic, 'appointments.list', { query: { response_format: 'detailed' } })
  const whole = { ...concise, note: 'Prefers mornings', cancelled_at: null }
  assert.deepEqual(detailed.data, [whole])
  const query = { response_format: 'detailed' }
  assert.deepEqual(await ask(backend, clinic, 'appointments.get', { params: { id: 'a1' }, query }), { data: whole })
  const ofPatient = { params: { id: 'p1' }, query }
  assert.deepEqual((await ask(backend, clinic, 'patients.appointments.list', ofPatient)).data, [whole])
})

test('an empty appointment has nulls and no providers', async () => {
  const clinic = await staffedClinic()
  await insertAppointment(owner, clinic, { id: 'a1' })
  const { data } = await ask(backend, clinic, 'appointments.get', { params: { id: 'a1' } })
  const { patient, branch, type, status, providers, start, end } = data
  assert.deepEqual(
    { patient, branch, type, status, providers, start, end },
    {
      patient: null,
      branch: null,
      type: null,
      status: null,
      providers: [],
      start: null,
      end: null,
    },
  )
})

test('an unknown id is 404 in a path and an empty list in a filter', async () => {
  const clinic = await staffedClinic()
  await insertAppointment(owner, clinic, { id: 'a1', patient_id: 'p1', start: '2026-07-14T07:00:00Z' }, ['dr-a'])
  const get = ask(backend, clinic, 'appointments.get', { params: { id: 'nobody' } })
  await assert.rejects(get, problem('not-found', /No appointment has the id nobody/))
  const list = ask(backend, clinic, 'patients.appointments.list', { params: { id: 'nobody' } })
  await assert.rejects(list, problem('not-found', /No patient has the id nobody/))
  assert.deepEqual(ids(await ask(backend, clinic, 'patients.appointments.list', { params: { id: 'p2' } })), [])
  for (const filter of ['branch_id', 'provider_id', 'patient_id', 'status_id']) {
    assert.deepEqual(
      ids(await ask(backend, clinic, 'appointments.list', { query: { [filter]: 'nobody' } })),
      [],
      filter,
    )
  }
})

test('filters combine with AND, in every order of the rows', async () => {
  const clinic = await staffedClinic()
  const base = { patient_id: 'p1', branch_id: 'north', status_id: 'booked', start: '2026-07-14T07:00:00Z' }
  await insertAppointment(owner, clinic, { id: 'all', ...base }, ['dr-a', 'dr-b'])
  await insertAppointment(owner, clinic, { id: 'other-branch', ...base, branch_id: 'south' }, ['dr-a'])
  await insertAppointment(owner, clinic, { id: 'other-patient', ...base, patient_id: 'p2' }, ['dr-a'])
  await insertAppointment(owner, clinic, { id: 'other-provider', ...base }, ['dr-b'])
  await insertAppointment(owner, clinic, { id: 'no-status', ...base, status_id: null }, ['dr-a'])
  const filters = { patient_id: 'p1', branch_id: 'north', status_id: 'booked', provider_id: 'dr-a' }
  for (const updated_since of [undefined, '2020-01-01T00:00:00Z']) {
    const since = updated_since === undefined ? {} : { updated_since }
    assert.deepEqual(ids(await ask(backend, clinic, 'appointments.list', { query: { ...filters, ...since } })), ['all'])
    const { patient_id, ...others } = filters
    assert.deepEqual(ids(await ask(backend, clinic, 'appointments.list', { query: { ...others, ...since } })), [
      'all',
      'other-patient',
    ])
    const ofPatient = { params: { id: patient_id }, query: { ...others, ...since } }
    assert.deepEqual(ids(await ask(backend, clinic, 'patients.appointments.list', ofPatient)), ['all'])
  }
})

test('from and to are inclusive, as instants and as whole local days, and leave out appointments without a start', async () => {
  const clinic = await staffedClinic()
  const starts = {
    eve: '2026-07-13T20:59:59Z',
    first: '2026-07-13T21:00:00Z',
    last: '2026-07-14T20:59:59Z',
    next: '2026-07-14T21:00:00Z',
  }
  for (const [id, start] of Object.entries(starts)) await insertAppointment(owner, clinic, { id, start }, ['dr-a'])
  await insertAppointment(owner, clinic, { id: 'never' }, ['dr-a'])
  for (const filter of [{}, { provider_id: 'dr-a' }]) {
    const found = async (query: object) =>
      ids(await ask(backend, clinic, 'appointments.list', { query: { ...query, ...filter } }))
    assert.deepEqual(await found({ from: '2026-07-14', to: '2026-07-14' }), ['first', 'last'])
    assert.deepEqual(await found({ from: '2026-07-14T00:00:00+03:00', to: '2026-07-14T21:00:00Z' }), [
      'first',
      'last',
      'next',
    ])
    assert.deepEqual(await found({ from: '2026-07-14T00:00:00 03:00', to: '2026-07-14' }), ['first', 'last'])
    assert.deepEqual(await found({ from: '2026-07-14' }), ['first', 'last', 'next'])
    assert.deepEqual(await found({ to: '2026-07-13' }), ['eve'])
    assert.deepEqual(await found({}), ['eve', 'first', 'last', 'next', 'never'])
  }
})

test('a day that begins twice begins the first time, and one without a midnight begins after it', async () => {
  // 2026-10-25 in the Azores: 00:00 to 01:00 come twice, first at 00:00Z. 2026-09-06 in Santiago: 00:00 is skipped.
  const azores = await testClinic(owner, { time_zone: 'Atlantic/Azores' })
  await insertAppointment(owner, azores, { id: 'before', start: '2026-10-24T23:59:59Z' })
  await insertAppointment(owner, azores, { id: 'first', start: '2026-10-25T00:00:00Z' })
  assert.deepEqual(ids(await ask(backend, azores, 'appointments.list', { query: { from: '2026-10-25' } })), ['first'])
  assert.deepEqual(ids(await ask(backend, azores, 'appointments.list', { query: { to: '2026-10-24' } })), ['before'])
  const santiago = await testClinic(owner, { time_zone: 'America/Santiago' })
  await insertAppointment(owner, santiago, { id: 'before', start: '2026-09-06T03:59:59Z' })
  await insertAppointment(owner, santiago, { id: 'first', start: '2026-09-06T04:00:00Z' })
  assert.deepEqual(ids(await ask(backend, santiago, 'appointments.list', { query: { from: '2026-09-06' } })), ['first'])
  assert.deepEqual(ids(await ask(backend, santiago, 'appointments.list', { query: { to: '2026-09-05' } })), ['before'])
  // Samoa had no 2011-12-30: the day after it follows the one before.
  const apia = await testClinic(owner, { time_zone: 'Pacific/Apia' })
  await insertAppointment(owner, apia, { id: 'before', start: '2011-12-30T09:59:59Z' })
  await insertAppointment(owner, apia, { id: 'first', start: '2011-12-30T10:00:00Z' })
  assert.deepEqual(ids(await ask(backend, apia, 'appointments.list', { query: { from: '2011-12-31' } })), ['first'])
  assert.deepEqual(ids(await ask(backend, apia, 'appointments.list', { query: { to: '2011-12-29' } })), ['before'])
})

test('updated_since is inclusive and puts the oldest change first', async () => {
  const clinic = await staffedClinic()
  const changed = {
    early: '2026-07-01T08:00:00.122Z',
    exact: '2026-07-01T08:00:00.123Z',
    late: '2026-07-02T08:00:00.000Z',
  }
  for (const [id, updated_at] of Object.entries(changed)) {
    await insertAppointment(owner, clinic, { id, updated_at, start: id === 'late' ? '2020-01-01T00:00:00Z' : null })
  }
  const query = { updated_since: '2026-07-01T11:00:00.123+03:00' }
  assert.deepEqual(ids(await ask(backend, clinic, 'appointments.list', { query })), ['exact', 'late'])
})

test('walking the pages shows each appointment that existed throughout once, while others come and go', async () => {
  const clinic = await staffedClinic()
  const start = (n: number) => (n % 5 === 0 ? null : new Date(Date.UTC(2026, 6, 1 + (n % 7), 8)).toISOString())
  for (let n = 0; n < 40; n++) await insertAppointment(owner, clinic, { id: `stays-${n}`, start: start(n) }, ['dr-a'])
  for (const query of [{}, { provider_id: 'dr-a' }, { updated_since: '2020-01-01T00:00:00Z' }]) {
    let made = 0
    const rows = await walk(backend, clinic, 'appointments.list', { query, limit: 3 }, async () => {
      const row = { id: `comes-${JSON.stringify(query)}-${made}`, start: start(made) }
      await insertAppointment(owner, clinic, row, ['dr-a'])
      await owner.write(clinic, (tx) => tx.query(deleted(clinic, `comes-${JSON.stringify(query)}-${made - 4}`)))
      made += 1
    })
    const stayed = rows.map(({ id }) => id).filter((id) => id.startsWith('stays'))
    assert.equal(stayed.length, 40)
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
    const times = (rows as unknown as { start: string | null }[]).map((row) => row.start ?? 'never')
    if (!('updated_since' in query)) assert.deepEqual(times, [...times].sort())
  }
})

test('a position that no list of ours has made is refused, naming the cursor', async () => {
  const clinic = await staffedClinic()
  const ofInstants = [
    [],
    ['x'],
    ['x', 'y'],
    ['2026-02-31 00:00:00', 'a'],
    ['0000-01-01 00:00:00', 'a'],
    ['infinity', 'a\0b'],
    ['infinity', '\ud800'],
    ['infinity', 'a', 'b'],
    ['now', 'a'],
    ['2026-01-01 24:00:01', 'a'],
    [1, 2],
    [null, null],
  ]
  for (const after of ofInstants as string[][]) {
    const asking = ask(backend, clinic, 'appointments.list', { after })
    await assert.rejects(
      asking,
      (error) => problem('invalid-request')(error) && JSON.stringify(error).includes('cursor'),
    )
  }
  for (const after of [
    ['-infinity', ''],
    ['infinity', 'a'],
    ['2026-01-01 23:59:60', 'a'],
    ['2026-01-01 00:00:00.123', '%'],
  ]) {
    const asking = ask(backend, clinic, 'appointments.list', { after })
    await asking.catch(problem('invalid-request'))
  }
})

test('a position at a day or a time that does not exist is refused, naming the cursor', async () => {
  const clinic = await staffedClinic()
  for (const instant of ['2026-02-31 00:00:00+00', '2026-13-01 00:00:00+00', '2026-01-01 24:00:01+00']) {
    const asking = ask(backend, clinic, 'appointments.list', { after: [instant, 'a'] })
    await assert.rejects(
      asking,
      (error) => problem('invalid-request')(error) && JSON.stringify(error).includes('cursor'),
    )
  }
})

function deleted({ clinic_id }: Clinic, id: string): Statement {
  return sql`delete from appointment where clinic_id = ${clinic_id} and id = ${id}`
}
