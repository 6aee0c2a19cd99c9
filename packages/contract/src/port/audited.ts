// Tells what the audit log names of an answer: its resources, and the patients whose data it holds.
import type { AnyAnswer, Audited } from '../backend.ts'
import type { Operation } from '../operation.ts'
import { patientsOf } from '../patients-of.ts'
import { WrittenRows } from './data-writer.ts'

/** An audit row names at most this many resources. `count` has the full number. */
const AUDITED_IDS = 100

/** The ids in an answer: of its resources, and of all patients whose data it holds. */
export function auditedIn(
  { patients }: Pick<Operation, 'patients'>,
  { data, audited, patient_ids: beside = [] }: Pick<AnyAnswer, 'data' | 'audited' | 'patient_ids'>,
): Audited {
  if (data instanceof WrittenRows) {
    if (audited === undefined) throw new Error('the backend tells nothing of the rows that it has written')
    return audited
  }
  const rows: readonly unknown[] = Array.isArray(data) ? data : data === null || data === undefined ? [] : [data]
  const patient_ids = [...new Set([...patientsOf(patients, rows), ...beside])]
  const resource_ids: string[] = []
  for (const row of rows) {
    const { id, file_id } = (row ?? {}) as { id?: unknown; file_id?: unknown }
    const name = id ?? file_id
    if (typeof name === 'string' && resource_ids.length < AUDITED_IDS) resource_ids.push(name)
  }
  return { resource_ids, patient_ids, count: rows.length }
}

/** An answer without an id of its own is about what the path names. @param named the ids in the path. */
export function auditedAs({ shape }: Pick<Operation, 'shape'>, audited: Audited, named: readonly string[]): Audited {
  return shape !== 'one' || audited.resource_ids.length > 0 ? audited : { ...audited, resource_ids: [...named] }
}
