// The event types (specification, Events): when each fires, and the resource in its `data`.

export const events = {
  'appointment.created': { resource: 'Appointment', fires: 'A new appointment is booked.' },
  'appointment.updated': { resource: 'Appointment', fires: 'An appointment changes (time, status, provider).' },
  'appointment.cancelled': { resource: 'Appointment', fires: 'An appointment is cancelled.' },
  'patient.created': { resource: 'Patient', fires: 'A patient is added.' },
  'patient.updated': { resource: 'Patient', fires: "A patient's details change." },
  'treatment.created': { resource: 'Treatment', fires: 'A treatment is recorded.' },
  'treatment.updated': { resource: 'Treatment', fires: 'A recorded treatment changes.' },
  'treatment.cancelled': { resource: 'Treatment', fires: 'A recorded treatment is removed.' },
  'payment.recorded': { resource: 'Payment', fires: 'A payment is recorded.' },
  'payment.cancelled': {
    resource: 'Payment',
    fires: 'A payment is cancelled or refunded: `data` is that payment, and its `status` and `refunds` tell which.',
  },
  'call.completed': {
    resource: 'Call',
    fires: 'A phone call ended. The first event of a call: there is none for its start.',
  },
  'call.updated': { resource: 'Call', fires: 'A staff note on the call was added or edited.' },
  'call.recording.available': { resource: 'Call', fires: 'The recording can be fetched.' },
  'call.transcript.completed': {
    resource: 'Call',
    fires: 'Transcription succeeded; the payload carries summary and full segments.',
  },
  'call.transcript.failed': {
    resource: 'Call',
    fires: 'Transcription was attempted and failed; no transcript will arrive.',
  },
  'chat.message.received': { resource: 'ChatMessage', fires: 'A patient sent the clinic a message.' },
  'chat.message.sent': {
    resource: 'ChatMessage',
    fires: 'An outbound message was accepted by the messaging platform (acceptance, not delivery).',
  },
  'chat.message.delivered': { resource: 'ChatMessage', fires: "An outbound message reached the patient's handset." },
  'chat.message.read': { resource: 'ChatMessage', fires: 'The patient opened an outbound message. May never come.' },
  'chat.message.failed': {
    resource: 'ChatMessage',
    fires: 'An outbound message failed; read the reason later by its id.',
  },
} as const

export type EventType = keyof typeof events

export const eventTypes = Object.keys(events) as readonly EventType[]
