// Changes of payments that a clinic's own systems report: stores them and emits recorded and cancelled events.
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import { type PaymentRecord, storePayments, touchRefunded } from '../records/payments.ts'
import type { Stored } from '../records/record-table.ts'
import { risenUpdatedAt } from '../records/risen-updated-at.ts'
import { updatedOf } from '../records/store-rows.ts'
import type { PaymentRow } from '../resources/payment.ts'
import { paymentChanges } from './payment-changes.ts'
import { refuseTaken } from './refused-payments.ts'
import { RefusedRows } from './refused-rows.ts'
import type { Changed } from './write-changes.ts'

/**
 * Stores payments, with at most one event of a type for each:
 *
 * - a new payment: `payment.recorded`, even when its first report is cancelled
 * - a new refund: `payment.cancelled` for the refunded payment, or for the refund itself when it names none or is cancelled
 * - a change of the status from recorded to cancelled: `payment.cancelled`
 * - any other change: none
 *
 * @throws RefusedRows when the `external_id` or a document's number is another payment's.
 */
export async function changePayments(
  tx: Transaction,
  clinic: Clinic,
  records: readonly PaymentRecord[],
): Promise<Changed<Stored>> {
  const refunded = records.flatMap(({ refunded_payment_id: id }) => (id ? [{ id }] : []))
  const before = await paymentChanges.locked(tx, clinic, [...records, ...refunded])
  await refuseTaken(tx, clinic, records)
  const stored = await storePayments(tx, clinic, records)
  paymentChanges.requireLocked(stored, before)

  const added = records.filter(({ id }) => stored.inserted.has(id))
  const recorded = added.filter(({ is_refund }) => !is_refund).map(({ id }) => id)
  const cancelled = [
    ...added.filter(({ is_refund }) => is_refund).map(teller),
    ...records
      .filter(({ id, status }) => stored.updated.has(id) && status === 'cancelled')
      .filter(({ id }) => before.get(id)?.status === 'recorded')
      .map(({ id }) => id),
  ]
  return {
    answer: stored,
    changes: [
      ...(await paymentChanges.changesOf(tx, clinic, recorded, () => 'payment.recorded')),
      ...(await paymentChanges.changesOf(tx, clinic, cancelled, () => 'payment.cancelled')),
    ],
  }
}

/** The payment whose event reports a new refund. */
function teller({ id, refunded_payment_id, status }: PaymentRecord): string {
  return status === 'recorded' && refunded_payment_id !== null ? refunded_payment_id : id
}

/**
 * Cancels payments. Leaves cancelled ones as they are.
 *
 * @throws RefusedRows when there is no such payment.
 */
export async function cancelPayments(
  tx: Transaction,
  clinic: Clinic,
  ids: readonly string[],
  now: Date,
): Promise<Changed<Stored>> {
  const before = await paymentChanges.locked(
    tx,
    clinic,
    ids.map((id) => ({ id })),
  )
  const unknown = ids.flatMap((id, index) =>
    before.has(id) ? [] : [{ index, place: '/id', code: 'unknown_id', detail: 'must be the id of a payment' }],
  )
  if (unknown.length > 0) throw new RefusedRows(unknown)
  const { clinic_id } = clinic
  const { rows: cancelled } = await tx.query<Cancelled>(sql`update payment as stored set status = 'cancelled',
      updated_at = ${risenUpdatedAt(now)}
    where stored.clinic_id = ${clinic_id} and stored.id = any(${ids}::text[]) and stored.status = 'recorded'
    returning stored.id, stored.is_refund, stored.refunded_payment_id`)
  const updated_at = now.toISOString()
  await touchRefunded(
    tx,
    clinic,
    cancelled.filter(({ is_refund }) => is_refund).map((refund) => ({ ...refund, updated_at })),
  )
  const updated = new Set(cancelled.map(({ id }) => id))
  const changes = await paymentChanges.changesOf(tx, clinic, updated, () => 'payment.cancelled')
  return { answer: updatedOf(ids, updated), changes }
}

type Cancelled = Pick<PaymentRow, 'id' | 'is_refund' | 'refunded_payment_id'>
