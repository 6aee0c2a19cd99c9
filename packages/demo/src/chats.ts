// The demo clinic's chats: one conversation per phone, in a few threads, with the outcome of each message.

import { exampleIds } from '@clinic-data/contract/operation'
import { ChatConversationRecord, ChatMessageRecord } from '@clinic-data/records/chat'
import { complete } from '@clinic-data/records/storing/complete-record'
import { type ClinicPlan, drawFor } from './clinic-plan.ts'
import { CHAT_SCRIPTS, type ChatLine, WEEKDAYS } from './dialogues.ts'
import { EXAMPLE_PATIENT, exampleChat } from './examples/story.ts'
import { instantText } from './local-days.ts'
import { PICTURE } from './media.ts'
import { FIRST_PATIENT_NUMBER, isChild, patient, patientPhone } from './patients.ts'
import type { Random } from './random.ts'

export type Chat = { conversation: ChatConversationRecord; messages: ChatMessageRecord[] }

export const CLINIC_PHONE = '+97248123456'
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

/** The share of patients who write. */
const CHATTING = 0.35

/** The free-text window (specification, Chat free-text window). */
const WINDOW_MS = DAY_MS

/** Each patient has as many message numbers. No conversation needs more. */
const MESSAGES_PER_PATIENT = 100

const FAILURES = ['This number is not on the messaging platform', 'The message could not be delivered in time'] as const

/** The conversation of a patient. Null for one who does not write, or who shares another's phone. */
export function chatOf(plan: ClinicPlan, index: number): Chat | null {
  if (index === EXAMPLE_PATIENT) return exampleChat(plan)
  const draw = drawFor(plan, 'chat', index)
  if (isChild(plan, index) || !draw.chance(CHATTING)) return null
  const { first_name, last_name } = patient(plan, index)
  const phone = `+972${patientPhone(plan, index).replaceAll('-', '').slice(1)}`
  const messages: ChatMessageRecord[] = []
  let at = plan.now - Math.floor(400 * DAY_MS * draw.next() ** 2) - draw.whole(1, 20) * MINUTE_MS
  const threads = draw.whole(1, 4)
  for (let thread = 0; thread < threads && at < plan.now; thread++) {
    const day = draw.pick(WEEKDAYS.he)
    for (const line of draw.pick(CHAT_SCRIPTS)) {
      if (at >= plan.now) break
      const number = index * MESSAGES_PER_PATIENT + messages.length + 1
      if (`out_${number}` === exampleIds.message) continue
      const text = line.text.replaceAll('{name}', first_name ?? '').replaceAll('{day}', english(line) ? 'Tuesday' : day)
      messages.push(
        messageOf(plan, { line, index, number, at, text, phone, previous: messages.at(-1)?.id ?? null }, draw),
      )
      at += draw.whole(1, 90) * MINUTE_MS + draw.whole(0, 59_999)
    }
    at += draw.whole(2, 90) * DAY_MS
  }
  return {
    conversation: conversationOf(plan, index, `${first_name} ${last_name?.[0]}.`, phone, messages, draw),
    messages,
  }
}

function english(line: ChatLine): boolean {
  return /[a-z]/.test(line.text.replaceAll(/\{\w+\}/g, ''))
}

type Draft = {
  line: ChatLine
  index: number
  number: number
  at: number
  text: string
  phone: string
  previous: string | null
}

function messageOf(plan: ClinicPlan, draft: Draft, draw: Random): ChatMessageRecord {
  const { line, index, number, at, text, phone, previous } = draft
  const inbound = line.from === 'patient'
  const fate = inbound ? NOT_SENT : fateOf(plan, at, draw)
  const changes = [fate.sent_at, fate.delivered_at, fate.read_at, fate.failed_at]
  const last = Math.max(at, ...changes.map((change) => (change === null ? 0 : Date.parse(change))))
  return complete(ChatMessageRecord, {
    id: `${inbound ? 'in' : 'out'}_${number}`,
    conversation_id: conversationId(index),
    direction: inbound ? 'inbound' : 'outbound',
    type: line.picture ? 'image' : 'text',
    from_phone: inbound ? phone : CLINIC_PHONE,
    to_phone: inbound ? CLINIC_PHONE : phone,
    text,
    media: line.picture ? { type: PICTURE.content_type, file_id: PICTURE.file_id } : null,
    template: line.template ?? null,
    replied_to_id: inbound && previous?.startsWith('out_') && draw.chance(0.3) ? previous : null,
    ...fate,
    created_at: instantText(at),
    updated_at: instantText(Math.min(last, plan.now)),
  })
}

type Fate = Pick<ChatMessageRecord, 'sent_at' | 'delivered_at' | 'read_at' | 'failed_at' | 'failure_reason'>

const NOT_SENT: Fate = { sent_at: null, delivered_at: null, read_at: null, failed_at: null, failure_reason: null }

/** Each step follows the one before (specification, Outbound chat message status). None is later than the demo's now. */
function fateOf(plan: ClinicPlan, at: number, draw: Random): Fate {
  const reportedAt = (ms: number) => (ms < plan.now ? instantText(ms - (ms % 1000)) : null)
  // The platform reports whole seconds: the first is the next one after the message was written.
  const sent = at - (at % 1000) + 2_000
  const delivered = sent + draw.whole(1, 40) * 1_000
  const read = delivered + draw.whole(5, 5_400) * 1_000
  const chance = draw.next()
  const sent_at = reportedAt(sent)
  if (chance < 0.02) {
    const failed_at = reportedAt(delivered)
    return { ...NOT_SENT, sent_at, failed_at, failure_reason: failed_at === null ? null : draw.pick(FAILURES) }
  }
  if (chance < 0.06) return { ...NOT_SENT, sent_at }
  const delivered_at = reportedAt(delivered)
  return {
    ...NOT_SENT,
    sent_at,
    delivered_at,
    read_at: chance < 0.25 || delivered_at === null ? null : reportedAt(read),
  }
}

function conversationOf(
  plan: ClinicPlan,
  index: number,
  name: string,
  patient_phone: string,
  messages: readonly ChatMessageRecord[],
  draw: Random,
): ChatConversationRecord {
  const lastOf = (direction: 'inbound' | 'outbound') =>
    messages.findLast((message) => message.direction === direction)?.created_at ?? null
  const [first, last] = [messages[0], messages.at(-1)]
  const inbound = lastOf('inbound')
  const expires = inbound === null ? null : Date.parse(inbound) + WINDOW_MS
  const createdAt = first?.created_at ?? instantText(plan.now)
  return complete(ChatConversationRecord, {
    id: conversationId(index),
    display_name: index % 9 === 0 ? null : name,
    patient_phone,
    clinic_phone: CLINIC_PHONE,
    last_message_preview: last?.text ?? null,
    last_activity_at: last?.created_at ?? null,
    last_inbound_at: inbound,
    last_outbound_at: lastOf('outbound'),
    is_handled: last?.direction === 'outbound' || draw.chance(0.6),
    free_text_window_expires_at: expires === null || expires <= plan.now ? null : instantText(expires),
    created_at: createdAt,
    updated_at: last?.created_at ?? createdAt,
  })
}

function conversationId(index: number): string {
  return `conv${index + FIRST_PATIENT_NUMBER}`
}
