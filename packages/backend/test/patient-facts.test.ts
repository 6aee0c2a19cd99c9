// The filters of patients by their other records and their birthdays, compared with plain sums over the tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clinic, Problem } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { NEXT_ROWS } from '@clinic-data/records/lists/page'
import { ask, problem, walk } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { sized } from '@clinic-data/testing/run/size'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import fc from 'fast-check'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const NOW = '2026-07-12T06:30:00Z'
const backend = createBackend({ database: app, now: () => new Date(NOW), log: failingLog })

const RUNS = sized({ everyday: 60, long: 600 })
const PATIENTS = 80

type Filters = Readonly<Record<string, unknown>>

const found = async (clinic: Clinic, query: Filters, limit = 100) =>
  (await walk(backend, clinic, 'patients.list', { query, limit })).map(({ id }) => id)

/** A day and an hour on it, some of them at the edges of the clinic's day. */
const instant = fc
  .record({ day: fc.integer({ min: -500, max: 60 }), hour: fc.constantFrom(0, 9, 20, 21, 22, 23) })
  .map(({ day, hour }) => new Date(Date.UTC(2026, 6, 12 + day, hour)).toISOString())
const patient_id = fc.integer({ min: 0, max: PATIENTS - 1 }).map((n) => `p${100 + n}`)
const thousands = fc.integer({ min: 1, max: 40 }).map((n) => n * 2_500)

/** Rows of one sample. The seed makes the same ones each time. */
function sample<T>(row: fc.Arbitrary<T>, count: number, seed: number): T[] {
  return fc.sample(row, { numRuns: count, seed })
}

async function fullClinic(): Promise<Clinic> {
  const clinic = await testClinic(owner)
  const kinds = ['booked', 'completed', 'cancelled', 'no_show']
  await insert(owner, clinic, 'appointment_status', ...kinds.map((kind) => ({ id: kind, kind })))
  const births = sample(fc.option(fc.integer({ min: 0, max: 36_000 }), { freq: 8 }), PATIENTS, 1)
  for (const [n, days] of births.entries()) {
    // The first ones were born around New Year and on leap days.
    const edge = ['1988-02-29', '2001-02-28', '1999-03-01', '1970-12-31', '1970-01-01', '2024-02-29'][n]
    const birth_date = edge ?? (days === null ? null : new Date(Date.UTC(1925, 0, 1 + days)).toISOString().slice(0, 10))
    await insertPatient(owner, clinic, { id: `p${100 + n}`, first_name: 'Noa', last_name: `Levi${n % 7}`, birth_date })
  }
  const visit = fc.record({ patient_id, start: instant, status_id: fc.option(fc.constantFrom(...kinds), { freq: 9 }) })
  const row = <T extends object>(one: T, n: number) => ({ id: `r${n}`, ...one })
  await insert(owner, clinic, 'appointment', ...sample(visit, 160, 2).map(row))
  const treatment = fc.record({
    patient_id,
    price_minor: fc.option(thousands, { freq: 9 }),
    discount_minor: fc.constantFrom(0, 0, 500),
    removed_at: fc.option(fc.constant('2026-01-02T00:00:00Z'), { freq: 1 }),
  })
  await insert(owner, clinic, 'treatment', ...sample(treatment, 150, 3).map(row))
  const payment = fc.record({
    patient_id,
    amount_minor: thousands,
    is_refund: fc.constantFrom(false, false, false, true),
    status: fc.constantFrom('recorded', 'recorded', 'recorded', 'cancelled'),
    currency: fc.constantFrom('ILS', 'ILS', 'ILS', 'EUR'),
    paid_at: fc.option(instant, { freq: 9 }),
  })
  await insert(owner, clinic, 'payment', ...sample(payment, 150, 4).map(row))
  return clinic
}

interface Truth {
  id: string
  birthday: string | null
  visits: string[]
  payments: string[]
  has_future: boolean
  owed: number
}

