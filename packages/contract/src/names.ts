// How the projections name operations: the rules, and a list of exceptions that should only shrink.
import type { Operation } from './operation.ts'
import { catalogLists } from './operations/catalog.ts'
import type { OperationId, Operations } from './operations.ts'

/** The OpenAPI `operationId`: the id with underscores. Anchors and tools follow the same rule. */
export function joinedId(id: string, separator: '_' | '-'): string {
  return id.replaceAll('.', separator)
}

/**
 * The name of a path parameter outside of its path: `{id}` of `/v1/patients/{id}/calls` is a `patient_id`.
 *
 * @example argumentName(operations['patients.get'], 'id') // 'patient_id'
 */
export function argumentName({ ids }: Pick<Operation, 'ids'>, parameter: string): string {
  return `${ids[parameter]}_id`
}

/** The projections' description of a path parameter. */
export function idDescription({ ids }: Pick<Operation, 'ids'>, parameter: string): string {
  return `The id of the ${ids[parameter]}.`
}

/** These tools only read. */
type Read = { [I in OperationId]: Operations[I]['effect'] extends 'none' ? I : never }[OperationId]

/** @example kindIn('catalog.appointment_types.list') // 'appointment_types' */
const kindIn = (id: string) => id.split('.')[1] ?? ''

/** The tools of the MCP server: operations by tool name, in the order of the list. */
export const toolNames: Readonly<Record<string, Read | Readonly<Record<string, Read>>>> = {
  service_whoami: 'me.get',
  patients_list: 'patients.list',
  patients_get: 'patients.get',
  appointments_list: 'appointments.list',
  appointments_get: 'appointments.get',
  availability_list: 'availability.list',
  treatments_list: 'treatments.list',
  treatments_get: 'treatments.get',
  payments_search: 'payments.search',
  payments_list: 'payments.list',
  payments_get: 'payments.get',
  leads_list: 'leads.list',
  leads_get: 'leads.get',
  calls_list: 'calls.list',
  calls_get: 'calls.get',
  calls_recording_get: 'calls.recording.get',
  chat_conversations_list: 'chat.conversations.list',
  chat_messages_list: 'chat.messages.list',
  chat_messages_get: 'chat.messages.get',
  chat_templates_list: 'chat.templates.list',
  /** One tool for the catalogs: its argument `kind` chooses one. */
  catalog_list: Object.fromEntries(catalogLists.map(({ id }) => [kindIn(id), id])),
  metrics_describe: 'metrics.describe',
  query_run: 'query.run',
}

type Write = { [I in OperationId]: Operations[I]['effect'] extends 'once a key' ? I : never }[OperationId]

/** The tools that write, which an operator turns on (docs/decisions/0137). */
export const writeToolNames: Readonly<Record<string, Write>> = {
  leads_create: 'leads.create',
  chat_messages_create: 'chat.messages.create',
  payments_create: 'payments.create',
}

/** The writes that a backend can do without keeping them: whoever decides on one is shown what it would do (docs/decisions/0137). */
export const rehearsedOperations: readonly OperationId[] = Object.values(writeToolNames)

/** The tool that runs an operation, if there is one. */
export function toolOf(id: string): string | undefined {
  const found = Object.entries(toolNames).find(([, runs]) =>
    typeof runs === 'string' ? runs === id : Object.values<string>(runs).includes(id),
  )
  return found?.[0]
}

/** How a command differs from its operation's id: other words, a parameter as an argument, its own options. */
export interface CommandName {
  /** The words that replace those of the id. Those still work, as an alias. */
  path?: readonly string[]
  /** Query parameters or fields that are typed without a flag, by the argument's name. */
  arguments?: Readonly<Record<string, string>>
  /** The path from `data` to the list whose rows the table shows. */
  rows?: readonly string[]
  /** Options by the field that they fill, when they need more than the field's own name and type. */
  options?: Readonly<Record<string, { flag: string; short?: string; value: string; description: string }>>
}

