// An example of each event type's data: its resource's example, changed to what the event says. The OpenAPI document shows it, and
// a test event delivers it.
import type { EventType, events } from './event-types.ts'
import { Appointment } from './resources/appointment.ts'
import { Call } from './resources/call.ts'
import { ChatMessage } from './resources/chat.ts'
import { Patient } from './resources/patient.ts'
import { Payment } from './resources/payment.ts'
import { Treatment } from './resources/treatment.ts'
import { EventEnvelope } from './resources/webhook.ts'
import { exampleOf } from './schema.ts'

const appointment = exampleOf(Appointment)
const patient = exampleOf(Patient)
const treatment = exampleOf(Treatment)
const payment = exampleOf(Payment)
const call = exampleOf(Call)
const message = exampleOf(ChatMessage)

/** The resource as it was when it was created. */
function asMade<T extends { created_at: string | null; updated_at: string | null }>(resource: T): T {
  return { ...resource, updated_at: resource.created_at }
}

const noTranscript = { status: null, language: null, summary: null, segments: null }
const endedCall = { ...asMade(call), recording: { available: false, duration_seconds: null }, transcript: noTranscript }
const recordedCall = { ...call, transcript: noTranscript, updated_at: '2026-07-12T09:26:40.015+03:00' }

const notYet = { sent_at: null, delivered_at: null, read_at: null, failed_at: null }
const sent_at = message.timestamps?.sent_at ?? null
const delivered_at = message.timestamps?.delivered_at ?? null

/** A message that was just accepted for sending. */
export const queuedMessage = { ...asMade(message), status: 'queued' as const, timestamps: notYet }

export const receivedMessage = {
  ...asMade(message),
  id: 'in_88120',
  direction: 'inbound' as const,
  status: 'received' as const,
  from_phone: message.to_phone,
  to_phone: message.from_phone,
  text: 'Thank you, see you then',
  replied_to_id: message.id,
  timestamps: null,
  created_at: '2026-07-12T09:31:17.640+03:00',
  updated_at: '2026-07-12T09:31:17.640+03:00',
}

interface Resources {
  Appointment: typeof appointment
  Patient: typeof patient
  Treatment: typeof treatment
  Payment: typeof payment
  Call: typeof call
  ChatMessage: typeof message
}

export const eventExamples: { readonly [T in EventType]: Resources[(typeof events)[T]['resource']] } = {
  'appointment.created': asMade(appointment),
  'appointment.updated': appointment,
  'appointment.cancelled': { ...appointment, status: { id: 'cancelled', name: 'Cancelled', color: '#e63946' } },
  'patient.created': asMade(patient),
  'patient.updated': patient,
  'treatment.created': asMade(treatment),
  'treatment.updated': { ...treatment, quantity: 2, price: 700, updated_at: '2026-07-14T10:40:12.007+03:00' },
  'treatment.cancelled': { ...treatment, updated_at: '2026-07-14T10:52:30.940+03:00' },
  'payment.recorded': payment,
  'payment.cancelled': {
    ...payment,
    status: 'partially_refunded',
    refunds: [{ id: 'ref9001', amount: 100, paid_at: '2026-07-15T09:00:00+03:00' }],
    updated_at: '2026-07-15T09:00:00.311+03:00',
  },
  'call.completed': endedCall,
  'call.updated': { ...endedCall, note: 'Call back on Monday', updated_at: '2026-07-12T09:24:31.772+03:00' },
  'call.recording.available': recordedCall,
  'call.transcript.completed': call,
  'call.transcript.failed': { ...call, transcript: { ...noTranscript, status: 'failed' } },
  'chat.message.received': receivedMessage,
  'chat.message.sent': {
    ...message,
    status: 'sent',
    timestamps: { ...notYet, sent_at },
    updated_at: '2026-07-12T09:30:01.204+03:00',
  },
  'chat.message.delivered': message,
  'chat.message.read': {
    ...message,
    status: 'read',
    timestamps: { ...notYet, sent_at, delivered_at, read_at: '2026-07-12T09:30:48+03:00' },
    updated_at: '2026-07-12T09:30:48.930+03:00',
  },
  'chat.message.failed': {
    ...message,
    status: 'failed',
    timestamps: { ...notYet, sent_at, failed_at: '2026-07-12T09:30:03+03:00' },
    updated_at: '2026-07-12T09:30:03.118+03:00',
  },
}

/** The whole envelope at the moment of the change. */
export function envelopeExample(type: EventType) {
  const data = eventExamples[type]
  const { id, created_at } = exampleOf(EventEnvelope)
  return { id, type, created_at: data.updated_at ?? created_at, data: { ...data } }
}
