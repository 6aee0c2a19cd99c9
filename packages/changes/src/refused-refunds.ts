// Refuses reported payments whose currency is wrong, and refunds that do not fit the payment that they give back.
//
// Only what is new or differs is judged, and the refunds of a payment that differs: a row that was stored before a rule can be sent
// again, and can be cancelled.
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import { currencyFault, decimalFaults } from '@clinic-data/records/currency'
import type { PaymentRecord } from '@clinic-data/records/payments'
import { majorUnits, thousandthsIn, thousandthsOf } from '@clinic-data/records/resources/money'
import type { PaymentRow } from '@clinic-data/records/resources/payment'
import type { RefusedRow } from './writing/refused-rows.ts'

/** These columns decide whether a payment counts, against which one, and how much. */
export type Counted = Pick<
  PaymentRow,
  'id' | 'status' | 'is_refund' | 'refunded_payment_id' | 'patient_id' | 'currency' | 'amount_thousandths'
>

/** The payment of which a refund gives back a part. Null: the refund is cancelled or names none, or it is no refund. */
export function countsAgainst(
  payment: Pick<Counted, 'status' | 'is_refund' | 'refunded_payment_id'> | undefined,
): string | null {
  return payment?.is_refund && payment.status === 'recorded' ? payment.refunded_payment_id : null
}

type Fault = Omit<RefusedRow, 'index'>

/** @param before the stored rows of the records and of the payments that they name, locked. */
export async function refundFaults(
  tx: Transaction,
  clinic: Clinic,
  records: readonly PaymentRecord[],
  before: ReadonlyMap<string, Counted>,
): Promise<RefusedRow[]> {
  const counted = records.map((record): Counted => ({ ...record, amount_thousandths: thousandthsOf(record.amount) }))
  const after = new Map([...before, ...counted.map((one) => [one.id, one] as const)])
  const givenBack = await refundsBeside(tx, clinic, counted)
  return counted.flatMap((one, index) => {
    const stored = before.get(one.id)
    const against = countsAgainst(one)
    const original = against === null ? undefined : after.get(against)
    const others = givenBack.get(original?.id ?? one.id) ?? []
    const isMoved = one.status === 'recorded' && original !== undefined && isJudged(original, before.get(original.id))
    const faults =
      isMoved || isJudged(one, stored)
        ? [
            ...currencyFaults(one, original?.currency ?? null, clinic),
            ...(original ? faultsOfRefund(one, original, others) : faultsOfRefunded(one, stored, others)),
          ]
        : []
    // An earlier refund of a batch leaves less for a later one.
    if (original && faults.length === 0) givenBack.set(original.id, [...others, one])
    return faults.map((fault) => ({ index, ...fault }))
  })
}

/** The stored refunds that still count after the batch and are not in it, by the payment that they give back. */
async function refundsBeside(
  tx: Transaction,
  { clinic_id }: Clinic,
  counted: readonly Counted[],
): Promise<Map<string, Counted[]>> {
  const ids = counted.map(({ id }) => id)
  const payments = [...new Set([...ids, ...counted.flatMap((one) => countsAgainst(one) ?? [])])]
  const { rows } = await tx.query<Counted & { refunded_payment_id: string }>(sql`
    select id, status, is_refund, refunded_payment_id, patient_id, currency,
      ${thousandthsIn('payment', 'amount')} as amount_thousandths from payment
    where clinic_id = ${clinic_id} and refunded_payment_id = any(${payments}::text[]) and is_refund and status = 'recorded'
      and id <> all(${ids}::text[])`)
  return Map.groupBy(rows, ({ refunded_payment_id }) => refunded_payment_id)
}

const DECISIVE = ['status', 'is_refund', 'refunded_payment_id', 'patient_id', 'currency', 'amount_thousandths'] as const

function isJudged(one: Counted, stored: Counted | undefined): boolean {
  return stored === undefined || (one.status === 'recorded' && DECISIVE.some((field) => one[field] !== stored[field]))
}

function currencyFaults({ currency, amount_thousandths }: Counted, ofPayment: string | null, clinic: Clinic): Fault[] {
  if (currency === (ofPayment ?? clinic.currency))
    return decimalFaults({ amount: majorUnits(amount_thousandths) }, currency)
  if (ofPayment === null) return [currencyFault(clinic)]
  const detail = 'must be the currency of the payment that is given back'
  return [{ place: '/currency', code: 'not_allowed', detail }]
}

function faultsOfRefund(refund: Counted, original: Counted, others: readonly Counted[]): Fault[] {
  const faults: Fault[] = []
  if (refund.patient_id !== original.patient_id) {
    const detail = 'must be the patient of the payment that is given back'
    faults.push({ place: '/patient_id', code: 'not_allowed', detail })
  }
  if (refund.amount_thousandths > original.amount_thousandths - sumOf(others)) {
    faults.push({ place: '/amount', code: 'too_large', detail: 'must be at most what is left of the payment' })
  }
  return faults
}

/** A correction of a payment of which a part was given back. */
function faultsOfRefunded(payment: Counted, stored: Counted | undefined, refunds: readonly Counted[]): Fault[] {
  if (stored === undefined || refunds.length === 0) return []
  const faults: Fault[] = []
  if (payment.is_refund) {
    faults.push({
      place: '/is_refund',
      code: 'not_allowed',
      detail: 'must be false: there are refunds of this payment',
    })
  }
  if (payment.patient_id !== stored.patient_id) {
    const detail = 'must stay: there are refunds of this payment. Send them with it'
    faults.push({ place: '/patient_id', code: 'not_allowed', detail })
  }
  if (payment.amount_thousandths < stored.amount_thousandths && payment.amount_thousandths < sumOf(refunds)) {
    faults.push({ place: '/amount', code: 'too_small', detail: 'must be at least what was given back' })
  }
  return faults
}

function sumOf(refunds: readonly Counted[]): number {
  return refunds.reduce((sum, { amount_thousandths }) => sum + amount_thousandths, 0)
}
