// Records a payment: its rules, its accounting document, and the answer to a repeated `external_id`.

import { type DocumentDraft, type IssuedDocument, issueDocuments } from '@clinic-data/changes/issue-documents'
import { paymentChanges } from '@clinic-data/changes/payment-changes'
import type { Changed } from '@clinic-data/changes/writing/write-changes'
import { type Answer, type Clinic, type HandlerInput, type Operations, Problem } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import { newId } from '@clinic-data/contract/new-id'
import { sql, type Transaction, wholeSecond } from '@clinic-data/database'
import { type PartyColumns, partiesOf, partyColumns, siteJoin } from '@clinic-data/documents/parties'
import { currencyFault, decimalFaults } from '@clinic-data/records/currency'
import { addPayment, inSeconds, PaymentRecord, withoutPaymentText } from '@clinic-data/records/payments'
import { formsOfExternalId } from '@clinic-data/records/resources/hidden-text'
import { thousandthsOf } from '@clinic-data/records/resources/money'
import { type PatientSummaryColumns, patientSummary } from '@clinic-data/records/resources/patient-summary'
import { type PaymentRow, paymentResource } from '@clinic-data/records/resources/payment'
import { complete } from '@clinic-data/records/storing/complete-record'
import { isErased } from '@clinic-data/records/storing/erased-records'
import { notFound } from '@clinic-data/surface/not-found'
import { takePlaces } from '@clinic-data/webhooks/events/event-counter'

type Request = HandlerInput<Operations['payments.create']>['body']
type Recorded = Changed<Answer<Operations['payments.create']>>

/** A request and its patient. */
interface RequestedPayment {
  readonly clinic: Clinic
  readonly patient_id: string
  readonly body: Request
  /** The time of the change, and the clock's time. */
  readonly at: Date
  readonly now: Date
}

/**
 * @throws Problem `not-found` for an unknown patient, `conflict` when the `external_id` is another payment's, `unprocessable` when a rule refuses the payment.
 */
export async function recordPayment(tx: Transaction, whole: RequestedPayment): Promise<Recorded> {
  const { clinic, patient_id, at, now } = whole
  const accounts = await candidateAccounts(tx, whole)
  const [first] = accounts
  const requested = first?.is_erased ? { ...whole, body: withoutPaymentText(clinic, whole.body) } : whole
  if (first === undefined) throw notFound('patient', patient_id)
  if (first.recorded_id !== null) return replay(tx, requested, first.recorded_id, first.is_erased)
  const account = requireAccount(requested, accounts)

  const payment = paymentOf(requested, account)
  addPayment(tx, clinic, payment)
  const issue = issueDocuments(tx, clinic, [documentOf(payment, account, requested)], now)
  const latest = await takePlaces(tx, clinic, 1, at)
  const row = rowOf(payment, account, issue().get(payment.id))
  const changes = [paymentChanges.event('payment.recorded', row)]
  return { answer: { data: paymentResource.render(row) }, changes, latest }
}

interface Candidate extends PartyColumns, PatientSummaryColumns {
  billing_account_id: string | null
  document_type: 'receipt' | 'tax_invoice_receipt' | null
  is_erased: boolean
  /** The payment that already has the request's `external_id`. */
  recorded_id: string | null
  /** As the payment will be read. */
  paid_at: string
  created_at: string
}

/** One row for each account that could be meant, at most two, with the content of its document. Empty: no such patient. */
async function candidateAccounts(tx: Transaction, requested: RequestedPayment): Promise<Candidate[]> {
  const { clinic, patient_id, body, at } = requested
  const { clinic_id } = clinic
  const { billing_account_id, external_id } = body
  const isMeant = billing_account_id === undefined ? sql.empty : sql` and account.id = ${billing_account_id}`
  const recorded_id =
    external_id === undefined
      ? sql`null`
      : sql`(select y.id from payment y where y.clinic_id = ${clinic_id}
          and y.external_id = any(${formsOfExternalId(clinic, external_id)}::text[]) limit 1)`
  const { rows } = await tx.query<Candidate>(sql`
    select account.id as billing_account_id, account.document_type, ${partyColumns}, ${patientSummary.columns},
      ${recorded_id} as recorded_id, ${isErased(clinic, 'patient', sql`patient.id`)} as is_erased, ${inSeconds({ paid_at: paidAt(requested) }).paid_at}::timestamptz(0) as paid_at,
      ${at}::timestamptz(3) as created_at
    from patient left join billing_account account on account.clinic_id = ${clinic_id}${isMeant} ${siteJoin(clinic)}
    where patient.clinic_id = ${clinic_id} and patient.id = ${patient_id} order by account.id limit 2`)
  return rows
}

type Account = Candidate & { billing_account_id: string; document_type: 'receipt' | 'tax_invoice_receipt' }