export const commandNames: Readonly<Partial<Record<OperationId, CommandName>>> = {
  'me.get': { path: ['whoami'] },
  'availability.list': {
    path: ['availability'],
    options: {
      further_branch_ids: {
        flag: 'further-branch',
        value: 'branch_id',
        description: 'A further branch to look in. Repeat the flag for more.',
      },
    },
  },
  ...Object.fromEntries(catalogLists.map(({ id }) => [id, { path: ['catalog', kindIn(id).replaceAll('_', '-')] }])),
  'chat.messages.create': { path: ['chat', 'send'] },
  'webhooks.deliveries.list': { path: ['webhooks', 'deliveries'] },
  'events.list': {
    options: {
      event_types: {
        flag: 'event-types',
        value: 'event_types',
        description: 'Only these types. Separate them with commas, or repeat the flag.',
      },
    },
  },
  'webhooks.secret.rotate': { path: ['webhooks', 'rotate-secret'] },
  'webhooks.deliveries.retry': { path: ['webhooks', 'retry'] },
  'metrics.describe': { path: ['metrics'], arguments: { dataset: 'dataset' }, rows: ['datasets'] },
  'query.run': {
    path: ['query'],
    arguments: { dataset: 'dataset' },
    rows: ['rows'],
    options: {
      measures: { flag: 'measure', short: 'm', value: 'measure', description: 'A measure; repeat for more.' },
      dimensions: {
        flag: 'by',
        short: 'b',
        value: 'dimension',
        description: 'Group by; a time dimension takes a grain: `effective_date:month`. Repeat for more.',
      },
      filters: {
        flag: 'filter',
        short: 'f',
        value: 'field:op:value',
        description:
          '`eq` takes one value, `in` and `not_in` a comma-separated list, `between` takes a range `a..b`. Repeat for more.',
      },
      order: {
        flag: 'order',
        short: 'o',
        value: 'measure:dir',
        description: 'Sort by a selected measure or dimension, `asc` or `desc`. Repeat for more.',
      },
    },
  },
}

const appointmentColumns = ['start', 'patient', 'status', 'type', 'providers', 'branch', 'id']
const callColumns = ['started_at', 'direction', 'status', 'patients', 'patient_phone', 'duration_seconds', 'id']
const messageColumns = ['created_at', 'direction', 'text', 'patients', 'status', 'type', 'patient_phone', 'id']
const paymentColumns = ['paid_at', 'patient', 'amount', 'currency', 'method_type', 'status', 'id']

/** The columns of a list on a terminal, in the order of a person's interest. An embedded resource is shown by its name. */
export const tableColumns: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  'patients.list': ['id', 'first_name', 'last_name', 'phone', 'birth_date', 'status', 'email'],
  'appointments.list': appointmentColumns,
  'patients.appointments.list': appointmentColumns,
  'availability.list': ['start', 'end', 'provider_name', 'branch_name', 'latest_start', 'provider_id', 'branch_id'],
  'treatments.list': ['performed_at', 'patient', 'treatment', 'quantity', 'price', 'provider', 'id'],
  'payments.list': paymentColumns,
  'payments.search': paymentColumns,
  'leads.list': ['created_at', 'first_name', 'last_name', 'phone', 'status', 'source', 'email', 'note', 'id'],
  'metrics.describe': ['name', 'date_filter', 'description'],
  'calls.list': callColumns,
  'patients.calls.list': callColumns,
  'chat.conversations.list': [
    'last_activity_at',
    'display_name',
    'last_message_preview',
    'is_handled',
    'patient_phone',
    'id',
  ],
  'chat.messages.list': messageColumns,
  'chat.conversations.messages.list': messageColumns,
  'patients.chat_messages.list': messageColumns,
  'chat.templates.list': ['name', 'language', 'category', 'status', 'body', 'id'],
  'events.list': ['created_at', 'type', 'id'],
  'webhooks.list': ['id', 'url', 'enabled', 'circuit.state', 'event_types'],
  'webhooks.deliveries.list': ['created_at', 'event_type', 'status', 'attempt_count', 'response_status', 'error', 'id'],
}
