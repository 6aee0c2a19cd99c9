// Payments through the ingest API: the stored rows, their events, and the payments that a refund may name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { Payment } from '@clinic-data/contract/resources/payment'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql } from '@clinic-data/database'
import type { AccountingDocument } from '@clinic-data/documents/accounting-document'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { eventsOf, ingestOf } from '@clinic-data/testing/grounds/ingest'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

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

test('a currency with three decimals keeps the third, through every door that takes an amount', async () => {
  const { clinic, send, faults } = await clinicWithAccount({ currency: 'KWD' })
  const payment = async (id: string) => (await ask(backend, clinic, 'payments.get', { params: { id } })).data
  const dinar = { ...paid, currency: 'KWD', amount: 1.234 }
  assert.deepEqual(await faults('/payments', { ...dinar, amount: 1.2345 }), [400, '#/amount decimals'])
  await send('/payments', dinar)
  assert.equal((await payment('y1')).amount, 1.234)

  assert.deepEqual(await faults('/refunds', { id: 'r1', refunded_payment_id: 'y1', amount: 1.235 }), [
    422,
    '#/amount too_large',
  ])
  await send('/refunds', { id: 'r1', refunded_payment_id: 'y1', amount: 1.229 })
  await send('/refunds', { id: 'r2', refunded_payment_id: 'y1', amount: 0.004 })
  const { status, refunds } = await payment('y1')
  assert.deepEqual([status, refunds.map(({ amount }) => amount)], ['partially_refunded', [1.229, 0.004]])
  assert.equal(
    (await send('/refunds', { id: 'r2', refunded_payment_id: 'y1', amount: 0.004 })).json.data.outcome,
    'unchanged',
  )
  await send('/refunds', { id: 'r3', refunded_payment_id: 'y1', amount: 0.001 })
  assert.equal((await payment('y1')).status, 'refunded')

  const body = { amount: 7.007, method_type: 'cash' as const }
  const { data } = await ask(backend, clinic, 'payments.create', { params: { id: 'p' }, body })
  assert.deepEqual([data.amount, (await payment(data.id)).amount], [7.007, 7.007])

  const treatment = { id: 't1', patient_id: 'p', price: 10.555, discount: 0.009, performed_at: '2026-07-14' }
  await send('/treatments', treatment)
  const { data: treatments } = await ask(backend, clinic, 'treatments.list', { params: { id: 'p' } })
  assert.equal(treatments[0]?.price, 10.555)
  const menu = { id: 'm1', name: 'Scaling', code: 'D1', price: 12.003, category_id: null }
  await send('/catalog-treatments', menu)
  assert.equal((await ask(backend, clinic, 'catalog.treatments.list', {})).data[0]?.price, 12.003)
  // 10.546 charged; 1.234 paid and given back, and 7.007 paid.
  const query = { response_format: 'detailed' as const }
  const { data: patient } = await ask(backend, clinic, 'patients.get', { params: { id: 'p' }, query })
  assert.deepEqual('balance' in patient && patient.balance, { amount: 3.539, currency: 'KWD' })
})

test('a third decimal that changes, comes or goes is a change, and a row equal to the stored one is none', async () => {
  const { clinic, send } = await clinicWithAccount({ currency: 'KWD' })
  for (const [amount, outcome] of [
    [1.23, 'created'],
    [1.234, 'updated'],
    [1.234, 'unchanged'],
    [1.235, 'updated'],
    [1.23, 'updated'],
    [1.23, 'unchanged'],
  ] as const) {
    const { json } = await send('/payments', { ...paid, currency: 'KWD', amount })
    assert.equal(json.data.outcome, outcome, String(amount))
    assert.equal((await ask(backend, clinic, 'payments.get', { params: { id: 'y1' } })).data.amount, amount)
  }
})

test('a document holds its amount in the smallest part of the currency, and says which', async () => {
  for (const [currency, amount, expected] of [
    ['ILS', 1.5, { version: 1, amount_minor: 150, decimals: undefined }],
    ['KWD', 0.005, { version: 2, amount_minor: 5, decimals: 3 }],
    ['KWD', 1_000_000, { version: 2, amount_minor: 1_000_000_000, decimals: 3 }],
    ['JPY', 1234, { version: 2, amount_minor: 1234, decimals: 0 }],
  ] as const) {
    const { clinic } = await clinicWithAccount({ currency })
    await ask(backend, clinic, 'payments.create', { params: { id: 'p' }, body: { amount, method_type: 'cash' } })
    const { rows } = await owner.query<{ content: AccountingDocument }>(
      sql`select content from payment_document where clinic_id = ${clinic.clinic_id}`,
    )
    const { version, amount_minor, decimals } = rows[0]?.content ?? {}
    assert.deepEqual({ version, amount_minor, decimals }, expected)
  }
})

test('hundredths that a version without third decimals wrote later are the amount', async () => {
  const { clinic, send } = await clinicWithAccount({ currency: 'KWD' })
  await send('/payments', { ...paid, currency: 'KWD', amount: 1.234 })
  await owner.query(sql`update payment set amount_minor = 500 where clinic_id = ${clinic.clinic_id}`)
  assert.equal((await ask(backend, clinic, 'payments.get', { params: { id: 'y1' } })).data.amount, 5)
})

test('a currency with two decimals takes no third, through every door that takes an amount', async () => {
  const { clinic, send, faults } = await clinicWithAccount()
  assert.deepEqual(await faults('/payments', { ...paid, amount: 10.005 }), [422, '#/amount decimals'])
  await send('/payments', paid)
  const refund = { id: 'r1', refunded_payment_id: 'y1', amount: 1.005 }
  assert.deepEqual(await faults('/refunds', refund), [422, '#/amount decimals'])
  const treatment = { id: 't1', patient_id: 'p', price: 10.005, discount: 0.001 }
  assert.deepEqual(await faults('/treatments', treatment), [422, '#/price decimals', '#/discount decimals'])
  const menu = { id: 'm1', name: 'Scaling', code: 'D1', price: 10.005, category_id: null }
  assert.deepEqual(await faults('/catalog-treatments', menu), [422, '#/price decimals'])
  const body = { amount: 10.005, method_type: 'cash' as const }
  const recorded = ask(backend, clinic, 'payments.create', { params: { id: 'p' }, body })
  await assert.rejects(recorded, problem('unprocessable'))
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
