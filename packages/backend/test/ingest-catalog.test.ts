// Reference data and hours through the ingest API: the stored rows, and their effect on the time of providers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic, Handlers } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { AppointmentRecord, storeAppointments } from '@clinic-data/records/appointments'
import { complete } from '@clinic-data/records/storing/complete-record'
import { ask } from '@clinic-data/testing/grounds/ask'
import { eventsOf, ingestOf } from '@clinic-data/testing/grounds/ingest'
import { insert, insertAppointment } from '@clinic-data/testing/grounds/rows'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const database = await testDatabase()
const { owner, app } = database
const now = () => new Date('2026-07-12T06:30:00Z')
const backend = createBackend({ database: app, now, log: failingLog })

test('reference data is stored, read by integrations, and fires no event', async () => {
  const clinic = await testClinic(owner)
  const send = await ingestOf(database, clinic)
  const stored = async (path: string, record: { id: string; [field: string]: unknown }) => {
    const { json } = await send(path, record)
    assert.deepEqual(json, { data: { id: record.id, outcome: 'created' } })
  }
  await stored('/branches', { id: 'b', name: 'North' })
  await stored('/providers', { id: 'r', name: 'Dr. Levi', type: 'dentist' })
  await stored('/appointment-types', { id: 'y', name: 'Check-up', duration_minutes: 30 })
  await stored('/appointment-statuses', { id: 's', name: 'Booked', color: '#000000', kind: 'booked' })
  await stored('/treatment-categories', { id: 'g', name: 'Hygiene' })
  await stored('/catalog-treatments', { id: 'm', name: 'Scaling', price: 350.5, category_id: 'g' })
  await stored('/billing-accounts', { id: 'a', business_name: 'Levi Ltd', document_type: 'receipt' })

  const read = async (id: `catalog.${string}.list` & keyof Handlers) => (await ask(backend, clinic, id)).data
  assert.deepEqual(await read('catalog.branches.list'), [
    { id: 'b', name: 'North', phone: null, address: null, color: null },
  ])
  assert.deepEqual(await read('catalog.providers.list'), [{ id: 'r', name: 'Dr. Levi', type: 'dentist', color: null }])
  assert.deepEqual(await read('catalog.appointment_types.list'), [
    { id: 'y', name: 'Check-up', duration_minutes: 30, color: null },
  ])
  assert.deepEqual(await read('catalog.appointment_statuses.list'), [
    { id: 's', name: 'Booked', color: '#000000', enabled: true },
  ])
  assert.deepEqual(await read('catalog.treatments.list'), [
    {
      id: 'm',
      name: 'Scaling',
      code: null,
      price: 350.5,
      color: null,
      category_id: 'g',
      category_name: 'Hygiene',
    },
  ])
  assert.deepEqual(await read('catalog.billing_accounts.list'), [
    { id: 'a', business_name: 'Levi Ltd', business_id: null },
  ])
  assert.deepEqual(await eventsOf(owner, clinic), [])
})

const hour = { start: '2026-07-14T09:00:00+03:00', end: '2026-07-14T10:00:00+03:00' }

async function clinicAtWork() {
  const clinic = await testClinic(owner)
  await insert(owner, clinic, 'branch', { id: 'b' })
  await insert(owner, clinic, 'provider', { id: 'r' })
  await insert(owner, clinic, 'appointment_status', { id: 's' })
  await insert(owner, clinic, 'working_hours', {
    provider_id: 'r',
    branch_id: 'b',
    weekday: 2,
    starts_at: '09:00',
    ends_at: '12:00',
  })
  return { clinic, send: await ingestOf(database, clinic) }
}

/** The free windows of the one Tuesday, as `09:00-12:00`. */
async function freeTime(clinic: Clinic): Promise<string[]> {
  const query = { branch_id: 'b', from: '2026-07-14', to: '2026-07-14' }
  const { data } = await ask(backend, clinic, 'availability.list', { query })
  return data.map(({ start, end }) => `${start?.slice(11, 16)}-${end?.slice(11, 16)}`)
}

const status = { id: 's', name: 'Booked', color: '#000000' }

