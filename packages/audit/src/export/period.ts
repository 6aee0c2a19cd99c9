// The period that an export is bounded to, and which rows are of it.
import { fieldsOf } from './row-fields.ts'

/** The part of the log that is exported, in ISO 8601 of UTC: from `since`, before `until`. Null: without a bound. */
export interface Period {
  since: string | null
  until: string | null
}

/** Whether a row was stored within the period, to the millisecond. What is no row is not left out. */
export function isRowWithin(content: string, period: Period): boolean {
  return isWithin(fieldsOf(content)?.stored_at ?? '', period)
}

export function isWithin(stored_at: string, { since, until }: Period): boolean {
  const storedMs = Date.parse(stored_at)
  if (Number.isNaN(storedMs)) return true
  return (since === null || storedMs >= Date.parse(since)) && (until === null || storedMs < Date.parse(until))
}
