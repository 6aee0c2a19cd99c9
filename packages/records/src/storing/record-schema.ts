// The shared parts of the records' schemas, and the check of a record by its schema. It finds a bad record before it spoils
// a batch.

import { MAX } from '@clinic-data/contract'
import { forbiddenIn } from '@clinic-data/contract/json-text'
import { type TSchema, Type, text, thirdDecimal } from '@clinic-data/contract/schema'
import { type Finding, validatorOf } from '@clinic-data/contract/validator'

export type { Finding }

/** ISO 8601 with an offset; a date alone is the clinic's midnight. */
export const RecordedInstant = text(MAX.instant, { format: 'recorded-instant' })

export const RecordedAt = {
  created_at: text(MAX.instant, {
    format: 'recorded-instant',
    description: 'When the record was made in the system that it comes from.',
  }),
  updated_at: text(MAX.instant, {
    format: 'recorded-instant',
    description: 'When it was last changed in that system.',
  }),
}

/** Major units of a currency, with at most its decimals. */
export function amount(least: number, description: string) {
  return Type.Number({ minimum: least, maximum: MAX.money, ...thirdDecimal, description })
}

/** Phones stay as the clinic's systems write them (a number can be withheld): no schema of a record reads them. */
const NO_COUNTRY = { country: '' }

/** The faults of a record: its bounds, and characters that no column accepts. Values are never quoted: they may be a patient's. */
export function findingsIn(schema: TSchema, record: object): Finding[] {
  const findings = validatorOf(schema)(record, NO_COUNTRY)
  return findings.length > 0 ? findings : forbiddenIn(record)
}
