// The columns that hold a person, by table. An erasure empties them. Where one is filled again, the data has come back: from a source that a
// former version let in, or with a write that was under way.
import { type Statement, sql } from '@clinic-data/database'

const personalColumns = {
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
  lead: ['last_name', 'phone', 'phone_normal', 'email', 'email_folded', 'meta', 'external_id'],
} as const

export type PersonalTable = keyof typeof personalColumns

/** For `set`. */
export function emptied(table: PersonalTable): Statement {
  return sql.join(personalColumns[table].map((column) => sql`${sql.identifier(column)} = null`))
}

/** Whether a row of this relation holds any. */
export function isFilled(table: PersonalTable, relation: string): Statement {
  const columns = personalColumns[table].map((column) => sql`${sql.identifier(relation)}.${sql.identifier(column)}`)
  return sql`num_nonnulls(${sql.join(columns)}) > 0`
}
