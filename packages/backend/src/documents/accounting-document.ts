// The content of an accounting document: stored as JSON when it is issued, and never changed.
import type { documentTypes, methodTypes } from '@clinic-data/contract/resources/payment'

export interface AccountingDocument {
  /** The layout that prints it. A change of layout is a new version, so that issued documents look the same. */
  version: 1
  type: (typeof documentTypes)[number]
  /** Without gaps per billing account and type. */
  number: number
  /** ISO 8601 in the clinic's zone, with offset. Printed unchanged. */
  issued_at: string
  /** The tax authority's number, where one is needed. */
  allocation_number: string | null
  business: {
    name: string
    business_id: string | null
    /** One line. */
    address: string | null
    phone: string | null
  }
  customer: { name: string; id_number: string | null }
  /** Positive, in hundredths of `currency`. The type gives the direction. */
  amount_minor: number
  /** ISO 4217. */
  currency: string
  method_type: (typeof methodTypes)[number]
  /** When the money moved, in the form of `issued_at`. Null prints no date beside the amount. */
  paid_at: string | null
  description: string | null
  /** For a credit invoice: the document that it credits. */
  refunded: Pick<AccountingDocument, 'type' | 'number'> | null
  language: 'he' | 'en'
}