test('when a status becomes cancelled its appointments free their time, and when it no longer is they take it again', async () => {
  const { clinic, send } = await clinicAtWork()
  await insertAppointment(owner, clinic, { id: 'a', status_id: 's', ...hour }, ['r'])
  assert.deepEqual(await freeTime(clinic), ['10:00-12:00'])
  await send('/appointment-statuses', { ...status, kind: 'cancelled' })
  assert.deepEqual(await freeTime(clinic), ['09:00-12:00'])
  await send('/appointment-statuses', { ...status, kind: 'confirmed' })
  assert.deepEqual(await freeTime(clinic), ['10:00-12:00'])
  assert.deepEqual(await eventsOf(owner, clinic), [])
})

test('a status that changes its meaning while an appointment is stored in it counts for that appointment too', async () => {
  const { clinic, send } = await clinicAtWork()
  const at = now().toISOString()
  const booking = complete(AppointmentRecord, {
    id: 'a',
    branch_id: 'b',
    status_id: 's',
    provider_ids: ['r'],
    ...hour,
    created_at: at,
    updated_at: at,
  })
  let change: ReturnType<typeof send> | undefined
  await app.write(clinic, async (tx) => {
    await storeAppointments(tx, clinic, [booking])
    change = send('/appointment-statuses', { ...status, kind: 'cancelled' })
    await doneOrWaiting(owner, tx, change, 'insert into appointment_status%')
  })
  assert.equal((await change)?.status, 200)
  assert.deepEqual(await freeTime(clinic), ['09:00-12:00'])
})

const window = (weekday: number, starts_at: string, ends_at: string) => ({
  branch_id: 'b',
  weekday,
  starts_at,
  ends_at,
})

test("a provider's week replaces the stored one, even an empty week", async () => {
  const { clinic, send } = await clinicAtWork()
  const week = {
    provider_id: 'r',
    windows: [window(2, '09:00', '10:00'), window(2, '10:00', '10:30'), window(3, '09:00', '24:00')],
  }
  assert.deepEqual((await send('/working-hours', week)).json, { data: { id: 'r', outcome: 'updated' } })
  assert.deepEqual(await freeTime(clinic), ['09:00-10:30'])
  assert.deepEqual((await send('/working-hours', week)).json, { data: { id: 'r', outcome: 'unchanged' } })
  assert.deepEqual((await send('/working-hours', { provider_id: 'r', windows: [] })).json, {
    data: { id: 'r', outcome: 'updated' },
  })
  assert.deepEqual(await freeTime(clinic), [])
  assert.equal((await send('/working-hours', { provider_id: 'r' })).status, 400)
})

test('windows that end before they start, overlap, or are at an unknown branch are faults, each with its place', async () => {
  const { send } = await clinicAtWork()
  const faults = async (...windows: object[]) => {
    const { status, json } = await send('/working-hours', { provider_id: 'r', windows })
    return [status, ...json.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)]
  }
  assert.deepEqual(
    await faults(window(1, '12:00', '13:00'), window(1, '09:00', '12:01'), window(2, '09:00', '09:00')),
    [422, '#/windows/2/ends_at reversed', '#/windows/0 overlap'],
  )
  assert.deepEqual(await faults({ ...window(1, '12:00', '13:00'), branch_id: 'x' }), [
    422,
    '#/windows/0/branch_id unknown_id',
  ])
})

test('when two weeks of one provider arrive at once, one is stored whole', async () => {
  const { clinic, send } = await clinicAtWork()
  const weeks = Array.from({ length: 10 }, (_, i) => [
    window(2, `0${i}:00`, `0${i}:30`),
    window(3, `0${i}:00`, `0${i}:30`),
  ])
  await Promise.all(weeks.map((windows) => send('/working-hours', { provider_id: 'r', windows })))
  const { rows } = await owner.query(sql`select from working_hours where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows.length, 2)
})

test('time off takes the time, and its removal gives it back', async () => {
  const { clinic, send } = await clinicAtWork()
  const off = { id: 'o', provider_id: 'r', ...hour }
  assert.deepEqual((await send('/time-off', off)).json, { data: { id: 'o', outcome: 'created' } })
  assert.deepEqual(await freeTime(clinic), ['10:00-12:00'])
  const reversed = await send('/time-off', { ...off, end: hour.start })
  assert.deepEqual([reversed.status, reversed.json.errors[0].pointer], [422, '#/end'])
  assert.deepEqual((await send('/time-off/remove', { id: 'o' })).json, { data: { id: 'o', outcome: 'removed' } })
  assert.deepEqual(await freeTime(clinic), ['09:00-12:00'])
  assert.deepEqual((await send('/time-off/remove', { id: 'o' })).json, { data: { id: 'o', outcome: 'unchanged' } })
})
