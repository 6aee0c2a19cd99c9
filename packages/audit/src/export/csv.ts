// The audit log as CSV for a spreadsheet: a row's fields in columns, and what proves it in the last one.
//
// The last column must give its text back exactly, and no part of it may become a formula, also in a spreadsheet that takes lines apart
// at `;`. So there a `;` is written as JSON may write any character, and so are characters that steer a terminal. PostgreSQL writes no
// printable character so, which makes the way back certain. Cells of other columns are for reading: apostrophes keep them texts.
import { safeJson, safeText } from '@clinic-data/contract/safe-text'
import { spreadsheetCell } from '@clinic-data/contract/spreadsheet-cell'
import { type Entry, type RowEntry, textOf } from './entries.ts'
import { type Format, isSealNumber, type Proof } from './format.ts'
import { fieldsOf } from './row-fields.ts'

const COLUMNS = [
  ...['type', 'id', 'seal', 'stored_at', 'at', 'key_id', 'operation', 'surface', 'status', 'problem'],
  ...['required_scope', 'count', 'resource_ids', 'patient_ids', 'request_id', 'address', 'proof'],
]

export const csv: Format = {
  name: 'csv',
  // With the mark by which Excel knows UTF-8, and the line ends of RFC 4180.
  heading: `\uFEFF${COLUMNS.join(',')}\r`,
  lineOf: (entry: Entry) => (entry.type === 'row' ? rowLine(entry) : proofLine(entry)),
  proofIn,
}

function rowLine({ seal, canonical }: RowEntry): string | null {
  const fields = fieldsOf(canonical)
  if (fields === null) return null
  const { id, stored_at, at, key_id, operation, surface, status, problem, required_scope, count } = fields
  const { resource_ids, patient_ids, request_id, address } = fields
  const cells = [
    ...['row', id, seal, stored_at, at, key_id, operation, surface, status, problem, required_scope, count],
    ...[listOf(resource_ids), patient_ids === null ? null : listOf(patient_ids), request_id, address],
  ]
  return lineOf(cells, canonical)
}

function proofLine(entry: Exclude<Entry, RowEntry>): string {
  const cells = new Array<string | number>(COLUMNS.length - 2).fill('')
  if (entry.type === 'seal') cells[COLUMNS.indexOf('seal') - 1] = entry.seal.number
  return lineOf([entry.type, ...cells], textOf(entry))
}

function lineOf(cells: readonly (string | number | null)[], proof: string): string {
  const shown = cells.map((cell) => spreadsheetCell(typeof cell === 'string' ? safeText(cell) : cell))
  return `${shown.join(',')},"${escaped(proof).replaceAll('"', '""')}"\r`
}

const listOf = (ids: readonly string[]): string => safeJson(JSON.stringify(ids))

function escaped(json: string): string {
  return safeJson(json).replaceAll(';', '\\u003b')
}

/** An escaped character, or a backslash with what it stands before. */
const ESCAPE = /\\(?:u([0-9a-f]{4})|.)/gs
const FIRST_PRINTABLE = 0x20

function unescaped(json: string): string {
  return json.replace(ESCAPE, (written: string, code: string | undefined) => {
    const unit = code === undefined ? 0 : Number.parseInt(code, 16)
    return unit < FIRST_PRINTABLE ? written : String.fromCharCode(unit)
  })
}

/** The type, the number, and the seal. What is between them and the last cell is found by making the line again. */
const BEGINNING = /^(row|export|seal|end),\d*,(\d*),/
const END = '"\r'

function proofIn(line: string): Proof | null {
  const [, type, sealed = ''] = BEGINNING.exec(line) ?? []
  // In a cell each quote is doubled, so only a cell can begin like this.
  const begin = Math.max(line.lastIndexOf(',"['), line.lastIndexOf(',"{'))
  if (type === undefined || begin < 0 || !line.endsWith(END)) return null
  const text = unescaped(line.slice(begin + 2, -END.length).replaceAll('""', '"'))
  if (type !== 'row') return { text }
  const seal = sealed === '' ? null : Number(sealed)
  return isSealNumber(seal) ? { canonical: text, seal } : null
}
