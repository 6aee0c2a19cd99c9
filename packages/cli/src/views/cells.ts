// Shows the value of a field as a table cell: one line of safe text.
import { safeText } from '@clinic-data/contract/safe-text'

export type Row = Readonly<Record<string, unknown>>

/** Shown for null and for an empty value. */
export const NOTHING = '-'

/**
 * Returns the value at a path such as `status.name`. For a list it returns the value of each row. Undefined when there is no such
 * field.
 */
export function valueAt(value: unknown, path: string): unknown {
  const dot = path.indexOf('.')
  const [name, rest] = dot === -1 ? [path, null] : [path.slice(0, dot), path.slice(dot + 1)]
  if (Array.isArray(value)) return value.map((one) => valueAt(one, path))
  if (typeof value !== 'object' || value === null) return value === null ? null : undefined
  const inner = (value as Row)[name]
  return rest === null ? inner : valueAt(inner, rest)
}

/** Removes control characters, escape sequences and direction marks. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return NOTHING
  if (Array.isArray(value)) return value.length === 0 ? NOTHING : value.map(cellText).join(', ')
  return safeText(typeof value === 'object' ? (nameOf(value) ?? JSON.stringify(value)) : String(value))
}

/** Returns the name by which a person calls an embedded resource. Null for an object that is none. */
function nameOf(value: object): string | null {
  const { id, name, business_name, number, first_name, last_name } = value as Row
  if (typeof id !== 'string') return null
  const whole = [first_name, last_name].filter((part) => typeof part === 'string').join(' ')
  return [name, business_name, number, whole, id].find((text) => typeof text === 'string' && text !== '') as string
}

const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*(Z|[+-]\d\d:\d\d)$/

/** A time to the minute, as the clinic's own clock shows it. Any other value as it is. */
export function shortTime(value: unknown): unknown {
  const [, day, time, zone] = (typeof value === 'string' && TIME.exec(value)) || []
  return day === undefined ? value : `${day} ${time}${zone === 'Z' ? 'Z' : ''}`
}