/** What plain statements say of each patient. Days are the clinic's. */
async function truthOf(clinic: Clinic): Promise<Truth[]> {
  const { clinic_id } = clinic
  const of = sql`x.clinic_id = p.clinic_id and x.patient_id = p.id`
  const kind = sql`(select kind from appointment_status s where s.clinic_id = x.clinic_id and s.id = x.status_id)`
  return owner.read<Truth>(
    clinic,
    sql`select p.id, to_char(p.birth_date, 'MM-DD') as birthday,
      coalesce((select json_agg(to_char(x.start, 'YYYY-MM-DD')) from appointment x where ${of} and x.start <= ${NOW}
        and coalesce(${kind}, 'booked') not in ('cancelled', 'no_show')), '[]') as visits,
      coalesce((select json_agg(to_char(x.paid_at, 'YYYY-MM-DD')) from payment x where ${of} and x.paid_at is not null
        and x.status = 'recorded' and not x.is_refund), '[]') as payments,
      exists (select from appointment x where ${of} and x.start > ${NOW} and coalesce(${kind}, 'booked') <> 'cancelled') as has_future,
      (coalesce((select sum(x.price_minor - x.discount_minor) from treatment x where ${of} and x.removed_at is null), 0)
        - coalesce((select sum(case when x.is_refund then -1 else 1 end * x.amount_minor) from payment x
          where ${of} and x.status = 'recorded' and x.currency = 'ILS'), 0))::float8 / 100 as owed
      from patient p where p.clinic_id = ${clinic_id} order by p.id`,
  )
}

const holds: Readonly<Record<string, (truth: Truth, wanted: never) => boolean>> = {
  last_visit_after: ({ visits }, day: string) => visits.some((visit) => visit >= day),
  last_visit_before: ({ visits }, day: string) => !visits.some((visit) => visit >= day),
  last_payment_after: ({ payments }, day: string) => payments.some((payment) => payment >= day),
  last_payment_before: ({ payments }, day: string) => !payments.some((payment) => payment >= day),
  has_future_appointment: ({ has_future }, wanted: boolean) => has_future === wanted,
  owes_more_than: ({ owed }, amount: number) => owed > amount,
  query: () => true,
  updated_since: () => true,
}

function isBirthday({ birthday }: Truth, from: string, to: string): boolean {
  if (birthday === null) return false
  return from <= to ? from <= birthday && birthday <= to : birthday >= from || birthday <= to
}

function meets(truth: Truth, { birthday_from, birthday_to, ...others }: Filters): boolean {
  if (birthday_from !== undefined || birthday_to !== undefined) {
    if (!isBirthday(truth, String(birthday_from ?? '01-01'), String(birthday_to ?? '12-31'))) return false
  }
  return Object.entries(others).every(([name, wanted]) => wanted === undefined || holds[name]?.(truth, wanted as never))
}

const day = fc
  .integer({ min: -520, max: 20 })
  .map((n) => new Date(Date.UTC(2026, 6, 12 + n)).toISOString().slice(0, 10))
const dayOfYear = fc.oneof(
  fc.integer({ min: 0, max: 365 }).map((n) => new Date(Date.UTC(2024, 0, 1 + n)).toISOString().slice(5, 10)),
  fc.constantFrom('02-28', '02-29', '03-01', '12-31', '01-01'),
)
const questions = fc.record(
  {
    birthday_from: dayOfYear,
    birthday_to: dayOfYear,
    last_visit_after: day,
    last_visit_before: day,
    last_payment_after: day,
    last_payment_before: day,
    has_future_appointment: fc.boolean(),
    owes_more_than: fc.constantFrom(0, 25, 100.5, 300),
    query: fc.constantFrom('noa', 'levi n'),
    updated_since: fc.constant('2020-01-01T00:00:00Z'),
  },
  { requiredKeys: [] },
)

test('any filters together find exactly the patients of whom plain statements say so', async () => {
  const clinic = await fullClinic()
  const truth = await truthOf(clinic)
  let shown = 0
  const right = async (query: Filters) => {
    const ids = await found(clinic, query)
    const expected = truth.filter((one) => meets(one, query)).map(({ id }) => id)
    assert.deepEqual(ids.toSorted(), expected, JSON.stringify(query))
    shown += expected.length
  }
  // Each one by itself, both ways, then any of them together.
  for (const name of Object.keys(holds)) {
    for (const query of sample(questions, 20, 5)
      .filter((one) => name in one)
      .slice(0, 4))
      await right({ [name]: (query as Filters)[name] })
  }
  await fc.assert(fc.asyncProperty(questions, right), { numRuns: RUNS })
  assert.ok(shown > 100, `${shown} patients were found`)
})

