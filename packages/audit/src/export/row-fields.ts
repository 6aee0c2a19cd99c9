// The fields of an audit row, as its canonical text has them. The text alone is what a seal hashes, so each field is derived from it.
import { type Named, namedIn } from '../stored-ids.ts'

export interface RowFields extends Named {
  id: number
  stored_at: string
  at: string
  key_id: string
  operation: string
  surface: string
  count: number
  status: number
  request_id: string
  address: string
}

/** In the order of `rowsBehind`. */
const LENGTH = 11

/** Null for a text that is no row. */
export function fieldsOf(canonical: string): RowFields | null {
  const values = arrayIn(canonical)
  if (values === null || values.length !== LENGTH) return null
  const [stored_at, id, at, key_id, operation, surface, ids, count, status, request_id, address] = values
  if (!isText(stored_at) || !isWhole(id) || !isText(at) || !isText(key_id) || !isText(operation)) return null
  if (!isText(surface) || !Array.isArray(ids) || !ids.every(isText) || !isWhole(count) || !isWhole(status)) return null
  if (!isText(request_id) || !isText(address)) return null
  const row = { id, stored_at, at, key_id, operation, surface, count, status, request_id, address }
  return { ...row, ...namedIn(ids) }
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
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
