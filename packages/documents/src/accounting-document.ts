// The content of an accounting document. It is stored as JSON when the document is issued, and never changes.
import type { documentTypes, methodTypes } from '@clinic-data/contract/resources/payment'

export interface AccountingDocument {
  /**
   * The version of the printed layout. A changed layout gets a new version, so that issued documents keep their look. Version 2 prints
   * another number of decimals than two. A program that knows only version 1 would print it wrong, and refuses it.
   */
  version: 1 | 2
  type: (typeof documentTypes)[number]
  /** Numbers have no gaps within a billing account and type. */
  number: number
  /** ISO 8601 in the clinic's time zone, with its offset. Printed without conversion. */
  issued_at: string
  /** The tax authority's number, when one is required. */
  allocation_number: string | null
  business: {
    name: string
    business_id: string | null
    /** One line. */
    address: string | null
    phone: string | null
  }
  customer: { name: string; id_number: string | null }
  /** Positive and whole, in the smallest part of the currency that `decimals` gives. The document's type gives the direction. */
  amount_minor: number
  /** The decimals of the amount. Version 1 has two and leaves this out. */
  decimals?: number
  /** ISO 4217. */
  currency: string
  method_type: (typeof methodTypes)[number]
  /** When the money moved, in the form of `issued_at`. When null, no date is printed beside the amount. */
  paid_at: string | null
  description: string | null
  /** For a credit invoice: the document that it credits. */
  refunded: Pick<AccountingDocument, 'type' | 'number'> | null
  language: 'he' | 'en'
}