/** @throws Problem `unprocessable`, naming each field that a rule refuses. */
function requireAccount({ clinic, body, now }: RequestedPayment, accounts: readonly Candidate[]): Account {
  const faults: [field: keyof Request, code: string, detail: string][] = []
  const [account] = accounts
  const isKnown = account !== undefined && isAccount(account)
  if (body.billing_account_id !== undefined) {
    if (!isKnown)
      faults.push(['billing_account_id', 'unknown_id', 'must be the id of a billing account of the catalog'])
  } else if (!isKnown) {
    faults.push(['billing_account_id', 'no_account', 'cannot be left out: the clinic has no billing account yet'])
  } else if (accounts.length > 1) {
    const detail = 'is required where the clinic has several billing accounts: choose one from the catalog'
    faults.push(['billing_account_id', 'required', detail])
  }
  if (body.currency !== undefined && body.currency !== clinic.currency) {
    faults.push(['currency', 'not_allowed', currencyFault(clinic).detail])
  }
  for (const { code, detail } of decimalFaults({ amount: body.amount }, clinic.currency)) {
    faults.push(['amount', code, detail])
  }
  if (body.paid_at !== undefined && Date.parse(body.paid_at) > now.getTime()) {
    faults.push(['paid_at', 'in_future', 'must not be in the future'])
  }
  if (isKnown && faults.length === 0) return account
  throw faultProblem(
    'unprocessable',
    faults.map(([field, code, detail]) => ({ pointer: `#/${field}`, code, detail })),
  )
}

function isAccount(candidate: Candidate): candidate is Candidate & Account {
  return candidate.billing_account_id !== null
}

function paidAt({ body, now }: RequestedPayment): string {
  return body.paid_at ?? now.toISOString()
}

function paymentOf(requested: RequestedPayment, { billing_account_id }: Account): PaymentRecord {
  const { clinic, patient_id, body, at, now } = requested
  const { amount, method_type, description = null, external_id = null } = body
  const [time, paid_at] = [at.toISOString(), paidAt(requested)]
  return complete(PaymentRecord, {
    id: newId('pay', now),
    patient_id,
    billing_account_id,
    currency: clinic.currency,
    amount,
    method_type,
    description,
    external_id,
    paid_at,
    is_refund: false,
    status: 'recorded',
    created_at: time,
    updated_at: time,
  })
}

function documentOf(payment: PaymentRecord, account: Account, { body }: RequestedPayment): DocumentDraft {
  const { id, amount, currency, method_type, description } = payment
  return {
    payment_id: id,
    billing_account_id: account.billing_account_id,
    named_patient_id: payment.patient_id,
    type: body.document_type ?? account.document_type,
    ...partiesOf(account),
    amount,
    currency,
    method_type,
    paid_at: wholeSecond(account.paid_at),
    description,
    refunded: null,
  }
}

/** The row that reading the payment back would find: nothing refers to a new payment but its document. */
function rowOf(payment: PaymentRecord, account: Account, document: IssuedDocument | undefined): PaymentRow {
  const { paid_at, created_at, patient_id, patient_first_name, patient_last_name, business_name } = account
  return {
    ...payment,
    paid_at,
    created_at,
    updated_at: created_at,
    patient_id,
    patient_first_name,
    patient_last_name,
    business_name,
    amount_thousandths: thousandthsOf(payment.amount),
    refunded_thousandths: 0,
    refunds: null,
    documents: document ? [document] : null,
  }
}

/** @throws Problem `conflict` when the payment with the `external_id` is not the requested one. */
async function replay(
  tx: Transaction,
  requested: RequestedPayment,
  id: string,
  isTextless: boolean,
): Promise<Recorded> {
  const [row] = await paymentChanges.whole(tx, requested.clinic, [id])
  if (row === undefined) throw new Error('a recorded payment could not be read')
  if (!isRepeated(requested, row, isTextless)) {
    throw new Problem(
      'conflict',
      '`external_id` names a payment of other content. Give each payment an `external_id` of its own.',
    )
  }
  return { answer: { data: paymentResource.render(row), status: 200 }, changes: [], isUndated: true }
}

/**
 * Fields that the request leaves to us were decided when the payment was recorded.
 *
 * @param isTextless the patient was erased. A former version may have stored a description since.
 */
function isRepeated({ patient_id, body }: RequestedPayment, stored: PaymentRow, isTextless: boolean): boolean {
  const data = paymentResource.render(stored)
  return (
    !data.is_refund &&
    data.patient?.id === patient_id &&
    data.amount === body.amount &&
    data.method_type === body.method_type &&
    (isTextless || data.description === (body.description ?? null)) &&
    data.currency === (body.currency ?? data.currency) &&
    stored.billing_account_id === (body.billing_account_id ?? stored.billing_account_id) &&
    (body.document_type === undefined || data.documents.some(({ type }) => type === body.document_type)) &&
    (body.paid_at === undefined || secondOf(body.paid_at) === secondOf(data.paid_at))
  )
}

function secondOf(instant: string | null): number {
  return instant === null ? Number.NaN : Math.floor(Date.parse(instant) / 1000)
}
