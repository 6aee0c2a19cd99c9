// Chat messages that exist on the messaging platform, and the progress of ours, from the clinic's own systems.

import { changeMessages, type MessageOutcome } from '@clinic-data/changes/chat-messages'
import { type ChatReceipt, changeReceipts } from '@clinic-data/changes/chat-receipts'
import { type RefusedRow, RefusedRows } from '@clinic-data/changes/writing/refused-rows'
import type { Changed } from '@clinic-data/changes/writing/write-changes'
import { type Clinic, MAX } from '@clinic-data/contract'
import { normalPhone } from '@clinic-data/contract/phone'
import { messageTypes } from '@clinic-data/contract/resources/chat'
import {
  atLeastOne,
  choice,
  exactlyOne,
  Id,
  nullable,
  type Static,
  strictObject,
  Type,
  text,
} from '@clinic-data/contract/schema'
import { sql, type Transaction } from '@clinic-data/database'
import { receiptStatuses } from '@clinic-data/messaging/messaging-platform'
import { recordsOperation } from './ingest-operation.ts'
import { sentForm } from './sent-form.ts'

/** The table's limit. */
const LONGEST_PLATFORM_ID = 255

/** Clocks differ, but no message comes from tomorrow. */
const MOST_AHEAD_MS = 24 * 60 * 60 * 1000

const UNKNOWN_MESSAGE = 'must name an outbound message of the clinic'

const platformId = (description: string) => text(LONGEST_PLATFORM_ID, { minLength: 1, description })
const instant = (description: string) => text(MAX.instant, { format: 'instant', description })
const phone = (description: string) => text(MAX.phone, { format: 'phone', description })

const Content = {
  type: choice(messageTypes, { description: 'The kind of message. All kinds but `text` and `contacts` have media.' }),
  text: nullable(text(MAX.message, { description: 'The text of the message, or the caption of its media.' })),
  media: nullable(
    strictObject({
      type: text(MAX.content_type, { description: 'MIME type.' }),
      file_id: nullable(Id, { description: 'The id of a file that was uploaded before. Null while there is none.' }),
    }),
  ),
}

const platform_message_id = platformId("The platform's own id. Sending the same message again changes nothing.")

const InboundMessage = sentForm(
  strictObject({
    platform_message_id,
    from_phone: phone("The patient's."),
    ...Content,
    display_name: nullable(text(MAX.name, { description: "The patient's own profile name." })),
    replied_to_id: nullable(Id, { description: 'Our id of the outbound message that it answers.' }),
    replied_to_platform_id: nullable(
      platformId("The platform's id of that message, instead of ours. An unknown one is ignored."),
    ),
    created_at: instant('When it was written.'),
  }),
  { type: 'text' },
)

const StaffMessage = strictObject(
  {
    ...sentForm(
      strictObject({
        platform_message_id,
        ...Content,
        template: nullable(text(MAX.template_name, { description: 'The approved template used, if any.' })),
      }),
      { type: 'text' },
    ).properties,
    conversation_id: Type.Optional(Id),
    to_phone: Type.Optional(phone("The patient's.")),
    sent_at: Type.Optional(instant('When the platform took it. Default: the time of storing.')),
  },
  exactlyOne('conversation_id', 'to_phone'),
)

const Receipt = strictObject(
  {
    message_id: Type.Optional(Id),
    platform_message_id: Type.Optional(platformId("The platform's id of the message.")),
    status: choice(receiptStatuses, { description: 'How far the message got.' }),
    at: Type.Optional(instant('When it got that far. Default: the time of storing.')),
    reason: Type.Optional(nullable(text(MAX.failure_reason), { default: null, description: 'Why it failed.' })),
  },
  atLeastOne('message_id', 'platform_message_id'),
)

export const chatMessageOperations = [
  recordsOperation({
    id: 'chat.messages.store',
    erasable: { platform_message_id: 'platform_message_id' },
    path: '/chat/messages',
    tag: 'Chat',
    summary: 'Store messages from patients',
    description:
      'Fires `chat.message.received`. Makes or updates the conversation of the phone. Its free-text window opens for 24 hours from the message, and it is no longer handled. A message from before the latest one changes neither.',
    record: InboundMessage,
    key: ['platform_message_id'],
    references: { 'media.file_id': 'file' },
    example: {
      platform_message_id: 'wamid.HBgM',
      from_phone: '+972501234567',
      text: 'Can I come an hour later?',
      display_name: 'Noa L.',
    },
    apply: storeInbound,
  }),
  recordsOperation({
    id: 'chat.staff_messages.store',
    erasable: { platform_message_id: 'platform_message_id', conversation_id: 'chat_conversation' },
    path: '/chat/staff-messages',
    tag: 'Chat',
    summary: 'Store messages that staff sent from elsewhere',
    description: 'Fires `chat.message.sent`: the platform has them already. Receipts may follow.',
    record: StaffMessage,
    key: ['platform_message_id'],
    references: { 'media.file_id': 'file' },
    example: { platform_message_id: 'wamid.HBgN', to_phone: '+972501234567', text: 'See you on Tuesday!' },
    apply: storeStaff,
  }),
  recordsOperation({
    id: 'chat.receipts.store',
    erasable: { message_id: 'chat_message', platform_message_id: 'platform_message_id' },
    path: '/chat/receipts',
    tag: 'Chat',
    summary: 'Store how far outbound messages got',
    description:
      'Each of the four times is set once, by its first report, and then fires its event: `chat.message.sent`, `.delivered`, `.read`, `.failed`. Reports may come in any order. `read` also fills a missing `delivered`.',
    record: Receipt,
    // Several steps of one message may come together.
    key: [],
    becomes: 'updated',
    example: { platform_message_id: 'wamid.HBgN', status: 'delivered', at: '2026-07-12T09:30:02+03:00' },
    apply: storeReceipts,
  }),
]

