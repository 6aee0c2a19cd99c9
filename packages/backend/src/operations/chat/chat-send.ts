// Sends a chat message: finds the recipient and the content, and puts it into the queue.

import {
  type Conversation,
  conversationsOf,
  knownConversations,
  tellConversations,
} from '@clinic-data/changes/chat-conversations'
import { insertMessages, newMessageId, wholeMessages } from '@clinic-data/changes/chat-new-messages'
import type { Answer, Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { normalPhone } from '@clinic-data/contract/phone'
import { sql, type Transaction } from '@clinic-data/database'
import { messagingOf } from '@clinic-data/messaging/clinic-messaging'
import { chatMessageResource } from '@clinic-data/records/resources/chat-message'
import type { HandlerParts, HandlersOf } from '../../handling/handled.ts'
import { written } from '../../handling/write.ts'
import { enqueue } from '../../sending/send-queue.ts'
import { filledTemplate, freeText, type MessageContent, refusal, wrappedText } from './chat-content.ts'

type Request = HandlerInput<Operations['chat.messages.create']>['body']

export function chatSendHandlers(parts: HandlerParts): HandlersOf<'chat.messages.create'> {
  const send = written<'chat.messages.create'>(parts, async (tx, { clinic }, { body }, at, now) => ({
    answer: await acceptMessage(tx, clinic, body, at, now),
    // A waiting message is no event (specification, Outbound chat message status).
    changes: [],
  }))
  return {
    'chat.messages.create': async (grant, input, context) => {
      const answer = await send(grant, input, context)
      parts.onMessageQueued?.(grant.clinic.clinic_id)
      return answer
    },
  }
}

async function acceptMessage(
  tx: Transaction,
  clinic: Clinic,
  body: Request,
  changedAt: Date,
  now: Date,
): Promise<Answer<Operations['chat.messages.create']>> {
  const messaging = await messagingOf(tx, clinic)
  const conversation = await addressee(tx, clinic, body, now)
  const { delivery_mode, ...content } = await contentFor(conversation)
  const id = newMessageId('outbound')
  const at = changedAt.toISOString()
  const message = {
    id,
    conversation,
    direction: 'outbound' as const,
    type: 'text' as const,
    ...content,
    created_at: at,
    clinic_phone: messaging.messaging_phone,
    media: null,
    replied_to_id: null,
    sent_at: null,
    platform_message_id: null,
  }
  await insertMessages(tx, clinic, [message], changedAt)
  const news = { conversation_id: conversation.id, direction: message.direction, at, text: content.text }
  await tellConversations(tx, clinic, [{ ...news, display_name: null }], messaging.messaging_phone, changedAt)
  await enqueue(tx, clinic, { message_id: id, conversation_id: conversation.id }, now)
  const row = (await wholeMessages(tx, clinic, [id])).get(id)
  if (row === undefined) throw new Error('a message that was stored cannot be read')
  return { data: chatMessageResource.render(row), meta: { delivery_mode } }

  async function contentFor({ is_open }: Conversation): Promise<MessageContent> {
    if (body.template !== undefined) return filledTemplate(tx, clinic, body.template)
    const { text = '' } = body
    if (is_open) return freeText(text)
    if (body.allow_template === false) {
      const detail = 'is false, and free text can be sent in a template only: the free-text window is closed'
      throw refusal({ place: '/allow_template', code: 'window_closed', detail })
    }
    return wrappedText(tx, clinic, messaging, text)
  }
}

/** The message's conversation. Makes a new one for a phone that has none yet. */
async function addressee(tx: Transaction, clinic: Clinic, body: Request, now: Date): Promise<Conversation> {
  const { conversation_id, patient_id, to_phone = '' } = body
  if (conversation_id !== undefined) {
    const known = (await knownConversations(tx, clinic, [conversation_id], now)).get(conversation_id)
    if (known !== undefined) return known
    throw refusal({ place: '/conversation_id', code: 'unknown_id', detail: 'must be the id of a conversation' })
  }
  const phone = patient_id === undefined ? normalPhone(to_phone, clinic.country) : await phoneOf(tx, clinic, patient_id)
  if (phone === null) throw refusal({ place: '/to_phone', code: 'phone', detail: 'must be a phone number' })
  const conversation = (await conversationsOf(tx, clinic, [phone], now)).get(phone)
  if (conversation === undefined) throw new Error('a conversation that was made cannot be read')
  return conversation
}

/** The patient's primary phone, or else the first that can be read. */
async function phoneOf(tx: Transaction, { clinic_id }: Clinic, patient_id: string): Promise<string> {
  const { rows } = await tx.query<{ phone: string | null }>(sql`
    select (select c.value_normal from patient_contact c
      where c.clinic_id = ${clinic_id} and c.patient_id = ${patient_id} and c.type = 'phone' and c.value_normal is not null
      order by c.is_primary desc, c.position limit 1) as phone
    from patient where clinic_id = ${clinic_id} and id = ${patient_id}`)
  const [patient] = rows
  if (patient === undefined) {
    throw refusal({ place: '/patient_id', code: 'unknown_id', detail: 'must be the id of a patient' })
  }
  if (patient.phone === null) {
    throw refusal({
      place: '/patient_id',
      code: 'no_phone',
      detail: 'is a patient without a phone that can be written to',
    })
  }
  return patient.phone
}
