// Every operation of the ingest API, in the order of the document.
import { appointmentOperations } from './appointments.ts'
import { callOperations } from './calls.ts'
import { catalogOperations } from './catalog.ts'
import { chatMessageOperations } from './chat-messages.ts'
import { chatSettingOperations } from './chat-settings.ts'
import { documentOperations } from './documents.ts'
import { fileOperations } from './files.ts'
import type { IngestOperation, RecordsOperation } from './ingest-operation.ts'
import { leadOperations } from './leads.ts'
import { patientOperations } from './patients.ts'
import { paymentOperations } from './payments.ts'
import { scheduleOperations } from './schedule.ts'
import { settingsOperations } from './settings.ts'
import { treatmentOperations } from './treatments.ts'

export const recordsOperations: readonly RecordsOperation[] = [
  ...catalogOperations,
  ...scheduleOperations,
  ...patientOperations,
  ...appointmentOperations,
  ...treatmentOperations,
  ...paymentOperations,
  ...leadOperations,
  ...callOperations,
  ...chatMessageOperations,
  ...chatSettingOperations,
]

export const ingestOperations: readonly IngestOperation[] = [
  ...recordsOperations,
  ...documentOperations,
  ...fileOperations,
  ...settingsOperations,
]
