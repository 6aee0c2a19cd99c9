// The columns that hold a person, by table. An erasure empties them. Where one is filled again, the data has come back: from a source that a
// former version let in, or with a write that was under way.
import { type Statement, sql } from '@clinic-data/database'
import { isHiddenIn } from '@clinic-data/records/resources/hidden-text'

export const personalColumns = {
  patient: [
    ...['first_name', 'last_name', 'phone', 'email', 'gender', 'birth_date', 'status_id'],
    ...['street', 'city', 'postal_code', 'country', 'id_number'],
  ],
  appointment: ['note'],
  payment: ['description'],
  call: [
    ...['patient_phone', 'patient_phone_local', 'note', 'recording_file_id', 'recording_seconds'],
    ...['transcript_status', 'transcript_language', 'transcript_summary', 'transcript_segments'],
  ],
  chat_message: [
    ...['patient_phone', 'patient_phone_local', 'text', 'media_type', 'media_file_id'],
    ...['failure_reason', 'platform_content', 'conversation_id'],
  ],
  lead: ['last_name', 'phone', 'phone_normal', 'email', 'email_folded', 'meta'],
} as const

export type PersonalTable = keyof typeof personalColumns

/** The columns of which an erasure keeps a hash, so that the same record that is sent again is known. */
export const hiddenColumns = {
  payment: 'external_id',
  chat_message: 'platform_message_id',
  lead: 'external_id',
  lead_activity: 'external_id',
} as const

export type HiddenTable = keyof typeof hiddenColumns

/** For `set`. */
export function emptied(table: PersonalTable): Statement {
  return sql.join(personalColumns[table].map((column) => sql`${sql.identifier(column)} = null`))
}

/** Whether a row of this relation holds any. */
export function isFilled(table: PersonalTable, relation: string): Statement {
  const columns = personalColumns[table].map((column) => sql`${sql.identifier(relation)}.${sql.identifier(column)}`)
  const filled = sql`num_nonnulls(${sql.join(columns)}) > 0`
  if (!(table in hiddenColumns)) return filled
  const hidden = sql`${sql.identifier(relation)}.${sql.identifier(hiddenColumns[table as PersonalTable & HiddenTable])}`
  return sql`(${filled} or (${hidden} is not null and not ${isHiddenIn(hidden)}))`
}
