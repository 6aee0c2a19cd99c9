// Refunds: each is a separate payment that gives back a part of another one, whose event reports it.
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction, wholeSecond } from '@clinic-data/database'
import { type PartyColumns, partiesOf, partyColumns, siteJoin } from '@clinic-data/documents/parties'
import { decimalFaults } from '@clinic-data/records/currency'
import { insertPayments, PaymentRecord, touchRefunded } from '@clinic-data/records/payments'
import { lookUp } from '@clinic-data/records/resources/look-up'
import { thousandthsIn, thousandthsOf } from '@clinic-data/records/resources/money'
import type { PaymentRow } from '@clinic-data/records/resources/payment'
import { complete } from '@clinic-data/records/storing/complete-record'
import { withoutTextOfErased } from '@clinic-data/records/storing/erased-records'
import type { Stored } from '@clinic-data/records/storing/record-table'
import { updatedOf } from '@clinic-data/records/storing/store-rows'
import { takePlaces } from '@clinic-data/webhooks/events/event-counter'
import { type DocumentDraft, issueDocuments } from './issue-documents.ts'
import { paymentChanges } from './payment-changes.ts'
import { type RefusedRow, RefusedRows } from './writing/refused-rows.ts'
import { type Changed, Overtaken } from './writing/write-changes.ts'

export interface Refund {
  readonly id: string
  readonly refunded_payment_id: string
  /** Major units of the payment's currency. At most what is left of the payment. */
  readonly amount: number
  /** Default: the payment's. */
  readonly method_type?: PaymentRow['method_type'] | null | undefined
  /** ISO 8601, a date alone is the clinic's midnight. Default: now. */
  readonly paid_at?: string | null | undefined
  readonly description?: string | null | undefined
}

/**
 * Records refunds, each with a credit invoice when the payment has a document that was issued here. Each refunded payment gets one
 * cancelled event. The same refund again changes nothing.
 *
 * @throws RefusedRows when a payment cannot be refunded, or not by that amount, or an id names something else.
 */
export async function refundPayments(
  tx: Transaction,
  clinic: Clinic,
  refunds: readonly Refund[],
  now: Date,
): Promise<Changed<Stored>> {
  const originals = await lockedOriginals(tx, clinic, refunds)
  const known = await knownPayments(tx, clinic, refunds)
  const textless = await withoutTextOfErased(
    tx,
    clinic,
    refunds.map((refund) => {
      const { patient_id = null } = known.get(refund.id) ?? originals.get(refund.refunded_payment_id) ?? {}
      return { ...refund, patient_id }
    }),
    (refund) => ({ ...refund, description: null }),
  )
  const accepted = accept(textless, originals, known, now)
  if (accepted.length === 0) return { answer: updatedOf(refunds, new Set()), changes: [] }
  const paid_at = await insertPayments(
    tx,
    clinic,
    accepted.map(({ payment }) => payment),
  )
  if (paid_at.size < accepted.length) throw new Overtaken('a refund was stored meanwhile')
  const drafts = accepted.flatMap((one) => creditInvoice(one, paid_at.get(one.payment.id) ?? null) ?? [])
  const updated_at = now.toISOString()
  const touched = accepted.map(({ original }) => ({ refunded_payment_id: original.id, updated_at }))
  await touchRefunded(tx, clinic, touched)
  const refunded = touched.map((one) => one.refunded_payment_id)
  const changes = await paymentChanges.changesOf(tx, clinic, refunded, () => 'payment.cancelled')
  const issue = issueDocuments(tx, clinic, drafts, now)
  const latest = await takePlaces(tx, clinic, changes.length, now)
  issue()
  return {
    latest,
    answer: { inserted: new Set(paid_at.keys()), updated: new Set(), unchanged: refunds.length - accepted.length },
    changes,
  }
}

interface Original
  extends PartyColumns,
    Pick<
      PaymentRow,
      | 'id'
      | 'patient_id'
      | 'billing_account_id'
      | 'amount_thousandths'
      | 'currency'
      | 'method_type'
      | 'is_refund'
      | 'status'
    > {
  issuer_id: string | null
  issued_type: DocumentDraft['type']
  issued_number: number
}

/** With the first document issued for it here. Locked, so that refunds of one payment wait for each other. */
async function lockedOriginals(
  tx: Transaction,
  clinic: Clinic,
  refunds: readonly Refund[],
): Promise<Map<string, Original>> {
  const { clinic_id } = clinic
  const ids = refunds.map(({ refunded_payment_id }) => refunded_payment_id)
  const { rows } = await tx.query<Original>(sql`
    select y.id, y.patient_id, y.billing_account_id, ${thousandthsIn('y', 'amount')} as amount_thousandths, y.currency,
      y.method_type, y.is_refund, y.status, issued.billing_account_id as issuer_id, issued.type as issued_type, issued.number as issued_number, ${partyColumns}
    from payment y ${lookUp('patient', clinic_id, sql`y.patient_id`)}
      left join lateral (select billing_account_id, type, number from payment_document
        where clinic_id = ${clinic_id} and payment_id = y.id and content is not null order by number limit 1) issued on true
      ${lookUp('billing_account', clinic_id, sql`issued.billing_account_id`, 'account')} ${siteJoin(clinic)}
    where y.clinic_id = ${clinic_id} and y.id = any(${ids}::text[]) order by y.id for update of y`)
  return new Map(rows.map((row) => [row.id, row]))
}

