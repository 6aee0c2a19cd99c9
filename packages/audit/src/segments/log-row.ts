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

const VALUES = 11

/**
 * In the order of `rowsBehind`. Both escape the same characters alike. PostgreSQL writes a space behind the commas of the row, and none in
 * the list of ids. Written out, because each row of a log passes here: a loop over the names takes three times as long.
 */
export function canonicalText(row: LogRow): string {
  const { id, count, status } = row
  const [stored_at, at] = [momentOf(row.stored_us), momentOf(row.at_ms * 1000)]
  const who = `${quoted(row.key_id)}, ${quoted(row.operation)}, ${quoted(row.surface)}`
  const ids = JSON.stringify(row.resource_ids)
  return `["${stored_at}", ${id}, "${at}", ${who}, ${ids}, ${count}, ${status}, ${quoted(row.request_id)}, ${quoted(row.address)}]`
}

const quoted = (text: string) => JSON.stringify(text)

/** Null for a text that is no row. */
export function canonicalRow(text: string): CanonicalRow | null {
  const values = arrayIn(text)
  if (values === null || values.length !== VALUES) return null
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
  const { id, stored_at, at, key_id, operation, surface, resource_ids, count, status, request_id, address } = row
  const [stored_us, at_ms] = [microsecondsOf(stored_at), microsecondsOf(at) / 1000]
  const seen = { count, status, request_id, address, duration_ms }
  return { id, stored_us, at_ms, key_id, operation, surface, resource_ids, ...seen }
}

/** `2026-07-12T06:30:00.123456+00:00`, as PostgreSQL prints an instant in UTC: without zeros at the end. */
export function momentOf(us: number): string {
  const day = Math.floor(us / DAY_US)
  const rest = us - day * DAY_US
  const seconds = Math.floor(rest / SECOND_US)
  const fraction = rest - seconds * SECOND_US
  const minutes = Math.floor(seconds / 60)
  const time = `${TWO[Math.floor(minutes / 60)]}:${TWO[minutes % 60]}:${TWO[seconds % 60]}`
  const digits = String(fraction).padStart(6, '0').replace(/0+$/, '')
  return `${dates.of(day)}T${time}${digits === '' ? '' : `.${digits}`}+00:00`
}

const SECOND_US = 1_000_000
const DAY_US = 86_400 * SECOND_US

/** `00` to `59`. */
const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** Answers again what was asked last: the rows of a segment are of one day. */
class Last<From, To> {
  readonly #make: (from: From) => To
  #known: { from: From; to: To } | null = null

  constructor(make: (from: From) => To) {
    this.#make = make
  }

  of(from: From): To {
    if (this.#known?.from !== from) this.#known = { from, to: this.#make(from) }
    return this.#known.to
  }
}

const dates = new Last((day: number) => new Date(day * (DAY_US / 1000)).toISOString().slice(0, 10))
const beginnings = new Last((date: string) => Date.parse(`${date}T00:00:00Z`) * 1000)

/** @param moment in the form of `momentOf`. */
function microsecondsOf(moment: string): number {
  const whole = Number(moment.slice(11, 13)) * 3600 + Number(moment.slice(14, 16)) * 60 + Number(moment.slice(17, 19))
  const fraction = moment[19] === '.' ? Number(moment.slice(20, -6).padEnd(6, '0')) : 0
  return beginnings.of(moment.slice(0, 10)) + whole * SECOND_US + fraction
}
