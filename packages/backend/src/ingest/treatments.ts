// Recorded treatments, as the clinic's own system reports them.

import { changeTreatments, type Removal, removeTreatments } from '@clinic-data/changes/treatments'
import { Id, nullable, strictObject } from '@clinic-data/contract/schema'
import { RecordedInstant } from '@clinic-data/records/storing/record-schema'
import { treatmentKind } from '@clinic-data/records/treatments'
import { recordsOperation } from './ingest-operation.ts'
import { sentForm } from './sent-form.ts'
import { ofKind, removeRecords } from './store-records.ts'

const tag = 'Treatments'

export const treatmentOperations = [
  recordsOperation({
    id: 'treatments.store',
    ofPatients: 'treatment',
    path: '/treatments',
    tag,
    summary: 'Store recorded treatments',
    description:
      'What was done for patients. Fires `treatment.created` or `treatment.updated`. A change of `discount` or `branch_id` alone fires nothing, because integrations do not see these fields. A treatment that was removed is a fault (`removed`).',
    ...ofKind(treatmentKind, { defaults: { quantity: 1, discount: 0 }, change: changeTreatments }),
    example: {
      id: 't5001',
      patient_id: 'p1042',
      catalog_treatment_id: 'scaling',
      provider_id: 'dr1',
      branch_id: 'b1',
      appointment_id: 'a7001',
      quantity: 1,
      price: 350,
      discount: 35,
      performed_at: '2026-07-14T09:20:00+03:00',
    },
  }),
  recordsOperation({
    id: 'treatments.remove',
    ofPatients: 'treatment',
    path: '/treatments/remove',
    tag,
    summary: 'Remove recorded treatments',
    description:
      'For a treatment that was recorded by mistake. It disappears from every answer and cannot come back. If it was removed before, the outcome is `unchanged`. Fires `treatment.cancelled` with its last state.',
    record: sentForm(
      strictObject({
        id: Id,
        removed_at: nullable(RecordedInstant, { description: 'Default: the time of storing.' }),
      }),
    ),
    references: { id: 'treatment' },
    becomes: 'removed',
    example: { id: 't5001', removed_at: '2026-07-14T12:00:00+03:00' },
    apply: removeRecords<Removal>(removeTreatments),
  }),
]
