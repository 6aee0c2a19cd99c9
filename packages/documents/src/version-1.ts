// The first layout of an accounting document. It never changes, because documents have been issued with it. A new layout is a new file.
import type { AccountingDocument } from './accounting-document.ts'
import { type Box, Page, type Style } from './page.ts'
import { amountOf, dayOf, minuteOf, words } from './version-1-words.ts'

const INK = '#15191e'
const GREY = '#5d6570'
const HAIR = '#d5d9de'

const styles = {
  business: { size: 17, leading: 22, weight: 'bold', color: INK },
  title: { size: 25, leading: 32, weight: 'bold', color: INK },
  customer: { size: 12, leading: 17, weight: 'bold', color: INK },
  totalLabel: { size: 12, leading: 22, weight: 'bold', color: INK },
  total: { size: 17, leading: 22, weight: 'bold', color: INK },
  text: { size: 10.5, leading: 15.5, weight: 'regular', color: INK },
  detail: { size: 9.5, leading: 14, weight: 'regular', color: GREY },
  label: { size: 8.5, leading: 14, weight: 'regular', color: GREY },
} satisfies Record<string, Style>

const MARGIN = 56
const GAP = 14
const FOOTER = 24
/** Wide enough for `14/07/2026` and `14 September 2026` on one line. */
const DATE_WIDTH = { he: 62, en: 94 }

/** The factor by which the page is scaled down, again and again until its text fits. */
const SMALLER = 0.92

export async function renderVersion1(document: AccountingDocument): Promise<Uint8Array> {
  const { language, type, number, business, issued_at } = document
  const title = `${words[language].titles[type]} ${number}`
  for (let scale = 1; ; scale *= SMALLER) {
    const page = new Page({ language, title, author: business.name, created: new Date(issued_at), scale })
    if (draw(page, document) <= page.height - MARGIN - FOOTER) return await page.bytes()
  }
}

/** Returns the lower end of the part above the footer. */
function draw(page: Page, document: AccountingDocument): number {
  const [start, width] = [MARGIN, page.width - 2 * MARGIN]
  let top = letterhead(page, document, { start, top: MARGIN - 8, width })
  page.rule({ start, top: top + 18, width }, HAIR)
  top = heading(page, document, { start, top: top + 42, width })
  top = facts(page, document, { start, top: top + 20, width })
  top = customer(page, document, { start, top: top + 18, width })
  top = table(page, document, { start, top: top + 36, width })
  top = total(page, document, { start, top: top + 14, width })
  footer(page, document, { start, top: page.height - MARGIN, width })
  return top
}

function letterhead(page: Page, { business, language }: AccountingDocument, box: Box): number {
  const { name, business_id, address, phone } = business
  const below = page.stack(box, [[name, styles.business]]) + 3
  return page.stack({ ...box, top: below }, [
    [business_id && `${words[language].business_id} ${code(business_id)}`, styles.detail],
    [address, styles.detail],
    [phone && code(phone), styles.detail],
  ])
}

function heading(page: Page, { type, refunded, language }: AccountingDocument, box: Box): number {
  const { titles, credits } = words[language]
  return page.stack(box, [
    [titles[type], styles.title],
    [refunded && `${credits} ${titles[refunded.type]} ${refunded.number}`, styles.text],
  ])
}

function facts(page: Page, document: AccountingDocument, { start, top, width }: Box): number {
  const { number, issued_at, allocation_number, language } = document
  const word = words[language]
  const facts: [label: string, text: string][] = [
    [word.number, String(number)],
    [word.issued_at, minuteOf(issued_at, language)],
  ]
  if (allocation_number !== null) facts.push([word.allocation_number, code(allocation_number)])
  const column = width / 3
  const bottoms = facts.map(([label, text], index) =>
    page.stack({ start: start + index * column, top, width: column - GAP }, [
      [label, styles.label],
      [text, styles.text],
    ]),
  )
  return Math.max(...bottoms)
}

function customer(page: Page, { type, customer, language }: AccountingDocument, box: Box): number {
  const word = words[language]
  return page.stack(box, [
    [word.customer[type], styles.label],
    [customer.name, styles.customer],
    [customer.id_number && `${word.id_number} ${code(customer.id_number)}`, styles.detail],
  ])
}

interface Cell {
  label: string
  text: string
  width: number
  align?: 'end'
}

/** The purpose, method, time and amount of the payment. */
function table(page: Page, document: AccountingDocument, { start, top, width }: Box): number {
  const [head, body] = [top + styles.label.leading + 6, top + styles.label.leading + 16]
  page.rule({ start, top: head, width }, INK)
  let [x, bottom] = [start, body]
  for (const cell of cellsOf(document, width)) {
    const box: Box = { start: x, top, width: cell.width, align: cell.align ?? 'start' }
    page.stack(box, [[cell.label, styles.label]])
    bottom = Math.max(bottom, page.stack({ ...box, top: body }, [[cell.text, styles.text]]))
    x += cell.width + GAP
  }
  page.rule({ start, top: bottom + 10, width }, HAIR)
  return bottom + 10
}

function cellsOf(document: AccountingDocument, width: number): Cell[] {
  const { type, description, method_type, paid_at, language } = document
  const word = words[language]
  const narrow: Cell[] = [{ label: word.method_type, text: word.methods[method_type], width: 84 }]
  if (paid_at !== null)
    narrow.push({ label: word.paid_at, text: dayOf(paid_at, language), width: DATE_WIDTH[language] })
  narrow.push({ label: word.amount, text: amountOf(document), width: 96, align: 'end' })
  const rest = narrow.reduce((sum, cell) => sum - cell.width - GAP, width)
  const nothing = type === 'credit_invoice' ? word.refund : word.payment
  return [{ label: word.description, text: description ?? nothing, width: rest }, ...narrow]
}

function total(page: Page, document: AccountingDocument, { start, top, width }: Box): number {
  const { type, language } = document
  const [label, amount] = [width / 2, width / 2]
  page.stack({ start, top, width: label }, [[words[language].total[type], styles.totalLabel]])
  return page.stack({ start: start + label, top, width: amount, align: 'end' }, [[amountOf(document), styles.total]])
}

function footer(page: Page, { type, number, language }: AccountingDocument, { start, top, width }: Box): void {
  const { titles, page: pageOf } = words[language]
  page.stack({ start, top, width: width / 2 }, [[`${titles[type]} ${number}`, styles.label]])
  page.stack({ start: start + width / 2, top, width: width / 2, align: 'end' }, [[pageOf, styles.label]])
}

/** Makes a number or code with signs run from the left, even between Hebrew words. */
function code(text: string): string {
  return `\u200e${text}`
}
