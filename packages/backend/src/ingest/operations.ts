// Every private door, in the order of the document.
import { appointmentOperations } from './appointments.ts'
import { callOperations } from './calls.ts'
import { catalogOperations } from './catalog.ts'
import { chatMessageOperations } from './chat-messages.ts'
import { chatSettingOperations } from './chat-settings.ts'
import { documentEndpoints } from './documents.ts'
import { fileEndpoints } from './files.ts'
import type { IngestEndpoint } from './ingest-endpoint.ts'
import type { IngestOperation } from './ingest-operation.ts'
import { leadOperations } from './leads.ts'
import { patientOperations } from './patients.ts'
import { paymentOperations } from './payments.ts'
import { scheduleOperations } from './schedule.ts'
import { settingsEndpoints } from './settings.ts'
import { treatmentOperations } from './treatments.ts'

export const ingestOperations: readonly IngestOperation[] = [
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

/** The doors that take no records. */
export const ingestEndpoints: readonly IngestEndpoint[] = [...documentEndpoints, ...fileEndpoints, ...settingsEndpoints]
