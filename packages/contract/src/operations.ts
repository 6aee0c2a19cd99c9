// Every operation of the contract, by id.

import { type IdKind, idLists, type Operation } from './operation.ts'
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
import { jsonSchemaOf } from './schema/json-schema.ts'
import { nameOf, type TSchema } from './schema/schema.ts'

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

/** The operation record of each id, with its schemas' types. */
export type Operations = { [O in Written as O['id']]: O }

export type OperationId = keyof Operations

// The compiler does not follow the records through the entries.
export const operations = Object.fromEntries(
  Object.values(files)
    .filter((value): value is Written => 'path' in value && 'id' in value)
    .map((operation) => [operation.id, operation]),
) as unknown as Operations

export const allOperations: readonly Operation[] = Object.values(operations)

const idKinds = Object.keys(idLists) as IdKind[]

/** The kind of resource in an operation's answer, single or in a list, if ids name it. */
export function answeredKind(operation: Operation): IdKind | undefined {
  const resource = resourceOf(operation)
  return idKinds.find((kind) => resource !== undefined && resourceOf(operations[idLists[kind]]) === resource)
}

/** The name of the resource in an answer. */
function resourceOf({ output }: Operation): string | undefined {
  const { data } = jsonSchemaOf(output).properties ?? {}
  const schema = data?.items ?? data
  return schema && nameOf(schema as TSchema)
}

/** The operation that reads what this one creates, by id. The 201 names its address in `Location`. */
export function readerOf(operation: Operation): Operation | undefined {
  if (operation.status !== 201) return undefined
  const created = answeredKind(operation)
  return allOperations.find(
    ({ effect, shape, ids: { id } }) => created && effect === 'none' && shape === 'one' && id === created,
  )
}
