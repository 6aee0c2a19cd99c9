// Changes of payments that a clinic's own systems report: stored, and told as recorded or cancelled.
import type { Clinic } from '@clinic-data/contract'
import { DatabaseError, sql, type Transaction } from '@clinic-data/database'
import { type PaymentRecord, storePayments, touchRefunded } from '../records/payments.ts'
import type { Stored } from '../records/record-table.ts'
import { risenUpdatedAt } from '../records/risen-updated-at.ts'
import type { PaymentRow } from '../resources/payment.ts'
import { paymentChange, wholePayments } from './new-payments.ts'
import { refuseTaken } from './refused-payments.ts'
import { RefusedRows } from './refused-rows.ts'
import { type Changed, Overtaken } from './write-changes.ts'

type Status = PaymentRow['status']

/**
 * Stores payments. One event of a type for each at most:
 *
 * - a new payment: `payment.recorded`, also when it is first seen cancelled
 * - a new refund: `payment.cancelled` of the payment that it gives back; of itself where it names none, or is cancelled
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
  const ids = records.flatMap(({ id, refunded_payment_id }) => [
    id,
    ...(refunded_payment_id ? [refunded_payment_id] : []),
  ])
  const before = await lockedStatuses(tx, clinic, ids)
  await refuseTaken(tx, clinic, records)
  const stored = await storePayments(tx, clinic, records).catch(overtaken)
  if ([...stored.updated].some((id) => !before.has(id))) throw new Overtaken('a payment was stored meanwhile')

  const rows = await wholePayments(tx, clinic, [...stored.inserted, ...stored.updated])
  const cancelled = new Set<string>()
  for (const row of rows) {
    const isNew = stored.inserted.has(row.id)
    if (isNew && row.is_refund) cancelled.add(toldOf(row))
    if (!isNew && before.get(row.id) === 'recorded' && row.status === 'cancelled') cancelled.add(row.id)
  }
  return {
    answer: stored,
    changes: [
      ...rows
        .filter(({ id, is_refund }) => stored.inserted.has(id) && !is_refund)
        .map((row) => paymentChange('payment.recorded', row)),
      ...(await wholePayments(tx, clinic, [...cancelled])).map((row) => paymentChange('payment.cancelled', row)),
    ],
  }
}

/** The payment that tells of a new refund. */
function toldOf({ id, refunded_payment_id, status }: PaymentRow): string {
  return status === 'recorded' && refunded_payment_id !== null ? refunded_payment_id : id
}

/**
 * Cancels payments; one that is cancelled already stays as it is.
 *
 * @throws RefusedRows when there is no such payment.
 */
export async function cancelPayments(
  tx: Transaction,
  clinic: Clinic,
  ids: readonly string[],
  now: Date,
): Promise<Changed<Stored>> {
  const before = await lockedStatuses(tx, clinic, ids)
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
  const rows = await wholePayments(tx, clinic, [...updated])
  return {
    answer: { inserted: new Set(), updated, unchanged: ids.length - updated.size },
    changes: rows.map((row) => paymentChange('payment.cancelled', row)),
  }
}

type Cancelled = Pick<PaymentRow, 'id' | 'is_refund' | 'refunded_payment_id'>

const UNIQUE_VIOLATION = '23505'

/** What was free when it was looked for has been taken meanwhile: the next look tells by which row. */
function overtaken(error: unknown): never {
  if (error instanceof DatabaseError && error.code === UNIQUE_VIOLATION) {
    throw new Overtaken('a name or a number was taken meanwhile', { cause: error })
  }
  throw error
}

/** Locked, so that what was read stays true. */
async function lockedStatuses(
  tx: Transaction,
  { clinic_id }: Clinic,
  ids: readonly string[],
): Promise<Map<string, Status>> {
  const { rows } = await tx.query<{ id: string; status: Status }>(sql`select id, status from payment
    where clinic_id = ${clinic_id} and id = any(${ids}::text[]) order by id for update`)
  return new Map(rows.map(({ id, status }) => [id, status]))
}
