// A chat message's columns, and its rendering as the contract's resource.
import type { Clinic } from '@clinic-data/contract'
import type { ChatMessage } from '@clinic-data/contract/resources/chat'
import type { Static } from '@clinic-data/contract/schema'
import { type Statement, sql, wholeSecond } from '@clinic-data/database'
import { type PatientsWithPhone, patientsWithPhone } from './patient-summary.ts'
import { type RowOf, resourceTable } from './resource-table.ts'

interface Columns {
  direction: Static<typeof ChatMessage>['direction']
  patient_phone_local: string | null
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
}

/** These fields are stored as records give them, and shown unchanged. */
export const chatMessageFields = ['conversation_id', 'direction', 'type', 'text'] as const

const ofOutbound = <K extends 'template' | 'failure_reason'>(name: K) => ({
  columns: sql`m.${sql.identifier(name)}`,
  render: (row: Columns): string | null => (row.direction === 'outbound' ? row[name] : null),
})

export const chatMessageResource = resourceTable<Static<typeof ChatMessage>, Columns>()({
  relation: 'm',
  stored: ['id', ...chatMessageFields, 'status', 'from_phone', 'to_phone'],
  instants: ['created_at', 'updated_at'],
  made: {
    patient_phone: { columns: sql`m.patient_phone_local`, render: ({ patient_phone_local }) => patient_phone_local },
    media: {
      columns: sql`m.media_type, m.media_file_id is not null as has_media`,
      render: ({ media_type, has_media }) => ({ available: has_media, type: media_type }),
    },
    patients: {
      columns: ({ clinic_id }) => sql`${patientsWithPhone(clinic_id, sql`m.patient_phone`)} as patients`,
      render: ({ patients }) => patients ?? [],
    },
    template: ofOutbound('template'),
    failure_reason: ofOutbound('failure_reason'),
    replied_to_id: {
      columns: sql`m.replied_to_id`,
      render: ({ direction, replied_to_id }) => (direction === 'outbound' ? null : replied_to_id),
    },
    timestamps: {
      columns: sql`m.sent_at, m.delivered_at, m.read_at, m.failed_at`,
      render: ({ direction, ...row }) =>
        direction === 'outbound'
          ? {
              sent_at: wholeSecond(row.sent_at),
              delivered_at: wholeSecond(row.delivered_at),
              read_at: wholeSecond(row.read_at),
              failed_at: wholeSecond(row.failed_at),
            }
          : null,
    },
  },
})
export type ChatMessageRow = RowOf<typeof chatMessageResource>

/** Selects the messages that match a condition on `m`. */
export function chatMessagesWhere(clinic: Clinic, condition: Statement): Statement {
  return sql`select ${chatMessageResource.columns(clinic)} from chat_message m
    where m.clinic_id = ${clinic.clinic_id} and ${condition}`
}
