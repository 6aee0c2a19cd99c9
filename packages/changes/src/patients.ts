// Changes of patients: stores them and emits their events.
import type { Clinic } from '@clinic-data/contract'
import { Patient } from '@clinic-data/contract/resources/patient'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql, type Transaction } from '@clinic-data/database'
import { type PatientRecord, storePatients } from '@clinic-data/records/patients'
import { type PatientRow, patientResource, patientsWhere } from '@clinic-data/records/resources/patient'
import type { Stored } from '@clinic-data/records/storing/record-table'
import type { Change } from '@clinic-data/webhooks'
import { ResourceChanges } from './writing/resource-changes.ts'
import type { Changed } from './writing/write-changes.ts'

const serialize = serializerOf(Patient)

const patients = new ResourceChanges<{ id: string }, PatientRow>({
  table: 'patient',
  decisive: null,
  read: async (tx, clinic, ids) => {
    const { rows } = await tx.query<PatientRow>(patientsWhere(clinic, sql`p.id = any(${ids}::text[]) order by p.id`))
    return rows
  },
  serialize: (row) => serialize(patientResource.render(row)),
})

/** Stores patients. New and changed ones become events. */
export function changePatients(
  tx: Transaction,
  clinic: Clinic,
  records: readonly PatientRecord[],
): Promise<Changed<Stored>> {
  return patients.change(tx, clinic, records, {
    store: () => storePatients(tx, clinic, records),
    type: (_, isNew) => (isNew ? 'patient.created' : 'patient.updated'),
  })
}

/** Patients that were changed in another way, as events. */
export function updatedPatients(tx: Transaction, clinic: Clinic, ids: readonly string[]): Promise<Change[]> {
  return patients.changesOf(tx, clinic, ids, () => 'patient.updated')
}
