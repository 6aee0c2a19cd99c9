// The event types (specification, Events): when each fires, the resource in its `data`, and how its example differs from the
// resource's own example.

export interface EventTypeRecord {
  resource: 'Appointment' | 'Patient' | 'Treatment' | 'Payment' | 'Call' | 'ChatMessage'
  fires: string
  /** The resource is new: its `updated_at` is its `created_at`. */
  isNew?: true
  example?: Readonly<Record<string, unknown>>
}

const noRecording = { available: false, duration_seconds: null }
const noTranscript = { status: null, language: null, summary: null, segments: null }
const notYet = { sent_at: null, delivered_at: null, read_at: null, failed_at: null }
const sent_at = '2026-07-12T09:30:01+03:00'
const delivered_at = '2026-07-12T09:30:02+03:00'

export const events = {
  'appointment.created': { resource: 'Appointment', fires: 'A new appointment is booked.', isNew: true },
  'appointment.updated': { resource: 'Appointment', fires: 'An appointment changes (time, status, provider).' },
  'appointment.cancelled': {
    resource: 'Appointment',
    fires: 'An appointment is cancelled.',
    example: { status: { id: 'cancelled', name: 'Cancelled', color: '#e63946' } },
  },
  'patient.created': { resource: 'Patient', fires: 'A patient is added.', isNew: true },
  'patient.updated': {
    resource: 'Patient',
    fires: "A patient's details change. If the patient was erased, they are null: remove them from your copy too.",
  },
  'treatment.created': { resource: 'Treatment', fires: 'A treatment is recorded.', isNew: true },
  'treatment.updated': {
    resource: 'Treatment',
    fires: 'A recorded treatment changes.',
    example: { quantity: 2, price: 700, updated_at: '2026-07-14T10:40:12.007+03:00' },
  },
  'treatment.cancelled': {
    resource: 'Treatment',
    fires: 'A recorded treatment is removed.',
    example: { updated_at: '2026-07-14T10:52:30.940+03:00' },
  },
  'payment.recorded': { resource: 'Payment', fires: 'A payment is recorded.', isNew: true },
  'payment.cancelled': {
    resource: 'Payment',
    fires: 'A payment is cancelled or refunded. `data` is that payment; its `status` and `refunds` show which.',
    example: {
      status: 'partially_refunded',
      refunds: [{ id: 'ref9001', amount: 100, paid_at: '2026-07-15T09:00:00+03:00' }],
      updated_at: '2026-07-15T09:00:00.311+03:00',
    },
  },
  'call.completed': {
    resource: 'Call',
    fires: 'A phone call ended. This is the first event of a call; its start has no event.',
    isNew: true,
    example: { recording: noRecording, transcript: noTranscript },
  },
  'call.updated': {
    resource: 'Call',
    fires: 'A staff note on the call was added or edited.',
    example: {
      note: 'Call back on Monday',
      recording: noRecording,
      transcript: noTranscript,
      updated_at: '2026-07-12T09:24:31.772+03:00',
    },
  },
  'call.recording.available': {
    resource: 'Call',
    fires: 'The recording can be fetched.',
    example: { transcript: noTranscript, updated_at: '2026-07-12T09:26:40.015+03:00' },
  },
  'call.transcript.completed': {
    resource: 'Call',
    fires: 'Transcription succeeded; the payload carries summary and full segments.',
  },
  'call.transcript.failed': {
    resource: 'Call',
    fires: 'Transcription was attempted and failed; no transcript will arrive.',
    example: { transcript: { ...noTranscript, status: 'failed' } },
  },
  'chat.message.received': {
    resource: 'ChatMessage',
    fires: 'A patient sent the clinic a message.',
    isNew: true,
    example: {
      id: 'in_88120',
      direction: 'inbound',
      status: 'received',
      from_phone: '+972501234567',
      to_phone: '+97248123456',
      text: 'Thank you, see you then',
      replied_to_id: 'out_70412',
      timestamps: null,
      created_at: '2026-07-12T09:31:17.640+03:00',
    },
  },
  'chat.message.sent': {
    resource: 'ChatMessage',
    fires: 'The messaging platform accepted an outbound message. It is not delivered yet.',
    example: { status: 'sent', timestamps: { ...notYet, sent_at }, updated_at: '2026-07-12T09:30:01.204+03:00' },
  },
  'chat.message.delivered': {
    resource: 'ChatMessage',
    fires: "An outbound message reached the patient's handset.",
  },
  'chat.message.read': {
    resource: 'ChatMessage',
    fires: 'The patient opened an outbound message. May never come.',
    example: {
      status: 'read',
      timestamps: { ...notYet, sent_at, delivered_at, read_at: '2026-07-12T09:30:48+03:00' },
      updated_at: '2026-07-12T09:30:48.930+03:00',
    },
  },
  'chat.message.failed': {
    resource: 'ChatMessage',
    fires: 'An outbound message failed. Read the message later by its id to get the reason.',
    example: {
      status: 'failed',
      timestamps: { ...notYet, sent_at, failed_at: '2026-07-12T09:30:03+03:00' },
      updated_at: '2026-07-12T09:30:03.118+03:00',
    },
  },
} as const satisfies Readonly<Record<string, EventTypeRecord>>

export type EventType = keyof typeof events

export const eventTypes = Object.keys(events) as readonly EventType[]

/** For whoever looks for a type of theirs: a changed lead is found by its list alone. */
export const leadsHaveNoEvent =
  'Leads make no event. Read `GET /v1/leads?updated_since=…` again and again, as [Staying in step](/docs/staying-in-step) says.'
