// Payments as the clinic's own systems report them: what fires which event, cancellations, refunds, and the balance.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import type { PatientDetailed } from '@clinic-data/contract/resources/patient'
import { Payment } from '@clinic-data/contract/resources/payment'
import type { Static } from '@clinic-data/contract/schema'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql } from '@clinic-data/database'
import { createBackend } from '../src/backend.ts'
import { cancelPayments, changePayments } from '../src/changes/payments.ts'
import { type Refund, refundPayments } from '../src/changes/refunds.ts'
import { RefusedRows } from '../src/changes/refused-rows.ts'
import { writeChanges } from '../src/changes/write-changes.ts'
import type { PaymentRecord } from '../src/records/payments.ts'
import { ask } from './ask.ts'
import { insert, insertPatient } from './rows.ts'
import { failingLog, testClinic, testDatabase } from './test-database.ts'

const { owner, app } = await testDatabase()
const now = () => new Date('2026-07-12T06:30:00.700Z')
const parts = { database: app, now }
const backend = createBackend({ ...parts, log: failingLog })

async function payingClinic(): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' })
  await insert(owner, clinic, 'billing_account', { id: 'main' })
  return clinic
}

const record = (fields: Partial<PaymentRecord> & { id: string }): PaymentRecord => ({
  ...{ patient_id: 'p1', billing_account_id: 'main', amount: 100, currency: 'ILS', method_type: 'cash' },
  ...{ is_refund: false, refunded_payment_id: null, status: 'recorded', description: null, external_id: null },
  ...{ paid_at: '2026-07-01T08:00:00Z', documents: [] },
  ...{ created_at: '2026-07-01T08:00:00Z', updated_at: '2026-07-01T08:00:00Z' },
  ...fields,
})

const change = (clinic: Clinic, ...records: PaymentRecord[]) =>
  writeChanges(parts, clinic, (tx) => changePayments(tx, clinic, records))
const cancel = (clinic: Clinic, ...ids: string[]) =>
  writeChanges(parts, clinic, (tx, at) => cancelPayments(tx, clinic, ids, at))
const refund = (clinic: Clinic, ...refunds: Refund[]) =>
  writeChanges(parts, clinic, (tx, at) => refundPayments(tx, clinic, refunds, at))
/** Through the public API: it carries a receipt that was issued here. */
const pay = async (clinic: Clinic, amount: number) =>
  (await ask(backend, clinic, 'payments.create', { params: { id: 'p1' }, body: { amount, method_type: 'check' } })).data

const get = async (clinic: Clinic, id: string) => (await ask(backend, clinic, 'payments.get', { params: { id } })).data

/** Type and payment of each event after a position, in their order. */
async function events(clinic: Clinic, from = 0): Promise<string[]> {
  const { rows } = await owner.query<{ type: string; body: string }>(sql`
    select type, body from event where clinic_id = ${clinic.clinic_id} and position > ${from} order by position`)
  return rows.map(({ type, body }) => `${type} ${JSON.parse(body).data.id}`)
}

async function lastEventData(clinic: Clinic): Promise<string> {
  const { rows } = await owner.query<{ body: string }>(sql`
    select body from event where clinic_id = ${clinic.clinic_id} order by position desc limit 1`)
  return /"data":(.*)\}$/.exec(rows[0]?.body ?? '')?.[1] ?? ''
}

async function balance(clinic: Clinic): Promise<number | undefined> {
  const query = { response_format: 'detailed' }
  const { data } = await ask(backend, clinic, 'patients.get', { params: { id: 'p1' }, query })
  return (data as Static<typeof PatientDetailed>).balance?.amount
}

const refusing =
  (...rows: [index: number, place: string, code: string][]) =>
  (error: unknown) => {
    assert.ok(error instanceof RefusedRows, `${error}`)
    assert.deepEqual(
      error.rows.map(({ index, place, code }) => [index, place, code]),
      rows,
    )
    return true
  }

