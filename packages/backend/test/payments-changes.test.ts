// Payments as the clinic's own systems report them: their events, cancellations and conflicts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Payment } from '@clinic-data/contract/resources/payment'
import { serializerOf } from '@clinic-data/contract/serializer'
import {
  balance,
  cancel,
  change,
  events,
  get,
  lastEventData,
  pay,
  payingClinic,
  record,
  refusing,
} from './payments-ground.ts'

test('a new payment fires its own event, and a new refund that of its payment, or its own if it names none', async () => {
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

test('a status that becomes cancelled fires once, and other changes and repetitions fire nothing', async () => {
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

test('many simultaneous reports of one new payment make one event', async () => {
  const clinic = await payingClinic()
  await Promise.all(Array.from({ length: 20 }, () => change(clinic, record({ id: 'y1' }), record({ id: 'y2' }))))
  assert.deepEqual(await events(clinic), ['payment.recorded y1', 'payment.recorded y2'])
})

test('a report may not take the external_id or the document number of another payment', async () => {
  const clinic = await payingClinic()
  const receipt = (number: number) => ({
    id: `d${number}`,
    billing_account_id: 'main',
    type: 'receipt' as const,
    number,
    issued_at: '2026-07-01T08:00:00Z',
    allocation_number: null,
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

test('of many simultaneous payments with one external_id one is stored and the others are refused', async () => {
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
