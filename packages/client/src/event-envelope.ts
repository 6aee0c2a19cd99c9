// The body of a delivery: an event whose `type` determines the type of its `data`.
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
  /** The same on every attempt: use it to deduplicate. */
  id: string
  type: T
  /** ISO 8601 with the clinic's offset. */
  created_at: string
  /** The resource as GET returns it. */
  data: EventResources[(typeof events)[T]['resource']]
  /** True on test events only. */
  test?: boolean
}

/**
 * An event of any type. Comparing `type` narrows `data`. A subscription to every type also receives types of later versions, which
 * this type does not name: end a `switch` with a default that answers 2xx.
 */
export type EventEnvelope = { [T in EventType]: EnvelopeOf<T> }[EventType]
