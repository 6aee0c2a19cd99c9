// The printed accounting document: always the same bytes, one page, and all of its content.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { documentTypes, methodTypes } from '@clinic-data/contract/resources/payment'
import { anyCharacter } from '@clinic-data/testing/any-character'
import { sized } from '@clinic-data/testing/run/size'
import fc from 'fast-check'
import type { AccountingDocument } from '../src/accounting-document.ts'
import { renderDocument } from '../src/render-document.ts'
import { credit, issued } from './issued.ts'
import { baselinesOf, countOf, hasPoppler, paragraphsOf, poppler } from './printed.ts'

const RENDER_DOCUMENT = import.meta.resolve('@clinic-data/documents/render-document')
const needsPoppler = hasPoppler ? {} : { skip: 'poppler-utils is not installed: its programs read the PDF' }

const [receipt, creditInvoice] = [await renderDocument(issued()), await renderDocument(credit())]

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('an issued document is printed byte for byte as on its first day', () => {
  // A difference here changes documents that were already issued. Make a new version instead.
  const hashes = { he: hashOf(receipt), en: hashOf(creditInvoice) }
  assert.deepEqual(hashes, {
    he: '2a52c8523977bc323435eb7ab359a312359bc801b30bf87941bde8c05b257ffd',
    en: '523b88b704e55748a562ca41fc49dee16eee443871c1b230e8843783c927f6dd',
  })
})

// The font draws `fi` with the same glyph in both documents: from two letters here, and from one letter in the other.
const [FITTING, EARLIER] = [credit({ description: 'fitting' }), credit({ description: 'ﬁrst' })]

let other: { loaded: string[]; printed: string } | undefined

/** Asks another process, far away, what it loads before its first document, and the hash of its second. */
function otherProcess() {
  const script = `
    import { createHash } from 'node:crypto'
    import { registerHooks } from 'node:module'
    const names = []
    registerHooks({ resolve: (name, context, next) => (names.push(name), next(name, context)) })
    const { renderDocument } = await import(${JSON.stringify(RENDER_DOCUMENT)})
    const loaded = [...names]
    await renderDocument(${JSON.stringify(EARLIER)})
    const printed = createHash('sha256').update(await renderDocument(${JSON.stringify(FITTING)})).digest('hex')
    process.stdout.write(JSON.stringify({ loaded, printed }))`
  const env = { ...process.env, TZ: 'Pacific/Auckland', LANG: 'he_IL.UTF-8' }
  const run = () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env })
    assert.equal(stderr.toString(), '')
    return JSON.parse(stdout.toString()) as { loaded: string[]; printed: string }
  }
  other ??= run()
  return other
}

test('earlier documents, the zone and the process do not affect the bytes', async () => {
  assert.equal(otherProcess().printed, hashOf(await renderDocument(FITTING)))
})

test('requests for one page at the same time share one printing', async () => {
  const [one, same, other] = [renderDocument(issued()), renderDocument(issued()), renderDocument(credit())]
  assert.equal(await one, await same)
  assert.deepEqual(await other, creditInvoice)
  // It is not kept: the first one was another printing.
  assert.notEqual(await one, receipt)
})

test('the start of the server does not wait for the printing code', () => {
  assert.deepEqual(otherProcess().loaded, [RENDER_DOCUMENT])
})

test('a document says who was paid, by whom, for what, how, when and how much', () => {
  assert.deepEqual(paragraphsOf(receipt), [
    'מרפאת כרמל לרפואת שיניים בע״מ',
    'ח.פ./ע.מ. \u200e514123456',
    'שדרות הנשיא 112/4, חיפה',
    '\u200e+972 4 812 3456',
    'קבלה',
    ...['מספר', '20417', 'תאריך הפקה', '14/07/2026, 10:31'],
    ...['התקבל מאת', 'נועה לוי', 'מס׳ זיהוי \u200e012345678'],
    ...['תיאור', 'ניקוי אבנית (שיננית) והלבנה 20%', 'אמצעי תשלום', 'כרטיס אשראי'],
    ...['תאריך תשלום', '13/07/2026', 'סכום', '\u200f1,234.50 ₪'],
    ...['סה״כ התקבל', '\u200f1,234.50 ₪'],
    ...['קבלה 20417', 'עמוד 1 מתוך 1'],
  ])
})

