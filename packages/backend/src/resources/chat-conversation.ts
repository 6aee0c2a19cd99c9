// A chat conversation's columns, and its rendering as the contract's resource.
import type { Clinic } from '@clinic-data/contract'
import type { ChatConversation } from '@clinic-data/contract/resources/chat'
import type { Static } from '@clinic-data/contract/schema'
import { instant, type Statement, sql, wholeSecond } from '@clinic-data/database'
import { type PatientsWithPhone, patientsWithPhone } from './patient-summary.ts'

export interface ChatConversationRow {
  id: string
  display_name: string | null
  patient_phone_local: string
  clinic_phone: string | null
  last_message_preview: string | null
  last_activity_at: string | null
  last_inbound_at: string | null
  last_outbound_at: string | null
  is_handled: boolean
  free_text_window_expires_at: string | null
  patients: PatientsWithPhone
  created_at: string
  updated_at: string
}

/** Columns of the relation `c` (rows of `chat_conversation`). The window is null when it has closed by `now`. */
export function chatConversationColumns({ clinic_id }: Clinic, now: Date): Statement {
  return sql`c.id, c.display_name, c.patient_phone_local, c.clinic_phone, c.last_message_preview, c.last_activity_at,
    c.last_inbound_at, c.last_outbound_at, c.is_handled,
    case when c.free_text_window_expires_at > ${now} then c.free_text_window_expires_at end
      as free_text_window_expires_at,
    ${patientsWithPhone(clinic_id, sql`c.patient_phone`)} as patients, c.created_at, c.updated_at`
}

export function renderChatConversation(row: ChatConversationRow): Static<typeof ChatConversation> {
  return {
    id: row.id,
    display_name: row.display_name,
    patient_phone: row.patient_phone_local,
    clinic_phone: row.clinic_phone,
    last_message_preview: row.last_message_preview,
    last_activity_at: wholeSecond(row.last_activity_at),
    last_inbound_at: wholeSecond(row.last_inbound_at),
    last_outbound_at: wholeSecond(row.last_outbound_at),
    is_handled: row.is_handled,
    free_text_window_expires_at: wholeSecond(row.free_text_window_expires_at),
    patients: row.patients ?? [],
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
  }
}
