// Appointments through the ingest API: the stored rows, their events, and that an event's bytes are the resource's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeAppointments } from '@clinic-data/changes/appointments'
import { Appointment } from '@clinic-data/contract/resources/appointment'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { eventsOf, ingestOf } from '@clinic-data/testing/grounds/ingest'
import { insert } from '@clinic-data/testing/grounds/rows'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const database = await testDatabase()
const { owner, app } = database
const backend = createBackend({ database: app, now: () => new Date(), log: failingLog })

async function clinicWithCatalog() {
  const clinic = await testClinic(owner)
  await insert(owner, clinic, 'branch', { id: 'b' })
  await insert(owner, clinic, 'provider', { id: 'r1' }, { id: 'r2' })
  await insert(owner, clinic, 'appointment_status', { id: 'booked', kind: 'booked' }, { id: 'gone', kind: 'cancelled' })
  return { clinic, send: await ingestOf(database, clinic) }
}

const booked = {
  id: 'a1',
  branch_id: 'b',
  status_id: 'booked',
  provider_ids: ['r2', 'r1'],
  start: '2026-07-14T09:00:00+03:00',
  end: '2026-07-14T09:30:00+03:00',
}

test('a booking, a move, a cancellation and its reversal each fire one event with the resource byte for byte', async () => {
  const { clinic, send } = await clinicWithCatalog()
  const steps = [
    [booked, 'created', 'appointment.created'],
    [{ ...booked, start: '2026-07-14T09:10:00+03:00' }, 'updated', 'appointment.updated'],
    [{ ...booked, status_id: 'gone' }, 'updated', 'appointment.cancelled'],
    [{ ...booked, note: 'came after all' }, 'updated', 'appointment.updated'],
  ] as const
  for (const [record, outcome, type] of steps) {
    assert.deepEqual(await send('/appointments', record), { status: 200, json: { data: { id: 'a1', outcome } } })
    const event = (await eventsOf(owner, clinic)).at(-1)
    const { data } = await ask(backend, clinic, 'appointments.get', { params: { id: 'a1' } })
    assert.equal(event?.type, type)
    assert.equal(event?.data, serializerOf(Appointment)(data))
  }
  assert.equal((await eventsOf(owner, clinic)).length, steps.length)
})

test('a repeated request changes nothing and fires nothing', async () => {
  const { clinic, send } = await clinicWithCatalog()
  await send('/appointments', { ...booked, status_id: 'gone' })
  const again = await send('/appointments', { ...booked, status_id: 'gone' })
  assert.deepEqual(again.json, { data: { id: 'a1', outcome: 'unchanged' } })
  assert.deepEqual(
    (await eventsOf(owner, clinic)).map(({ type }) => type),
    ['appointment.created'],
  )
})

