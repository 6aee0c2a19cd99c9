// Refunds as the clinic's own systems report them: which are refused, and which payments change with them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changePayments } from '@clinic-data/changes/payments'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { storePayments } from '@clinic-data/records/payments'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { app, cancel, change, events, get, owner, payingClinic, record, refund, refusing } from './payments-ground.ts'

const refundOf = (id: string, amount: number, more: object = {}) =>
  record({ id, amount, is_refund: true, refunded_payment_id: 'y1', ...more })

/** Two payments of 50, each with its `updated_at`. */
async function paidTwice() {
  const clinic = await payingClinic()
  await change(clinic, record({ id: 'y1', amount: 50 }), record({ id: 'y2', amount: 50 }))
  let seen = 2
  return {
    clinic,
    /** The payments told since the last time. */
    shown: async () => {
      const all = await events(clinic, seen)
      seen += all.length
      return all
    },
  }
}

const timesOf = async (clinic: Clinic, ...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await get(clinic, id)).updated_at ?? ''))

const TOO_LARGE = [0, '/amount', 'too_large'] as const

test('a reported refund is of its payment’s patient and currency, and at most what is left of it', async () => {
  const { clinic, shown } = await paidTwice()
  await insertPatient(owner, clinic, { id: 'p2' })
  await assert.rejects(change(clinic, refundOf('r1', 500)), refusing([...TOO_LARGE]))
  await assert.rejects(
    change(clinic, refundOf('r1', 10, { currency: 'USD' })),
    refusing([0, '/currency', 'not_allowed']),
  )
  await assert.rejects(
    change(clinic, refundOf('r1', 10, { patient_id: 'p2' })),
    refusing([0, '/patient_id', 'not_allowed']),
  )
  await assert.rejects(
    change(clinic, refundOf('r1', 10, { patient_id: null })),
    refusing([0, '/patient_id', 'not_allowed']),
  )
  assert.deepEqual(await shown(), [])
  await change(clinic, refundOf('r1', 50))
  assert.deepEqual(await shown(), ['payment.cancelled y1'])
})

test('reported refunds never exceed the payment, with earlier ones, within a batch, from either door and many at once', async () => {
  const { clinic } = await paidTwice()
  await assert.rejects(change(clinic, refundOf('r1', 30), refundOf('r2', 20.01)), refusing([1, '/amount', 'too_large']))
  await change(clinic, refundOf('r1', 30))
  await assert.rejects(change(clinic, refundOf('r2', 20.01)), refusing([...TOO_LARGE]))
  await assert.rejects(refund(clinic, { id: 'r2', refunded_payment_id: 'y1', amount: 20.01 }), refusing([...TOO_LARGE]))
  // A correction counts instead of what it corrects, and so does a cancellation.
  await change(clinic, refundOf('r1', 40))
  await assert.rejects(change(clinic, refundOf('r1', 50.01)), refusing([...TOO_LARGE]))
  await change(clinic, refundOf('r2', 50), refundOf('r1', 40, { status: 'cancelled' }))
  await assert.rejects(change(clinic, refundOf('r1', 40)), refusing([...TOO_LARGE]))
  const many = Array.from({ length: 12 }, (_, i) =>
    change(clinic, refundOf(`m${i}`, 20, { refunded_payment_id: 'y2' })),
  )
  const done = (await Promise.allSettled(many)).filter(({ status }) => status === 'fulfilled')
  assert.equal(done.length, 2)
})

test('a payment is not corrected to less than what was given back of it, nor to another patient or currency', async () => {
  const { clinic } = await paidTwice()
  await insertPatient(owner, clinic, { id: 'p2' })
  await change(clinic, refundOf('r1', 30))
  await assert.rejects(change(clinic, record({ id: 'y1', amount: 29.99 })), refusing([0, '/amount', 'too_small']))
  await assert.rejects(
    change(clinic, record({ id: 'y1', amount: 50, patient_id: 'p2' })),
    refusing([0, '/patient_id', 'not_allowed']),
  )
  const lowered = change(clinic, record({ id: 'y1', amount: 10 }), refundOf('r1', 30))
  await assert.rejects(lowered, refusing([1, '/amount', 'too_large']))
  await change(clinic, record({ id: 'y1', amount: 30 }))
  assert.equal((await get(clinic, 'y1')).status, 'refunded')
  await change(clinic, record({ id: 'y1', amount: 50, patient_id: 'p2' }), refundOf('r1', 50, { patient_id: 'p2' }))
  assert.equal((await get(clinic, 'y1')).status, 'refunded')
})