async function storeInbound(
  tx: Transaction,
  clinic: Clinic,
  records: readonly Static<typeof InboundMessage>[],
  now: Date,
): Promise<Changed<MessageOutcome[]>> {
  const at = ({ created_at }: { created_at?: string }) => created_at ?? now.toISOString()
  refuse(aheadOf(now, records.map(at), '/created_at'))
  await requireReplied(tx, clinic, records)
  const messages = records.map((record) => ({
    ...contentOf(record),
    direction: 'inbound' as const,
    patient_phone: phoneOf(record.from_phone, clinic),
    display_name: record.display_name,
    template: null,
    replied_to_id: record.replied_to_id,
    replied_to_platform_id: record.replied_to_platform_id,
    at: at(record),
  }))
  return changeMessages(tx, clinic, messages, now)
}

async function storeStaff(
  tx: Transaction,
  clinic: Clinic,
  records: readonly Static<typeof StaffMessage>[],
  now: Date,
): Promise<Changed<MessageOutcome[]>> {
  const at = ({ sent_at }: { sent_at?: string }) => sent_at ?? now.toISOString()
  refuse(aheadOf(now, records.map(at), '/sent_at'))
  const phones = await phonesOfConversations(tx, clinic, records)
  const messages = records.map((record) => ({
    ...contentOf(record),
    direction: 'outbound' as const,
    patient_phone: phones.get(record.conversation_id ?? '') ?? phoneOf(record.to_phone ?? '', clinic),
    template: record.template,
    display_name: null,
    replied_to_id: null,
    replied_to_platform_id: null,
    at: at(record),
  }))
  return changeMessages(tx, clinic, messages, now)
}

async function storeReceipts(tx: Transaction, clinic: Clinic, records: readonly Static<typeof Receipt>[], now: Date) {
  const receipts = records.map(
    ({
      message_id = null,
      platform_message_id = null,
      status,
      at = now.toISOString(),
      reason = null,
    }): ChatReceipt => ({
      message_id,
      platform_message_id,
      status,
      at,
      reason: status === 'failed' ? reason : null,
    }),
  )
  const { answer, changes } = await changeReceipts(tx, clinic, receipts, now)
  refuse(
    answer.flatMap((outcome, index) => {
      const place = receipts[index]?.message_id === null ? '/platform_message_id' : '/message_id'
      return outcome === null ? { index, place, code: 'unknown_id', detail: UNKNOWN_MESSAGE } : []
    }),
  )
  return { answer: answer.filter((outcome) => outcome !== null), changes }
}

type SentContent = Pick<Static<typeof InboundMessage>, 'platform_message_id' | 'type' | 'text' | 'media'>

function contentOf({ platform_message_id, type, text, media }: SentContent) {
  return { platform_message_id, type, text, media }
}

/** The schema has already read it. */
function phoneOf(written: string, { country }: Clinic): string {
  const phone = normalPhone(written, country)
  if (phone === null) throw new Error('a phone that was checked cannot be read')
  return phone
}

function aheadOf(now: Date, instants: readonly string[], place: string): RefusedRow[] {
  const detail = 'must not be more than a day ahead'
  return instants.flatMap((at, index) =>
    Date.parse(at) > now.getTime() + MOST_AHEAD_MS ? { index, place, code: 'in_future', detail } : [],
  )
}

/** @throws RefusedRows when a message answers one that is not the clinic's own. */
async function requireReplied(
  tx: Transaction,
  { clinic_id }: Clinic,
  records: readonly { replied_to_id: string | null }[],
): Promise<void> {
  const ids = records.flatMap(({ replied_to_id }) => replied_to_id ?? [])
  if (ids.length === 0) return
  const { rows } = await tx.query<{ id: string }>(sql`select id from chat_message
    where clinic_id = ${clinic_id} and id = any(${ids}::text[]) and direction = 'outbound'`)
  const known = new Set(rows.map(({ id }) => id))
  refuse(
    records.flatMap(({ replied_to_id: id }, index) =>
      id === null || known.has(id)
        ? []
        : { index, place: '/replied_to_id', code: 'unknown_id', detail: UNKNOWN_MESSAGE },
    ),
  )
}

/** @throws RefusedRows when a conversation is unknown. */
async function phonesOfConversations(
  tx: Transaction,
  { clinic_id }: Clinic,
  records: readonly { conversation_id?: string }[],
): Promise<Map<string, string>> {
  const ids = records.flatMap(({ conversation_id }) => conversation_id ?? [])
  if (ids.length === 0) return new Map()
  const { rows } = await tx.query<{ id: string; patient_phone: string }>(sql`select id, patient_phone
    from chat_conversation where clinic_id = ${clinic_id} and id = any(${ids}::text[])`)
  const phones = new Map(rows.map(({ id, patient_phone }) => [id, patient_phone]))
  const detail = 'must be the id of a conversation'
  refuse(
    records.flatMap(({ conversation_id: id }, index) =>
      id === undefined || phones.has(id) ? [] : { index, place: '/conversation_id', code: 'unknown_id', detail },
    ),
  )
  return phones
}

function refuse(rows: readonly RefusedRow[]): void {
  if (rows.length > 0) throw new RefusedRows(rows)
}
