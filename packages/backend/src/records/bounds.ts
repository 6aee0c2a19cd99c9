// What a record may hold: the contract's bounds as rules, so that one bad record is told apart before it spoils a batch.

import { MAX } from '@clinic-data/contract'

/** Why a record is refused. The reason never quotes the value: it may be a patient's. */
export type Fault = { field: string; reason: string }

/** Null when the value is within bounds. */
export type Rule = (value: unknown) => string | null

export type Bounds<R> = { readonly [K in keyof R]-?: Rule }

export function faultsOf<R extends object>(bounds: Bounds<R>, record: R): Fault[] {
  const faults: Fault[] = []
  for (const field in bounds) {
    const reason = bounds[field](record[field])
    if (reason !== null) faults.push({ field, reason })
  }
  return faults
}

/** The faults of the records of a list inside a record, with their place: `contacts/2/value`. */
export function faultsOfList<R extends object>(
  field: string,
  boundsOf: (record: R) => Bounds<R>,
  records: readonly R[],
): Fault[] {
  return records.flatMap((record, i) =>
    faultsOf(boundsOf(record), record).map((fault) => ({ ...fault, field: `${field}/${i}/${fault.field}` })),
  )
}

export function nullable(rule: Rule): Rule {
  return (value) => (value === null ? null : rule(value))
}

export function text(max: number, min = 0): Rule {
  return (value) => {
    if (typeof value !== 'string') return 'is not a text'
    if (!isWithin(value, max)) return `is longer than ${max} characters`
    if (value.length < min) return 'is empty'
    // PostgreSQL stores neither; JSON can carry both.
    if (!value.isWellFormed() || value.includes('\0')) return 'holds a NUL or half a character'
    return null
  }
}

/** The database counts whole characters, JavaScript halves of those beyond the basic plane. */
function isWithin(value: string, max: number): boolean {
  return value.length <= max || (value.length <= 2 * max && Array.from(value).length <= max)
}

export const id = text(MAX.id, 1)

export function oneOf(...values: readonly string[]): Rule {
  return (value) => (values.includes(value as string) ? null : `is none of ${values.join(', ')}`)
}

export function whole(min: number, max: number): Rule {
  return (value) => {
    if (!Number.isSafeInteger(value)) return 'is not a whole number'
    return (value as number) < min || (value as number) > max ? `is not between ${min} and ${max}` : null
  }
}

export function amount(min: number, max: number): Rule {
  return (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'is not a number'
    return value < min || value > max ? `is not between ${min} and ${max}` : null
  }
}

/** The most that an amount can be, in minor units (hundredths). */
export const MOST_MINOR = MAX.money * 100

export const yesOrNo: Rule = (value) => (typeof value === 'boolean' ? null : 'is neither true nor false')

export const currency = matching(/^[A-Z]{3}$/, 'is no currency code of three capital letters')

export const country = matching(/^[A-Z]{2}$/, 'is no country code of two capital letters')

const INSTANT = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d))?$/

/** A day within what the database takes, whatever the clinic's zone. */
const FIRST_INSTANT = Date.UTC(1900, 0, 2)
const LAST_INSTANT = Date.UTC(2199, 11, 31)

/** ISO 8601 with an offset; a date alone is the clinic's midnight. */
export const instant: Rule = (value) => {
  const day = typeof value === 'string' ? INSTANT.exec(value)?.[1] : undefined
  const time = Date.parse(String(value))
  if (day === undefined || Number.isNaN(time)) return 'is not an instant with an offset'
  return date(day) ?? (time < FIRST_INSTANT || time >= LAST_INSTANT ? 'is not between the years 1900 and 2199' : null)
}

/** `YYYY-MM-DD`, a day that there is. */
export const date: Rule = (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return 'is not a date'
  const day = new Date(`${value}T00:00:00Z`)
  return Number.isNaN(day.getTime()) || !day.toISOString().startsWith(value) ? 'is not a day of the calendar' : null
}

export function dateWithin(first: string, last: string): Rule {
  return (value) => date(value) ?? ((value as string) < first || (value as string) > last ? 'is out of range' : null)
}

export function matching(pattern: RegExp, reason: string): Rule {
  return (value) => (typeof value === 'string' && pattern.test(value) ? null : reason)
}

export function listOf(max: number, rule: Rule = () => null): Rule {
  return (value) => {
    if (!Array.isArray(value)) return 'is not a list'
    if (value.length > max) return `holds more than ${max}`
    return value.map(rule).find((reason) => reason !== null) ?? null
  }
}
