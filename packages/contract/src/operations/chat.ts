// Chat: conversations, messages, media links, templates, and sending.

import { queuedMessage, receivedMessage } from '../event-examples.ts'
import { MAX } from '../limits.ts'
import { idFilter, latestFirst, one, operation, page, paging, period, updatedSince } from '../operation.ts'
import {
  ChatConversation,
  ChatMessage,
  ChatTemplate,
  deliveryModes,
  messageDirections,
  messageStatuses,
  messageTypes,
  templateCategories,
  templateStatuses,
} from '../resources/chat.ts'
import { FileLink } from '../resources/file-link.ts'
import { about, choice, exactlyOne, exampleOf, Id, object, strictObject, Type, text } from '../schema.ts'

const phone = Type.Optional(
  text(MAX.phone, { minLength: 1, format: 'phone', description: 'Only rows with this phone, in any common form.' }),
)
const messageFilters = {
  direction: Type.Optional(choice(messageDirections, { description: '`inbound` messages come from patients.' })),
  status: Type.Optional(choice(messageStatuses, { description: 'Only messages that got so far.' })),
  type: Type.Optional(choice(messageTypes, { description: 'Only messages of this kind.' })),
  ...period('created_at'),
  ...updatedSince,
  ...paging,
}
const reading = { method: 'GET', scope: 'chat:read', tag: 'Chat', untrustedText: true } as const

export const chatConversationsList = operation({
  ...reading,
  id: 'chat.conversations.list',
  path: '/v1/chat/conversations',
  summary: 'List conversations',
  description: 'Latest activity first. One conversation per phone number that the clinic has exchanged messages with.',
  query: strictObject({
    patient_id: idFilter('patient'),
    phone,
    is_handled: Type.Optional(Type.Boolean({ description: 'Whether staff marked the thread dealt with.' })),
    window_open: Type.Optional(Type.Boolean({ description: 'Whether free text can be sent now.' })),
    ...updatedSince,
    ...paging,
  }),
  unknownIds: { patient_id: 'empty' },
  shape: 'page',
  order: latestFirst('last_activity_at'),
  output: page(ChatConversation),
  example: { query: { is_handled: 'false' } },
})

export const chatConversationsGet = operation({
  ...reading,
  id: 'chat.conversations.get',
  path: '/v1/chat/conversations/{id}',
  summary: 'One conversation',
  description: 'By id.',
  ids: { id: 'conversation' },
  shape: 'one',
  output: one(ChatConversation),
  example: { params: { id: 'conv310' } },
})

export const chatConversationsMessagesList = operation({
  ...reading,
  id: 'chat.conversations.messages.list',
  path: '/v1/chat/conversations/{id}/messages',
  summary: 'Messages of a conversation',
  description: 'Latest first.',
  ids: { id: 'conversation' },
  query: strictObject(messageFilters),
  shape: 'page',
  order: latestFirst('created_at'),
  output: page(ChatMessage),
  example: { params: { id: 'conv310' } },
})

export const chatMessagesList = operation({
  ...reading,
  id: 'chat.messages.list',
  path: '/v1/chat/messages',
  summary: 'List messages',
  description: 'Latest first.',
  query: strictObject({
    patient_id: idFilter('patient'),
    phone,
    conversation_id: idFilter('conversation'),
    ...messageFilters,
  }),
  unknownIds: { patient_id: 'empty', conversation_id: 'empty' },
  shape: 'page',
  order: latestFirst('created_at'),
  output: page(ChatMessage),
  example: {
    query: { direction: 'inbound', from: '2026-07-12' },
    answer: { data: [receivedMessage], next_cursor: null },
  },
})

export const chatMessagesGet = operation({
  ...reading,
  id: 'chat.messages.get',
  path: '/v1/chat/messages/{id}',
  summary: 'One message',
  description: 'By the whole prefixed id (`in_…` or `out_…`).',
  ids: { id: 'message' },
  shape: 'one',
  output: one(ChatMessage),
  example: { params: { id: 'out_70412' } },
})

