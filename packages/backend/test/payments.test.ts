// Payments: the form of a row with its documents, refunds, and the lists of a patient and of the clinic.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, problem, walk } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date('2026-07-12T06:30:00Z'), log: failingLog })

test('a payment is answered with its account and documents, a refund names what it refunds', async () => {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' })
  await insert(owner, clinic, 'billing_account', { id: 'main', business_name: 'Carmel Dental' })
  const row = {
    id: 'y1',
    patient_id: 'p1',
    billing_account_id: 'main',
    amount_minor: 35_099,
    method_type: 'credit_card',
    description: 'Cleaning',
    external_id: 'till-1',
    paid_at: '2026-07-14T07:31:00Z',
  }
  await insert(owner, clinic, 'payment', row)
  const document = { payment_id: 'y1', billing_account_id: 'main', issued_at: '2026-07-14T07:31:00Z' }
  await insert(owner, clinic, 'payment_document', { ...document, id: 'd2', type: 'tax_invoice', number: 8 })
  await insert(owner, clinic, 'payment_document', {
    ...document,
    id: 'd1',
    type: 'receipt',
    number: 7,
    allocation_number: '42',
  })
  await insert(owner, clinic, 'payment', { id: 'y2', is_refund: true, refunded_payment_id: 'y1', status: 'cancelled' })

  const { data } = await ask(backend, clinic, 'payments.get', { params: { id: 'y1' } })
  const issued_at = '2026-07-14T10:31:00+03:00'
  assert.deepEqual(data, {
    id: 'y1',
    patient: { id: 'p1', first_name: 'Noa', last_name: 'Levi' },
    billing_account: { id: 'main', business_name: 'Carmel Dental' },
    amount: 350.99,
    currency: 'ILS',
    method_type: 'credit_card',
    is_refund: false,
    refunded_payment_id: null,
    refunds: [],
    status: 'recorded',
    description: 'Cleaning',
    documents: [
      { id: 'd1', type: 'receipt', number: '7', issued_at, allocation_number: '42' },
      { id: 'd2', type: 'tax_invoice', number: '8', issued_at, allocation_number: null },
    ],
    external_id: 'till-1',
    paid_at: '2026-07-14T10:31:00+03:00',
    created_at: '2026-01-01T10:00:00.000+02:00',
    updated_at: '2026-01-01T10:00:00.000+02:00',
  })
  const refund = (await ask(backend, clinic, 'payments.get', { params: { id: 'y2' } })).data
  const { is_refund, refunded_payment_id, status, patient, billing_account, documents, paid_at } = refund
  assert.deepEqual([is_refund, refunded_payment_id, status], [true, 'y1', 'cancelled'])
  assert.deepEqual([patient, billing_account, documents, paid_at], [null, null, [], null])
  const nothing = ask(backend, clinic, 'payments.get', { params: { id: 'y3' } })
  await assert.rejects(nothing, problem('not-found', /No payment has the id y3/))
})

test('a patient’s payments come latest first within a period, those without a time last', async () => {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1' })
  await insertPatient(owner, clinic, { id: 'p2' })
  const times = { a: '2026-07-01T20:59:59Z', b: null, c: '2026-07-01T21:00:00Z', d: '2026-07-02T20:59:59Z' }
  for (const [id, paid_at] of Object.entries(times))
    await insert(owner, clinic, 'payment', { id, patient_id: 'p1', paid_at })
  await insert(owner, clinic, 'payment', { id: 'other', patient_id: 'p2' })
  const walked = async (query: Record<string, unknown>) => {
    const rows = await walk(backend, clinic, 'payments.list', { params: { id: 'p1' }, query, limit: 1 })
    return rows.map(({ id }) => id)
  }
  assert.deepEqual(await walked({}), ['d', 'c', 'a', 'b'])
  assert.deepEqual(await walked({ from: '2026-07-02', to: '2026-07-02' }), ['d', 'c'])
  assert.deepEqual(await walked({ to: '2026-07-01' }), ['a'])
  assert.deepEqual(await walked({ updated_since: '2026-01-01T08:00:00Z', from: '2026-07-02' }), ['c', 'd'])
  assert.deepEqual(
    (await ask(backend, clinic, 'payments.list', { params: { id: 'p1' }, query: { from: '2027-01-01' } })).data,
    [],
  )
  const nobody = ask(backend, clinic, 'payments.list', { params: { id: 'nobody' } })
  await assert.rejects(nobody, problem('not-found', /No patient has the id nobody/))
})

test('the payments of the clinic are those of all patients, latest first, by method and by their last change', async () => {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1' })
  const row = { method_type: 'cash', paid_at: '2026-07-01T08:00:00Z' }
  await insert(owner, clinic, 'payment', { ...row, id: 'a', patient_id: 'p1' })
  await insert(owner, clinic, 'payment', { ...row, id: 'b', paid_at: '2026-07-02T08:00:00Z', method_type: 'check' })
  await insert(owner, clinic, 'payment', { ...row, id: 'c', is_refund: true, updated_at: '2026-08-01T08:00:00Z' })
  const idsOf = async (query: Record<string, unknown>) =>
    (await walk(backend, clinic, 'payments.search', { query, limit: 1 })).map(({ id }) => id)
  assert.deepEqual(await idsOf({}), ['b', 'c', 'a'])
  assert.deepEqual(await idsOf({ method_type: 'cash' }), ['c', 'a'])
  assert.deepEqual(await idsOf({ from: '2026-07-02', to: '2026-07-02' }), ['b'])
  assert.deepEqual(await idsOf({ updated_since: '2026-07-15T00:00:00Z' }), ['c'])
  assert.deepEqual(await idsOf({ method_type: 'bank_transfer' }), [])
})

test('the refunds of a payment come in the order in which they were paid', async () => {
  const clinic = await testClinic(owner)
  await insert(owner, clinic, 'payment', { id: 'y1', amount_minor: 10_000, paid_at: '2026-07-01T08:00:00Z' })
  const refund = (id: string, day: number) => ({
    id,
    amount_minor: 1_000,
    is_refund: true,
    refunded_payment_id: 'y1',
    paid_at: `2026-07-0${day}T08:00:00Z`,
  })
  await insert(owner, clinic, 'payment', refund('a', 4), refund('b', 2), refund('c', 3), refund('d', 2))
  const { data } = await ask(backend, clinic, 'payments.get', { params: { id: 'y1' } })
  assert.deepEqual(
    data.refunds.map(({ id }) => id),
    ['b', 'd', 'c', 'a'],
  )
})
