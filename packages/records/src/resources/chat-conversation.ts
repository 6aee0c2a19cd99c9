// A chat conversation's columns, and its rendering as the contract's resource.
import type { Clinic } from '@clinic-data/contract'
import type { ChatConversation } from '@clinic-data/contract/resources/chat'
import type { Static } from '@clinic-data/contract/schema'
import { type Statement, sql, wholeSecond } from '@clinic-data/database'
import { type PatientsWithPhone, patientsWithPhone } from './patient-summary.ts'
import { type RowOf, resourceTable } from './resource-table.ts'

interface Columns {
  patient_phone_local: string
  patients: PatientsWithPhone
}

/** These fields are stored as records give them, and shown unchanged. */
export const conversationFields = ['display_name', 'last_message_preview', 'is_handled'] as const
/** These instants are stored as records give them, and shown in whole seconds. */
export const conversationTimes = ['last_activity_at', 'last_inbound_at', 'last_outbound_at'] as const

type Lasting = Omit<Static<typeof ChatConversation>, 'free_text_window_expires_at'>

const conversationResource = resourceTable<Lasting, Columns>()({
  relation: 'c',
  stored: ['id', ...conversationFields, 'clinic_phone'],
  instants: ['created_at', 'updated_at'],
  seconds: conversationTimes,
  made: {
    patient_phone: { columns: sql`c.patient_phone_local`, render: ({ patient_phone_local }) => patient_phone_local },
    patients: {
      columns: ({ clinic_id }) => sql`${patientsWithPhone(clinic_id, sql`c.patient_phone`)} as patients`,
      render: ({ patients }) => patients ?? [],
    },
  },
})
export type ChatConversationRow = RowOf<typeof conversationResource> & { free_text_window_expires_at: string | null }

/** Columns of the relation `c` (rows of `chat_conversation`). The window is null when it has closed by `now`. */
export function chatConversationColumns(clinic: Clinic, now: Date): Statement {
  return sql`${conversationResource.columns(clinic)},
    case when c.free_text_window_expires_at > ${now} then c.free_text_window_expires_at end as free_text_window_expires_at`
}

export function renderChatConversation(row: ChatConversationRow): Static<typeof ChatConversation> {
  const free_text_window_expires_at = wholeSecond(row.free_text_window_expires_at)
  return { ...conversationResource.render(row), free_text_window_expires_at }
}
