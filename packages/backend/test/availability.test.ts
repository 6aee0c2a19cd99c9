// Availability: compared with a model that checks every minute, and the rules that a client relies on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { freeMinutes, type ModelClinic, visitMinutes } from '@clinic-data/testing/grounds/availability-model'
import { insert, insertAppointment } from '@clinic-data/testing/grounds/rows'
import { sized } from '@clinic-data/testing/run/size'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import fc from 'fast-check'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
let now = new Date('2026-01-01T00:00:00Z')
const backend = createBackend({ database: app, now: () => now, log: failingLog })

/** Saturday to Monday around each change of the clocks of 2026, and days without one. */
const periods = [
  { time_zone: 'Asia/Jerusalem', from: '2026-03-26', to: '2026-03-28' },
  { time_zone: 'Asia/Jerusalem', from: '2026-10-24', to: '2026-10-26' },
  { time_zone: 'America/New_York', from: '2026-03-07', to: '2026-03-09' },
  { time_zone: 'America/New_York', from: '2026-10-31', to: '2026-11-02' },
  { time_zone: 'Asia/Jerusalem', from: '2026-07-14', to: '2026-07-15' },
  { time_zone: 'Asia/Kathmandu', from: '2026-07-14', to: '2026-07-15' },
] as const
const MINUTE_MS = 60_000
const QUARTER = 15
/** Around the period, in whole quarters of an hour from the start of the UTC day before it. */
const span = fc
  .tuple(fc.nat(5 * 96), fc.integer({ min: 1, max: 40 }))
  .map(([start, length]) => ({ start: start * QUARTER, end: (start + length) * QUARTER }))
const provider = fc.constantFrom('dr-a', 'dr-b')
const branch = fc.constantFrom('here', 'there')
/** Draws a whole day, or short windows in the hours in which clocks change. */
const window = fc
  .oneof(
    fc.tuple(fc.nat(95), fc.integer({ min: 1, max: 96 })),
    fc.tuple(fc.integer({ min: 3, max: 13 }), fc.integer({ min: 1, max: 6 })),
  )
  .map(([start, length]) => ({ opens: start * QUARTER, closes: Math.min(start + length, 96) * QUARTER }))
const endless = fc.option(fc.record({ duration_minutes: fc.constantFrom(null, 0, 20, 1440) }))
const modelClinic: fc.Arbitrary<ModelClinic> = fc.record({
  period: fc.constantFrom(...periods),
  now: fc.oneof(
    fc.constant(0),
    fc.nat(5 * 96).map((quarters) => quarters * QUARTER),
    fc.nat(5 * 1440 * 60).map((seconds) => seconds / 60),
  ),
  slot_step_minutes: fc.constantFrom(1, 5, 15, 30, 60),
  min_visit_minutes: fc.constantFrom(15, 60, 120),
  hours: fc.array(fc.record({ provider_id: provider, branch_id: branch, weekday: fc.nat(6), window }), {
    maxLength: 30,
  }),
  off: fc.array(fc.record({ provider_id: fc.option(provider), branch_id: fc.option(branch), span }), { maxLength: 4 }),
  busy: fc.array(fc.record({ provider_id: provider, span, cancelled: fc.boolean(), endless }), { maxLength: 12 }),
  provider_id: fc.option(provider, { freq: 3 }),
  duration_minutes: fc.option(fc.constantFrom(1, 10, 16, 45, 90, 180, 1440)),
})

test("the slots are the model's free minutes, joined, and hold each of its starts of a visit", async () => {
  await fc.assert(
    fc.asyncProperty(modelClinic, async (model) => {
      const clinic = await store(model)
      now = new Date(startOf(model) + model.now * MINUTE_MS)
      const { from, to } = model.period
      const provider_id = model.provider_id === null ? {} : { provider_id: model.provider_id }
      const duration_minutes = model.duration_minutes === null ? {} : { duration_minutes: model.duration_minutes }
      const query = { from, to, branch_id: 'here', ...provider_id, ...duration_minutes }
      const { data } = await ask(backend, clinic, 'availability.list', { query })
      const minutes = new Set<string>()
      const visits = new Set<string>()
      for (const { provider_id, start, end, latest_start } of data) {
        const [starts, ends] = [Date.parse(start ?? ''), Date.parse(end ?? '')]
        const latest = Date.parse(latest_start ?? '')
        assert.equal(latest, ends - visitMinutes(model) * MINUTE_MS)
        for (let at = starts; at < ends; at += MINUTE_MS) minutes.add(`${provider_id} ${at}`)
        for (let at = starts; at <= latest; at += MINUTE_MS) visits.add(`${provider_id} ${at}`)
      }
      const free = freeMinutes(model, startOf(model))
      assert.deepEqual([...minutes].sort(), free.minutes.sort())
      assert.deepEqual([...visits].sort(), free.starts.sort())
      assert.equal(data.length, free.slots)
      const order = data.map(({ start, provider_id }) => `${new Date(start ?? '').toISOString()} ${provider_id}`)
      assert.deepEqual(order, [...order].sort())
    }),
    { numRuns: sized({ everyday: 30, long: 1000 }) },
  )
})

