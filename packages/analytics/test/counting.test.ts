// Analytics: what is counted and added up, and how often, rule by rule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insert, insertAppointment, type Row } from '@clinic-data/testing/grounds/rows'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { all, count, owner, query, treatments } from './analytics-ground.ts'

test('a distinct count is not the sum of its rows', async () => {
  const clinic = await treatments(
    {},
    ['2026-01-01', 'a', 1],
    ['2026-02-01', 'b', 1],
    ['2026-02-02', 'b', 1, { patient_id: 'q' }],
    ['2026-02-03', 'b', 1, { patient_id: null }],
  )
  const question = { dataset: 'production', measures: ['patient_count', 'treatment_count'], filters: [all] }
  const { rows, totals } = await query(clinic, { ...question, dimensions: ['provider'] })
  assert.deepEqual(
    rows.map(({ provider, patient_count }) => [provider, patient_count]),
    [
      ['b', 2],
      ['a', 1],
    ],
  )
  assert.deepEqual(totals, { patient_count: 2, treatment_count: 4 })
})

test('sums are of whole hundredths and divided once, and averages agree with their sums in rows and totals', async () => {
  const cents = Array.from({ length: 300 }, (_, n): [string, string, number] => [
    '2026-01-01',
    n % 3 ? 'a' : 'b',
    10 + (n % 2),
  ])
  const clinic = await treatments({}, ...cents)
  const question = {
    dataset: 'production',
    measures: ['net_revenue', 'avg_net_price'],
    filters: [all],
    dimensions: ['provider'],
  }
  const { rows, totals } = await query(clinic, question)
  assert.deepEqual(
    rows.map((row) => [row.provider, row.net_revenue, row.avg_net_price]),
    [
      ['a', 21, 0.11],
      ['b', 10.5, 0.11],
    ],
  )
  assert.deepEqual(totals, { net_revenue: 31.5, avg_net_price: 0.11 })
})

test('not_in is the rest of in, including records without a value', async () => {
  const clinic = await treatments({}, ['2026-01-01', 'a', 1], ['2026-01-01', 'b', 1], ['2026-01-01', null, 1])
  const counted = async (op: string) =>
    (await query(clinic, { ...count, filters: [all, { field: 'provider', op, value: ['a', 'nobody'] }] })).totals
      .treatment_count
  assert.deepEqual([await counted('in'), await counted('not_in')], [1, 2])
})

test('eq takes one id, and counts as in with this one alone', async () => {
  const clinic = await treatments({}, ['2026-01-01', 'a', 1], ['2026-01-01', 'b', 1], ['2026-01-01', null, 1])
  const { totals } = await query(clinic, { ...count, filters: [all, { field: 'provider', op: 'eq', value: 'a' }] })
  assert.deepEqual(totals, { treatment_count: 1 })
})

test('an appointment with two providers counts for each, and once in the totals', async () => {
  const clinic = await testClinic(owner)
  await insert(owner, clinic, 'provider', { id: 'a', name: 'Ada' }, { id: 'b', name: 'Bea' })
  const visit = (id: string) => ({
    id,
    start_date: '2026-01-01',
    start: '2026-01-01T08:00:00Z',
    end: '2026-01-01T08:30:00Z',
  })
  await insertAppointment(owner, clinic, visit('x'), ['a', 'b'])
  await insertAppointment(owner, clinic, visit('y'), ['b'])
  await insertAppointment(owner, clinic, visit('z'))
  const question = (...filters: object[]) => {
    const range = { ...all, field: 'start_date' }
    return {
      dataset: 'appointments',
      measures: ['appointment_count'],
      dimensions: ['provider'],
      filters: [range, ...filters],
    }
  }
  const counted = async (body: object) => {
    const { rows, totals } = await query(clinic, body)
    return [
      ...rows.map(({ provider, provider_label, appointment_count }) => [provider, provider_label, appointment_count]),
      totals.appointment_count,
    ]
  }
  assert.deepEqual(await counted(question()), [['b', 'Bea', 2], ['a', 'Ada', 1], [null, null, 1], 3])
  for (const one of [
    { op: 'in', value: ['a'] },
    { op: 'eq', value: 'a' },
  ])
    assert.deepEqual(await counted(question({ field: 'provider', ...one })), [['a', 'Ada', 1], 1])
  assert.deepEqual(await counted(question({ field: 'provider', op: 'not_in', value: ['a'] })), [
    ['b', 'Bea', 1],
    [null, null, 1],
    2,
  ])
})

test('a cancelled payment counts in no measure, and a refund only in the measures about refunds', async () => {
  const clinic = await testClinic(owner)
  const payment = (id: string, amount_minor: number, more: Row = {}) => ({
    id,
    amount_minor,
    paid_date: '2026-01-01',
    is_refund: false,
    status: 'recorded',
    ...more,
  })
  const rows = [
    payment('x', 1000),
    payment('y', 500),
    payment('z', 200, { is_refund: true }),
    payment('c', 9999, { status: 'cancelled' }),
  ]
  await insert(owner, clinic, 'payment', ...rows)
  const measures = [
    'amount_collected',
    'amount_refunded',
    'net_collected',
    'avg_payment',
    'payment_count',
    'refund_count',
  ]
  const { totals } = await query(clinic, {
    dataset: 'payments',
    measures,
    filters: [{ ...all, field: 'payment_date' }],
  })
  assert.deepEqual(Object.values(totals), [15, 2, 13, 7.5, 2, 1])
})

