// Stores chat: conversations, their messages, and the templates.

import { type Clinic, MAX } from '@clinic-data/contract'
import { messageDirections, messageTypes } from '@clinic-data/contract/resources/chat'
import type { Transaction } from '@clinic-data/database'
import { type Bounds, type Fault, faultsOf, id, instant, matching, nullable, oneOf, text, yesOrNo } from './bounds.ts'
import { local, patientPhone, shownPatientPhone, shownPhone } from './phone-sides.ts'
import { columnsOf, type RecordTable, type StoreCounts } from './record-table.ts'
import { countsOf, storeRows } from './store-rows.ts'

export type ChatConversationRecord = {
  id: string
  display_name: string | null
  /** E.164: a conversation is one patient phone. */
  patient_phone: string
  clinic_phone: string | null
  last_message_preview: string | null
  last_activity_at: string | null
  last_inbound_at: string | null
  last_outbound_at: string | null
  is_handled: boolean
  free_text_window_expires_at: string | null
  created_at: string
  updated_at: string
}

const conversationBounds: Bounds<ChatConversationRecord> = {
  id,
  display_name: nullable(text(MAX.name)),
  patient_phone: matching(/^\+[1-9]\d{3,14}$/, 'is not a phone number as +972…'),
  clinic_phone: nullable(text(MAX.phone)),
  last_message_preview: nullable(text(MAX.message)),
  last_activity_at: nullable(instant),
  last_inbound_at: nullable(instant),
  last_outbound_at: nullable(instant),
  is_handled: yesOrNo,
  free_text_window_expires_at: nullable(instant),
  created_at: instant,
  updated_at: instant,
}

export function checkChatConversation(record: ChatConversationRecord): Fault[] {
  return faultsOf(conversationBounds, record)
}

const conversation = columnsOf<ChatConversationRecord>()

const conversations: RecordTable<ChatConversationRecord> = {
  name: 'chat_conversation',
  key: conversation.fields('id'),
  columns: [
    ...conversation.fields('display_name', 'patient_phone', 'last_message_preview', 'last_activity_at'),
    ...conversation.fields('last_inbound_at', 'last_outbound_at', 'is_handled', 'free_text_window_expires_at'),
    conversation.derived('patient_phone_local', ({ patient_phone }, { country }) => local(patient_phone, country)),
    conversation.derived('clinic_phone', ({ clinic_phone }, { country }) => shownPhone(clinic_phone, country)),
    ...conversation.once(conversation.fields('created_at')),
  ],
  updatedAt: (record) => record.updated_at,
}

export async function storeChatConversations(
  tx: Transaction,
  clinic: Clinic,
  records: readonly ChatConversationRecord[],
): Promise<StoreCounts> {
  return countsOf(records, await storeRows(tx, clinic, conversations, records))
}

export type ChatMessageRecord = {
  /** `in_<number>` or `out_<number>`. */
  id: string
  conversation_id: string | null
  direction: (typeof messageDirections)[number]
  type: (typeof messageTypes)[number]
  from_phone: string | null
  to_phone: string | null
  text: string | null
  media: { type: string; file_id: string | null } | null
  template: string | null
  replied_to_id: string | null
  failure_reason: string | null
  /** Of an outbound message; its status follows from them. */
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  failed_at: string | null
  created_at: string
  updated_at: string
}

const media: Bounds<{ type: string; file_id: string | null }> = { type: text(MAX.content_type), file_id: nullable(id) }

const messageBounds: Bounds<ChatMessageRecord> = {
  id: matching(/^(in|out)_\d{1,100}$/, 'is not in_<number> or out_<number>'),
  conversation_id: nullable(id),
  direction: oneOf(...messageDirections),
  type: oneOf(...messageTypes),
  from_phone: nullable(text(MAX.phone)),
  to_phone: nullable(text(MAX.phone)),
  text: nullable(text(MAX.message)),
  media: nullable((value) => faultsOf(media, value as { type: string; file_id: string | null })[0]?.reason ?? null),
  template: nullable(text(MAX.template_name)),
  replied_to_id: nullable(id),
  failure_reason: nullable(text(MAX.failure_reason)),
  sent_at: nullable(instant),
  delivered_at: nullable(instant),
  read_at: nullable(instant),
  failed_at: nullable(instant),
  created_at: instant,
  updated_at: instant,
}

export function checkChatMessage(record: ChatMessageRecord): Fault[] {
  const faults = faultsOf(messageBounds, record)
  if (faults.length === 0 && record.id.startsWith('in_') !== (record.direction === 'inbound')) {
    faults.push({ field: 'id', reason: 'has the prefix of the other direction' })
  }
  return faults
}

/** A terminal state beats progress (specification, Outbound chat message status). */
export function messageStatus(
  record: Pick<ChatMessageRecord, 'direction' | 'sent_at' | 'delivered_at' | 'read_at' | 'failed_at'>,
): 'received' | 'queued' | 'sent' | 'delivered' | 'read' | 'failed' {
  if (record.direction === 'inbound') return 'received'
  if (record.failed_at !== null) return 'failed'
  if (record.read_at !== null) return 'read'
  if (record.delivered_at !== null) return 'delivered'
  return record.sent_at === null ? 'queued' : 'sent'
}

const message = columnsOf<ChatMessageRecord>()

const messages: RecordTable<ChatMessageRecord> = {
  name: 'chat_message',
  key: message.fields('id'),
  columns: [
    ...message.fields('conversation_id', 'direction', 'type', 'text', 'template', 'replied_to_id', 'failure_reason'),
    ...message.fields('sent_at', 'delivered_at', 'read_at', 'failed_at'),
    message.derived('status', messageStatus),
    message.derived('from_phone', ({ from_phone }, { country }) => shownPhone(from_phone, country)),
    message.derived('to_phone', ({ to_phone }, { country }) => shownPhone(to_phone, country)),
    message.derived('patient_phone', (record, { country }) => patientPhone(record, country)),
    message.derived('patient_phone_local', (record, { country }) => shownPatientPhone(record, country)),
    message.derived('media_type', ({ media }) => media?.type ?? null),
    message.derived('media_file_id', ({ media }) => media?.file_id ?? null),
    ...message.once([
      ...message.fields('created_at'),
      message.localDate('created_date', (record) => record.created_at, 3),
    ]),
  ],
  updatedAt: (record) => record.updated_at,
}

/** The summary in a message's conversation (last activity, preview, window) is the conversation record's own. */
export async function storeChatMessages(
  tx: Transaction,
  clinic: Clinic,
  records: readonly ChatMessageRecord[],
): Promise<StoreCounts> {
  return countsOf(records, await storeRows(tx, clinic, messages, records))
}
