// Every table with a clinic's rows: where a person's archive has what it holds of them, or why it has not, and what an erasure does with it.

/** The lists of an archive. */
export type PatientFile =
  | 'patient.json'
  | 'appointments.json'
  | 'treatments.json'
  | 'payments.json'
  | 'documents.json'
  | 'calls.json'
  | 'chat_conversations.json'
  | 'chat_messages.json'
  | 'leads.json'
  | 'lead_activities.json'
  | 'events.json'
  | 'access_log.json'
  | 'recipients.json'

type Exported = { readonly file: PatientFile | 'the files themselves' } | { readonly leftOut: string }

/** An erasure of a person removes the rows, makes them anonymous, or leaves them. */
export type Erased = { readonly erased: 'removed' | 'made anonymous' } | { readonly erased: { readonly stays: string } }

export type PatientTable = Exported & Erased

/** No column and no reference of such a table leads to a person. A test looks at the schema. */
export const OF_NOBODY = 'holds nothing about a patient'
export const OF_STAFF = 'names people who work for the clinic'
export const OF_CLINIC = 'describes the clinic, also by its own phones and e-mails'
const COPY = 'follows from what the archive has'
const SENT = 'the access log has each event that was sent'

const NO_NAME = 'names a patient by the id alone'
const BY_EVENT = 'names an event, which is rewritten'
const LOG = 'the log says who had the data, and names patients by their ids'
const ofNobody = { leftOut: OF_NOBODY, erased: { stays: OF_NOBODY } } as const
const ofStaff = { leftOut: OF_STAFF, erased: { stays: OF_STAFF } } as const
const ofClinic = { leftOut: OF_CLINIC, erased: { stays: OF_CLINIC } } as const

/**
 * Says it of every table that `clinic-tables.ts` knows. Where a table leads to a patient there is no other way out than a file or a
 * reason.
 */
const tables = {
  patient: { file: 'patient.json', erased: 'made anonymous' },
  patient_contact: { file: 'patient.json', erased: 'removed' },
  patient_name: { leftOut: COPY, erased: 'removed' },
  erased_record: {
    leftOut: 'holds ids of records that were erased',
    erased: { stays: 'keeps what was erased from coming back' },
  },
  appointment: { file: 'appointments.json', erased: 'made anonymous' },
  appointment_provider: { file: 'appointments.json', erased: { stays: NO_NAME } },
  treatment: { file: 'treatments.json', erased: { stays: NO_NAME } },
  treatment_plan: { file: 'treatments.json', erased: 'made anonymous' },
  payment: { file: 'payments.json', erased: 'made anonymous' },
  payment_document: { file: 'payments.json', erased: 'made anonymous' },
  call: { file: 'calls.json', erased: 'made anonymous' },
  chat_conversation: { file: 'chat_conversations.json', erased: 'removed' },
  chat_message: { file: 'chat_messages.json', erased: 'made anonymous' },
  chat_send: {
    leftOut: 'chat_messages.json has each message that waits',
    erased: { stays: 'no patient is erased while a message to them is being sent' },
  },
  lead: { file: 'leads.json', erased: 'made anonymous' },
  lead_activity: { file: 'lead_activities.json', erased: 'made anonymous' },
  file: { file: 'the files themselves', erased: 'removed' },
  file_piece: { file: 'the files themselves', erased: 'removed' },
  event: { file: 'events.json', erased: 'made anonymous' },
  event_counter: ofNobody,
  delivery: { leftOut: SENT, erased: { stays: BY_EVENT } },
  attempt: { leftOut: SENT, erased: { stays: BY_EVENT } },
  attempt_hour: ofNobody,
  audit: { file: 'access_log.json', erased: { stays: LOG } },
  audit_hour: { leftOut: COPY, erased: { stays: LOG } },
  audit_alert: { leftOut: 'counts of what a key did, and no patient', erased: { stays: LOG } },
  audit_usual: { leftOut: COPY, erased: { stays: LOG } },
  audit_watch: { leftOut: 'numbers and times alone', erased: { stays: LOG } },
  stop_rule: ofNobody,
  audit_segment: { leftOut: 'packed rows of the log, which `access_log.json` has', erased: { stays: LOG } },
  audit_segment_names: { leftOut: COPY, erased: { stays: LOG } },
  audit_seal: ofNobody,
  audit_former_seal: ofNobody,
  audit_head: ofNobody,
  audit_export_place: ofNobody,
  patient_read: { leftOut: COPY, erased: { stays: LOG } },
  idempotency: { leftOut: 'answers that are kept for a day, of what the archive has', erased: 'made anonymous' },
  approval: ofStaff,
  subscription: ofClinic,
  former_subscription: ofClinic,
  lane: ofClinic,
  integration: ofClinic,
  chat_template: ofClinic,
  document_counter: ofNobody,
  working_hours: ofNobody,
  time_off: ofNobody,
  branch: ofClinic,
  provider: ofStaff,
  appointment_type: ofNobody,
  appointment_status: ofNobody,
  treatment_category: ofNobody,
  catalog_treatment: ofNobody,
  billing_account: ofClinic,
  patient_status: ofNobody,
  administrator: ofStaff,
  administrator_session: ofStaff,
  sign_in_link: ofStaff,
  sign_in_attempt: ofStaff,
  passkey: ofStaff,
  pairing: ofStaff,
  group_role: ofStaff,
  invitation: ofStaff,
  spent_challenge: ofStaff,
  weekly_mail: ofStaff,
  connection: ofClinic,
  connection_token: ofClinic,
  api_key: ofClinic,
  ingest_token: ofClinic,
  clinic: ofClinic,
} as const satisfies Readonly<Record<string, PatientTable>>

export const patientTables: Readonly<Record<string, PatientTable>> = tables

/** An erasure does not compile without a way for each of these. */
export type ErasedTable = {
  [T in keyof typeof tables]: (typeof tables)[T]['erased'] extends string ? T : never
}[keyof typeof tables]