test('a batch with wrong records stores nothing and names every fault', async () => {
  const { clinic, send } = await clinicWithCatalog()
  const records = [booked, { id: 'a2', branch_id: 'nowhere', provider_ids: ['r1', 'nobody'] }, { ...booked, id: 'a3' }]
  const refused = await send('/appointments', { records })
  assert.equal(refused.status, 422)
  assert.deepEqual(
    refused.json.errors.map((error: { pointer: string; code: string }) => [error.pointer, error.code]),
    [
      ['#/records/1/branch_id', 'unknown_id'],
      ['#/records/1/provider_ids/1', 'unknown_id'],
    ],
  )
  const malformed = await send('/appointments', { records: [{ ...booked, start: 'soon', surprise: 1 }, booked] })
  assert.equal(malformed.status, 400)
  const { rows } = await owner.query(sql`select from appointment where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows.length, 0)
  assert.deepEqual(await eventsOf(owner, clinic), [])
})

test('a subscription gets a delivery of each event that it wants, and no other', async () => {
  const { clinic, send } = await clinicWithCatalog()
  const secret = {
    secret: '\\x00',
    secret_last_characters: 'abcd',
    url: 'https://example.com',
    created_at: '2026-01-01T00:00:00Z',
  }
  await insert(
    owner,
    clinic,
    'subscription',
    { id: 'all', event_types: [], enabled: true, ...secret },
    { id: 'moves', event_types: ['appointment.updated'], enabled: true, ...secret },
    { id: 'off', event_types: [], enabled: false, ...secret },
  )
  await send('/appointments', booked)
  await send('/appointments', { ...booked, note: 'x' })
  const { rows } = await owner.query<{ subscription_id: string; event_type: string }>(sql`
    select subscription_id, event_type from delivery where clinic_id = ${clinic.clinic_id} order by 1, 2`)
  assert.deepEqual(
    rows.map((row) => [row.subscription_id, row.event_type]),
    [
      ['all', 'appointment.created'],
      ['all', 'appointment.updated'],
      ['moves', 'appointment.updated'],
    ],
  )
})

test('a crowd that stores one new appointment at once creates it once', async () => {
  const { clinic, send } = await clinicWithCatalog()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => send('/appointments', { ...booked, note: `${i}` })),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const types = (await eventsOf(owner, clinic)).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'appointment.created').length, 1)
  assert.equal(types.length, 20)
})

test('a report that another transaction overtakes is an event of what it changes, not of what was stored meanwhile', async () => {
  const { clinic, send } = await clinicWithCatalog()
  const cancelled = { ...booked, status_id: 'gone', patient_id: null, type_id: null, note: null, cancelled_at: null }
  const { sending } = await app.write(clinic, async (tx) => {
    const at = new Date().toISOString()
    await changeAppointments(tx, clinic, [{ ...cancelled, created_at: at, updated_at: at }])
    const sending = send('/appointments', { ...booked, status_id: 'gone', note: 'ill' })
    await doneOrWaiting(owner, tx, sending, '%into appointment as%')
    return { sending }
  })
  assert.deepEqual((await sending).json, { data: { id: 'a1', outcome: 'updated' } })
  assert.deepEqual(
    (await eventsOf(owner, clinic)).map(({ type }) => type),
    ['appointment.updated'],
  )
})

test('a cancellation fires one event and frees the providers', async () => {
  const { clinic, send } = await clinicWithCatalog()
  await insert(owner, clinic, 'appointment_status', { id: 'a-left', kind: 'cancelled', enabled: false })
  await send('/appointments', { records: [booked, { ...booked, id: 'a2' }, { ...booked, id: 'a3' }] })
  const cancel = (records: object[]) => send('/appointments/cancel', { records })
  const first = [{ id: 'a1' }, { id: 'a2', cancelled_at: '2026-07-13T10:00:00+03:00', status_id: 'a-left' }]
  const outcomes = (outcome: string) => ({ status: 200, json: { data: first.map(({ id }) => ({ id, outcome })) } })
  assert.deepEqual(await cancel(first), outcomes('updated'))
  assert.deepEqual(await cancel(first), outcomes('unchanged'))

  const events = (await eventsOf(owner, clinic)).slice(3)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['appointment.cancelled', 'appointment.cancelled'],
  )
  for (const [at, { id, status_id }] of [
    [0, { id: 'a1', status_id: 'gone' }],
    [1, { id: 'a2', status_id: 'a-left' }],
  ] as const) {
    const { data } = await ask(backend, clinic, 'appointments.get', { params: { id } })
    assert.equal(events[at]?.data, serializerOf(Appointment)(data))
    assert.equal(data.status?.id, status_id)
  }
  const { data } = await ask(backend, clinic, 'appointments.list', { query: { response_format: 'detailed' } })
  const times = data.map((row) => [row.id, 'cancelled_at' in row ? row.cancelled_at : undefined])
  assert.deepEqual(times.slice(1), [
    ['a2', '2026-07-13T10:00:00+03:00'],
    ['a3', null],
  ])
  const { rows } = await owner.query<{ appointment_id: string; busy: boolean }>(sql`
    select distinct appointment_id, busy from appointment_provider where clinic_id = ${clinic.clinic_id} order by 1`)
  assert.deepEqual(
    rows.map(({ busy }) => busy),
    [false, false, true],
  )
})

test('a cancelled appointment that is sent again keeps the time of its cancellation', async () => {
  const { clinic, send } = await clinicWithCatalog()
  const ids = ['a1', 'a2']
  await send('/appointments', { records: ids.map((id) => ({ ...booked, id })) })
  const cancelled_at = '2026-07-13T10:00:00+03:00'
  await send('/appointments/cancel', { records: ids.map((id) => ({ id, cancelled_at })) })
  const again = (more: object) => send('/appointments', { records: ids.map((id) => ({ ...booked, id, ...more })) })
  const outcomes = (outcome: string) => ({ data: ids.map((id) => ({ id, outcome })) })
  assert.deepEqual((await again({ status_id: 'gone' })).json, outcomes('unchanged'))
  assert.deepEqual((await again({ status_id: 'gone', note: 'has moved away' })).json, outcomes('updated'))
  const { data } = await ask(backend, clinic, 'appointments.list', { query: { response_format: 'detailed' } })
  assert.deepEqual(
    data.map((row) => 'cancelled_at' in row && row.cancelled_at),
    [cancelled_at, cancelled_at],
  )
})

test('appointments that one batch moves, or gives to others, take their new times and free the former ones', async () => {
  const { clinic, send } = await clinicWithCatalog()
  const at = (hour: number) => `2150-07-14T${String(hour).padStart(2, '0')}:00:00+03:00`
  const weekday = new Date(at(12)).getUTCDay()
  const hours = { branch_id: 'b', weekday, starts_at: '09:00', ends_at: '12:00' }
  await insert(owner, clinic, 'working_hours', { ...hours, provider_id: 'r1' }, { ...hours, provider_id: 'r2' })
  const free = async () => {
    const query = { from: '2150-07-14', to: '2150-07-14', branch_id: 'b' }
    const { data } = await ask(backend, clinic, 'availability.list', { query })
    return data.map(({ provider_id, start, end }) => [provider_id, start, end]).sort()
  }
  const sent = async (...visits: [id: string, provider: string, hour: number][]) => {
    const records = visits.map(([id, provider, hour]) => ({
      ...booked,
      id,
      provider_ids: [provider],
      start: at(hour),
      end: at(hour + 1),
    }))
    const { json } = await send('/appointments', { records })
    return json.data.map(({ outcome }: { outcome: string }) => outcome)
  }
  await sent(['a1', 'r1', 9], ['a2', 'r2', 9])
  assert.deepEqual(await free(), [
    ['r1', at(10), at(12)],
    ['r2', at(10), at(12)],
  ])
  assert.deepEqual(await sent(['a1', 'r1', 11], ['a2', 'r2', 11]), ['updated', 'updated'])
  assert.deepEqual(await free(), [
    ['r1', at(9), at(11)],
    ['r2', at(9), at(11)],
  ])
  await sent(['a1', 'r1', 11], ['a2', 'r2', 9])
  assert.deepEqual(await sent(['a1', 'r2', 11], ['a2', 'r1', 9]), ['updated', 'updated'])
  assert.deepEqual(await free(), [
    ['r1', at(10), at(12)],
    ['r2', at(9), at(11)],
  ])
})

test('an appointment that cannot be cancelled is a fault of its record: an unknown id, a status of another kind, a clinic without one', async () => {
  const { clinic, send } = await clinicWithCatalog()
  await send('/appointments', booked)
  const faults = async (body: object) => {
    const { status, json } = await send('/appointments/cancel', body)
    return [status, ...json.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)]
  }
  assert.deepEqual(await faults({ records: [{ id: 'a1' }, { id: 'x' }] }), [422, '#/records/1/id unknown_id'])
  assert.deepEqual(await faults({ id: 'a1', status_id: 'booked' }), [422, '#/status_id not_cancelled'])
  await owner.query(sql`update appointment_status set enabled = false where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(await faults({ id: 'a1' }), [422, '#/status_id required'])
  assert.equal((await eventsOf(owner, clinic)).length, 1)
})
