// The example of each event type's data: its resource's example, changed as the type's record says. The OpenAPI document shows it,
// and a test event delivers it.
import { type EventType, type EventTypeRecord, events } from './event-types.ts'
import { Appointment } from './resources/appointment.ts'
import { Call } from './resources/call.ts'
import { ChatMessage } from './resources/chat.ts'
import { Patient } from './resources/patient.ts'
import { Payment } from './resources/payment.ts'
import { Treatment } from './resources/treatment.ts'
import { EventEnvelope } from './resources/webhook.ts'
import { exampleOf } from './schema/schema.ts'

/** The resource in an event's `data`. */
export const eventResources = { Appointment, Patient, Treatment, Payment, Call, ChatMessage }

export function eventExample(type: EventType) {
  const { resource, isNew, example }: EventTypeRecord = events[type]
  const data = { ...exampleOf(eventResources[resource]), ...example }
  return isNew ? { ...data, updated_at: data.created_at } : data
}

/** The whole envelope at the moment of the change. */
export function envelopeExample(type: EventType) {
  const data = eventExample(type)
  const { id, created_at } = exampleOf(EventEnvelope)
  return { id, type, created_at: data.updated_at ?? created_at, data }
}
