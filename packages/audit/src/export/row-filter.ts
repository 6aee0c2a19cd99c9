// The filter of a selection of the audit log, as its file says it, and whether a row is of it. The search finds the rows by statements of its
// own; the verification finds them again by this.
import { isPatientAmong, type SoughtPatient } from '../stored-ids.ts'
import { objectIn } from './json-object.ts'
import type { RowFields } from './row-fields.ts'

export const outcomes = ['done', 'refused', 'failed'] as const

/** Null: whatever it is. The period stands beside it. */
export interface RowFilter {
  /** Keys, connections, webhooks, people, tokens. */
  key_ids: readonly string[] | null
  /** The integration to which these belonged when the file was made. */
  integration: string | null
  operation: string | null
  surface: string | null
  /** All surfaces but the console's. */
  outside_console: boolean
  outcome: (typeof outcomes)[number] | null
  resource_id: string | null
  patient_id: string | null
  /** Records that rows name in place of the patient. Left out where there are none: an older verifier knows none. */
  records?: SoughtPatient['records']
}

/** The names stand in one order, so that a text is made again. */
export function inOrder(filter: RowFilter): RowFilter {
  const { key_ids, integration, operation, surface, outside_console, outcome, resource_id, patient_id, records } =
    filter
  const sought = { resource_id, patient_id, ...(records && { records }) }
  return { key_ids, integration, operation, surface, outside_console, outcome, ...sought }
}

/** Null for a text that is no filter. */
export function filterIn(text: string): RowFilter | null {
  const read = objectIn(text)
  if (read === null) return null
  const { key_ids, integration, operation, surface, outside_console, outcome, resource_id, patient_id, records } = read
  const known = outcome === null ? null : outcomes.find((one) => one === outcome)
  if (known === undefined || typeof outside_console !== 'boolean' || !(key_ids === null || isTexts(key_ids)))
    return null
  if (!isTextOrNull(integration) || !isTextOrNull(operation) || !isTextOrNull(surface)) return null
  if (!isTextOrNull(resource_id) || !isTextOrNull(patient_id)) return null
  if (!(records === undefined || isIdsByWord(records))) return null
  const sought = { resource_id, patient_id, ...(records && { records }) }
  return { key_ids, integration, operation, surface, outside_console, outcome: known, ...sought }
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string'
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
const isIdsByWord = (value: unknown): value is SoughtPatient['records'] =>
  typeof value === 'object' && value !== null && Object.values(value).every(isTexts)

export function isOfFilter(row: RowFields, filter: RowFilter): boolean {
  const { key_ids, operation, surface, outside_console, outcome, resource_id, patient_id, records = {} } = filter
  return (
    (key_ids === null || key_ids.includes(row.key_id)) &&
    (operation === null || operation === row.operation) &&
    (surface === null || surface === row.surface) &&
    !(outside_console && row.surface === 'console') &&
    (outcome === null || outcome === outcomeOf(row.status)) &&
    (resource_id === null || row.resource_ids.includes(resource_id)) &&
    (patient_id === null || isPatientAmong(row, { patient_id, records }))
  )
}

function outcomeOf(status: number): RowFilter['outcome'] {
  if (status < 400) return 'done'
  return status < 500 ? 'refused' : 'failed'
}