test('a sum never adds two currencies: others than the clinic’s are left out and counted, and shown by currency', async () => {
  const clinic = await testClinic(owner)
  const paid = (id: string, currency: string, amount: number, more: Row = {}) => ({
    id,
    currency,
    amount_minor: amount * 100,
    paid_date: '2026-01-01',
    is_refund: false,
    status: 'recorded',
    ...more,
  })
  await insert(
    owner,
    clinic,
    'payment',
    paid('a', 'ILS', 100),
    paid('b', 'ILS', 50),
    paid('c', 'USD', 100),
    paid('d', 'USD', 30, { is_refund: true }),
    paid('e', 'JPY', 100),
  )
  const question = {
    dataset: 'payments',
    measures: ['amount_collected', 'net_collected', 'avg_payment', 'payment_count', 'other_currency_count'],
    filters: [{ ...all, field: 'payment_date' }],
  }
  const whole = {
    amount_collected: 150,
    net_collected: 150,
    avg_payment: 75,
    payment_count: 4,
    other_currency_count: 3,
  }
  assert.deepEqual((await query(clinic, question)).totals, whole)
  const { rows, totals } = await query(clinic, { ...question, dimensions: ['currency'] })
  assert.deepEqual(totals, whole)
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['ILS', 150, 150, 75, 2, 0],
      ['JPY', 100, 100, 100, 1, 1],
      ['USD', 100, 70, 100, 1, 2],
    ],
  )
})

test('a ratio with the divisor 0 is null, in a row and in the totals', async () => {
  const clinic = await testClinic(owner)
  await insert(
    owner,
    clinic,
    'appointment_status',
    { id: 'n', kind: 'no_show' },
    { id: 'c', kind: 'completed' },
    { id: 'o', kind: 'booked' },
  )
  const visit = (id: string, status_id: string) => ({
    id,
    status_id,
    start_date: '2026-01-01',
    start: '2026-01-01T08:00:00Z',
  })
  await insert(owner, clinic, 'appointment', visit('x', 'n'), visit('y', 'c'), visit('z', 'c'), visit('w', 'o'))
  const question = { dataset: 'appointments', measures: ['no_show_rate'], dimensions: ['status'] }
  const filters = [{ ...all, field: 'start_date' }]
  const { rows, totals } = await query(clinic, { ...question, filters })
  assert.deepEqual(
    rows.map((row) => [row.status, row.no_show_rate]),
    [
      ['n', 100],
      ['c', 0],
      ['o', null],
    ],
  )
  assert.deepEqual(totals, { no_show_rate: 33.33 })
  const booked = [...filters, { field: 'status', op: 'in', value: ['o'] }]
  assert.deepEqual((await query(clinic, { ...question, filters: booked })).totals, { no_show_rate: null })
})

test('a clinic whose currency has three decimals has three in sums and averages', async () => {
  const plain = { discount_minor: 0, discount_thousandths: null }
  const clinic = await treatments(
    { currency: 'KWD' },
    ['2026-01-01', 'a', 123, { price_thousandths: 1_239, discount_minor: 0, discount_thousandths: 4 }],
    ['2026-01-02', 'b', -123, { price_thousandths: -1_231, ...plain }],
    ['2026-01-03', 'b', 100, { price_thousandths: null, ...plain }],
    // Written by a version that knew only hundredths.
    ['2026-01-03', 'b', 200, { price_thousandths: 1_239, ...plain }],
  )
  const measures = ['net_revenue', 'gross_revenue', 'discount_total', 'avg_net_price']
  const produced = await query(clinic, { dataset: 'production', measures, filters: [all], dimensions: ['provider'] })
  assert.deepEqual(produced.totals, {
    net_revenue: 3.004,
    gross_revenue: 3.008,
    discount_total: 0.004,
    avg_net_price: 0.751,
  })
  assert.deepEqual(
    produced.rows.map(({ provider, net_revenue }) => [provider, net_revenue]),
    [
      ['b', 1.769],
      ['a', 1.235],
    ],
  )
  const done = await query(clinic, { dataset: 'treatments', measures: ['net_revenue'], filters: [all] })
  assert.deepEqual(done.totals, { net_revenue: 3.004 })

  const paid = (id: string, thousandths: number, more: Row = {}) => ({
    id,
    amount_minor: Math.trunc(thousandths / 10),
    amount_thousandths: thousandths,
    currency: 'KWD',
    paid_date: '2026-01-01',
    is_refund: false,
    status: 'recorded',
    ...more,
  })
  await insert(owner, clinic, 'payment', paid('x', 1_001), paid('y', 1_003), paid('z', 5, { is_refund: true }))
  for (const dimensions of [[], ['currency']]) {
    const { totals, rows } = await query(clinic, {
      dataset: 'payments',
      dimensions,
      filters: [{ ...all, field: 'payment_date' }],
      measures: ['amount_collected', 'amount_refunded', 'net_collected', 'avg_payment'],
    })
    assert.deepEqual(Object.values(totals), [2.004, 0.005, 1.999, 1.002])
    assert.deepEqual(Object.values(rows[0] ?? {}).slice(-4), Object.values(totals))
  }
})
