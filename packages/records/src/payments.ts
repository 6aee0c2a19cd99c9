// Stores payments, refunds, and the documents issued for them.

import { type Clinic, MAX } from '@clinic-data/contract'
import { documentTypes, methodTypes } from '@clinic-data/contract/resources/payment'
import {
  about,
  Currency,
  choice,
  GivenId,
  Id,
  list,
  nullable,
  type Static,
  strictObject,
  Type,
  text,
  thirdDecimal,
} from '@clinic-data/contract/schema'
import { sql, type Transaction, wholeSecond } from '@clinic-data/database'
import { currencyFault, decimalFaults } from './currency.ts'
import { hiddenExternalId } from './resources/hidden-text.ts'
import { paymentFields } from './resources/payment.ts'
import { keptErasedPatients, withoutTextOfErased } from './storing/erased-records.ts'
import { recordKind, sound } from './storing/record-kind.ts'
import { type Finding, findingsIn, RecordedAt, RecordedInstant } from './storing/record-schema.ts'
import { localDate, recordTable, type Stored, stored } from './storing/record-table.ts'
import { insertRows, sendRows, storedOf, storeRows, touchRows } from './storing/store-rows.ts'

export const PaymentDocumentRecord = strictObject({
  id: GivenId,
  billing_account_id: about('The receipt book.', Id),
  type: choice(documentTypes),
  number: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'The numbers of one billing account and type have no gaps: the system that issues the documents ensures it.',
  }),
  issued_at: RecordedInstant,
  allocation_number: nullable(text(MAX.code), { description: "The tax authority's number, if one is needed." }),
})
export type PaymentDocumentRecord = Static<typeof PaymentDocumentRecord>

export const PaymentRecord = strictObject({
  id: GivenId,
  patient_id: nullable(Id, { description: 'Who paid, or was refunded.' }),
  billing_account_id: nullable(Id, { description: 'The receipt book that the documents belong to.' }),
  amount: Type.Number({
    exclusiveMinimum: 0,
    maximum: MAX.money,
    ...thirdDecimal,
    description: 'Positive, in major units with at most the decimals of the currency; `is_refund` gives the direction.',
  }),
  currency: about('ISO 4217.', Currency),
  method_type: choice(methodTypes, { description: 'How it was paid.' }),
  is_refund: Type.Boolean({ description: 'A refund is a payment of its own, in the other direction.' }),
  refunded_payment_id: nullable(Id, { description: 'The payment that a refund gives back.' }),
  status: choice(['recorded', 'cancelled'], { description: 'Whether it still counts.' }),
  description: nullable(text(MAX.description), { description: 'What it was paid for.' }),
  external_id: nullable(text(MAX.external_id, { minLength: 1 }), {
    description: 'The id that the recording system gave it, unique per clinic.',
  }),
  paid_at: nullable(RecordedInstant, { description: 'When the money moved.' }),
  documents: list(PaymentDocumentRecord, MAX.documents, {
    description: 'The accounting documents issued for it. A stored document never changes.',
  }),
  ...RecordedAt,
})
export type PaymentRecord = Static<typeof PaymentRecord>

export function checkPayment(record: PaymentRecord): Finding[] {
  return findingsIn(PaymentRecord, record)
}

/** A stored payment, as far as its record may change what others show. */
export interface FormerPayment {
  readonly patient_id: string | null
  /** The payment against which it counts. */
  readonly refunded_payment_id: string | null
}

/** The stored forms of these records, by their ids. */
export async function formerPayments(
  tx: Transaction,
  { clinic_id }: Clinic,
  records: readonly Pick<PaymentRecord, 'id'>[],
): Promise<Map<string, FormerPayment>> {
  const { rows } = await tx.query<FormerPayment & { id: string }>(sql`
    select id, patient_id, case when is_refund and status = 'recorded' then refunded_payment_id end as refunded_payment_id
    from payment where clinic_id = ${clinic_id} and id = any(${records.map(({ id }) => id)}::text[])`)
  return new Map(rows.map(({ id, ...former }) => [id, former]))
}

/**
 * A stored document never changes, even if a record differs from it. A refund may be in the same batch as its payment.
 *
 * @param before the result of `formerPayments`.
 */
export async function storePayments(
  tx: Transaction,
  clinic: Clinic,
  records: readonly PaymentRecord[],
  before?: ReadonlyMap<string, FormerPayment>,
): Promise<Stored> {
  const former = before ?? (await formerPayments(tx, clinic, records))
  const kept = await keptErasedPatients(tx, clinic, 'payment', records)
  const known = await withoutTextOfErased(tx, clinic, kept, (record) => withoutPaymentText(clinic, record))
  const latest = [...new Map(known.map((record) => [record.id, record])).values()]
  const [originals, refunds] = [latest.filter((r) => !r.is_refund), latest.filter((r) => r.is_refund)]
  const first = await storeRows(tx, clinic, payments, originals)
  const second = await storeRows(tx, clinic, payments, refunds)
  await keepNamedPatients(tx, clinic, latest, former)
  const inserted = new Set([...first.inserted, ...second.inserted])
  const updated = new Set([...first.updated, ...second.updated])

  const issued = latest.flatMap((record) =>
    record.documents.map((document) => ({ ...document, payment_id: record.id })),
  )
  const added = (await storeRows(tx, clinic, documents, issued, 'keep')).inserted
  const touched = latest.filter(
    (record) => !inserted.has(record.id) && !updated.has(record.id) && record.documents.some(({ id }) => added.has(id)),
  )
  await touchRows(tx, clinic, payments, touched)
  for (const { id } of touched) updated.add(id)
  const shown = latest
    .filter(({ id }) => inserted.has(id) || updated.has(id))
    .flatMap((record) => {
      const counted = record.is_refund && record.status === 'recorded' ? record.refunded_payment_id : null
      return [former.get(record.id)?.refunded_payment_id ?? null, counted].map((id) => ({
        ...record,
        refunded_payment_id: id,
      }))
    })
  await touchRefunded(
    tx,
    clinic,
    shown.filter(({ refunded_payment_id }) => !inserted.has(refunded_payment_id ?? '')),
  )
  return storedOf(records, { inserted, updated })
}

