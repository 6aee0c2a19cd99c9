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

type CanonicalRow = [
  stored_at: string,
  id: number,
  at: string,
  key_id: string,
  operation: string,
  surface: string,
  resource_ids: string[],
  count: number,
  status: number,
  request_id: string,
  address: string,
]

/** Both escape the same characters alike. PostgreSQL writes a space behind the commas of the row, and none in the list of ids. */
export function canonicalText(row: LogRow): string {
  const { id, key_id, operation, surface, resource_ids, count, status, request_id, address } = row
  const values: CanonicalRow = [
    momentOf(row.stored_us),
    id,
    momentOf(row.at_ms * 1000),
    key_id,
    operation,
    surface,
    [...resource_ids],
    count,
    status,
    request_id,
    address,
  ]
  return `[${values.map((value) => JSON.stringify(value)).join(', ')}]`
}

/** @throws Error when the text is not that of a row. */
export function parseCanonical(text: string, duration_ms: number | null): LogRow {
  const [stored_at, id, at, key_id, operation, surface, resource_ids, count, status, request_id, address] = JSON.parse(
    text,
  ) as CanonicalRow
  return {
    id,
    stored_us: microsecondsOf(stored_at),
    at_ms: microsecondsOf(at) / 1000,
    key_id,
    operation,
    surface,
    resource_ids,
    count,
    status,
    request_id,
    address,
    duration_ms,
  }
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
