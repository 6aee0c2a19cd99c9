// A cell of a CSV for a spreadsheet.
//
// A cell that begins with = + - or @ is a formula there, and names come from outside: a lead's campaign is written by whoever sends it. So
// such a text gets an apostrophe before it, and is a text. Numbers stay numbers, also negative ones.
//
// A spreadsheet whose list separator is ; or a tab takes the line apart there, and takes a quote in the middle of a cell for a character. So
// each part of a text that could become a cell begins with an apostrophe too (docs/decisions/0057).

/** Some spreadsheets skip what is blank before the sign, and read the wide signs of East Asian keyboards too. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u
const INNER_FORMULA = /(?<=[;\t\r\n])(?=[\s\p{Cc}"]*[=+\-@＝＋－＠])/gu
const NEEDS_QUOTES = /[",;\r\n\t]/

export function spreadsheetCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const parts = value.replace(INNER_FORMULA, "'")
  const text = FORMULA.test(value) ? `'${parts}` : parts
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
