// What a delivery's body says: an event, its `data` typed by its `type`.
import type { EventType, events } from '@clinic-data/contract/event-types'
import type { Appointment } from '@clinic-data/contract/resources/appointment'
import type { Call } from '@clinic-data/contract/resources/call'
import type { ChatMessage } from '@clinic-data/contract/resources/chat'
import type { Patient } from '@clinic-data/contract/resources/patient'
import type { Payment } from '@clinic-data/contract/resources/payment'
import type { Treatment } from '@clinic-data/contract/resources/treatment'
import type { Static } from '@clinic-data/contract/schema'

interface EventResources {
  Appointment: Static<typeof Appointment>
  Call: Static<typeof Call>
  ChatMessage: Static<typeof ChatMessage>
  Patient: Static<typeof Patient>
  Payment: Static<typeof Payment>
  Treatment: Static<typeof Treatment>
}

type EnvelopeOf<T extends EventType> = {
  /** The same on every attempt: deduplicate on it. */
  id: string
  type: T
  /** ISO 8601 with the clinic's offset. */
  created_at: string
  /** The resource as GET answers it. */
  data: EventResources[(typeof events)[T]['resource']]
  /** True on test events alone. */
  test?: boolean
}

/**
 * An event of any type; comparing `type` narrows `data`. A subscription to every type receives those of later versions
 * too, which this type does not name: end a `switch` with a default that answers 2xx.
 */
export type EventEnvelope = { [T in EventType]: EnvelopeOf<T> }[EventType]
