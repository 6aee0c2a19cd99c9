// The operations by which an owner asks for patients, gives a patient everything that is held about them, and erases them (docs/decisions/0124).
import { MAX } from '@clinic-data/contract/limits'
import {
  Instant,
  list,
  nullable,
  object,
  type Static,
  strictObject,
  Type,
  text,
  whole,
} from '@clinic-data/contract/schema'
import { consoleOperation } from '../console-operation.ts'
import { PatientQuestions, PatientsPage } from './patient-questions.ts'

/** The kinds of rows that an erasure counts, in the order in which they are read. */
export const heldKinds = [
  'patients',
  'appointments',
  'treatment_plans',
  'payments',
  'documents',
  'calls',
  'chat_conversations',
  'chat_messages',
  'leads',
  'lead_activities',
  'files',
  'events',
  'kept_answers',
] as const

export type HeldKind = (typeof heldKinds)[number]

/** There are more kinds after a while. */
const MOST_KINDS = 50

const counts = (description: string) =>
  list(object({ kind: text(MAX.code), count: whole(1, MAX.seconds) }), MOST_KINDS, { description })

const erasure = {
  patient_id: text(MAX.id),
  removed: counts('Rows that go.'),
  made_anonymous: counts('Rows that stay without the person.'),
  doubtful: counts('What may be another person’s, and stays.'),
}

/** An erasure before it is done. */
export const LookedAtErasure = object({
  ...erasure,
  waiting_messages: whole(0, MAX.seconds, {
    description: 'Messages to the patient that are being sent. Nothing is erased before they are.',
  }),
  erased_at: nullable(Instant, {
    description: 'When the patient was erased before. Then what is counted has come back. Null: never.',
  }),
})

export type LookedAtErasure = Static<typeof LookedAtErasure>

export const PatientErasure = object({
  ...erasure,
  erased_at: Instant,
  last_backup_at: nullable(Instant, { description: 'The last backup that is known here. Null: none is.' }),
})

export type PatientErasure = Static<typeof PatientErasure>

/** Whoever asks has looked at what is doubtful, and says that it is this patient's. */
const choices = strictObject({
  include_doubtful: Type.Boolean({ description: 'Also what may be another person’s.' }),
})

export const patientOperations = {
  /** A page of the patients of whom all of it is true. Its row names them. What is searched for stands in no address. */
  listPatients: consoleOperation({
    id: 'console.patients.list',
    method: 'POST',
    path: '/console/api/patients/list',
    audited: 'console.patients.list',
    body: PatientQuestions,
    output: PatientsPage,
  }),
  /** Answers a ZIP, as `clinicd patients export` writes it. Its row is stored before the first byte leaves. 429 while the clinic has one under way. */
  exportPatient: consoleOperation({
    id: 'console.patients.export',
    method: 'POST',
    path: '/console/api/patients/{id}/export',
    audited: 'console.patients.export',
    body: choices,
    status: 200,
  }),
  /** Counts what an erasure would do, and changes nothing. */
  lookAtErasure: consoleOperation({
    id: 'console.patients.look_at_erasure',
    method: 'POST',
    path: '/console/api/patients/{id}/erasure',
    audited: 'console.patients.look_at_erasure',
    body: choices,
    output: object({ data: LookedAtErasure }),
  }),
  /** There is no way back. 409 while a message to the patient is being sent, and for a patient of whom nothing is left. */
  erasePatient: consoleOperation({
    id: 'console.patients.erase',
    method: 'POST',
    path: '/console/api/patients/{id}/erase',
    audited: 'console.patients.erase',
    body: choices,
    output: object({ data: PatientErasure }),
  }),
} as const