test('a credit invoice names the document that it credits, and leaves out unknown facts', async () => {
  assert.deepEqual(paragraphsOf(await renderDocument(credit({ paid_at: null, description: null }))), [
    'Carmel Dental Ltd',
    'Business no. \u200e514123456',
    'Credit Invoice',
    'Credits Tax Invoice / Receipt 20417',
    ...['Number', '31', 'Issued', '14 July 2026, 10:31', 'Allocation number', '\u200e123456789'],
    ...['Credited to', 'Noa Levi'],
    ...['Description', 'Refund', 'Method', 'Credit card', 'Amount', '₪1,234.50'],
    ...['Total credited', '₪1,234.50'],
    ...['Credit Invoice 31', 'Page 1 of 1'],
  ])
})

/** Each page shows several things at once, because it takes the processor for a tenth of a second. */
const pageOf = async (changes: Partial<AccountingDocument>) =>
  paragraphsOf(await renderDocument(issued({ refunded: null, ...changes })))
const pages = {
  he: {
    receipt: await pageOf({ type: 'receipt', amount_minor: 100_000, currency: 'CHF' }),
    tax_invoice: await pageOf({ type: 'tax_invoice', version: 2, amount_minor: 5, currency: 'KWD', decimals: 3 }),
    tax_invoice_receipt: await pageOf({ type: 'tax_invoice_receipt', issued_at: '2026-01-01T00:30:00+02:00' }),
    credit_invoice: await pageOf({ type: 'credit_invoice', issued_at: '2025-12-31T22:30:00.123Z' }),
  },
  en: {
    receipt: await pageOf({ type: 'receipt', language: 'en', amount_minor: 1, currency: 'ILS' }),
    tax_invoice: await pageOf({ type: 'tax_invoice', language: 'en', amount_minor: 100_000_000_000, currency: 'USD' }),
    tax_invoice_receipt: await pageOf({
      type: 'tax_invoice_receipt',
      language: 'en',
      version: 2,
      amount_minor: 1_234_005,
      currency: 'KWD',
      decimals: 3,
    }),
    credit_invoice: await pageOf({
      type: 'credit_invoice',
      language: 'en',
      version: 2,
      amount_minor: 12_345,
      currency: 'JPY',
      decimals: 0,
    }),
  },
}

test('each type has its title in both languages', () => {
  const titles = documentTypes.map((type) => [type, [pages.he[type][4], pages.en[type][4]]])
  assert.deepEqual(Object.fromEntries(titles), {
    receipt: ['קבלה', 'Receipt'],
    tax_invoice: ['חשבונית מס', 'Tax Invoice'],
    tax_invoice_receipt: ['חשבונית מס/קבלה', 'Tax Invoice / Receipt'],
    credit_invoice: ['חשבונית זיכוי', 'Credit Invoice'],
  })
})

test('an amount of any size is exact in every currency', async () => {
  const amountOf = (page: string[]) => page.at(-3)
  const { he, en } = pages
  assert.equal(amountOf(en.receipt), '₪0.01')
  assert.equal(amountOf(en.tax_invoice), '$1,000,000,000.00')
  assert.equal(amountOf(await pageOf({ language: 'en', amount_minor: 99_999, currency: 'CHF' })), 'CHF 999.99')
  assert.equal(amountOf(he.receipt), '\u200f1,000.00 CHF')
  assert.equal(amountOf(en.tax_invoice_receipt), 'KWD 1,234.005')
  assert.equal(amountOf(he.tax_invoice), '\u200f0.005 KWD')
  assert.equal(amountOf(en.credit_invoice), 'JPY 12,345')
})

