// A document to print: a receipt in Hebrew, which each test changes as it needs.
import type { AccountingDocument } from '../src/accounting-document.ts'

export function issued(changes: Partial<AccountingDocument> = {}): AccountingDocument {
  return {
    version: 1,
    type: 'receipt',
    number: 20417,
    issued_at: '2026-07-14T10:31:00+03:00',
    allocation_number: null,
    business: {
      name: 'מרפאת כרמל לרפואת שיניים בע״מ',
      business_id: '514123456',
      address: 'שדרות הנשיא 112/4, חיפה',
      phone: '+972 4 812 3456',
    },
    customer: { name: 'נועה לוי', id_number: '012345678' },
    amount_minor: 123_450,
    currency: 'ILS',
    method_type: 'credit_card',
    paid_at: '2026-07-13T18:05:00+03:00',
    description: 'ניקוי אבנית (שיננית) והלבנה 20%',
    refunded: null,
    language: 'he',
    ...changes,
  }
}

/** A document in English: a credit invoice with every field filled in. */
export function credit(changes: Partial<AccountingDocument> = {}): AccountingDocument {
  return issued({
    type: 'credit_invoice',
    number: 31,
    allocation_number: '123456789',
    business: { name: 'Carmel Dental Ltd', business_id: '514123456', address: null, phone: null },
    customer: { name: 'Noa Levi', id_number: null },
    description: 'Cancelled visit (less than 24 h)',
    refunded: { type: 'tax_invoice_receipt', number: 20417 },
    language: 'en',
    ...changes,
  })
}