test('a new payment is recorded; a new refund is told by the payment that it gives back, by itself where it names none', async () => {
  const clinic = await payingClinic()
  const { inserted } = await change(
    clinic,
    record({ id: 'y1' }),
    record({ id: 'y2', status: 'cancelled' }),
    record({ id: 'y3', is_refund: true, refunded_payment_id: 'y1', amount: 30 }),
    record({ id: 'y4', is_refund: true, status: 'cancelled' }),
  )
  assert.deepEqual([...inserted].sort(), ['y1', 'y2', 'y3', 'y4'])
  assert.deepEqual(await events(clinic), [
    'payment.recorded y1',
    'payment.recorded y2',
    'payment.cancelled y1',
    'payment.cancelled y4',
  ])
  assert.equal(await lastEventData(clinic), serializerOf(Payment)(await get(clinic, 'y4')))
  const { status, refunds } = await get(clinic, 'y1')
  assert.deepEqual([status, refunds.map(({ id, amount }) => [id, amount])], ['partially_refunded', [['y3', 30]]])
})

test('a status that becomes cancelled fires once; no other change does, nor the same record again', async () => {
  const clinic = await payingClinic()
  await change(clinic, record({ id: 'y1' }))
  const { updated } = await change(clinic, record({ id: 'y1', description: 'Cleaning' }))
  assert.deepEqual([...updated], ['y1'])
  assert.deepEqual(await events(clinic, 1), [])
  await change(clinic, record({ id: 'y1', description: 'Cleaning', status: 'cancelled' }))
  assert.deepEqual(await events(clinic, 1), ['payment.cancelled y1'])
  assert.equal(await lastEventData(clinic), serializerOf(Payment)(await get(clinic, 'y1')))
  const again = await change(clinic, record({ id: 'y1', description: 'Cleaning', status: 'cancelled' }))
  assert.equal(again.unchanged, 1)
  await change(clinic, record({ id: 'y1' }))
  assert.deepEqual(await events(clinic, 2), [])
})

test('of many reports of one new payment at once one is its event', async () => {
  const clinic = await payingClinic()
  await Promise.all(Array.from({ length: 20 }, () => change(clinic, record({ id: 'y1' }), record({ id: 'y2' }))))
  assert.deepEqual(await events(clinic), ['payment.recorded y1', 'payment.recorded y2'])
})

test('a report may not take the external_id or the document number of another payment', async () => {
  const clinic = await payingClinic()
  const receipt = (number: number) => ({
    ...{ id: `d${number}`, billing_account_id: 'main', type: 'receipt' as const, number },
    ...{ issued_at: '2026-07-01T08:00:00Z', allocation_number: null },
  })
  const first = record({ id: 'y1', external_id: 'till-1', documents: [receipt(1)] })
  await change(clinic, first)
  assert.equal((await change(clinic, first)).unchanged, 1)
  const attempt = change(
    clinic,
    record({ id: 'y2', external_id: 'till-1' }),
    record({ id: 'y3', external_id: 'till-2', documents: [receipt(2), { ...receipt(1), id: 'other' }] }),
    record({ id: 'y4', external_id: 'till-2', documents: [receipt(3), { ...receipt(2), id: 'another' }] }),
  )
  await assert.rejects(
    attempt,
    refusing(
      [0, '/external_id', 'taken'],
      [1, '/documents/1/number', 'taken'],
      [2, '/external_id', 'taken'],
      [2, '/documents/1/number', 'taken'],
    ),
  )
  assert.deepEqual(await events(clinic), ['payment.recorded y1'])
})

test('of many payments at once with one external_id one is stored and the others are refused', async () => {
  const clinic = await payingClinic()
  const reports = Array.from({ length: 12 }, (_, i) => change(clinic, record({ id: `y${i}`, external_id: 'till-1' })))
  const answers = await Promise.allSettled(reports)
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const answer of answers) {
    if (answer.status === 'rejected') refusing([0, '/external_id', 'taken'])(answer.reason)
  }
})

test('a cancellation sets the status, fires once, and raises updated_at', async () => {
  const clinic = await payingClinic()
  const { id, updated_at } = await pay(clinic, 80)
  assert.equal(await balance(clinic), -80)
  assert.deepEqual([...(await cancel(clinic, id)).updated], [id])
  const cancelled = await get(clinic, id)
  assert.equal(cancelled.status, 'cancelled')
  assert.ok((cancelled.updated_at ?? '') > (updated_at ?? ''))
  assert.deepEqual(await events(clinic, 1), [`payment.cancelled ${id}`])
  assert.equal(await lastEventData(clinic), serializerOf(Payment)(cancelled))
  assert.equal((await cancel(clinic, id)).unchanged, 1)
  assert.deepEqual(await events(clinic, 2), [])
  assert.equal(await balance(clinic), 0)
  await assert.rejects(cancel(clinic, id, 'nobody'), refusing([1, '/id', 'unknown_id']))
})