test('birthdays go across New Year and know 29 February as a day of its own', async () => {
  const clinic = await testClinic(owner)
  for (const birth_date of ['1970-12-31', '1850-01-01', '1988-02-29', '2001-02-28', '1999-03-01', '1990-07-12'])
    await insertPatient(owner, clinic, { id: birth_date, birth_date })
  await insertPatient(owner, clinic, { id: 'unknown', birth_date: null })
  const between = (birthday_from?: string, birthday_to?: string) => found(clinic, { birthday_from, birthday_to })
  assert.deepEqual(await between('12-28', '01-03'), ['1850-01-01', '1970-12-31'])
  assert.deepEqual(await between('02-29', '02-29'), ['1988-02-29'])
  assert.deepEqual(await between('02-28', '03-01'), ['1988-02-29', '1999-03-01', '2001-02-28'])
  assert.deepEqual(await between('03-01', '03-01'), ['1999-03-01'])
  assert.deepEqual(await between('08-01'), ['1970-12-31'])
  assert.deepEqual(await between(undefined, '01-15'), ['1850-01-01'])
  assert.deepEqual((await between('03-02', '03-01')).length, 6)
})

test('whoever was born today has a birthday where the new year has begun in the clinic alone', async () => {
  const clinic = await testClinic(owner)
  for (const birth_date of ['2026-12-31', '2027-01-01'])
    await insertPatient(owner, clinic, { id: birth_date, birth_date })
  const atNewYear = createBackend({ database: app, now: () => new Date('2026-12-31T22:30:00Z'), log: failingLog })
  for (const [birthday_from, birthday_to, ...born] of [
    ['01-01', '01-01', '2027-01-01'],
    ['12-31', '01-01', '2026-12-31', '2027-01-01'],
  ]) {
    const query = { birthday_from, birthday_to }
    const { data } = await ask(atNewYear, clinic, 'patients.list', { query })
    assert.deepEqual(data.map(({ id }) => id).sort(), born)
  }
})

test('pages of filtered patients hold each of them once, in the order of their ids', async () => {
  const clinic = await fullClinic()
  const query = { last_visit_before: '2026-05-01', has_future_appointment: false }
  const whole = await found(clinic, query)
  assert.ok(whole.length > 10)
  assert.deepEqual(await found(clinic, query, 3), whole)
  assert.deepEqual(whole, whole.toSorted())
})

test('the few who owe are found among many who do not, page after page', async () => {
  const clinic = await testClinic(owner)
  const ids = Array.from({ length: NEXT_ROWS + 300 }, (_, n) => `p${10_000 + n}`)
  await insert(owner, clinic, 'patient', ...ids.map((id) => ({ id })))
  const owing = ids.filter((_, n) => n % 240 === 7)
  await insert(owner, clinic, 'treatment', ...owing.map((id) => ({ id, patient_id: id, price_minor: 30_000 })))
  const paid = { amount_minor: 30_000, paid_at: '2026-05-04T08:00:00Z' }
  await insert(owner, clinic, 'payment', { id: 'y1', patient_id: owing[1] ?? '', ...paid })
  const still = owing.filter((_, n) => n !== 1)
  for (const limit of [2, 3, 100]) assert.deepEqual(await found(clinic, { owes_more_than: 0 }, limit), still)
  const since = { owes_more_than: 299.99, updated_since: '2020-01-01T00:00:00Z' }
  assert.deepEqual(await found(clinic, since, 2), still)
  assert.deepEqual(await found(clinic, { owes_more_than: 300 }, 2), [])
})

test('another clinic’s records say nothing of a patient with the same id', async () => {
  const [clinic, other] = [await testClinic(owner), await testClinic(owner)]
  for (const one of [clinic, other]) await insertPatient(owner, one, { id: 'p1', birth_date: '1990-07-12' })
  await insert(owner, other, 'appointment', { id: 'a1', patient_id: 'p1', start: '2026-07-01T06:00:00Z' })
  await insert(owner, other, 'treatment', { id: 't1', patient_id: 'p1', price_minor: 10_000 })
  for (const query of [{ last_visit_after: '2026-06-20' }, { last_visit_after: '2020-01-01' }, { owes_more_than: 0 }]) {
    assert.deepEqual(await found(clinic, query), [])
    assert.deepEqual(await found(other, query), ['p1'])
  }
})

test('the backend itself refuses a filter whose scope the key lacks', async () => {
  const clinic = await testClinic(owner)
  const asked = (query: Filters) =>
    ask(backend, clinic, 'patients.list', { query, scopes: ['patients:read', 'appointments:read'] })
  await assert.rejects(asked({ owes_more_than: 0 }), problem('forbidden', /payments:read/))
  await assert.rejects(asked({ last_payment_before: '2026-03-01' }), Problem)
  assert.deepEqual((await asked({ has_future_appointment: false, birthday_from: '01-01' })).data, [])
})
