// Every operation of the contract, by id.

import type { Operation } from './operation.ts'
import * as analytics from './operations/analytics.ts'
import * as appointments from './operations/appointments.ts'
import * as availability from './operations/availability.ts'
import * as calls from './operations/calls.ts'
import * as catalog from './operations/catalog.ts'
import * as chat from './operations/chat.ts'
import * as events from './operations/events.ts'
import * as leads from './operations/leads.ts'
import * as me from './operations/me.ts'
import * as patients from './operations/patients.ts'
import * as payments from './operations/payments.ts'
import * as treatments from './operations/treatments.ts'
import * as webhooks from './operations/webhooks.ts'

const files = {
  ...me,
  ...patients,
  ...appointments,
  ...availability,
  ...treatments,
  ...payments,
  ...catalog,
  ...leads,
  ...calls,
  ...chat,
  ...analytics,
  ...webhooks,
  ...events,
}

type Written = Extract<(typeof files)[keyof typeof files], { id: string; path: string }>

/** The operation record of each id, its schemas' types kept. */
export type Operations = { [O in Written as O['id']]: O }

export type OperationId = keyof Operations

export const operations = Object.fromEntries(
  Object.values(files)
    .filter((value): value is Written => 'path' in value && 'id' in value)
    .map((operation) => [operation.id, operation]),
) as unknown as Operations

/** The operation that reads by id what this one creates: the 201 names its address in `Location`. */
export function readerOf({ id }: Pick<Operation, 'id'>): Operation | undefined {
  return id.endsWith('.create') ? allOperations.find((other) => other.id === id.replace(/create$/, 'get')) : undefined
}

export const allOperations: readonly Operation[] = Object.values(operations)