const slot = (start: string, end: string, latest_start: string) => ({
  provider_id: 'dr-a',
  provider_name: 'Provider',
  branch_id: 'here',
  branch_name: 'Branch',
  start,
  end,
  latest_start,
})

test('working hours may end at 24:00, and no slot reaches across midnight', async () => {
  const clinic = await openAllDay()
  now = new Date('2026-01-01T00:00:00Z')
  const { data } = await ask(backend, clinic, 'availability.list', {
    query: { from: '2026-07-14', to: '2026-07-15', branch_id: 'here' },
  })
  assert.deepEqual(data, [
    slot('2026-07-14T00:00:00+03:00', '2026-07-15T00:00:00+03:00', '2026-07-14T23:45:00+03:00'),
    slot('2026-07-15T00:00:00+03:00', '2026-07-16T00:00:00+03:00', '2026-07-15T23:45:00+03:00'),
  ])
})

test('nothing is free before the next step after now, in past days, or in a rest shorter than a visit', async () => {
  const clinic = await openAllDay()
  const query = { from: '2026-07-13', to: '2026-07-14', branch_id: 'here' }
  const slots = async (at: string) => {
    now = new Date(at)
    return (await ask(backend, clinic, 'availability.list', { query })).data.map(({ start, end }) => [start, end])
  }
  const until = '2026-07-15T00:00:00+03:00'
  assert.deepEqual(await slots('2026-07-14T18:30:16+03:00'), [['2026-07-14T18:35:00+03:00', until]])
  assert.deepEqual(await slots('2026-07-14T18:35:00+03:00'), [['2026-07-14T18:35:00+03:00', until]])
  assert.deepEqual(await slots('2026-07-14T18:35:00.001+03:00'), [['2026-07-14T18:40:00+03:00', until]])
  assert.deepEqual(await slots('2026-07-14T23:45:00+03:00'), [['2026-07-14T23:45:00+03:00', until]])
  assert.deepEqual(await slots('2026-07-14T23:45:00.001+03:00'), [])
  assert.deepEqual(await slots('2027-01-01T00:00:00Z'), [])
  await setStep(clinic, 20)
  assert.deepEqual(await slots('2026-07-14T18:30:16+03:00'), [['2026-07-14T18:40:00+03:00', until]])
  await setStep(clinic, 1)
  assert.deepEqual(await slots('2026-07-14T18:30:16+03:00'), [['2026-07-14T18:31:00+03:00', until]])
})

test("the step of slots is of the clinic's clock, also in zones that are no whole hour from UTC", async () => {
  const cases = [
    { time_zone: 'Asia/Kathmandu', step: 30, now: '18:10', begins: '18:30', offset: '+05:45' },
    { time_zone: 'Asia/Kathmandu', step: 60, now: '18:10', begins: '19:00', offset: '+05:45' },
    { time_zone: 'Australia/Lord_Howe', step: 60, now: '18:10', begins: '19:00', offset: '+10:30' },
  ]
  for (const { time_zone, step, now: local, begins, offset } of cases) {
    const clinic = await openAllDay({ time_zone })
    await setStep(clinic, step)
    const at = (time: string) => `2026-07-14T${time}:00${offset}`
    now = new Date(at(local))
    const query = { from: '2026-07-14', to: '2026-07-14', branch_id: 'here' }
    const { data } = await ask(backend, clinic, 'availability.list', { query })
    assert.deepEqual(
      data.map(({ start, end }) => [start, end]),
      [[at(begins), `2026-07-15T00:00:00${offset}`]],
      `${time_zone}, every ${step} minutes`,
    )
  }
})

