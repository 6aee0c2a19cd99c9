// Stores chat: conversations, their messages, and the templates.

import { type Clinic, MAX } from '@clinic-data/contract'
import { messageDirections, messageTypes } from '@clinic-data/contract/resources/chat'
import { choice, GivenId, Id, nullable, type Static, strictObject, Type, text } from '@clinic-data/contract/schema'
import { sql, type Transaction } from '@clinic-data/database'
import { local, patientPhone, shownPatientPhone, shownPhone } from './phone-sides.ts'
import { conversationFields, conversationTimes } from './resources/chat-conversation.ts'
import { chatMessageFields } from './resources/chat-message.ts'
import { erasedAmong } from './storing/erased-records.ts'
import { recordKind } from './storing/record-kind.ts'
import { type Finding, findingsIn, RecordedAt, RecordedInstant } from './storing/record-schema.ts'
import { createdDate, derived, recordTable, type Stored, stored } from './storing/record-table.ts'
import { insertRows, storedOf, storeRows } from './storing/store-rows.ts'

export const ChatConversationRecord = strictObject({
  id: GivenId,
  display_name: nullable(text(MAX.name), { description: "The patient's own profile name." }),
  patient_phone: text(16, {
    format: 'international-phone',
    description: 'E.164. A conversation is one patient phone.',
  }),
  clinic_phone: nullable(text(MAX.phone), { description: "The clinic's own number on the platform." }),
  last_message_preview: nullable(text(MAX.message), { description: 'The text of the most recent message.' }),
  last_activity_at: nullable(RecordedInstant, { description: 'The last message in either direction.' }),
  last_inbound_at: nullable(RecordedInstant, { description: 'The last message from the patient.' }),
  last_outbound_at: nullable(RecordedInstant, { description: 'The last message from the clinic.' }),
  is_handled: Type.Boolean({ description: 'Whether staff marked the conversation as handled.' }),
  free_text_window_expires_at: nullable(RecordedInstant, { description: 'Until when free text can be sent.' }),
  ...RecordedAt,
})
export type ChatConversationRecord = Static<typeof ChatConversationRecord>

export function checkChatConversation(record: ChatConversationRecord): Finding[] {
  return findingsIn(ChatConversationRecord, record)
}

const conversations = recordTable<ChatConversationRecord>()({
  name: 'chat_conversation',
  fields: {
    id: 'key',
    ...stored([...conversationFields, ...conversationTimes, 'patient_phone', 'free_text_window_expires_at']),
    clinic_phone: ({ clinic_phone }, { country }) => shownPhone(clinic_phone, country),
    created_at: 'once',
    updated_at: 'updated',
  },
  more: [derived('patient_phone_local', ({ patient_phone }, { country }) => local(patient_phone, country))],
})

export async function storeChatConversations(
  tx: Transaction,
  clinic: Clinic,
  records: readonly ChatConversationRecord[],
): Promise<Stored> {
  return storedOf(records, await storeRows(tx, clinic, conversations, records))
}

const Media = strictObject({
  type: text(MAX.content_type, { description: 'MIME type.' }),
  file_id: nullable(Id, { description: 'The stored file; null while there is none.' }),
})

export const ChatMessageRecord = strictObject({
  id: text(104, {
    format: 'message-id',
    description: '`in_<number>` or `out_<number>`, by the direction.',
  }),
  conversation_id: nullable(Id, { description: 'The conversation that it belongs to.' }),
  direction: choice(messageDirections, { description: '`inbound` is from the patient.' }),
  type: choice(messageTypes, { description: 'The kind of message. All kinds but `text` and `contacts` have media.' }),
  from_phone: nullable(text(MAX.phone), { description: 'The sending side.' }),
  to_phone: nullable(text(MAX.phone), { description: 'The receiving side.' }),
  text: nullable(text(MAX.message), { description: 'The text of the message, or the caption of its media.' }),
  media: nullable(Media),
  template: nullable(text(MAX.template_name), { description: 'The approved template used, if any; outbound only.' }),
  replied_to_id: nullable(Id, { description: 'The outbound message that this one answers; inbound only.' }),
  failure_reason: nullable(text(MAX.failure_reason), { description: 'Why the platform rejected it.' }),
  sent_at: nullable(RecordedInstant, {
    description: 'Accepted by the platform. Only for outbound messages, like the next three times.',
  }),
  delivered_at: nullable(RecordedInstant, { description: 'Reached the handset.' }),
  read_at: nullable(RecordedInstant, { description: 'Opened.' }),
  failed_at: nullable(RecordedInstant, { description: 'Failed: see `failure_reason`.' }),
  ...RecordedAt,
})
export type ChatMessageRecord = Static<typeof ChatMessageRecord>

