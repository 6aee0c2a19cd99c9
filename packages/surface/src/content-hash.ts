// The hash of a JSON value by its content. The same content with its names in another order is the same content.
import { hash } from 'node:crypto'

/** @returns SHA-256 in hexadecimal digits. @example contentHash({ b: 1, a: 2 }) === contentHash({ a: 2, b: 1 }) // true */
export function contentHash(value: unknown): string {
  return hash('sha256', JSON.stringify(sorted(value)) ?? '', 'hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const names = Object.keys(value).sort()
  return names.map((name) => [name, sorted((value as Record<string, unknown>)[name])])
}
