// Chat: conversations, messages and the approved templates.
import { MAX } from '../limits.ts'
import {
  CreatedAt,
  choice,
  Id,
  Instant,
  list,
  named,
  nullable,
  object,
  Type,
  text,
  UpdatedAt,
} from '../schema/schema.ts'
import { PatientSummary } from './patient.ts'

export const messageDirections = ['inbound', 'outbound'] as const
export const messageTypes = ['text', 'image', 'document', 'audio', 'video', 'sticker', 'contacts'] as const
export const messageStatuses = ['received', 'queued', 'sent', 'delivered', 'read', 'failed'] as const
export const templateCategories = ['marketing', 'utility', 'authentication'] as const
export const templateStatuses = ['approved', 'pending', 'rejected', 'paused', 'disabled'] as const
export const deliveryModes = ['free_text', 'marketing_template', 'template'] as const

const patients = [{ id: 'p1042', first_name: 'Noa', last_name: 'Levi' }]

export const ChatConversation = named(
  'ChatConversation',
  object({
    id: Id,
    display_name: nullable(
      text(MAX.name, { description: "The patient's own profile name: text written by a patient." }),
    ),
    patient_phone: nullable(text(MAX.phone, { description: 'Local form starting with 0.' })),
    clinic_phone: nullable(text(MAX.phone), { description: "The clinic's own number on the platform." }),
    last_message_preview: nullable(text(MAX.message), { description: 'The text of the most recent message.' }),
    last_activity_at: nullable(Instant, { description: 'The last message in either direction.' }),
    last_inbound_at: nullable(Instant, { description: 'The last message from the patient.' }),
    last_outbound_at: nullable(Instant, { description: 'The last message from the clinic.' }),
    is_handled: Type.Boolean({ description: 'Whether staff marked the conversation as handled.' }),
    free_text_window_expires_at: nullable(
      text(MAX.instant, { format: 'date-time', description: 'Null when the window is closed.' }),
    ),
    patients: list(PatientSummary, MAX.patients, {
      description: 'Everyone who has this phone: several people, or none.',
    }),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  }),
  {
    id: 'conv310',
    display_name: 'Noa L.',
    patient_phone: '0501234567',
    clinic_phone: '+97248123456',
    last_message_preview: 'See you on Tuesday!',
    last_activity_at: '2026-07-12T09:30:00+03:00',
    last_inbound_at: '2026-07-12T09:28:41+03:00',
    last_outbound_at: '2026-07-12T09:30:00+03:00',
    is_handled: false,
    free_text_window_expires_at: '2026-07-13T09:28:41+03:00',
    patients,
    created_at: '2026-03-01T12:00:00.000+02:00',
    updated_at: '2026-07-12T09:30:00.123+03:00',
  },
)

export const ChatMessage = named(
  'ChatMessage',
  object({
    id: Id,
    conversation_id: nullable(Id, { description: 'The conversation that it belongs to.' }),
    direction: choice(messageDirections, { description: '`inbound` is from the patient.' }),
    type: choice(messageTypes, { description: 'The kind of message. All kinds but `text` and `contacts` have media.' }),
    status: choice(messageStatuses, {
      description:
        '`received` for an inbound message. For an outbound one, how far it got; `failed` overrides the others.',
    }),
    from_phone: nullable(text(MAX.phone), { description: 'The sending side.' }),
    to_phone: nullable(text(MAX.phone), { description: 'The receiving side.' }),
    patient_phone: nullable(text(MAX.phone, { description: 'Local form starting with 0.' })),
    text: nullable(text(MAX.message, { description: 'The text of the message, or the caption of its media.' })),
    media: object(
      {
        available: Type.Boolean({ description: 'Whether a link to it can be fetched.' }),
        type: nullable(text(MAX.content_type, { description: 'MIME type.' })),
      },
      { description: 'The file that came with it.' },
    ),
    patients: list(PatientSummary, MAX.patients, {
      description: 'Everyone who has this phone at the time of reading.',
    }),
    template: nullable(text(MAX.template_name), { description: 'The approved template used, if any; outbound only.' }),
    replied_to_id: nullable(Id, { description: 'The outbound message that this one answers; inbound only.' }),
    failure_reason: nullable(text(MAX.failure_reason), {
      description:
        'Why the platform rejected it. Null in the event `chat.message.failed`, and filled in a moment later.',
    }),
    timestamps: nullable(
      object({
        sent_at: nullable(Instant, { description: 'Accepted by the platform.' }),
        delivered_at: nullable(Instant, { description: 'Reached the handset.' }),
        read_at: nullable(Instant, { description: 'Opened. Never set if read receipts are off.' }),
        failed_at: nullable(Instant, { description: 'Failed: see `failure_reason`.' }),
      }),
      { description: 'How far it got, and when; null for an inbound message.' },
    ),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  }),
  {
    id: 'out_70412',
    conversation_id: 'conv310',
    direction: 'outbound',
    type: 'text',
    status: 'delivered',
    from_phone: '+97248123456',
    to_phone: '+972501234567',
    patient_phone: '0501234567',
    text: 'See you on Tuesday!',
    media: { available: false, type: null },
    patients,
    template: null,
    replied_to_id: null,
    failure_reason: null,
    timestamps: {
      sent_at: '2026-07-12T09:30:01+03:00',
      delivered_at: '2026-07-12T09:30:02+03:00',
      read_at: null,
      failed_at: null,
    },
    created_at: '2026-07-12T09:30:00.123+03:00',
    updated_at: '2026-07-12T09:30:02.481+03:00',
  },
)

export const ChatTemplate = named(
  'ChatTemplate',
  object({
    id: Id,
    name: text(MAX.template_name),
    language: text(MAX.code, { description: 'Language code, for example `he` or `en_US`.' }),
    category: choice(templateCategories, { description: 'Decides how a message is billed.' }),
    status: choice(templateStatuses, { description: 'Only approved templates can be sent.' }),
    header: nullable(
      object({
        type: choice(['text', 'image', 'document', 'video'], { description: 'What it consists of.' }),
        text: nullable(text(MAX.template_text)),
      }),
      { description: 'What stands above the body.' },
    ),
    body: text(MAX.template_text, { description: '`{{name}}` stands for a variable.' }),
    footer: nullable(text(MAX.template_text)),
    variables: list(
      object({ name: text(MAX.code), example: nullable(text(MAX.template_text)) }),
      MAX.template_variables,
      { description: 'The variables of the header and the body.' },
    ),
    updated_at: UpdatedAt,
  }),
  {
    id: 'tpl12',
    name: 'appointment_reminder',
    language: 'he',
    category: 'utility',
    status: 'approved',
    header: null,
    body: 'שלום {{first_name}}, תזכורת לתור ב-{{date}}',
    footer: null,
    variables: [
      { name: 'first_name', example: 'נועה' },
      { name: 'date', example: '14.7' },
    ],
    updated_at: '2026-01-10T12:00:00.000+02:00',
  },
)
