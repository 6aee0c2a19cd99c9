// Every operation's handler, with their common parts: the deadline, and a database that does not answer.
import { type AnyHandler, type Handlers, handlerOf, handlersMadeBy } from '@clinic-data/contract'
import { tellingOutages, unavailable } from '@clinic-data/surface/outage'
import type { HandlerParts } from '../handling/handled.ts'
import { analyticsHandlers } from './analytics.ts'
import { appointmentHandlers } from './appointments.ts'
import { availabilityHandlers } from './availability.ts'
import { callHandlers } from './calls.ts'
import { catalogHandlers } from './catalog.ts'
import { chatHandlers } from './chat/chat.ts'
import { eventHandlers } from './events.ts'
import { leadHandlers } from './leads.ts'
import { meHandlers } from './me.ts'
import { patientHandlers } from './patients.ts'
import { paymentHandlers } from './payments.ts'
import { treatmentHandlers } from './treatments.ts'
import { tellingUnknownIds } from './unknown-ids.ts'
import { webhookDeliveryHandlers } from './webhook-deliveries.ts'
import { webhookHandlers } from './webhooks.ts'

export function handlers(parts: HandlerParts): Handlers {
  const all: Handlers = {
    ...meHandlers(parts),
    ...patientHandlers(parts),
    ...appointmentHandlers(parts),
    ...availabilityHandlers(parts),
    ...treatmentHandlers(parts),
    ...paymentHandlers(parts),
    ...catalogHandlers(parts),
    ...callHandlers(parts),
    ...chatHandlers(parts),
    ...leadHandlers(parts),
    ...analyticsHandlers(parts),
    ...webhookHandlers(parts),
    ...webhookDeliveryHandlers(parts),
    ...eventHandlers(parts),
  }
  return handlersMadeBy((operation) =>
    answered(tellingUnknownIds(parts.database, operation, handlerOf({ handlers: all }, operation))),
  )
}

function answered(handler: AnyHandler): AnyHandler {
  const work = tellingOutages(handler)
  return async (grant, input, context) => {
    // The gateway has given up by now. Working on the answer would only take time from others.
    if (performance.now() > context.deadline) throw unavailable(new Error('the deadline had passed'))
    return work(grant, input, context)
  }
}
