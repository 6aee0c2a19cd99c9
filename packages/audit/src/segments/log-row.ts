// A row of the audit log outside of its table, and the canonical text that its seal covers. PostgreSQL writes this text from the table
// (`rowsBehind`), and this file writes it from a segment: byte for byte the same.

export interface LogRow {
  id: number
  /** Microseconds since 1970. */
  stored_us: number
  /** Milliseconds since 1970. */
  at_ms: number
  key_id: string
  operation: string
  surface: string
  /** In the form of `stored-ids.ts`. */
  resource_ids: readonly string[]
  count: number
  status: number
  request_id: string
  address: string
  /** Outside of the seal. */
  duration_ms: number | null
}

/** The values of a row's canonical text. */
export interface CanonicalRow extends Pick<LogRow, 'id' | 'key_id' | 'operation' | 'surface' | 'resource_ids'> {
  stored_at: string
  at: string
  count: number
  status: number
  request_id: string
  address: string
}

/** In the order of `rowsBehind`. */
const ORDER = [
  'stored_at',
  'id',
  'at',
  'key_id',
  'operation',
  'surface',
  'resource_ids',
  'count',
  'status',
  'request_id',
  'address',
] as const satisfies readonly (keyof CanonicalRow)[]

/** Both escape the same characters alike. PostgreSQL writes a space behind the commas of the row, and none in the list of ids. */
export function canonicalText(row: LogRow): string {
  const values: CanonicalRow = { ...row, stored_at: momentOf(row.stored_us), at: momentOf(row.at_ms * 1000) }
  return `[${ORDER.map((name) => JSON.stringify(values[name])).join(', ')}]`
}

/** Null for a text that is no row. */
export function canonicalRow(text: string): CanonicalRow | null {
  const values = arrayIn(text)
  if (values === null || values.length !== ORDER.length) return null
  const [stored_at, id, at, key_id, operation, surface, resource_ids, count, status, request_id, address] = values
  if (!isText(stored_at) || !isWhole(id) || !isText(at) || !isText(key_id) || !isText(operation)) return null
  if (!isText(surface) || !isTexts(resource_ids) || !isWhole(count) || !isWhole(status)) return null
  if (!isText(request_id) || !isText(address)) return null
  return { id, stored_at, at, key_id, operation, surface, resource_ids, count, status, request_id, address }
}

function arrayIn(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/** @throws Error when the text is not that of a row. */
export function parseCanonical(text: string, duration_ms: number | null): LogRow {
  const row = canonicalRow(text)
  if (row === null) throw new Error('a text of the audit log is not that of a row')
  const { stored_at, at, ...others } = row
  return { ...others, stored_us: microsecondsOf(stored_at), at_ms: microsecondsOf(at) / 1000, duration_ms }
}

/** `2026-07-12T06:30:00.123456+00:00`, as PostgreSQL prints an instant in UTC: without zeros at the end. */
export function momentOf(us: number): string {
  const seconds = Math.floor(us / 1_000_000)
  const fraction = String(us - seconds * 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}+00:00`
}

function microsecondsOf(moment: string): number {
  const [, fraction = ''] = /\.(\d{1,6})\+/.exec(moment) ?? []
  return Date.parse(`${moment.slice(0, 19)}Z`) * 1000 + Number(fraction.padEnd(6, '0'))
}
