// The words, dates and amounts of the first layout. They do not use `Intl`, whose output changes between versions of Node.js.
import type { AccountingDocument } from './accounting-document.ts'

type Language = AccountingDocument['language']

interface Words {
  titles: Record<AccountingDocument['type'], string>
  customer: Record<AccountingDocument['type'], string>
  total: Record<AccountingDocument['type'], string>
  methods: Record<AccountingDocument['method_type'], string>
  business_id: string
  id_number: string
  number: string
  issued_at: string
  allocation_number: string
  credits: string
  description: string
  payment: string
  refund: string
  method_type: string
  paid_at: string
  amount: string
  page: string
}

export const words: Record<Language, Words> = {
  he: {
    titles: {
      receipt: 'קבלה',
      tax_invoice: 'חשבונית מס',
      tax_invoice_receipt: 'חשבונית מס/קבלה',
      credit_invoice: 'חשבונית זיכוי',
    },
    customer: { receipt: 'התקבל מאת', tax_invoice: 'לכבוד', tax_invoice_receipt: 'לכבוד', credit_invoice: 'לכבוד' },
    total: {
      receipt: 'סה״כ התקבל',
      tax_invoice: 'סה״כ',
      tax_invoice_receipt: 'סה״כ שולם',
      credit_invoice: 'סה״כ זיכוי',
    },
    methods: {
      cash: 'מזומן',
      check: 'המחאה',
      credit_card: 'כרטיס אשראי',
      bank_transfer: 'העברה בנקאית',
      payment_app: 'אפליקציית תשלום',
      other: 'אחר',
    },
    business_id: 'ח.פ./ע.מ.',
    id_number: 'מס׳ זיהוי',
    number: 'מספר',
    issued_at: 'תאריך הפקה',
    allocation_number: 'מספר הקצאה',
    credits: 'זיכוי בגין',
    description: 'תיאור',
    payment: 'תשלום',
    refund: 'החזר',
    method_type: 'אמצעי תשלום',
    paid_at: 'תאריך תשלום',
    amount: 'סכום',
    page: 'עמוד 1 מתוך 1',
  },
  en: {
    titles: {
      receipt: 'Receipt',
      tax_invoice: 'Tax Invoice',
      tax_invoice_receipt: 'Tax Invoice / Receipt',
      credit_invoice: 'Credit Invoice',
    },
    customer: {
      receipt: 'Received from',
      tax_invoice: 'Billed to',
      tax_invoice_receipt: 'Billed to',
      credit_invoice: 'Credited to',
    },
    total: {
      receipt: 'Total received',
      tax_invoice: 'Total',
      tax_invoice_receipt: 'Total paid',
      credit_invoice: 'Total credited',
    },
    methods: {
      cash: 'Cash',
      check: 'Check',
      credit_card: 'Credit card',
      bank_transfer: 'Bank transfer',
      payment_app: 'Payment app',
      other: 'Other',
    },
    business_id: 'Business no.',
    id_number: 'ID no.',
    number: 'Number',
    issued_at: 'Issued',
    allocation_number: 'Allocation number',
    credits: 'Credits',
    description: 'Description',
    payment: 'Payment',
    refund: 'Refund',
    method_type: 'Method',
    paid_at: 'Date',
    amount: 'Amount',
    page: 'Page 1 of 1',
  },
}

const SYMBOLS: Readonly<Record<string, string>> = { ILS: '₪', USD: '$', EUR: '€', GBP: '£' }

type Amount = Pick<AccountingDocument, 'amount_minor' | 'decimals' | 'currency' | 'language'>

/** `₪1,234.50` or `CHF 1,234.50`. In Hebrew the currency is read after the number, so it is printed to the left of it. */
export function amountOf({ amount_minor, decimals = 2, currency, language }: Amount): string {
  const steps = 10 ** decimals
  const major = String(Math.trunc(amount_minor / steps)).replace(/\B(?=(\d{3})+$)/g, ',')
  const number = decimals === 0 ? major : `${major}.${String(amount_minor % steps).padStart(decimals, '0')}`
  const symbol = SYMBOLS[currency]
  if (language === 'he') return `\u200f${number} ${symbol ?? currency}`
  return symbol === undefined ? `${currency} ${number}` : symbol + number
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** `14 July 2026`, in Hebrew `14/07/2026`. This is the clinic's day, independent of this machine's time zone. */
export function dayOf(instant: string, language: Language): string {
  const [, year = '', month = '', day = ''] = partsOf(instant)
  return language === 'he' ? `${day}/${month}/${year}` : `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`
}

/** The day and the time: `14 July 2026, 10:31`. */
export function minuteOf(instant: string, language: Language): string {
  return `${dayOf(instant, language)}, ${partsOf(instant)[4]}`
}

function partsOf(instant: string): RegExpExecArray {
  const parts = /^(\d{4})-(0[1-9]|1[0-2])-(\d{2})T(\d{2}:\d{2}):\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.exec(instant)
  if (parts === null) throw new RangeError('A time on a document is not ISO 8601 with an offset')
  return parts
}
