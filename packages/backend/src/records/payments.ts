// Stores payments, refunds, and the documents issued for them.

import { type Clinic, MAX } from '@clinic-data/contract'
import { documentTypes, methodTypes } from '@clinic-data/contract/resources/payment'
import type { Transaction } from '@clinic-data/database'
import {
  type Bounds,
  currency,
  type Fault,
  faultsOf,
  faultsOfList,
  id,
  instant,
  listOf,
  MOST_MINOR,
  nullable,
  oneOf,
  text,
  whole,
  yesOrNo,
} from './bounds.ts'
import { columnsOf, type RecordTable, type StoreCounts } from './record-table.ts'
import { countsOf, storeRows, touchRows } from './store-rows.ts'

export type PaymentDocumentRecord = {
  id: string
  billing_account_id: string
  type: (typeof documentTypes)[number]
  /** Without gaps per billing account and type: whoever issues documents sees to it. */
  number: number
  issued_at: string
  allocation_number: string | null
}

export type PaymentRecord = {
  id: string
  patient_id: string | null
  billing_account_id: string | null
  /** Positive, in minor units; `is_refund` gives the direction. */
  amount_minor: number
  currency: string
  method_type: (typeof methodTypes)[number]
  is_refund: boolean
  refunded_payment_id: string | null
  status: 'recorded' | 'cancelled'
  description: string | null
  external_id: string | null
  paid_at: string | null
  documents: readonly PaymentDocumentRecord[]
  created_at: string
  updated_at: string
}

const bounds: Bounds<PaymentRecord> = {
  id,
  patient_id: nullable(id),
  billing_account_id: nullable(id),
  amount_minor: whole(1, MOST_MINOR),
  currency,
  method_type: oneOf(...methodTypes),
  is_refund: yesOrNo,
  refunded_payment_id: nullable(id),
  status: oneOf('recorded', 'cancelled'),
  description: nullable(text(MAX.description)),
  external_id: nullable(text(MAX.external_id, 1)),
  paid_at: nullable(instant),
  documents: listOf(MAX.documents),
  created_at: instant,
  updated_at: instant,
}

const documentBounds: Bounds<PaymentDocumentRecord> = {
  id,
  billing_account_id: id,
  type: oneOf(...documentTypes),
  number: whole(1, Number.MAX_SAFE_INTEGER),
  issued_at: instant,
  allocation_number: nullable(text(MAX.code)),
}

export function checkPayment(record: PaymentRecord): Fault[] {
  const faults = faultsOf(bounds, record)
  if (!Array.isArray(record.documents)) return faults
  return [...faults, ...faultsOfList('documents', () => documentBounds, record.documents)]
}

/** A document that is stored never changes, whatever a record says of it. A refund may stand beside its payment. */
export async function storePayments(
  tx: Transaction,
  clinic: Clinic,
  records: readonly PaymentRecord[],
): Promise<StoreCounts> {
  const latest = [...new Map(records.map((record) => [record.id, record])).values()]
  const [originals, refunds] = [latest.filter((r) => !r.is_refund), latest.filter((r) => r.is_refund)]
  const first = await storeRows(tx, clinic, payments, originals)
  const second = await storeRows(tx, clinic, payments, refunds)
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
  return countsOf(records, { inserted, updated })
}

const { fields, localDate, once } = columnsOf<PaymentRecord>()

const payments: RecordTable<PaymentRecord> = {
  name: 'payment',
  key: fields('id'),
  columns: [
    ...fields('patient_id', 'billing_account_id', 'amount_minor', 'currency', 'method_type', 'is_refund'),
    ...fields('refunded_payment_id', 'status', 'description', 'external_id', 'paid_at'),
    localDate('paid_date', (record) => record.paid_at, 0),
    ...once(fields('created_at')),
  ],
  updatedAt: (record) => record.updated_at,
}

type StoredDocument = PaymentDocumentRecord & { payment_id: string }
const document = columnsOf<StoredDocument>()

const documents: RecordTable<StoredDocument> = {
  name: 'payment_document',
  key: document.fields('id'),
  columns: document.fields('payment_id', 'billing_account_id', 'type', 'number', 'issued_at', 'allocation_number'),
}
