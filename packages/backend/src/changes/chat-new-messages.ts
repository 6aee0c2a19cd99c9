// New chat messages: stores them, reads them back whole, and emits their events.
import { randomInt } from 'node:crypto'
import type { Clinic, EventType } from '@clinic-data/contract'
import { ChatMessage, type messageTypes } from '@clinic-data/contract/resources/chat'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql, type Transaction } from '@clinic-data/database'
import type { Change } from '@clinic-data/webhooks'
import type { OutboundChatMessage } from '../messaging/messaging-platform.ts'
import { messageStatus } from '../records/chat.ts'
import { local } from '../records/phone-sides.ts'
import { type ChatMessageRow, chatMessagesWhere, renderChatMessage } from '../resources/chat-message.ts'
import type { Conversation } from './chat-conversations.ts'
import { Overtaken } from './write-changes.ts'

const serialize = serializerOf(ChatMessage)

export interface NewChatMessage {
  id: string
  conversation: Pick<Conversation, 'id' | 'patient_phone'>
  direction: 'inbound' | 'outbound'
  type: (typeof messageTypes)[number]
  /** The clinic's side, E.164. */
  clinic_phone: string | null
  text: string | null
  media: { type: string; file_id: string | null } | null
  template: string | null
  replied_to_id: string | null
  /** For a message that the platform already has, in whole seconds. */
  sent_at: string | null
  platform_message_id: string | null
  /** For a message that is still to be sent. */
  platform_content: OutboundChatMessage['content'] | null
  /** ISO 8601. */
  created_at: string
}

/** One statement's rows. */
const MOST_ROWS = 500

/**
 * Not a bare number, because that is not a valid id (specification, Chat message). Random, so that ids do not reveal how many there
 * are.
 */
export function newMessageId(direction: NewChatMessage['direction']): string {
  const first = randomInt(1_000_000, 10_000_000)
  const second = randomInt(100_000_000)
  return `${direction === 'inbound' ? 'in' : 'out'}_${first}${String(second).padStart(8, '0')}`
}

/** @throws Overtaken when another message has the id, or the platform's id. */
export async function insertMessages(
  tx: Transaction,
  { clinic_id, country }: Clinic,
  messages: readonly NewChatMessage[],
  now: Date,
): Promise<void> {
  for (let at = 0; at < messages.length; at += MOST_ROWS) {
    const some = messages.slice(at, at + MOST_ROWS)
    const values = some.map((message) => {
      const { conversation, direction, clinic_phone, media, platform_content, created_at } = message
      const { patient_phone } = conversation
      const [from_phone, to_phone] =
        direction === 'inbound' ? [patient_phone, clinic_phone] : [clinic_phone, patient_phone]
      const status = messageStatus({ ...message, delivered_at: null, read_at: null, failed_at: null })
      return sql`(${clinic_id}, ${message.id}, ${conversation.id}, ${direction}, ${message.type}, ${status},
        ${from_phone}, ${to_phone}, ${patient_phone}, ${local(patient_phone, country)}, ${message.text},
        ${media?.type ?? null}, ${media?.file_id ?? null}, ${message.template}, ${message.replied_to_id},
        ${message.sent_at}, ${message.platform_message_id},
        ${platform_content && JSON.stringify(platform_content)}, ${created_at}, ${now},
        ${created_at}::timestamptz(3)::date)`
    })
    const { rowCount } = await tx.query(sql`
      insert into chat_message (clinic_id, id, conversation_id, direction, type, status, from_phone, to_phone,
        patient_phone, patient_phone_local, text, media_type, media_file_id, template, replied_to_id, sent_at,
        platform_message_id, platform_content, created_at, updated_at, created_date)
      values ${sql.join(values)} on conflict do nothing`)
    if (rowCount !== some.length) throw new Overtaken('a chat message was stored meanwhile')
  }
}

/** The messages as everybody reads them, by id. */
export async function wholeMessages(
  tx: Transaction,
  clinic: Clinic,
  ids: readonly string[],
): Promise<Map<string, ChatMessageRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await tx.query<ChatMessageRow>(chatMessagesWhere(clinic, sql`m.id = any(${ids}::text[])`))
  return new Map(rows.map((row) => [row.id, row]))
}

export function messageChange(type: EventType, row: ChatMessageRow): Change {
  return { type, data: serialize(renderChatMessage(row)) }
}
