// New chat messages: stores them, reads them back whole, and emits their events.
import { randomInt } from 'node:crypto'
import type { Clinic, EventType } from '@clinic-data/contract'
import { ChatMessage } from '@clinic-data/contract/resources/chat'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql, type Transaction } from '@clinic-data/database'
import type { OutboundChatMessage } from '@clinic-data/messaging/messaging-platform'
import { ChatMessageRecord, insertPlatformMessages } from '@clinic-data/records/chat'
import {
  type ChatMessageRow,
  chatMessageResource,
  chatMessagesWhere,
} from '@clinic-data/records/resources/chat-message'
import { complete } from '@clinic-data/records/storing/complete-record'
import type { Change } from '@clinic-data/webhooks'
import type { Conversation } from './chat-conversations.ts'
import { Overtaken } from './writing/write-changes.ts'

const serialize = serializerOf(ChatMessage)

/** `sent_at` is for a message that the platform already has, in whole seconds. */
export interface NewChatMessage
  extends Pick<
    ChatMessageRecord,
    'id' | 'direction' | 'type' | 'text' | 'media' | 'template' | 'replied_to_id' | 'sent_at' | 'created_at'
  > {
  conversation: Pick<Conversation, 'id' | 'patient_phone'>
  /** The clinic's side, E.164. */
  clinic_phone: string | null
  platform_message_id: string | null
  /** For a message that is still to be sent. */
  platform_content: OutboundChatMessage['content'] | null
}

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
  clinic: Clinic,
  messages: readonly NewChatMessage[],
  now: Date,
): Promise<void> {
  const updated_at = now.toISOString()
  const records = messages.map((message) => {
    const { conversation, clinic_phone, platform_message_id, platform_content, ...known } = message
    const { id: conversation_id, patient_phone } = conversation
    const [from_phone, to_phone] =
      message.direction === 'inbound' ? [patient_phone, clinic_phone] : [clinic_phone, patient_phone]
    const record = complete(ChatMessageRecord, { ...known, conversation_id, from_phone, to_phone, updated_at })
    return { ...record, patient_phone, platform_message_id, platform_content }
  })
  const stored = await insertPlatformMessages(tx, clinic, records)
  if (stored.length < messages.length) throw new Overtaken('a chat message was stored meanwhile')
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
  return { type, data: serialize(chatMessageResource.render(row)) }
}
