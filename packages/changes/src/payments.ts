// Changes of payments that a clinic's own systems report: stores them and emits recorded and cancelled events.
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import { formerPayments, type PaymentRecord, storePayments, touchRefunded } from '@clinic-data/records/payments'
import type { PaymentRow } from '@clinic-data/records/resources/payment'
import { keptErasedPatients } from '@clinic-data/records/storing/erased-records'
import type { Stored } from '@clinic-data/records/storing/record-table'
import { risenUpdatedAt } from '@clinic-data/records/storing/risen-updated-at'
import { updatedOf } from '@clinic-data/records/storing/store-rows'
import { paymentChanges } from './payment-changes.ts'
import { refusePayments } from './refused-payments.ts'
import { type Counted, countsAgainst } from './refused-refunds.ts'
import { RefusedRows } from './writing/refused-rows.ts'
import { type Changed, Overtaken } from './writing/write-changes.ts'

/**
 * Stores payments, with at most one event of a type for each:
 *
 * - a new payment: `payment.recorded`, even when its first report is cancelled
 * - a new or changed refund: `payment.cancelled` for each payment that it counted or counts against, and for the refund itself as
 *   soon as no other payment shows it
 * - a change of the status from recorded to cancelled: `payment.cancelled`
 * - a payment that was a refund, or becomes one: as if it was new
 * - any other change: none
 *
 * @throws RefusedRows when the `external_id` or a document's number is another payment's, the currency is wrong, or a refund does
 * not fit its payment.
 */
export async function changePayments(
  tx: Transaction,
  clinic: Clinic,
  reported: readonly PaymentRecord[],
): Promise<Changed<Stored>> {
  const records = await keptErasedPatients(tx, clinic, 'payment', reported)
  const former = await formerPayments(tx, clinic, records)
  const refunded = [...records, ...former.values()].flatMap(({ refunded_payment_id: id }) => id ?? [])
  const before = await paymentChanges.locked(tx, clinic, [...records, ...refunded.map((id) => ({ id }))])
  if (records.some(({ id }) => countsAgainst(before.get(id)) !== (former.get(id)?.refunded_payment_id ?? null))) {
    throw new Overtaken('a refund was changed meanwhile')
  }
  await refusePayments(tx, clinic, records, before)
  const stored = await storePayments(tx, clinic, records, former)
  paymentChanges.requireLocked(stored, before)

  const changed = records.filter(({ id }) => stored.inserted.has(id) || stored.updated.has(id))
  const recorded = changed.filter(({ id, is_refund }) => !is_refund && before.get(id)?.is_refund !== false)
  const cancelled = changed.flatMap((record) => cancelledBy(record, before.get(record.id)))
  return {
    answer: stored,
    changes: [
      ...(await paymentChanges.changesOf(
        tx,
        clinic,
        recorded.map(({ id }) => id),
        () => 'payment.recorded',
      )),
      ...(await paymentChanges.changesOf(tx, clinic, cancelled, () => 'payment.cancelled')),
    ],
  }
}

/** The payments whose `payment.cancelled` reports a new or changed one. */
function cancelledBy(record: PaymentRecord, before: Counted | undefined): string[] {
  const [from, to] = [countsAgainst(before), countsAgainst(record)]
  const isCancelled = before?.status === 'recorded' && record.status === 'cancelled'
  const isNewlyRefund = record.is_refund && before?.is_refund !== true
  const isUnshown = record.is_refund && to === null && from !== null
  const isTold = isCancelled || isUnshown || (isNewlyRefund && (to === null || before !== undefined))
  return [from, to, isTold ? record.id : null].filter((id) => id !== null)
}

/**
 * Cancels payments. Leaves cancelled ones as they are. A refund's event comes with that of the payment that it gave back.
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
  const refunds = cancelled.filter(({ is_refund }) => is_refund)
  await touchRefunded(
    tx,
    clinic,
    refunds.map((refund) => ({ ...refund, updated_at })),
  )
  const updated = new Set(cancelled.map(({ id }) => id))
  const reported = [...updated, ...refunds.flatMap(({ refunded_payment_id: id }) => id ?? [])]
  const changes = await paymentChanges.changesOf(tx, clinic, reported, () => 'payment.cancelled')
  return { answer: updatedOf(ids, updated), changes }
}

type Cancelled = Pick<PaymentRow, 'id' | 'is_refund' | 'refunded_payment_id'>
