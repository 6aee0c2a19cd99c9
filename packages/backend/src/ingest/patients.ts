// Patients, as the clinic's own system reports them.

import { changePatients } from '@clinic-data/changes/patients'
import { patientKind } from '@clinic-data/records/patients'
import { recordsOperation } from './ingest-operation.ts'
import { ofKind } from './store-records.ts'

export const patientOperations = [
  recordsOperation({
    id: 'patients.store',
    erasable: { id: 'patient' },
    path: '/patients',
    tag: 'Patients',
    summary: 'Store patients',
    description: 'Fires `patient.created` or `patient.updated`.',
    ...ofKind(patientKind, { change: changePatients }),
    example: { id: 'p1042', first_name: 'Noa', last_name: 'Levi', phone: '050-123-4567' },
  }),
]
