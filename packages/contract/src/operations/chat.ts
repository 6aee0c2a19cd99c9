// Chat: conversations, messages, media links, templates, and sending.

import { eventExample } from '../event-examples.ts'
import { MAX } from '../limits.ts'
import { idFilter, paging, period, updatedSince } from '../list-parameters.ts'
import { answersLink, answersOne, answersPage, latestFirst, operation, reading } from '../operation.ts'
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
import { about, choice, exactlyOne, exampleOf, Id, object, strictObject, Type, text } from '../schema/schema.ts'

const phone = Type.Optional(
  text(MAX.phone, { minLength: 1, format: 'phone', description: 'Only rows with this phone, in any common form.' }),
)
const messageFilters = {
  direction: Type.Optional(choice(messageDirections, { description: '`inbound` messages come from patients.' })),
  status: Type.Optional(choice(messageStatuses, { description: 'Only messages with this status.' })),
  type: Type.Optional(choice(messageTypes, { description: 'Only messages of this kind.' })),
  ...period('created_at'),
  ...updatedSince,
  ...paging,
}
const read = reading({ scope: 'chat:read', tag: 'Chat', untrustedText: true, patients: 'patients' })

export const chatConversationsList = operation({
  ...read('chat.conversations.list', '/v1/chat/conversations'),
  summary: 'List conversations',
  description: 'Latest activity first. One conversation per phone number that the clinic has exchanged messages with.',
  query: strictObject({
    patient_id: idFilter('patient'),
    phone,
    is_handled: Type.Optional(
      Type.Boolean({ description: 'Only conversations that staff have handled (`true`) or not (`false`).' }),
    ),
    window_open: Type.Optional(
      Type.Boolean({ description: 'Only conversations where free text can be sent now (`true`) or not (`false`).' }),
    ),
    ...updatedSince,
    ...paging,
  }),
  unknownIds: { patient_id: 'empty' },
  ...answersPage(ChatConversation, latestFirst('last_activity_at')),
  example: { query: { is_handled: 'false' } },
})

export const chatConversationsGet = operation({
  ...read('chat.conversations.get', '/v1/chat/conversations/{id}'),
  summary: 'One conversation',
  description: 'By id.',
  ids: { id: 'conversation' },
  ...answersOne(ChatConversation),
})

export const chatConversationsMessagesList = operation({
  ...read('chat.conversations.messages.list', '/v1/chat/conversations/{id}/messages'),
  summary: 'Messages of a conversation',
  description: 'Latest first.',
  ids: { id: 'conversation' },
  query: strictObject(messageFilters),
  ...answersPage(ChatMessage, latestFirst('created_at')),
})

export const chatMessagesList = operation({
  ...read('chat.messages.list', '/v1/chat/messages'),
  summary: 'List messages',
  description: 'Latest first.',
  query: strictObject({
    patient_id: idFilter('patient'),
    phone,
    conversation_id: idFilter('conversation'),
    ...messageFilters,
  }),
  unknownIds: { patient_id: 'empty', conversation_id: 'empty' },
  ...answersPage(ChatMessage, latestFirst('created_at')),
  example: {
    query: { direction: 'inbound', from: '2026-07-12' },
    answer: { data: [eventExample('chat.message.received')], next_cursor: null },
  },
})

export const chatMessagesGet = operation({
  ...read('chat.messages.get', '/v1/chat/messages/{id}'),
  summary: 'One message',
  description: 'By its whole id, with the prefix (`in_…` or `out_…`).',
  ids: { id: 'message' },
  ...answersOne(ChatMessage),
})

export const chatMessagesMediaGet = operation({
  ...read('chat.messages.media.get', '/v1/chat/messages/{id}/media'),
  summary: "A link to a message's media",
  description:
    'Answers a signed link. The link needs no key, is valid for 15 minutes and serves `Range`. 404 if there is no file.',
  ids: { id: 'message' },
  ...answersLink(FileLink),
  example: {
    params: { id: 'in_88120' },
    answer: {
      data: { ...exampleOf(FileLink), content_type: 'image/jpeg', file_name: 'in_88120.jpg', size_bytes: 183_212 },
    },
  },
})