test('a length leaves only the windows that hold it, up to a whole day; the shortest visit is never undercut', async () => {
  const clinic = await openAllDay()
  now = new Date('2026-07-14T08:00:00+03:00')
  const at = (time: string) => `2026-07-14T${time}:00+03:00`
  const midnight = '2026-07-15T00:00:00+03:00'
  await insertAppointment(owner, clinic, { id: 'x', start: at('08:44'), end: at('10:00') }, ['dr-a'])
  await insertAppointment(owner, clinic, { id: 'y', start: at('10:45'), end: at('12:00') }, ['dr-a'])
  const slots = async (duration_minutes?: number, to = '2026-07-14') => {
    const query = { from: '2026-07-14', to, branch_id: 'here', ...(duration_minutes && { duration_minutes }) }
    const { data } = await ask(backend, clinic, 'availability.list', { query })
    return data.map(({ start, latest_start }) => [start, latest_start])
  }
  const quarters = [
    [at('08:00'), at('08:29')],
    [at('10:00'), at('10:30')],
    [at('12:00'), at('23:45')],
  ]
  assert.deepEqual(await slots(), quarters)
  assert.deepEqual(await slots(1), quarters)
  assert.deepEqual(await slots(45), [
    [at('10:00'), at('10:00')],
    [at('12:00'), at('23:15')],
  ])
  assert.deepEqual(await slots(46), [[at('12:00'), at('23:14')]])
  assert.deepEqual(await slots(1440, '2026-07-15'), [[midnight, midnight]])
})

test("an appointment without an end takes its type's duration, or else the shortest visit", async () => {
  const clinic = await openAllDay()
  now = new Date('2026-07-14T08:00:00+03:00')
  const at = (time: string) => `2026-07-14T${time}:00+03:00`
  await insert(
    owner,
    clinic,
    'appointment_type',
    { id: 'long', duration_minutes: 90 },
    { id: 'unsaid', duration_minutes: 0 },
  )
  await insertAppointment(owner, clinic, { id: 'typed', start: at('10:00'), type_id: 'long' }, ['dr-a'])
  await insertAppointment(owner, clinic, { id: 'untyped', start: at('13:00') }, ['dr-a'])
  await insertAppointment(owner, clinic, { id: 'zero', start: at('15:00'), type_id: 'unsaid' }, ['dr-a'])
  await insertAppointment(owner, clinic, { id: 'cancelled', start: at('17:00'), type_id: 'long' }, ['dr-a'], false)
  const query = { from: '2026-07-14', to: '2026-07-14', branch_id: 'here' }
  const { data } = await ask(backend, clinic, 'availability.list', { query })
  assert.deepEqual(
    data.map(({ start, end }) => [start, end]),
    [
      [at('08:00'), at('10:00')],
      [at('11:30'), at('13:00')],
      [at('13:15'), at('15:00')],
      [at('15:15'), '2026-07-15T00:00:00+03:00'],
    ],
  )
})

test('an appointment at another branch takes its provider’s time here, a cancelled one does not', async () => {
  const clinic = await openAllDay()
  now = new Date('2026-07-14T18:00:00+03:00')
  const at = (hour: number) => `2026-07-14T${hour}:00:00+03:00`
  await insertAppointment(owner, clinic, { id: 'x', branch_id: 'there', start: at(19), end: at(20) }, ['dr-a'])
  await insertAppointment(owner, clinic, { id: 'y', branch_id: 'here', start: at(21), end: at(22) }, ['dr-a'], false)
  await insertAppointment(owner, clinic, { id: 'z', start: at(20), end: at(20) }, ['dr-a'])
  const query = { from: '2026-07-14', to: '2026-07-14', branch_id: 'here' }
  const { data } = await ask(backend, clinic, 'availability.list', { query })
  assert.deepEqual(
    data.map(({ start, end }) => [start, end]),
    [
      [at(18), at(19)],
      [at(20), '2026-07-15T00:00:00+03:00'],
    ],
  )
})

