// Chat messages: of the clinic, of a conversation, of a patient, one by id, and the file of its media.
import { type Clinic, type HandlerInput, type Operations, Problem } from '@clinic-data/contract'
import { messageDirections, messageStatuses, messageTypes } from '@clinic-data/contract/resources/chat'
import { sql } from '@clinic-data/database'
import { choiceFilter } from '@clinic-data/records/filters/choice-filter'
import { comparedPhone } from '@clinic-data/records/filters/phone-filter'
import { orderOfLatest } from '@clinic-data/records/lists/page'
import { chatMessageResource, chatMessagesWhere } from '@clinic-data/records/resources/chat-message'
import { requireConversation, requirePatient } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../../handling/handled.ts'
import { fileHandler, type List, listHandlers, oneHandler } from '../../handling/list.ts'

type Ids =
  | 'chat.messages.list'
  | 'chat.messages.get'
  | 'chat.messages.media.get'
  | 'chat.conversations.messages.list'
  | 'patients.chat_messages.list'
type Query = Omit<HandlerInput<Operations['chat.messages.list']>['query'], 'patient_id'>

const messages: List<Query, typeof chatMessageResource> = {
  name: sql`m`,
  from: sql`chat_message m`,
  order: orderOfLatest(sql`m`, sql`created_at`),
  phone: sql`m.patient_phone`,
  filters: {
    conversation_id: (id) => sql`m.conversation_id = ${id}`,
    direction: choiceFilter('m.direction', messageDirections),
    status: choiceFilter('m.status', messageStatuses),
    type: choiceFilter('m.type', messageTypes),
    phone: (phone, { country }) => sql`m.patient_phone = ${comparedPhone(phone, country)}`,
  },
  columns: chatMessageResource.columns,
  render: chatMessageResource.render,
}

/** Every message's id has its prefix, so an id without it does not exist. */
const HINT = ' The whole string is the id, its prefix in_ or out_ included.'

export function chatMessageHandlers(parts: HandlerParts): HandlersOf<Ids> {
  const list = listHandlers(parts, messages)
  const select = (clinic: Clinic, id: string) => chatMessagesWhere(clinic, sql`m.id = ${id}`)
  const none = (id: string) => new Problem('not-found', `The chat message ${id} has no media: see media.available.`)
  return {
    'chat.messages.list': list.whole,
    'chat.conversations.messages.list': list.of('conversation_id', requireConversation),
    'patients.chat_messages.list': list.of('patient_id', requirePatient),
    'chat.messages.get': oneHandler(parts, 'chat message', select, chatMessageResource.render, HINT),
    'chat.messages.media.get': fileHandler(parts, 'chat message', messages, sql`m.media_file_id`, none, HINT),
  }
}
