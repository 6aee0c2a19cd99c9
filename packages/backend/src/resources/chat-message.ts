// A chat message's columns, and its rendering as the contract's resource.
import type { Clinic } from '@clinic-data/contract'
import type {
  ChatMessage,
  messageDirections,
  messageStatuses,
  messageTypes,
} from '@clinic-data/contract/resources/chat'
import type { Static } from '@clinic-data/contract/schema'
import { instant, type Statement, sql, wholeSecond } from '@clinic-data/database'
import { type PatientsWithPhone, patientsWithPhone } from './patient-summary.ts'

export interface ChatMessageRow {
  id: string
  conversation_id: string | null
  direction: (typeof messageDirections)[number]
  type: (typeof messageTypes)[number]
  status: (typeof messageStatuses)[number]
  from_phone: string | null
  to_phone: string | null
  patient_phone_local: string | null
  text: string | null
  media_type: string | null
  has_media: boolean
  patients: PatientsWithPhone
  template: string | null
  replied_to_id: string | null
  failure_reason: string | null
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  failed_at: string | null
  created_at: string
  updated_at: string
}

/** Columns of the relation `m` (rows of `chat_message`). */
export function chatMessageColumns({ clinic_id }: Clinic): Statement {
  return sql`m.id, m.conversation_id, m.direction, m.type, m.status, m.from_phone, m.to_phone, m.patient_phone_local,
    m.text, m.media_type, m.media_file_id is not null as has_media,
    ${patientsWithPhone(clinic_id, sql`m.patient_phone`)} as patients, m.template, m.replied_to_id, m.failure_reason,
    m.sent_at, m.delivered_at, m.read_at, m.failed_at, m.created_at, m.updated_at`
}

/** Selects the messages that match a condition on `m`. */
export function chatMessagesWhere(clinic: Clinic, condition: Statement): Statement {
  return sql`select ${chatMessageColumns(clinic)} from chat_message m
    where m.clinic_id = ${clinic.clinic_id} and ${condition}`
}

export function renderChatMessage(row: ChatMessageRow): Static<typeof ChatMessage> {
  const isOutbound = row.direction === 'outbound'
  return {
    id: row.id,
    conversation_id: row.conversation_id,
    direction: row.direction,
    type: row.type,
    status: row.status,
    from_phone: row.from_phone,
    to_phone: row.to_phone,
    patient_phone: row.patient_phone_local,
    text: row.text,
    media: { available: row.has_media, type: row.media_type },
    patients: row.patients ?? [],
    template: isOutbound ? row.template : null,
    replied_to_id: isOutbound ? null : row.replied_to_id,
    failure_reason: isOutbound ? row.failure_reason : null,
    timestamps: isOutbound
      ? {
          sent_at: wholeSecond(row.sent_at),
          delivered_at: wholeSecond(row.delivered_at),
          read_at: wholeSecond(row.read_at),
          failed_at: wholeSecond(row.failed_at),
        }
      : null,
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
  }
}