test("the date is the clinic's, on both sides of midnight", () => {
  assert.equal(pages.he.tax_invoice_receipt[8], '01/01/2026, 00:30')
  assert.equal(pages.he.credit_invoice[8], '31/12/2025, 22:30')
})

test('a document of another version or without a time is not printed', async () => {
  await assert.rejects(renderDocument({ ...issued(), version: 3 } as unknown as AccountingDocument), RangeError)
  await assert.rejects(renderDocument(issued({ issued_at: '14/07/2026' })), RangeError)
})

test('one page holds the longest texts that can be stored, in the widest letters', async () => {
  const pdf = await renderDocument(
    issued({
      type: 'credit_invoice',
      refunded: { type: 'tax_invoice_receipt', number: Number.MAX_SAFE_INTEGER },
      allocation_number: 'W'.repeat(64),
      business: { name: 'W'.repeat(200), business_id: 'W'.repeat(64), address: 'W'.repeat(200), phone: '0'.repeat(40) },
      customer: { name: `${'W'.repeat(120)} ${'ש'.repeat(120)}`, id_number: 'W'.repeat(40) },
      description: 'ﷲ'.repeat(250),
    }),
  )
  assert.equal(countOf(pdf, /\/Type \/Page\n/g), 1)
  const baselines = baselinesOf(pdf)
  const footer = Math.max(...baselines)
  assert.ok(footer < 810, 'the footer is on the page')
  assert.ok(Math.max(...baselines.filter((baseline) => baseline < footer)) < footer - 15, 'and nothing else is near it')
})

test('any text of any characters can be printed', async () => {
  const anyText = (maxLength: number) =>
    fc
      .array(
        fc.oneof(
          fc.string({ unit: anyCharacter, maxLength: 8 }),
          fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
          fc.constantFrom(
            '\u202e',
            '\ud83d',
            '👩‍⚕️',
            '\u0000',
            '\u2029',
            'ש\u05c1\u05bc',
            'ن\u0651\u064b',
            '050 123 4567',
            '(',
            '日本',
          ),
        ),
        { maxLength },
      )
      .map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(
      fc.record({ name: anyText(20), other: anyText(20), language: fc.constantFrom('he', 'en') }),
      fc.constantFrom(...methodTypes),
      async ({ name, other, language }, method_type) => {
        const business = { name, business_id: other, address: other, phone: other }
        const pdf = await renderDocument(
          issued({ business, customer: { name: other, id_number: name }, description: name, method_type, language }),
        )
        assert.equal(countOf(pdf, /\/Type \/Page\n/g), 1)
        for (const text of paragraphsOf(pdf)) assert.doesNotMatch(text, /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
      },
    ),
    { numRuns: sized({ everyday: 4, long: 150 }) },
  )
})

test('other programs read the text in reading order, on one page', needsPoppler, () => {
  const text = poppler('pdftotext', receipt).replace(/[\u200e\u200f\u202a-\u202e]/g, '')
  for (const line of ['מרפאת כרמל לרפואת שיניים בע״מ', 'קבלה', '20417', '+972 4 812 3456', 'נועה לוי', '₪ 1,234.50']) {
    assert.ok(text.split('\n').includes(line), line)
  }
  const info = poppler('pdfinfo', receipt)
  assert.match(info, /^Pages: +1$/m)
  assert.match(info, /^Page size: +595\.28 x 841\.89 pts \(A4\)$/m)
})

test('every font is embedded, with only the letters in use', needsPoppler, () => {
  const [, , ...fonts] = poppler('pdffonts', receipt).trim().split('\n')
  assert.equal(fonts.length, 2)
  for (const font of fonts) assert.match(font, /^[A-Z]{6}\+Rubik-\w+ +CID TrueType +Identity-H +yes yes yes/)
})
