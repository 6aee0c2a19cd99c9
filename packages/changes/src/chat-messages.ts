// Messages that already exist on the platform: a patient's, and those that staff sent from elsewhere. Each is stored once, however
// often it is reported.
import type { Clinic } from '@clinic-data/contract'
import { sql, type Transaction } from '@clinic-data/database'
import { messagingOf } from '@clinic-data/messaging/clinic-messaging'
import { wholeSeconds } from '@clinic-data/messaging/report-instant'
import { hiddenText } from '@clinic-data/records/resources/hidden-text'
import { type ConversationNews, conversationsOf, tellConversations } from './chat-conversations.ts'
import { insertMessages, messageChange, type NewChatMessage, newMessageId, wholeMessages } from './chat-new-messages.ts'
import type { Changed } from './writing/write-changes.ts'

export interface PlatformMessage extends Pick<NewChatMessage, 'direction' | 'type' | 'text' | 'media' | 'template'> {
  /** Identifies repetitions. */
  platform_message_id: string
  /** E.164. */
  patient_phone: string
  /** The patient's profile name, if it was reported. */
  display_name: string | null
  /** The outbound message that a patient's message answers: our id, or the platform's. */
  replied_to_id: string | null
  replied_to_platform_id: string | null
  /** When it was written, ISO 8601. */
  at: string
}

export interface MessageOutcome {
  id: string
  outcome: 'created' | 'unchanged' | 'erased'
}

/** Stores messages that are not known yet. Each is an event. The outcomes are in the given order. */
export async function changeMessages(
  tx: Transaction,
  clinic: Clinic,
  reports: readonly PlatformMessage[],
  now: Date,
): Promise<Changed<MessageOutcome[]>> {
  const { messaging_phone } = await messagingOf(tx, clinic)
  const erased = await erasedMessages(
    tx,
    clinic,
    reports.map(({ platform_message_id }) => platform_message_id),
  )
  const living = reports.filter(({ platform_message_id }) => !erased.has(platform_message_id))
  // Locks the conversation first, so that another report of the same message waits.
  const conversations = await conversationsOf(
    tx,
    clinic,
    living.map(({ patient_phone }) => patient_phone),
    now,
  )
  const known = await idsByPlatformId(tx, clinic, reports)
  const created = new Map<string, NewChatMessage>()
  const news: ConversationNews[] = []
  const answer = reports.map((reported): MessageOutcome => {
    const { platform_message_id, patient_phone, direction, text, display_name } = reported
    const gone = erased.get(platform_message_id)
    if (gone !== undefined) return { id: gone, outcome: 'erased' }
    const id = known.get(platform_message_id)
    if (id !== undefined) return { id, outcome: 'unchanged' }
    const conversation = conversations.get(patient_phone)
    if (conversation === undefined) throw new Error('a conversation that was made cannot be read')
    const message = messageOf(reported, conversation, messaging_phone, known)
    created.set(message.id, message)
    known.set(platform_message_id, message.id)
    news.push({ conversation_id: conversation.id, direction, at: reported.at, text, display_name })
    return { id: message.id, outcome: 'created' }
  })
  if (created.size === 0) return { answer, changes: [] }
  await insertMessages(tx, clinic, [...created.values()], now)
  await tellConversations(tx, clinic, news, messaging_phone, now)
  const rows = await wholeMessages(tx, clinic, [...created.keys()])
  const changes = [...created.keys()].flatMap((id) => {
    const row = rows.get(id)
    return row === undefined
      ? []
      : messageChange(row.direction === 'inbound' ? 'chat.message.received' : 'chat.message.sent', row)
  })
  return { answer, changes }
}

function messageOf(
  reported: PlatformMessage,
  conversation: NewChatMessage['conversation'],
  clinic_phone: string | null,
  known: ReadonlyMap<string, string>,
): NewChatMessage {
  const { direction, type, text, media, template, platform_message_id, at } = reported
  const replied = reported.replied_to_id ?? known.get(reported.replied_to_platform_id ?? '') ?? null
  return {
    id: newMessageId(direction),
    conversation,
    direction,
    type,
    clinic_phone,
    text,
    media,
    template,
    // A patient can quote a message of their own as well.
    replied_to_id: replied?.startsWith('out_') ? replied : null,
    sent_at: direction === 'inbound' ? null : wholeSeconds(Date.parse(at)),
    platform_message_id,
    platform_content: null,
    created_at: at,
  }
}

/** Our ids of the messages that were erased with their patient, by the platform's. Such a report makes no conversation either. */
export async function erasedMessages(
  tx: Pick<Transaction, 'query'>,
  { clinic_id }: Clinic,
  platformIds: readonly string[],
): Promise<Map<string, string>> {
  const named = new Map(platformIds.map((id) => [hiddenText(id), id]))
  const { rows } = await tx.query<{ platform_message_id: string; id: string }>(sql`
    select platform_message_id, id from chat_message
    where clinic_id = ${clinic_id} and platform_message_id = any(${[...named.keys()]}::text[]) and platform_message_id is not null`)
  return new Map(rows.map(({ platform_message_id, id }) => [named.get(platform_message_id) ?? '', id]))
}

/** Our ids of the reported or answered messages, as far as they are known. */
async function idsByPlatformId(
  tx: Transaction,
  { clinic_id }: Clinic,
  reports: readonly PlatformMessage[],
): Promise<Map<string, string>> {
  const ids = reports.flatMap(({ platform_message_id, replied_to_platform_id }) =>
    replied_to_platform_id === null ? platform_message_id : [platform_message_id, replied_to_platform_id],
  )
  const { rows } = await tx.query<{ platform_message_id: string; id: string }>(sql`
    select platform_message_id, id from chat_message
    where clinic_id = ${clinic_id} and platform_message_id = any(${ids}::text[]) and platform_message_id is not null`)
  return new Map(rows.map((row) => [row.platform_message_id, row.id]))
}
