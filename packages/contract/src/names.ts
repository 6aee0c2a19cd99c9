// The names of the projections that do not follow from an operation's id and fields. This list should only shrink.
import type { Operation } from './operation.ts'
import type { OperationId } from './operations.ts'

/** The OpenAPI `operationId`: the id with underscores. Anchors and tools follow the same rule. */
export function joinedId(id: string, separator: '_' | '-'): string {
  return id.replaceAll('.', separator)
}

/**
 * What the parameter of a path names, as a word of its own: `{id}` of `/v1/patients/{id}/calls` is a `patient_id`.
 *
 * @example argumentName(operations['patients.get'], 'id') // 'patient_id'
 */
export function argumentName({ path }: Pick<Operation, 'path'>, parameter: string): string {
  if (parameter !== 'id') return parameter
  const before = /([a-z_]+)\/\{id\}/.exec(path)?.[1] ?? ''
  return `${before.replace(/s$/, '')}_id`
}

/** The tools of the MCP server: operations by the name of their tool, in the order in which they are listed. */
export const toolNames = {
  service_whoami: 'me.get',
  patients_list: 'patients.list',
  patients_get: 'patients.get',
  appointments_list: 'appointments.list',
  appointments_get: 'appointments.get',
  availability_list: 'availability.list',
  treatments_list: 'treatments.list',
  treatments_get: 'treatments.get',
  payments_list: 'payments.list',
  payments_get: 'payments.get',
  calls_list: 'calls.list',
  calls_get: 'calls.get',
  calls_recording_get: 'calls.recording.get',
  chat_conversations_list: 'chat.conversations.list',
  chat_messages_list: 'chat.messages.list',
  chat_messages_get: 'chat.messages.get',
  chat_templates_list: 'chat.templates.list',
  /** One tool for the six catalogs: its argument `kind` chooses. */
  catalog_list: {
    branches: 'catalog.branches.list',
    appointment_types: 'catalog.appointment_types.list',
    appointment_statuses: 'catalog.appointment_statuses.list',
    treatments: 'catalog.treatments.list',
    providers: 'catalog.providers.list',
    billing_accounts: 'catalog.billing_accounts.list',
  },
  metrics_describe: 'metrics.describe',
  query_run: 'query.run',
} as const satisfies Record<string, OperationId | Record<string, OperationId>>
