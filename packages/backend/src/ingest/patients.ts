// Patients, as the clinic's own system reports them.

import { checkPatient, PatientRecord } from '@clinic-data/records/patients'
import { changePatients } from '../changes/patients.ts'
import { recordsOperation } from './ingest-operation.ts'
import { sentForm } from './sent-form.ts'
import { storeRecords } from './store-records.ts'

export const patientOperations = [
  recordsOperation({
    id: 'patients.store',
    path: '/patients',
    tag: 'Patients',
    summary: 'Store patients',
    description: 'Fires `patient.created` or `patient.updated`.',
    record: sentForm(PatientRecord),
    references: { status_id: 'patient_status' },
    example: { id: 'p1042', first_name: 'Noa', last_name: 'Levi', phone: '050-123-4567' },
    apply: storeRecords<PatientRecord>({ check: checkPatient, change: changePatients }),
  }),
]
