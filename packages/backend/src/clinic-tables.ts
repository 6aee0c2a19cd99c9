// Every table with a clinic's rows, and what becomes of them when the clinic leaves: its archive holds some, and the others are deleted.
import { type Statement, sql } from '@clinic-data/database'
import { catalogKinds } from '@clinic-data/records/catalog'

export interface ClinicTable {
  /** Columns that the archive leaves out: whoever has them could sign in, or send in the clinic's name. */
  readonly secret?: readonly string[]
  /** Why the archive has no such rows. */
  readonly leftOut?: string
  /** Why the rows stay when the clinic is deleted. */
  readonly stays?: string
  /** These rows are deleted before the others, which they refer to. */
  readonly first?: Statement
}

const QUEUE = 'work that waits'
const DERIVED = 'follows from other rows'
const SIGN_IN = 'ways to sign in'
const WHO = 'the audit log names them'
const LOG = 'the audit log'

/** In the order of deletion: what refers to another table's rows comes before it, and first of all what sends. */
export const clinicTables: Readonly<Record<string, ClinicTable>> = {
  lane: { leftOut: QUEUE },
  chat_send: { leftOut: QUEUE },
  attempt_hour: { leftOut: DERIVED },
  attempt: { leftOut: 'the audit log tells what was delivered' },
  delivery: { leftOut: 'the audit log tells what was delivered' },
  former_subscription: {},
  subscription: { secret: ['secret', 'secret_last_characters', 'former_secrets'] },
  integration: { secret: ['mint_request'] },
  event: {},
  event_counter: { leftOut: DERIVED },
  idempotency: { leftOut: 'answers that are kept for a day' },
  lead_activity: {},
  lead: {},
  chat_message: {},
  chat_conversation: {},
  chat_template: {},
  call: {},
  payment_document: {},
  payment: { first: sql`refunded_payment_id is not null` },
  document_counter: {},
  treatment: {},
  treatment_plan: {},
  appointment_provider: {},
  appointment: {},
  erased_record: {},
  patient_name: { leftOut: DERIVED },
  patient_contact: {},
  patient: {},
  file_piece: { leftOut: 'the folder `files` has the bytes' },
  file: {},
  working_hours: {},
  time_off: {},
  ...Object.fromEntries(catalogKinds.toReversed().map(({ table }) => [table, {}])),
  administrator_session: { leftOut: SIGN_IN },
  sign_in_link: { leftOut: SIGN_IN },
  sign_in_attempt: { leftOut: SIGN_IN },
  passkey: { leftOut: SIGN_IN },
  pairing: { leftOut: SIGN_IN },
  group_role: { leftOut: SIGN_IN },
  invitation: { leftOut: SIGN_IN },
  approval: { leftOut: 'the audit log tells who approved what' },
  spent_challenge: { leftOut: SIGN_IN },
  connection_token: { leftOut: 'open the clinic to apps' },
  audit_hour: { leftOut: DERIVED },
  patient_read: { leftOut: DERIVED },
  weekly_mail: { leftOut: QUEUE },
  stop_rule: { leftOut: 'a choice for the watch over this log' },
  audit_alert: { leftOut: DERIVED },
  audit_usual: { leftOut: DERIVED },
  audit_watch: { leftOut: DERIVED },
  administrator: { secret: ['password', 'openid_issuer', 'openid_subject'], stays: WHO },
  connection: { stays: WHO },
  api_key: { secret: ['key_hash', 'mint_request'], stays: WHO },
  ingest_token: { secret: ['key_hash', 'mint_request'], stays: WHO },
  audit: { stays: LOG },
  audit_segment: { leftOut: 'the archive has their rows among those of `audit`', stays: LOG },
  audit_segment_names: { leftOut: DERIVED, stays: LOG },
  audit_seal: { leftOut: 'proves the audit log where it is', stays: LOG },
  audit_former_seal: { leftOut: 'proves the audit log where it is', stays: LOG },
  audit_head: { leftOut: 'proves the audit log where it is', stays: LOG },
  audit_export_place: { leftOut: 'how far the continuous export of the log has come', stays: LOG },
  clinic: { secret: ['messaging_account_hash'], stays: 'its id is never given again' },
}