test('time off of another provider, or at another branch, takes no time, and time off of everyone does', async () => {
  const clinic = await openAllDay()
  now = new Date('2026-07-14T18:00:00+03:00')
  const at = (hour: number) => `2026-07-14T${hour}:00:00+03:00`
  const off = (provider_id: string | null, branch_id: string | null, hour: number) => ({
    id: `off at ${hour}`,
    provider_id,
    branch_id,
    start: at(hour),
    end: at(hour + 1),
  })
  const others = [off('dr-b', null, 19), off(null, 'there', 20), off('dr-a', 'there', 22)]
  await insert(owner, clinic, 'time_off', ...others, off(null, null, 21))
  const query = { from: '2026-07-14', to: '2026-07-14', branch_id: 'here' }
  const { data } = await ask(backend, clinic, 'availability.list', { query })
  assert.deepEqual(
    data.map(({ start, end }) => [start, end]),
    [
      [at(18), at(21)],
      [at(22), '2026-07-15T00:00:00+03:00'],
    ],
  )
})

test('an unknown branch is 404, and an unknown provider has no slots and is told', async () => {
  const clinic = await openAllDay()
  now = new Date('2026-01-01T00:00:00Z')
  const query = { from: '2026-07-14', to: '2026-07-14' }
  const nowhere = ask(backend, clinic, 'availability.list', { query: { ...query, branch_id: 'nowhere' } })
  await assert.rejects(nowhere, problem('not-found', /the id nowhere.* The catalog of branches lists them\.$/))
  const nobody = { ...query, branch_id: 'here', provider_id: 'nobody' }
  const answer = await ask(backend, clinic, 'availability.list', { query: nobody })
  assert.deepEqual(answer, { data: [], unknown_ids: ['provider_id'] })
  const idle = { ...nobody, provider_id: 'dr-b' }
  assert.deepEqual(await ask(backend, clinic, 'availability.list', { query: idle }), { data: [] })
})

async function openAllDay(settings: Partial<Clinic> = {}): Promise<Clinic> {
  const clinic = await emptyClinic(settings)
  const days = [0, 1, 2, 3, 4, 5, 6]
  const day = { provider_id: 'dr-a', branch_id: 'here', starts_at: '00:00', ends_at: '24:00' }
  await insert(owner, clinic, 'working_hours', ...days.map((weekday) => ({ ...day, weekday })))
  return clinic
}

async function setStep({ clinic_id }: Clinic, minutes: number): Promise<void> {
  await owner.query(sql`update clinic set slot_step_minutes = ${minutes} where clinic_id = ${clinic_id}`)
}

async function emptyClinic(settings: Partial<Clinic>): Promise<Clinic> {
  const clinic = await testClinic(owner, settings)
  await insert(owner, clinic, 'branch', { id: 'here' }, { id: 'there' })
  await insert(owner, clinic, 'provider', { id: 'dr-a' }, { id: 'dr-b' })
  return clinic
}

/** The start of the UTC day before the period: what the model's minutes count from. */
function startOf({ period }: ModelClinic): number {
  return Date.parse(`${period.from}T00:00:00Z`) - 24 * 60 * MINUTE_MS
}

async function store(model: ModelClinic): Promise<Clinic> {
  const { time_zone } = model.period
  const clinic = await emptyClinic({ time_zone, min_visit_minutes: model.min_visit_minutes })
  await setStep(clinic, model.slot_step_minutes)
  const at = (minutes: number) => new Date(startOf(model) + minutes * MINUTE_MS)
  for (const { provider_id, branch_id, weekday, window } of model.hours) {
    const { clinic_id } = clinic
    await owner.query(sql`insert into working_hours (clinic_id, provider_id, branch_id, weekday, starts_at, ends_at)
      values (${clinic_id}, ${provider_id}, ${branch_id}, ${weekday}, ${wallTime(window.opens)}, ${wallTime(window.closes)})
      on conflict (clinic_id, branch_id, provider_id, weekday, starts_at)
      do update set ends_at = greatest(working_hours.ends_at, excluded.ends_at)`)
  }
  for (const [n, { span, ...whose }] of model.off.entries()) {
    await insert(owner, clinic, 'time_off', { id: `off${n}`, ...whose, start: at(span.start), end: at(span.end) })
  }
  for (const [n, { provider_id, span, cancelled, endless }] of model.busy.entries()) {
    const duration_minutes = endless?.duration_minutes ?? null
    if (duration_minutes !== null) await insert(owner, clinic, 'appointment_type', { id: `type${n}`, duration_minutes })
    const row = {
      id: `a${n}`,
      start: at(span.start).toISOString(),
      end: endless === null ? at(span.end).toISOString() : null,
      type_id: duration_minutes === null ? null : `type${n}`,
    }
    await insertAppointment(owner, clinic, row, [provider_id], !cancelled)
  }
  return clinic
}

function wallTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
