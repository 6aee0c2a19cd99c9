// Conversations: found or made by the patient's phone, and updated by their messages.
import type { Clinic } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { wholeSeconds } from '@clinic-data/messaging/report-instant'
import { addChatConversations, ChatConversationRecord } from '@clinic-data/records/chat'
import { complete } from '@clinic-data/records/storing/complete-record'
import { risenUpdatedAt } from '@clinic-data/records/storing/risen-updated-at'

export interface Conversation {
  id: string
  /** E.164. */
  patient_phone: string
  /** Whether free text can be sent now (specification, Chat free-text window). */
  is_open: boolean
}

/** A message's effect on its conversation. */
export interface ConversationNews {
  conversation_id: string
  direction: 'inbound' | 'outbound'
  /** ISO 8601. */
  at: string
  text: string | null
  /** The patient's profile name. Null when unknown. */
  display_name: string | null
}

/** The free-text window (specification). */
const WINDOW_MS = 24 * 60 * 60 * 1000

/**
 * Returns the conversations of these phones (E.164), and makes missing ones. They stay locked until the transaction ends, so that
 * what was read stays true and messages follow one another.
 */
export async function conversationsOf(
  tx: Transaction,
  clinic: Clinic,
  phones: readonly string[],
  now: Date,
): Promise<Map<string, Conversation>> {
  const wanted = [...new Set(phones)].sort()
  const found = await locked(tx, clinic, sql`c.patient_phone = any(${wanted}::text[])`, now)
  const known = new Set(found.map(({ patient_phone }) => patient_phone))
  const missing = wanted.filter((phone) => !known.has(phone))
  if (missing.length > 0) {
    await makeConversations(tx, clinic, missing, now)
    found.push(...(await locked(tx, clinic, sql`c.patient_phone = any(${missing}::text[])`, now)))
  }
  return new Map(found.map((conversation) => [conversation.patient_phone, conversation]))
}

/** Returns and locks those of these conversations that exist, by id. */
export async function knownConversations(
  tx: Transaction,
  clinic: Clinic,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, Conversation>> {
  const found = await locked(tx, clinic, sql`c.id = any(${ids}::text[])`, now)
  return new Map(found.map((conversation) => [conversation.id, conversation]))
}

async function locked(tx: Transaction, { clinic_id }: Clinic, condition: Statement, now: Date) {
  const { rows } = await tx.query<Conversation>(sql`
    select c.id, c.patient_phone, coalesce(c.free_text_window_expires_at > ${now}, false) as is_open
    from chat_conversation c where c.clinic_id = ${clinic_id} and ${condition} order by c.patient_phone for update`)
  return rows
}

/** If another transaction makes the same one, this waits for it and keeps that conversation. */
async function makeConversations(tx: Transaction, clinic: Clinic, phones: readonly string[], now: Date): Promise<void> {
  const time = now.toISOString()
  const records = phones.map((patient_phone) => {
    const made = { id: newId('conv', now), patient_phone, is_handled: false, created_at: time, updated_at: time }
    return complete(ChatConversationRecord, made)
  })
  await addChatConversations(tx, clinic, records)
}

/**
 * Updates locked conversations with new messages. A late message moves nothing back.
 *
 * @param clinic_phone the clinic's own number on the platform. Null keeps the known one.
 */
export async function tellConversations(
  tx: Transaction,
  { clinic_id }: Clinic,
  news: readonly ConversationNews[],
  clinic_phone: string | null,
  now: Date,
): Promise<void> {
  const changed = [...latestNews(news)].map(([id, latest]) => ({
    id,
    ...latest,
    expires_at: expiryOf(latest.inbound_at, now),
  }))
  await tx.query(sql`
    update chat_conversation stored set
      display_name = case when input.inbound_at < stored.last_inbound_at then coalesce(stored.display_name, input.display_name)
        else coalesce(input.display_name, stored.display_name) end,
      clinic_phone = coalesce(${clinic_phone}, stored.clinic_phone),
      last_message_preview = case when input.at < stored.last_activity_at then stored.last_message_preview else input.text end,
      last_activity_at = greatest(stored.last_activity_at, input.at),
      last_inbound_at = greatest(stored.last_inbound_at, input.inbound_at),
      last_outbound_at = greatest(stored.last_outbound_at, input.outbound_at),
      free_text_window_expires_at = greatest(stored.free_text_window_expires_at, input.expires_at),
      is_handled = stored.is_handled and (input.inbound_at is null or input.inbound_at < stored.last_activity_at) is true,
      updated_at = ${risenUpdatedAt(now)}
    from ${sql.input(changed, {
      text: ['id', 'text', 'display_name'],
      timestamptz: ['at', 'inbound_at', 'outbound_at', 'expires_at'],
    })}
    where stored.clinic_id = ${clinic_id} and stored.id = input.id`)
}

/** The times of the latest messages, in whole seconds. */
interface Latest {
  at: string
  text: string | null
  inbound_at: string | null
  outbound_at: string | null
  display_name: string | null
}

function latestNews(news: readonly ConversationNews[]): Map<string, Latest> {
  const byConversation = new Map<string, Latest>()
  for (const { conversation_id, direction, text, display_name, ...message } of news.toSorted(
    (a, b) => Date.parse(a.at) - Date.parse(b.at),
  )) {
    const at = wholeSeconds(Date.parse(message.at))
    const before = byConversation.get(conversation_id)
    byConversation.set(conversation_id, {
      at,
      text,
      inbound_at: direction === 'inbound' ? at : (before?.inbound_at ?? null),
      outbound_at: direction === 'outbound' ? at : (before?.outbound_at ?? null),
      display_name: display_name ?? before?.display_name ?? null,
    })
  }
  return byConversation
}

/** However far ahead a patient's message is dated, the window closes a fixed time from now at the latest. */
function expiryOf(inbound_at: string | null, now: Date): string | null {
  if (inbound_at === null) return null
  return wholeSeconds(Math.min(Date.parse(inbound_at), now.getTime()) + WINDOW_MS)
}