test('a refund is a payment of its own with a credit invoice, told by the original: its status, its refunds, its updated_at', async () => {
  const clinic = await payingClinic()
  const original = await pay(clinic, 100)
  assert.equal(await balance(clinic), -100)
  const { inserted } = await refund(clinic, { id: 'r1', refunded_payment_id: original.id, amount: 30.5 })
  assert.deepEqual([...inserted], ['r1'])
  const told = await get(clinic, original.id)
  assert.deepEqual(told, {
    ...original,
    status: 'partially_refunded',
    refunds: [{ id: 'r1', amount: 30.5, paid_at: original.paid_at }],
    updated_at: told.updated_at,
  })
  assert.ok((told.updated_at ?? '') > (original.updated_at ?? ''))
  const refunded = await get(clinic, 'r1')
  const { documents, ...rest } = refunded
  const { patient, billing_account, currency, method_type, paid_at, created_at, updated_at } = original
  assert.deepEqual(rest, {
    ...{ id: 'r1', patient, billing_account, amount: 30.5, currency, method_type, is_refund: true },
    ...{ refunded_payment_id: original.id, status: 'recorded', refunds: [], description: null, external_id: null },
    ...{ paid_at, created_at, updated_at },
  })
  assert.deepEqual(
    documents.map(({ type, number }) => [type, number]),
    [['credit_invoice', '1']],
  )
  const { rows } = await owner.query<{ content: { refunded: object; amount_minor: number } }>(sql`
    select content from payment_document where clinic_id = ${clinic.clinic_id} and payment_id = 'r1'`)
  assert.deepEqual(rows[0]?.content.refunded, { type: 'receipt', number: 1 })
  assert.equal(rows[0]?.content.amount_minor, 3_050)
  assert.deepEqual(await events(clinic, 1), [`payment.cancelled ${original.id}`])
  assert.equal(await lastEventData(clinic), serializerOf(Payment)(told))
  assert.equal(await balance(clinic), -69.5)
})

test('a payment of which all was given back is refunded; a refund that is cancelled counts no more, and raises updated_at', async () => {
  const clinic = await payingClinic()
  const { id } = await pay(clinic, 100)
  const seen = [await get(clinic, id)]
  const look = async () => {
    const now = await get(clinic, id)
    assert.ok((now.updated_at ?? '') > (seen.at(-1)?.updated_at ?? ''))
    seen.push(now)
    return [now.status, now.refunds.map((refund) => [refund.id, refund.amount])]
  }
  // Two of one report are one event.
  await refund(
    clinic,
    { id: 'r1', refunded_payment_id: id, amount: 60, paid_at: '2026-07-03' },
    { id: 'r2', refunded_payment_id: id, amount: 40, paid_at: '2026-07-02' },
  )
  const both = [
    ['r2', 40],
    ['r1', 60],
  ]
  assert.deepEqual(await look(), ['refunded', both])
  assert.deepEqual(await events(clinic, 1), [`payment.cancelled ${id}`])
  await cancel(clinic, 'r2')
  assert.deepEqual(await look(), ['partially_refunded', [['r1', 60]]])
  assert.deepEqual(await events(clinic, 2), ['payment.cancelled r2'])
  assert.deepEqual([(await get(clinic, 'r2')).status, await balance(clinic)], ['cancelled', -40])
  await cancel(clinic, id)
  assert.deepEqual(await look(), ['cancelled', [['r1', 60]]])
})

test('a refund of a payment without a document that was issued here issues none', async () => {
  const clinic = await payingClinic()
  const elsewhere = { id: 'd1', billing_account_id: 'main', type: 'receipt' as const, number: 7 }
  const documents = [{ ...elsewhere, issued_at: '2026-07-01T08:00:00Z', allocation_number: null }]
  await change(clinic, record({ id: 'y1', documents }))
  const details = { method_type: 'bank_transfer', paid_at: '2026-07-02', description: 'Too much' } as const
  await refund(clinic, { id: 'r1', refunded_payment_id: 'y1', amount: 100, ...details })
  const refunded = await get(clinic, 'r1')
  assert.deepEqual(refunded.documents, [])
  assert.deepEqual([refunded.method_type, refunded.description], ['bank_transfer', 'Too much'])
  assert.equal(refunded.paid_at, '2026-07-02T00:00:00+03:00')
})

