// Every table with a clinic's rows, and where a person's archive has what it holds of them, or why it has not.

/** The lists of an archive. */
export type PatientFile =
  | 'patient.json'
  | 'appointments.json'
  | 'treatments.json'
  | 'payments.json'
  | 'calls.json'
  | 'chat_conversations.json'
  | 'chat_messages.json'
  | 'leads.json'
  | 'lead_activities.json'
  | 'events.json'
  | 'access_log.json'
  | 'recipients.json'

export type PatientTable = { readonly file: PatientFile | 'the files themselves' } | { readonly leftOut: string }

/** No column and no reference of such a table leads to a person. A test looks at the schema. */
export const OF_NOBODY = 'holds nothing about a patient'
export const OF_STAFF = 'names people who work for the clinic'
export const OF_CLINIC = 'describes the clinic, also by its own phones and e-mails'
const COPY = 'follows from what the archive has'
const SENT = 'the access log has each event that was sent'

/**
 * Says it of every table that `clinic-tables.ts` knows. Where a table leads to a patient there is no other way out than a file or a
 * reason.
 */
export const patientTables: Readonly<Record<string, PatientTable>> = {
  patient: { file: 'patient.json' },
  patient_contact: { file: 'patient.json' },
  patient_name: { leftOut: COPY },
  appointment: { file: 'appointments.json' },
  appointment_provider: { file: 'appointments.json' },
  treatment: { file: 'treatments.json' },
  treatment_plan: { file: 'treatments.json' },
  payment: { file: 'payments.json' },
  payment_document: { file: 'payments.json' },
  call: { file: 'calls.json' },
  chat_conversation: { file: 'chat_conversations.json' },
  chat_message: { file: 'chat_messages.json' },
  chat_send: { leftOut: 'chat_messages.json has each message that waits' },
  lead: { file: 'leads.json' },
  lead_activity: { file: 'lead_activities.json' },
  file: { file: 'the files themselves' },
  file_piece: { file: 'the files themselves' },
  event: { file: 'events.json' },
  event_counter: { leftOut: OF_NOBODY },
  delivery: { leftOut: SENT },
  attempt: { leftOut: SENT },
  attempt_hour: { leftOut: OF_NOBODY },
  audit: { file: 'access_log.json' },
  audit_hour: { leftOut: COPY },
  audit_alert: { leftOut: 'counts of what a key did, and no patient' },
  audit_usual: { leftOut: COPY },
  audit_watch: { leftOut: 'numbers and times alone' },
  pausing_rule: { leftOut: OF_CLINIC },
  audit_segment: { leftOut: 'packed rows of the log, which `access_log.json` has' },
  audit_segment_names: { leftOut: COPY },
  audit_seal: { leftOut: OF_NOBODY },
  audit_former_seal: { leftOut: OF_NOBODY },
  audit_head: { leftOut: OF_NOBODY },
  patient_read: { leftOut: COPY },
  idempotency: { leftOut: 'answers that are kept for a day, of what the archive has' },
  approval: { leftOut: OF_STAFF },
  subscription: { leftOut: OF_CLINIC },
  former_subscription: { leftOut: OF_CLINIC },
  lane: { leftOut: OF_CLINIC },
  integration: { leftOut: OF_CLINIC },
  chat_template: { leftOut: OF_CLINIC },
  document_counter: { leftOut: OF_NOBODY },
  working_hours: { leftOut: OF_NOBODY },
  time_off: { leftOut: OF_NOBODY },
  branch: { leftOut: OF_CLINIC },
  provider: { leftOut: OF_STAFF },
  appointment_type: { leftOut: OF_NOBODY },
  appointment_status: { leftOut: OF_NOBODY },
  treatment_category: { leftOut: OF_NOBODY },
  catalog_treatment: { leftOut: OF_NOBODY },
  billing_account: { leftOut: OF_CLINIC },
  patient_status: { leftOut: OF_NOBODY },
  administrator: { leftOut: OF_STAFF },
  administrator_session: { leftOut: OF_STAFF },
  sign_in_link: { leftOut: OF_STAFF },
  sign_in_attempt: { leftOut: OF_STAFF },
  passkey: { leftOut: OF_STAFF },
  pairing: { leftOut: OF_STAFF },
  group_role: { leftOut: OF_STAFF },
  invitation: { leftOut: OF_STAFF },
  spent_challenge: { leftOut: OF_STAFF },
  weekly_mail: { leftOut: OF_STAFF },
  connection: { leftOut: OF_CLINIC },
  connection_token: { leftOut: OF_CLINIC },
  api_key: { leftOut: OF_CLINIC },
  ingest_token: { leftOut: OF_CLINIC },
  clinic: { leftOut: OF_CLINIC },
}
