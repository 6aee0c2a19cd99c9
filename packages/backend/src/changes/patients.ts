// Changes of patients: stored, and told as added or changed.
import type { Clinic } from '@clinic-data/contract'
import { Patient } from '@clinic-data/contract/resources/patient'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql, type Transaction } from '@clinic-data/database'
import { type PatientRecord, storePatients } from '../records/patients.ts'
import type { Stored } from '../records/record-table.ts'
import { type PatientRow, patientsWhere, renderPatient } from '../resources/patient.ts'
import type { Changed } from './write-changes.ts'

const serialize = serializerOf(Patient)

/** Stores patients; those that differ from the stored ones become events. */
export async function changePatients(
  tx: Transaction,
  clinic: Clinic,
  records: readonly PatientRecord[],
): Promise<Changed<Stored>> {
  const stored = await storePatients(tx, clinic, records)
  const ids = [...stored.inserted, ...stored.updated]
  if (ids.length === 0) return { answer: stored, changes: [] }
  const { rows } = await tx.query<PatientRow>(patientsWhere(clinic, sql`p.id = any(${ids}::text[]) order by p.id`))
  const changes = rows.map((row) => ({
    type: stored.inserted.has(row.id) ? ('patient.created' as const) : ('patient.updated' as const),
    data: serialize(renderPatient(row)),
  }))
  return { answer: stored, changes }
}
