// Payments through the ingest API: the stored rows, their events, and the payments that a refund may name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { Payment } from '@clinic-data/contract/resources/payment'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql } from '@clinic-data/database'
import { insert, insertPatient } from '@clinic-data/testing/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/test-database'
import { createBackend } from '../src/backend.ts'
import { ask, problem } from './ask.ts'
import { eventsOf, ingestOf } from './ingest.ts'

const database = await testDatabase()
const { owner, app } = database
const backend = createBackend({ database: app, now: () => new Date(), log: failingLog })

async function clinicWithAccount(settings: Partial<Clinic> = {}) {
  const clinic = await testClinic(owner, settings)
  await insert(owner, clinic, 'billing_account', { id: 'main' })
  await insertPatient(owner, clinic, { id: 'p', first_name: 'Noa' })
  const send = await ingestOf(database, clinic)
  const faults = async (path: string, body: object) => {
    const { status, json } = await send(path, body)
    return [status, ...json.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)]
  }
  return { clinic, send, faults }
}

const paid = {
  id: 'y1',
  patient_id: 'p',
  billing_account_id: 'main',
  amount: 350.55,
  currency: 'ILS',
  method_type: 'cash',
  paid_at: '2026-07-14T10:30:00+03:00',
  documents: [
    { id: 'd1', billing_account_id: 'main', type: 'receipt', number: 1, issued_at: '2026-07-14T10:31:00+03:00' },
  ],
}

test('a payment, a partial refund and a cancellation each fire one event with the resource byte for byte', async () => {
  const { clinic, send } = await clinicWithAccount()
  const steps = [
    ['/payments', paid, 'y1', 'created', 'payment.recorded'],
    ['/refunds', { id: 'r1', refunded_payment_id: 'y1', amount: 100.5 }, 'r1', 'created', 'payment.cancelled'],
    ['/payments/cancel', { id: 'y1' }, 'y1', 'updated', 'payment.cancelled'],
  ] as const
  for (const [path, record, id, outcome, type] of steps) {
    assert.deepEqual((await send(path, record)).json, { data: { id, outcome } })
    const event = (await eventsOf(owner, clinic)).at(-1)
    // The event of a refund carries the payment that it gives back.
    const { data } = await ask(backend, clinic, 'payments.get', { params: { id: 'y1' } })
    assert.deepEqual([event?.type, event?.data], [type, serializerOf(Payment)(data)])
    if (path !== '/payments') assert.equal((await send(path, record)).json.data.outcome, 'unchanged')
  }
  assert.equal((await eventsOf(owner, clinic)).length, steps.length)
  const { rows } = await owner.query<{ position: number }>(
    sql`select position from event where clinic_id = ${clinic.clinic_id} order by position`,
  )
  assert.deepEqual(
    rows.map(({ position }) => position),
    steps.map((_, i) => i + 1),
  )
})

test('a refund and its payment may come in one batch, in any order', async () => {
  const { clinic, send } = await clinicWithAccount()
  const refund = { ...paid, id: 'a-refund', documents: [], is_refund: true, refunded_payment_id: 'y1' }
  const { status, json } = await send('/payments', { records: [refund, paid] })
  assert.deepEqual(
    [status, json.data.map(({ outcome }: { outcome: string }) => outcome)],
    [200, ['created', 'created']],
  )
  assert.deepEqual(
    (await eventsOf(owner, clinic)).map(({ type }) => type),
    ['payment.recorded', 'payment.cancelled'],
  )
})

test('a refund of an unknown payment, of a refund, or of too much is a fault of its record', async () => {
  const { clinic, send, faults } = await clinicWithAccount()
  await send('/payments', paid)
  const refund = { ...paid, id: 'r1', documents: [], is_refund: true, refunded_payment_id: 'y1' }
  await send('/payments', refund)
  const before = await eventsOf(owner, clinic)
  const again = { ...refund, id: 'r2' }
  const place = '#/refunded_payment_id'
  assert.deepEqual(await faults('/payments', { ...again, refunded_payment_id: 'x' }), [422, `${place} unknown_id`])
  assert.deepEqual(await faults('/payments', { ...again, refunded_payment_id: 'r1' }), [422, `${place} refund`])
  assert.deepEqual(await faults('/payments', { ...again, refunded_payment_id: 'r2' }), [422, `${place} refund`])
  assert.deepEqual(await faults('/payments', { ...again, is_refund: false }), [422, `${place} not_allowed`])
  assert.deepEqual(await faults('/refunds', { id: 'r3', refunded_payment_id: 'y1', amount: 0.01 }), [
    422,
    '#/amount too_large',
  ])
  assert.deepEqual(await eventsOf(owner, clinic), before)
})

test('the account of a document must be known', async () => {
  const { faults } = await clinicWithAccount()
  const documents = paid.documents.map((document) => ({ ...document, billing_account_id: 'x' }))
  assert.deepEqual(await faults('/payments', { ...paid, documents }), [
    422,
    '#/documents/0/billing_account_id unknown_id',
  ])
})

test('a payment in another currency than the clinic’s is a fault of its record, and so is a refund of another patient', async () => {
  const { clinic, send, faults } = await clinicWithAccount()
  await insertPatient(owner, clinic, { id: 'q' })
  assert.deepEqual(await faults('/payments', { ...paid, currency: 'USD' }), [422, '#/currency not_allowed'])
  await send('/payments', paid)
  const refund = { ...paid, id: 'r1', documents: [], is_refund: true, refunded_payment_id: 'y1', patient_id: 'q' }
  assert.deepEqual(await faults('/payments', refund), [422, '#/patient_id not_allowed'])
  const batch = { records: [paid, { ...refund, patient_id: 'p', amount: 351 }] }
  assert.deepEqual(await faults('/payments', batch), [422, '#/records/1/amount too_large'])
})

test('a currency without decimals takes none, through every door that takes an amount', async () => {
  const { clinic, send, faults } = await clinicWithAccount({ currency: 'JPY' })
  const yen = { ...paid, currency: 'JPY', amount: 1000 }
  assert.deepEqual(await faults('/payments', { ...yen, amount: 1000.5 }), [422, '#/amount decimals'])
  assert.equal((await send('/payments', yen)).status, 200)
  const refund = { id: 'r1', refunded_payment_id: 'y1', amount: 1.5 }
  assert.deepEqual(await faults('/refunds', refund), [422, '#/amount decimals'])
  assert.equal((await send('/refunds', { ...refund, amount: 1 })).status, 200)
  const treatment = { id: 't1', patient_id: 'p', price: 10.5, discount: 0.5 }
  assert.deepEqual(await faults('/treatments', treatment), [422, '#/price decimals', '#/discount decimals'])
  const menu = { id: 'm1', name: 'Scaling', code: 'D1', price: 10.5, category_id: null }
  assert.deepEqual(await faults('/catalog-treatments', menu), [422, '#/price decimals'])
  const record = (amount: number) =>
    ask(backend, clinic, 'payments.create', { params: { id: 'p' }, body: { amount, method_type: 'cash' } })
  await assert.rejects(record(10.5), problem('unprocessable'))
  assert.equal((await record(10)).data.amount, 10)
})