type Known = Pick<
  PaymentRow,
  | 'id'
  | 'patient_id'
  | 'refunded_payment_id'
  | 'status'
  | 'amount_thousandths'
  | 'method_type'
  | 'paid_at'
  | 'description'
>

/** All payments with the id of one of the refunds, and all refunds of the same payments. */
async function knownPayments(
  tx: Transaction,
  { clinic_id }: Clinic,
  refunds: readonly Refund[],
): Promise<Map<string, Known>> {
  const known = sql`select id, patient_id, refunded_payment_id, status,
      ${thousandthsIn('payment', 'amount')} as amount_thousandths, method_type, paid_at, description from payment
    where clinic_id = ${clinic_id}`
  const { rows } = await tx.query<Known>(sql`
    ${known} and id = any(${refunds.map(({ id }) => id)}::text[]) union
    ${known} and refunded_payment_id = any(${refunds.map(({ refunded_payment_id }) => refunded_payment_id)}::text[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

interface Accepted {
  payment: PaymentRecord
  original: Original
}

/** In order: an earlier refund of a batch leaves less for a later one. */
function accept(
  refunds: readonly Refund[],
  originals: ReadonlyMap<string, Original>,
  known: Map<string, Known>,
  now: Date,
): Accepted[] {
  const accepted: Accepted[] = []
  const refused: RefusedRow[] = []
  refunds.forEach((refund, index) => {
    const same = known.get(refund.id)
    if (same !== undefined && isRepeated(refund, same)) return
    const original = originals.get(refund.refunded_payment_id)
    const fault = same === undefined ? faultOf(refund, original, known) : TAKEN
    if (fault !== null) refused.push({ index, ...fault })
    if (fault !== null || original === undefined) return
    const payment = paymentOf(refund, original, now)
    known.set(refund.id, { ...payment, amount_thousandths: thousandthsOf(payment.amount) })
    accepted.push({ payment, original })
  })
  if (refused.length > 0) throw new RefusedRows(refused)
  return accepted
}

type Fault = Omit<RefusedRow, 'index'>

const TAKEN: Fault = { place: '/id', code: 'taken', detail: 'must be new: a payment of other content has it' }

function faultOf(refund: Refund, original: Original | undefined, known: ReadonlyMap<string, Known>): Fault | null {
  const place = '/refunded_payment_id'
  if (original === undefined) return { place, code: 'unknown_id', detail: 'must be the id of a payment' }
  if (original.is_refund) return { place, code: 'refund', detail: 'must be the id of a payment, not of a refund' }
  if (original.status === 'cancelled')
    return { place, code: 'cancelled', detail: 'must be a payment that still counts' }
  const [decimals] = decimalFaults({ amount: refund.amount }, original.currency)
  if (decimals !== undefined) return decimals
  const givenBack = [...known.values()]
    .filter(({ refunded_payment_id, status }) => refunded_payment_id === original.id && status === 'recorded')
    .reduce((sum, { amount_thousandths }) => sum + amount_thousandths, 0)
  if (thousandthsOf(refund.amount) <= original.amount_thousandths - givenBack) return null
  return { place: '/amount', code: 'too_large', detail: 'must be at most what is left of the payment' }
}

/** A field that the refund leaves out counts as stored. */
function isRepeated({ description, paid_at, ...refund }: Refund, stored: Known): boolean {
  return (
    stored.refunded_payment_id === refund.refunded_payment_id &&
    stored.amount_thousandths === thousandthsOf(refund.amount) &&
    stored.method_type === (refund.method_type ?? stored.method_type) &&
    stored.description === (description ?? stored.description) &&
    (paid_at === null || paid_at === undefined || isSameTime(paid_at, stored.paid_at))
  )
}

/** `stored` is as the database prints it, or as it is about to be stored. */
function isSameTime(time: string, stored: string | null): boolean {
  if (stored === null || stored === time) return stored === time
  if (time.length === 'YYYY-MM-DD'.length) return stored.startsWith(`${time} 00:00:00`)
  const second = (text: string) => Math.floor(Date.parse(text) / 1000)
  return second(time) === second(wholeSecond(stored) ?? stored)
}

function paymentOf(refund: Refund, original: Original, now: Date): PaymentRecord {
  const { patient_id, billing_account_id, currency } = original
  const { id, amount, description = null, paid_at } = refund
  const time = now.toISOString()
  return complete(PaymentRecord, {
    id,
    patient_id,
    billing_account_id,
    amount,
    currency,
    description,
    is_refund: true,
    refunded_payment_id: original.id,
    status: 'recorded',
    method_type: refund.method_type ?? original.method_type,
    paid_at: paid_at ?? time,
    created_at: time,
    updated_at: time,
  })
}

function creditInvoice({ payment, original }: Accepted, paid_at: string | null): DocumentDraft | null {
  const { issuer_id, issued_type, issued_number } = original
  if (issuer_id === null) return null
  const { id, amount, currency, method_type, description } = payment
  return {
    payment_id: id,
    billing_account_id: issuer_id,
    named_patient_id: payment.patient_id,
    type: 'credit_invoice',
    ...partiesOf(original),
    amount,
    currency,
    method_type,
    paid_at,
    description,
    refunded: { type: issued_type, number: issued_number },
  }
}