test('the same refund again changes nothing; one of other content is refused', async () => {
  const clinic = await payingClinic()
  const { id } = await pay(clinic, 100)
  const first = { id: 'r1', refunded_payment_id: id, amount: 60, paid_at: '2026-07-02', description: 'Part' }
  const both = await refund(clinic, first, first)
  assert.deepEqual([both.inserted.size, both.unchanged], [1, 1])
  const again = await refund(clinic, { id: 'r1', refunded_payment_id: id, amount: 60 }, first)
  assert.deepEqual([again.inserted.size, again.unchanged], [0, 2])
  assert.deepEqual(await events(clinic, 1), [`payment.cancelled ${id}`])
  for (const other of [
    { amount: 59 },
    { paid_at: '2026-07-03' },
    { description: 'All' },
    { method_type: 'cash' as const },
  ]) {
    await assert.rejects(refund(clinic, { ...first, ...other }), refusing([0, '/id', 'taken']))
  }
  await assert.rejects(refund(clinic, { ...first, id }), refusing([0, '/id', 'taken']))
})

test('no more is given back than was paid, over earlier refunds, within a batch and of many at once', async () => {
  const clinic = await payingClinic()
  const { id } = await pay(clinic, 100)
  const part = (name: string, amount: number) => ({ id: name, refunded_payment_id: id, amount })
  await assert.rejects(refund(clinic, part('r1', 100.01)), refusing([0, '/amount', 'too_large']))
  await assert.rejects(refund(clinic, part('r1', 60), part('r2', 40.01)), refusing([1, '/amount', 'too_large']))
  const many = Array.from({ length: 20 }, (_, i) => refund(clinic, part(`m${i}`, 30)))
  const done = (await Promise.allSettled(many)).filter(({ status }) => status === 'fulfilled')
  assert.equal(done.length, 3)
  await refund(clinic, part('last', 10))
  await assert.rejects(refund(clinic, part('more', 0.01)), refusing([0, '/amount', 'too_large']))
  assert.equal(await balance(clinic), 0)
  assert.equal((await events(clinic, 1)).length, 4)
})

test('what cannot be given back is refused, all rows of a batch together and none of them done', async () => {
  const clinic = await payingClinic()
  const { id } = await pay(clinic, 100)
  const gone = await pay(clinic, 100)
  await cancel(clinic, gone.id)
  await refund(clinic, { id: 'r1', refunded_payment_id: id, amount: 1 })
  const before = (await events(clinic)).length
  const attempt = refund(
    clinic,
    { id: 'n1', refunded_payment_id: 'nothing', amount: 1 },
    { id: 'n2', refunded_payment_id: id, amount: 1 },
    { id: 'n3', refunded_payment_id: 'r1', amount: 1 },
    { id: 'n4', refunded_payment_id: gone.id, amount: 1 },
    { id: 'n5', refunded_payment_id: id, amount: 99 },
  )
  const place = '/refunded_payment_id'
  await assert.rejects(
    attempt,
    refusing([0, place, 'unknown_id'], [2, place, 'refund'], [3, place, 'cancelled'], [4, '/amount', 'too_large']),
  )
  assert.equal((await events(clinic)).length, before)
})

test('credit invoices of a batch are numbered without gaps, each account by itself', async () => {
  const clinic = await payingClinic()
  await insert(owner, clinic, 'billing_account', { id: 'lab' })
  const paid = []
  for (const billing_account_id of ['main', 'lab', 'main', 'main']) {
    const body = { amount: 50, method_type: 'cash', billing_account_id }
    paid.push((await ask(backend, clinic, 'payments.create', { params: { id: 'p1' }, body })).data)
  }
  await refund(clinic, ...paid.map(({ id }, i) => ({ id: `r${i}`, refunded_payment_id: id, amount: 50 })))
  const numbers = await Promise.all(paid.map(async (_, i) => (await get(clinic, `r${i}`)).documents[0]?.number))
  assert.deepEqual(numbers, ['1', '1', '2', '3'])
})
