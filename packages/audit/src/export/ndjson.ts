// The audit log as lines of JSON: a row's fields by name, and its canonical text.
import { safeJson } from '@clinic-data/contract/safe-text'
import { type Entry, type RowEntry, textOf } from './entries.ts'
import { type Format, isSealNumber, type Proof } from './format.ts'
import { objectIn } from './json-object.ts'
import { fieldsOf } from './row-fields.ts'

export const ndjson: Format = {
  name: 'ndjson',
  heading: null,
  lineOf: (entry: Entry) => (entry.type === 'row' ? rowLine(entry) : textOf(entry)),
  proofIn,
}

function rowLine({ seal, canonical }: RowEntry): string | null {
  const fields = fieldsOf(canonical)
  if (fields === null) return null
  const line = {
    type: 'row',
    id: fields.id,
    seal,
    stored_at: fields.stored_at,
    at: fields.at,
    key_id: fields.key_id,
    operation: fields.operation,
    surface: fields.surface,
    status: fields.status,
    problem: fields.problem,
    required_scope: fields.required_scope,
    count: fields.count,
    resource_ids: fields.resource_ids,
    patient_ids: fields.patient_ids,
    request_id: fields.request_id,
    address: fields.address,
    canonical,
  }
  // Ids of refused requests are whatever somebody sent: they must not steer a terminal.
  return safeJson(JSON.stringify(line))
}

function proofIn(line: string): Proof | null {
  if (!line.startsWith('{"type":"row",')) return line.startsWith('{"type":"') ? { text: line } : null
  const { canonical, seal } = objectIn(line) ?? {}
  return typeof canonical === 'string' && isSealNumber(seal) ? { canonical, seal } : null
}
