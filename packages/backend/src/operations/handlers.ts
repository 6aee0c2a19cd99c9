// Every operation's handler, and what all of them have in common: the deadline, and a database that does not answer.
import { type CallContext, type Grant, type Handlers, Problem } from '@clinic-data/contract'
import { DatabaseUnavailable, StatementTimeout } from '@clinic-data/database'
import { appointmentHandlers } from './appointments.ts'
import { availabilityHandlers } from './availability.ts'
import { callHandlers } from './calls.ts'
import { catalogHandlers } from './catalog.ts'
import { chatHandlers } from './chat.ts'
import type { HandlerParts } from './handled.ts'
import { meHandlers } from './me.ts'
import { patientHandlers } from './patients.ts'
import { paymentHandlers } from './payments.ts'
import { treatmentHandlers } from './treatments.ts'

export function handlers(parts: HandlerParts): Handlers {
  const all: Handlers = {
    ...meHandlers,
    ...patientHandlers(parts),
    ...appointmentHandlers(parts),
    ...availabilityHandlers(parts),
    ...treatmentHandlers(parts),
    ...paymentHandlers(parts),
    ...catalogHandlers(parts),
    ...callHandlers(parts),
    ...chatHandlers(parts),
  }
  return Object.fromEntries(
    Object.entries(all).map(([id, handler]) => [id, answered(handler as AnyHandler)]),
  ) as unknown as Handlers
}

type AnyHandler = (grant: Grant, input: unknown, context: CallContext) => Promise<unknown>

/** How long a client is asked to wait when the database cannot answer. */
const RETRY_AFTER_SECONDS = 1

function answered(handler: AnyHandler): AnyHandler {
  return async (grant, input, context) => {
    // The gateway has given the answer up by now: to look for it would only take time from others.
    if (performance.now() > context.deadline) throw unavailable(new Error('the deadline had passed'))
    try {
      return await handler(grant, input, context)
    } catch (error) {
      if (error instanceof DatabaseUnavailable || error instanceof StatementTimeout) throw unavailable(error)
      throw error
    }
  }
}

function unavailable(cause: Error): Problem {
  const detail = `The clinic's data cannot be read at the moment. Retry in ${RETRY_AFTER_SECONDS} second, then with growing pauses.`
  return new Problem('service-unavailable', detail, { retry_after: RETRY_AFTER_SECONDS }, cause)
}
