// Refunds: separate payments with credit invoices, limited by what was paid, and reported by the refunded payment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundPayments } from '@clinic-data/changes/refunds'
import { RefusedRows } from '@clinic-data/changes/writing/refused-rows'
import { Payment } from '@clinic-data/contract/resources/payment'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { insert } from '@clinic-data/testing/grounds/rows'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import {
  app,
  backend,
  balance,
  cancel,
  change,
  events,
  get,
  lastEventData,
  now,
  owner,
  pay,
  payingClinic,
  record,
  refund,
  refusing,
} from './payments-ground.ts'

test("a refund is a separate payment with a credit invoice, reported by the original's status, refunds and updated_at", async () => {
  const clinic = await payingClinic()
  const original = await pay(clinic, 100)
  assert.equal(await balance(clinic), -100)
  const { inserted } = await refund(clinic, { id: 'r1', refunded_payment_id: original.id, amount: 30.5 })
  assert.deepEqual([...inserted], ['r1'])
  const payment = await get(clinic, original.id)
  assert.deepEqual(payment, {
    ...original,
    status: 'partially_refunded',
    refunds: [{ id: 'r1', amount: 30.5, paid_at: original.paid_at }],
    updated_at: payment.updated_at,
  })
  assert.ok((payment.updated_at ?? '') > (original.updated_at ?? ''))
  const refunded = await get(clinic, 'r1')
  const { documents, ...rest } = refunded
  const { patient, billing_account, currency, method_type, paid_at, created_at, updated_at } = original
  assert.deepEqual(rest, {
    id: 'r1',
    patient,
    billing_account,
    amount: 30.5,
    currency,
    method_type,
    is_refund: true,
    refunded_payment_id: original.id,
    status: 'recorded',
    refunds: [],
    description: null,
    external_id: null,
    paid_at,
    created_at,
    updated_at,
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
  assert.equal(await lastEventData(clinic), serializerOf(Payment)(payment))
  assert.equal(await balance(clinic), -69.5)
})

test('a fully refunded payment is refunded, and a cancelled refund no longer counts and raises updated_at', async () => {
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
  // Both have changed, and whoever keeps payments by their id is right about both.
  assert.deepEqual(await events(clinic, 2), [`payment.cancelled ${id}`, 'payment.cancelled r2'])
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

test('a repeated refund changes nothing, and one with other content is refused', async () => {
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

test('refunds never exceed the payment, with earlier ones, within a batch and many at once', async () => {
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

test('refunds that are cancelled together each raise updated_at of their payment', async () => {
  const clinic = await payingClinic()
  const payments = [await pay(clinic, 100), await pay(clinic, 100)]
  const refunds = payments.map(({ id }, n) => ({ id: `r${n}`, refunded_payment_id: id, amount: 10 }))
  await refund(clinic, ...refunds)
  const times = () => Promise.all(payments.map(async ({ id }) => (await get(clinic, id)).updated_at ?? ''))
  const before = await times()
  await cancel(clinic, ...refunds.map(({ id }) => id))
  assert.deepEqual(
    (await times()).map((time, n) => time > (before[n] ?? '')),
    [true, true],
  )
})

test('an id that a refund of another payment takes meanwhile is refused, and issues no credit invoice', async () => {
  const clinic = await payingClinic()
  const [first, second] = [await pay(clinic, 100), await pay(clinic, 100)]
  const { meeting } = await app.write(clinic, async (tx) => {
    await refundPayments(tx, clinic, [{ id: 'r1', refunded_payment_id: first.id, amount: 10 }], now())
    const meeting = refund(clinic, { id: 'r1', refunded_payment_id: second.id, amount: 10 })
    await doneOrWaiting(owner, tx, meeting, '%into payment%')
    return { meeting }
  })
  await assert.rejects(meeting, RefusedRows)
  assert.equal((await get(clinic, second.id)).status, 'recorded')
  assert.deepEqual(
    (await get(clinic, 'r1')).documents.map(({ number }) => number),
    ['1'],
  )
})

test('credit invoices of several billing accounts are numbered in one order, so that no two batches wait for each other', async () => {
  const clinic = await payingClinic()
  await insert(owner, clinic, 'billing_account', { id: 'a' }, { id: 'b' })
  const paid = ['b', 'a'].map(async (billing_account_id) => {
    const body = { amount: 100, method_type: 'cash', billing_account_id }
    return (await ask(backend, clinic, 'payments.create', { params: { id: 'p1' }, body })).data.id
  })
  const ids = await Promise.all(paid)
  const refunds = (name: string) =>
    refund(clinic, ...ids.map((id, at) => ({ id: `${name}${at}`, refunded_payment_id: id, amount: 10 })))
  await refunds('first')
  const counter = (account: string) => sql`select 1 from document_counter where clinic_id = ${clinic.clinic_id}
    and billing_account_id = ${account} and type = 'credit_invoice' for update skip locked`
  const { refunding } = await app.write(clinic, async (tx) => {
    assert.equal((await tx.query(counter('b'))).rows.length, 1)
    const refunding = refunds('second')
    await doneOrWaiting(owner, tx, refunding, '%document_counter%')
    assert.deepEqual((await tx.query(counter('a'))).rows, [])
    return { refunding }
  })
  assert.equal((await refunding).inserted.size, 2)
})

test('an impossible refund is refused with all rows of its batch', async () => {
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

test('credit invoices of a batch are numbered without gaps, each account separately', async () => {
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