/** A page that was issued for one patient goes on naming them when its payment is corrected to another. */
async function keepNamedPatients(
  tx: Transaction,
  { clinic_id }: Clinic,
  records: readonly PaymentRecord[],
  former: ReadonlyMap<string, FormerPayment>,
): Promise<void> {
  const corrected = records.flatMap(({ id, patient_id }) => {
    const named = former.get(id)?.patient_id ?? null
    return named === null || named === patient_id ? [] : [{ id, named }]
  })
  if (corrected.length === 0) return
  await tx.query(sql`
    update payment_document as document set named_patient_id = input.named
    from ${sql.input(corrected, { text: ['id', 'named'] })}
    where document.clinic_id = ${clinic_id} and document.payment_id = input.id
      and document.content is not null and document.named_patient_id is null`)
}

/** A payment of an erased patient. A repetition of its `external_id` is still known. */
export function withoutPaymentText<R extends { external_id?: string | null; description?: string | null }>(
  clinic: Clinic,
  { external_id = null, ...record }: R,
): R {
  return { ...record, description: null, external_id: external_id && hiddenExternalId(clinic, external_id) } as R
}

type Paid = Pick<PaymentRecord, 'id' | 'paid_at'>

const DECIMALS = /\.\d+/

/** Never later than given. */
export function inSeconds<R extends Pick<PaymentRecord, 'paid_at'>>(record: R): R {
  return { ...record, paid_at: record.paid_at?.replace(DECIMALS, '') ?? null }
}

/** Sends a payment that is recorded here with the transaction's next statement. */
export function addPayment(tx: Transaction, clinic: Clinic, record: PaymentRecord): void {
  sendRows(tx, clinic, payments, [inSeconds(record)])
}

/**
 * Stores payments that are recorded here. Leaves out one whose id or `external_id` is taken.
 *
 * @returns when each stored one was paid, in the clinic's zone and never later than given, by id.
 */
export async function insertPayments(
  tx: Transaction,
  clinic: Clinic,
  records: readonly PaymentRecord[],
): Promise<Map<string, string | null>> {
  const stored: Paid[] = await insertRows(tx, clinic, payments, records.map(inSeconds), sql`id, paid_at`)
  return new Map(stored.map(({ id, paid_at }) => [id, wholeSecond(paid_at)]))
}

/** A payment shows its refunds, so it has changed too. */
export async function touchRefunded(
  tx: Transaction,
  clinic: Clinic,
  refunds: readonly Pick<PaymentRecord, 'refunded_payment_id' | 'updated_at'>[],
): Promise<void> {
  const latest = new Map<string, string>()
  for (const { refunded_payment_id: id, updated_at } of refunds) {
    if (id !== null) latest.set(id, updated_at)
  }
  const refunded = [...latest].map(([id, updated_at]) => ({ id, updated_at })).sort((a, b) => (a.id < b.id ? -1 : 1))
  await touchRows(tx, clinic, payments, refunded)
}

const payments = recordTable<PaymentRecord>()({
  name: 'payment',
  fields: {
    id: 'key',
    ...stored([...paymentFields, 'external_id', 'patient_id', 'billing_account_id', 'status', 'paid_at']),
    amount: 'money',
    documents: 'elsewhere',
    created_at: 'once',
    updated_at: 'updated',
  },
  more: [localDate('paid_date', ({ paid_at }) => paid_at, 0)],
})

type StoredDocument = PaymentDocumentRecord & { payment_id: string }

const documentForms = {
  id: 'key',
  ...stored(['payment_id', 'billing_account_id', 'type', 'number', 'issued_at', 'allocation_number']),
} as const

const documents = recordTable<StoredDocument>()({ name: 'payment_document', fields: documentForms })

/** A document that is issued here, with its content. */
export type IssuedRecord = StoredDocument & { content: object; named_patient_id: string | null }

const issuedDocuments = recordTable<IssuedRecord>()({
  name: 'payment_document',
  fields: { ...documentForms, content: 'json', named_patient_id: 'stored' },
})

/** Sends documents with the transaction's next statement. */
export function addDocuments(tx: Transaction, clinic: Clinic, records: readonly IssuedRecord[]): void {
  sendRows(tx, clinic, issuedDocuments, records)
}

export const paymentKind = recordKind<PaymentRecord>({
  record: PaymentRecord,
  table: 'payment',
  references: {
    patient_id: 'patient',
    billing_account_id: 'billing_account',
    refunded_payment_id: 'payment',
    'documents.billing_account_id': 'billing_account',
  },
  unique: [['external_id']],
  lists: { documents: { key: ['id'], unique: [['billing_account_id', 'type', 'number']] } },
  check: sound(checkPayment, ({ amount, currency }, clinic) =>
    currency === clinic.currency ? decimalFaults({ amount }, currency) : [currencyFault(clinic)],
  ),
  store: storePayments,
})
