// Options that take a day of the clinic's or an instant.
import { isInstant } from '@clinic-data/contract/formats'
import { UsageError } from '../../usage-error.ts'

/** @throws UsageError for anything else. */
export function momentOf(text: string | undefined, option: string): string | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''))
  if (text === undefined || isDay || isInstant(text)) return text
  throw new UsageError(`${option} must be a day, for example 2026-10-21, or an instant with offset`)
}