export const chatTemplatesList = operation({
  ...read('chat.templates.list', '/v1/chat/templates'),
  summary: 'Message templates',
  description: 'Sorted by name. Only approved templates, unless `status` asks for others.',
  query: strictObject({
    status: Type.Optional(
      choice(templateStatuses, {
        default: 'approved',
        description: 'Only templates with this status. Only approved ones can be sent.',
      }),
    ),
    category: Type.Optional(
      choice(templateCategories, {
        description: 'Only templates of this category. The category decides how a message is billed.',
      }),
    ),
    language: Type.Optional(
      text(MAX.code, { minLength: 1, description: 'Only templates in this language, for example `he`.' }),
    ),
    ...paging,
  }),
  untrustedText: false,
  patients: 'none',
  ...answersPage(ChatTemplate, { by: 'name', kind: 'text', direction: 'ascending' }),
  example: { query: { category: 'utility' } },
})

export const patientsChatMessagesList = operation({
  ...read('patients.chat_messages.list', '/v1/patients/{id}/chat/messages'),
  summary: "A patient's chat messages",
  description: "Latest first: every message with one of the patient's phones.",
  ids: { id: 'patient' },
  query: strictObject({ conversation_id: idFilter('conversation'), ...messageFilters }),
  unknownIds: { conversation_id: 'empty' },
  ...answersPage(ChatMessage, latestFirst('created_at')),
})

export const ChatMessageRequest = strictObject(
  {
    conversation_id: Type.Optional(about('To the patient of this conversation.', Id)),
    patient_id: Type.Optional(about('To this patient.', Id)),
    to_phone: Type.Optional(text(MAX.phone, { minLength: 1, format: 'phone', description: 'To this phone.' })),
    text: Type.Optional(text(MAX.message, { minLength: 1, description: 'Free text.' })),
    template: Type.Optional(
      strictObject(
        {
          name: text(MAX.template_name, { minLength: 1 }),
          language: text(MAX.code, { minLength: 1 }),
          variables: Type.Optional(
            Type.Unsafe<Record<string, string>>({
              type: 'object',
              maxProperties: MAX.template_variables,
              additionalProperties: { type: 'string', maxLength: MAX.template_text },
              description: 'The value of each variable, by its name.',
            }),
          ),
        },
        { description: 'An approved template.' },
      ),
    ),
    allow_template: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'If true, text outside the 24-hour window is wrapped in a template. If false, it is refused (422).',
      }),
    ),
  },
  {
    description: 'Exactly one of `conversation_id`, `patient_id`, `to_phone`, and exactly one of `text`, `template`.',
    allOf: [exactlyOne('conversation_id', 'patient_id', 'to_phone'), exactlyOne('text', 'template')],
  },
)

const message = exampleOf(ChatMessage)
const queued = {
  ...message,
  status: 'queued' as const,
  timestamps: { sent_at: null, delivered_at: null, read_at: null, failed_at: null },
  updated_at: message.created_at,
}

export const chatMessagesCreate = operation({
  id: 'chat.messages.create',
  method: 'POST',
  path: '/v1/chat/messages',
  scope: 'chat:write',
  tag: 'Chat',
  summary: 'Send a message to a patient',
  description:
    'Answers the message with the status `queued`. Outside the 24-hour window, free text is wrapped in a marketing template. `meta.delivery_mode` says how the message is sent.',
  body: ChatMessageRequest,
  shape: 'one',
  untrustedText: false,
  patients: 'patients',
  output: object({ data: ChatMessage, meta: object({ delivery_mode: choice(deliveryModes) }) }),
  status: 201,
  effect: 'once a key',
  problems: ['conflict', 'unprocessable', 'idempotency-key-reused'],
  example: {
    body: { patient_id: 'p1042', text: 'See you on Tuesday!' },
    answer: { data: queued, meta: { delivery_mode: 'free_text' } },
  },
})