export const chatMessagesMediaGet = operation({
  ...reading,
  id: 'chat.messages.media.get',
  path: '/v1/chat/messages/{id}/media',
  summary: "A link to a message's media",
  description: 'A signed link that needs no key, lives 15 minutes and serves `Range`. 404 while there is none.',
  ids: { id: 'message' },
  shape: 'link',
  untrustedText: false,
  output: one(FileLink),
  example: {
    params: { id: 'in_88120' },
    answer: {
      data: { ...exampleOf(FileLink), content_type: 'image/jpeg', file_name: 'in_88120.jpg', size_bytes: 183_212 },
    },
  },
})

export const chatTemplatesList = operation({
  ...reading,
  id: 'chat.templates.list',
  path: '/v1/chat/templates',
  summary: 'Message templates',
  description: 'By name. Only approved ones unless `status` says otherwise.',
  query: strictObject({
    status: Type.Optional(
      choice(templateStatuses, { default: 'approved', description: 'Only approved ones can be sent.' }),
    ),
    category: Type.Optional(
      choice(templateCategories, { description: 'Only this category; it decides how a message is billed.' }),
    ),
    language: Type.Optional(
      text(MAX.code, { minLength: 1, description: 'Only this language code, for example `he`.' }),
    ),
    ...paging,
  }),
  shape: 'page',
  order: { by: 'name', kind: 'text', direction: 'ascending' },
  untrustedText: false,
  output: page(ChatTemplate),
  example: { query: { category: 'utility' } },
})

export const patientsChatMessagesList = operation({
  ...reading,
  id: 'patients.chat_messages.list',
  path: '/v1/patients/{id}/chat/messages',
  summary: "A patient's chat messages",
  description: "Latest first: every message with one of the patient's phones.",
  ids: { id: 'patient' },
  query: strictObject({ conversation_id: idFilter('conversation'), ...messageFilters }),
  unknownIds: { conversation_id: 'empty' },
  shape: 'page',
  order: latestFirst('created_at'),
  output: page(ChatMessage),
  example: { params: { id: 'p1042' } },
})

export const ChatMessageRequest = strictObject(
  {
    conversation_id: Type.Optional(about('To the patient of this conversation.', Id)),
    patient_id: Type.Optional(about('To this patient.', Id)),
    to_phone: Type.Optional(text(MAX.phone, { minLength: 1, format: 'phone', description: 'To this phone.' })),
    text: Type.Optional(text(MAX.message, { minLength: 1, description: 'Free text.' })),
    template: Type.Optional(
      strictObject({
        name: text(MAX.template_name, { minLength: 1 }),
        language: text(MAX.code, { minLength: 1 }),
        variables: Type.Optional(
          Type.Unsafe<Record<string, string>>({
            type: 'object',
            maxProperties: MAX.template_variables,
            additionalProperties: { type: 'string', maxLength: MAX.template_text },
          }),
        ),
      }),
    ),
    allow_template: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'False: refuse (422) instead of wrapping the text in a template when the window is closed.',
      }),
    ),
  },
  {
    description: 'Exactly one of `conversation_id`, `patient_id`, `to_phone`, and exactly one of `text`, `template`.',
    allOf: [exactlyOne('conversation_id', 'patient_id', 'to_phone'), exactlyOne('text', 'template')],
  },
)

export const chatMessagesCreate = operation({
  id: 'chat.messages.create',
  method: 'POST',
  path: '/v1/chat/messages',
  scope: 'chat:write',
  tag: 'Chat',
  summary: 'Send a message to a patient',
  description:
    'Answers the message in state `queued`. Free text outside the 24-hour window goes out wrapped in a marketing template; `meta.delivery_mode` says which product was used.',
  body: ChatMessageRequest,
  shape: 'one',
  untrustedText: false,
  output: object({ data: ChatMessage, meta: object({ delivery_mode: choice(deliveryModes) }) }),
  status: 201,
  effect: 'once a key',
  problems: ['conflict', 'unprocessable', 'idempotency-key-reused'],
  example: {
    body: { patient_id: 'p1042', text: 'See you on Tuesday!' },
    answer: { data: queuedMessage, meta: { delivery_mode: 'free_text' } },
  },
})