test('a refund that moves to another payment changes both, and both are told', async () => {
  const { clinic, shown } = await paidTwice()
  await change(clinic, refundOf('r1', 30))
  await shown()
  const before = await timesOf(clinic, 'y1', 'y2')
  await change(clinic, refundOf('r1', 30, { refunded_payment_id: 'y2' }))
  assert.deepEqual(await shown(), ['payment.cancelled y1', 'payment.cancelled y2'])
  const after = await timesOf(clinic, 'y1', 'y2')
  assert.ok(after.every((time, at) => time > (before[at] ?? '')))
  const [first, second] = await Promise.all([get(clinic, 'y1'), get(clinic, 'y2')])
  assert.deepEqual([first.status, first.refunds, second.status], ['recorded', [], 'partially_refunded'])
})

test('a refund that moves again meanwhile changes the payment that it left last, which is told', async () => {
  const { clinic, shown } = await paidTwice()
  await change(clinic, record({ id: 'y3', amount: 50 }), refundOf('r1', 30))
  await shown()
  const y2 = sql`select extract(epoch from updated_at)::float8 as at from payment
    where clinic_id = ${clinic.clinic_id} and id = 'y2'`
  const { moving, left } = await app.write(clinic, async (tx) => {
    await changePayments(tx, clinic, [refundOf('r1', 30, { refunded_payment_id: 'y2' })])
    const moving = change(clinic, refundOf('r1', 30, { refunded_payment_id: 'y3' }))
    await doneOrWaiting(owner, tx, moving, '%payment%')
    return { moving, left: (await tx.query<{ at: number }>(y2)).rows[0]?.at ?? Infinity }
  })
  await moving
  const [row] = (await owner.query<{ at: number }>(y2)).rows
  assert.ok((row?.at ?? 0) > left)
  assert.deepEqual(await shown(), ['payment.cancelled y2', 'payment.cancelled y3'])
})

test('a refund that is corrected, cancelled, or made none changes the payment that it counted against, which is told', async () => {
  const { clinic, shown } = await paidTwice()
  const steps: [record: ReturnType<typeof record>, events: string[]][] = [
    [refundOf('r1', 30), ['payment.cancelled y1']],
    [refundOf('r1', 20), ['payment.cancelled y1']],
    [refundOf('r1', 20, { status: 'cancelled' }), ['payment.cancelled r1', 'payment.cancelled y1']],
    [refundOf('r1', 20), ['payment.cancelled y1']],
    // From here on no other payment shows it.
    [refundOf('r1', 20, { refunded_payment_id: null }), ['payment.cancelled r1', 'payment.cancelled y1']],
    [refundOf('r1', 20), ['payment.cancelled y1']],
    [record({ id: 'r1', amount: 20 }), ['payment.recorded r1', 'payment.cancelled y1']],
    [refundOf('r1', 20), ['payment.cancelled r1', 'payment.cancelled y1']],
    [refundOf('r1', 20), []],
  ]
  let [last = ''] = await timesOf(clinic, 'y1')
  for (const [step, expected] of steps) {
    await change(clinic, step)
    assert.deepEqual(await shown(), expected)
    const [time = ''] = await timesOf(clinic, 'y1')
    assert.equal(time > last, expected.length > 0)
    last = time
  }
  await cancel(clinic, 'r1', 'y2')
  assert.deepEqual(await shown(), ['payment.cancelled r1', 'payment.cancelled y1', 'payment.cancelled y2'])
  assert.ok((await timesOf(clinic, 'y1'))[0] ?? '' > last)
})

test('a refund that an import moves raises updated_at of both payments', async () => {
  const { clinic } = await paidTwice()
  const store = (refunded_payment_id: string | null) =>
    app.write(clinic, (tx) => storePayments(tx, clinic, [refundOf('r1', 30, { refunded_payment_id })]))
  await store('y1')
  const before = await timesOf(clinic, 'y1', 'y2')
  await store('y2')
  const after = await timesOf(clinic, 'y1', 'y2')
  assert.ok(after.every((time, at) => time > (before[at] ?? '')))
})

test('a stored refund that breaks a rule of today can be cancelled', async () => {
  const { clinic } = await paidTwice()
  const stored = { id: 'old', is_refund: true, refunded_payment_id: 'y1', amount_minor: 500_00, currency: 'USD' }
  await insert(owner, clinic, 'payment', { ...stored, patient_id: 'p1', billing_account_id: 'main' })
  await change(clinic, refundOf('old', 500, { status: 'cancelled' }))
  assert.equal((await get(clinic, 'y1')).status, 'recorded')
})

test('the faults of a batch come in the order of its records, whatever they are', async () => {
  const { clinic } = await paidTwice()
  await change(clinic, record({ id: 'y3', external_id: 'known' }))
  const batch = [refundOf('r1', 500), record({ id: 'y4', external_id: 'known' })]
  await assert.rejects(change(clinic, ...batch), refusing([...TOO_LARGE], [1, '/external_id', 'taken']))
})