export function checkChatMessage(record: ChatMessageRecord): Finding[] {
  const findings = findingsIn(ChatMessageRecord, record)
  if (findings.length > 0 || record.id.startsWith('in_') === (record.direction === 'inbound')) return findings
  return [{ place: '/id', code: 'format', detail: 'must have the prefix of its direction' }]
}

/** A final state wins over progress (specification, Outbound chat message status). */
export function messageStatus(
  record: Pick<ChatMessageRecord, 'direction' | 'sent_at' | 'delivered_at' | 'read_at' | 'failed_at'>,
): 'received' | 'queued' | 'sent' | 'delivered' | 'read' | 'failed' {
  if (record.direction === 'inbound') return 'received'
  if (record.failed_at !== null) return 'failed'
  if (record.read_at !== null) return 'read'
  if (record.delivered_at !== null) return 'delivered'
  return record.sent_at === null ? 'queued' : 'sent'
}

const messageForms = {
  id: 'key',
  ...stored([...chatMessageFields, 'template', 'replied_to_id', 'failure_reason']),
  ...stored(['sent_at', 'delivered_at', 'read_at', 'failed_at']),
  media: [
    derived<Pick<ChatMessageRecord, 'media'>>('media_type', ({ media }) => media?.type ?? null),
    derived<Pick<ChatMessageRecord, 'media'>>('media_file_id', ({ media }) => media?.file_id ?? null),
  ],
  created_at: 'once',
  updated_at: 'updated',
} as const

const messageStatusColumn = derived('status', messageStatus)

const messages = recordTable<ChatMessageRecord>()({
  name: 'chat_message',
  fields: {
    ...messageForms,
    from_phone: ({ from_phone }, { country }) => shownPhone(from_phone, country),
    to_phone: ({ to_phone }, { country }) => shownPhone(to_phone, country),
  },
  more: [
    messageStatusColumn,
    derived('patient_phone', (record, { country }) => patientPhone(record, country)),
    derived('patient_phone_local', (record, { country }) => shownPatientPhone(record, country)),
    ...createdDate,
  ],
})

/** A message's conversation keeps its own summary (last activity, preview, window). A message of an erased one is not stored. */
export async function storeChatMessages(
  tx: Transaction,
  clinic: Clinic,
  records: readonly ChatMessageRecord[],
): Promise<Stored> {
  const conversations = records.map(({ conversation_id }) => conversation_id)
  const gone = await erasedAmong(tx, clinic, 'chat_conversation', conversations)
  const theirs = records.filter(({ conversation_id }) => gone.has(conversation_id ?? ''))
  const others = theirs.length === 0 ? records : records.filter((record) => !theirs.includes(record))
  const ids = await storeRows(tx, clinic, messages, others)
  return storedOf(records, { ...ids, erased: new Set([...(ids.erased ?? []), ...theirs.map(({ id }) => id)]) })
}

/** A message with what the platform knows of it. Its phones are E.164 already. */
export type PlatformMessageRecord = ChatMessageRecord & {
  patient_phone: string
  platform_message_id: string | null
  /** The platform is asked to send this. */
  platform_content: object | null
}

const platformMessages = recordTable<PlatformMessageRecord>()({
  name: 'chat_message',
  fields: {
    ...messageForms,
    ...stored(['from_phone', 'to_phone', 'patient_phone', 'platform_message_id']),
    platform_content: 'json',
  },
  more: [
    messageStatusColumn,
    derived('patient_phone_local', ({ patient_phone }, { country }) => local(patient_phone, country)),
    ...createdDate,
  ],
})

/** Leaves out a message whose id, or the platform's, is taken. */
export function insertPlatformMessages(
  tx: Transaction,
  clinic: Clinic,
  records: readonly PlatformMessageRecord[],
): Promise<{ id: string }[]> {
  return insertRows(tx, clinic, platformMessages, records, sql`id`)
}

/** Leaves out a conversation whose phone has one. */
export async function addChatConversations(
  tx: Transaction,
  clinic: Clinic,
  records: readonly ChatConversationRecord[],
): Promise<void> {
  await insertRows(tx, clinic, conversations, records, sql`id`)
}

export const chatConversationKind = recordKind<ChatConversationRecord>({
  record: ChatConversationRecord,
  table: 'chat_conversation',
  unique: [['patient_phone']],
  check: checkChatConversation,
  store: storeChatConversations,
})

export const chatMessageKind = recordKind<ChatMessageRecord>({
  record: ChatMessageRecord,
  table: 'chat_message',
  references: { conversation_id: 'chat_conversation', 'media.file_id': 'file' },
  check: checkChatMessage,
  store: storeChatMessages,
})
