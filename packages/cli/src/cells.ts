// The value of a field as a cell of a table: one line of safe text.
import { safeText } from '@clinic-data/contract/safe-text'

export type Row = Readonly<Record<string, unknown>>

/** What stands for null, and for nothing at all. */
export const NOTHING = '-'

/** The value at a path such as `status.name`; of a list the values of its rows; undefined where there is no such field. */
export function valueAt(value: unknown, path: string): unknown {
  const dot = path.indexOf('.')
  const [name, rest] = dot === -1 ? [path, null] : [path.slice(0, dot), path.slice(dot + 1)]
  if (Array.isArray(value)) return value.map((one) => valueAt(one, path))
  if (typeof value !== 'object' || value === null) return value === null ? null : undefined
  const inner = (value as Row)[name]
  return rest === null ? inner : valueAt(inner, rest)
}

/** Without control characters, escape sequences and marks of direction. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return NOTHING
  if (Array.isArray(value)) return value.length === 0 ? NOTHING : value.map(cellText).join(', ')
  return safeText(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
