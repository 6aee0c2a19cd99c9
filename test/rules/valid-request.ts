// A successful request of any operation: real ids from the clinic, required parameters filled in, the example's body.
import { allOperations, type IdKind, idLists, type Operation, operations } from '@clinic-data/contract'
import { tools } from '@clinic-data/contract/projections/tools'
import { sql } from '@clinic-data/database'
import { ask, pathOf, type TestClinic, type TestService } from '@clinic-data/testing/run/test-service'
import { emit } from '@clinic-data/webhooks'

export interface ToolCall {
  readonly name: string
  readonly operation: Operation
  readonly ids: Readonly<Record<string, string>>
  readonly toolArguments: Readonly<Record<string, unknown>>
}

/** Narrows the list of a link's ids to rows that have a file. */
const WITH_FILE: Readonly<Record<string, string>> = {
  'calls.recording.get': '&has_recording=true',
  'chat.messages.media.get': '&type=image',
}

interface Row {
  id: string
  media?: { available: boolean }
  recording?: { available: boolean }
}

/** Sends a request that succeeds if the key may call the operation. */
export async function askValid(service: TestService, clinic: TestClinic, operation: Operation, key = clinic.key) {
  return ask(service, key, await validPath(service, clinic, operation), validOptions(operation))
}

/** Bodies for operations whose example does not fit every small demo clinic, or needs more than the operation's scope. */
const BODIES: Readonly<Record<string, unknown>> = {
  'chat.messages.create': {
    to_phone: '050-123-4567',
    template: { name: 'appointment_reminder', language: 'en', variables: { name: 'Noa', day: 'Tuesday' } },
  },
  'query.run': {
    dataset: 'treatments',
    measures: ['treatment_count'],
    filters: [{ field: 'effective_date', op: 'between', value: ['2026-01-01', '2026-06-30'] }],
  },
  'webhooks.replay': { since: new Date(Date.now() - 86_400_000).toISOString() },
}

/** The method, and the example's body where there is one. */
export function validOptions({ id, method, example }: Operation): { method: string; body?: unknown } {
  const body = BODIES[id] ?? example.body
  return body === undefined ? { method } : { method, body: structuredClone(body) }
}

/** The path of a successful request. */
export async function validPath(service: TestService, clinic: TestClinic, operation: Operation): Promise<string> {
  return pathOf(operation, await validIds(service, clinic, operation), await requiredQuery(service, clinic, operation))
}

/** The parameters of an operation's path. */
export async function validIds(
  service: TestService,
  clinic: TestClinic,
  operation: Operation,
): Promise<Record<string, string>> {
  const { id, delivery_id } = operation.ids
  if (id === undefined) return {}
  if (id !== 'webhook') return { id: await validId(service, clinic, operation, id) }
  const webhook = await subscriptionId(service, clinic)
  if (operation.id === 'webhooks.deliveries.list') await loggedDeliveries(service, clinic, webhook)
  return delivery_id ? { id: webhook, delivery_id: await deliveryId(service, clinic, webhook) } : { id: webhook }
}

/** Found before: no operation removes a row that has one of these ids. */
const known = new Map<string, string>()

/** The first id in the list of its kind: the clinic's, or that of the first patient who has any. */
async function validId(service: TestService, clinic: TestClinic, operation: Operation, kind: IdKind): Promise<string> {
  const list: Operation = operations[idLists[kind]]
  const search = list.shape === 'page' ? `?limit=100${WITH_FILE[operation.id] ?? ''}` : ''
  const key = `${clinic.clinic.clinic_id} ${list.id}${search}`
  const id = known.get(key) ?? (await firstId(service, clinic, operation, list, search))
  known.set(key, id)
  return id
}

async function firstId(
  service: TestService,
  clinic: TestClinic,
  operation: Operation,
  list: Operation,
  search: string,
): Promise<string> {
  const fits = (row: Row) => operation.shape !== 'link' || (row.media ?? row.recording)?.available === true
  for (const ids of list.ids.id ? await patientIds(service, clinic) : [{}]) {
    const { json } = await ask(service, clinic.key, pathOf(list, ids) + search)
    const row = (json.data as Row[]).find(fits)
    if (row) return row.id
  }
  throw new Error(`the clinic has nothing in ${list.path}${search}`)
}

async function patientIds(service: TestService, { key }: TestClinic): Promise<{ id: string }[]> {
  const { json } = await ask(service, key, '/v1/patients?limit=100')
  return (json.data as Row[]).map(({ id }) => ({ id }))
}

/** A demo clinic has no subscription of its own. This one takes no event that comes by itself, as a message's status does. */
const SUBSCRIPTION = { url: 'https://crm.example.com/hooks', event_types: ['patient.created'] }

async function subscriptionId(service: TestService, { key }: TestClinic): Promise<string> {
  const { json } = await ask(service, key, '/v1/webhooks')
  const made = (json.data as (Row & { url: string })[]).find(({ url }) => url === SUBSCRIPTION.url)
  return made?.id ?? (await ask(service, key, '/v1/webhooks', { method: 'POST', body: SUBSCRIPTION })).json.data.id
}

/** The few deliveries in a subscription's log, all of them of test events. */
async function loggedDeliveries(service: TestService, { key }: TestClinic, webhook: string): Promise<Row[]> {
  const path = `/v1/webhooks/${webhook}`
  const logged = async () => (await ask(service, key, `${path}/deliveries`)).json.data as Row[]
  const before = await logged()
  if (before.length > 0) return before
  for (const event_type of ['patient.created', 'call.completed', 'patient.updated'])
    await ask(service, key, `${path}/test`, { method: 'POST', body: { event_type } })
  return logged()
}

/** A failed delivery among them. */
async function deliveryId(service: TestService, clinic: TestClinic, webhook: string): Promise<string> {
  const [row] = await loggedDeliveries(service, clinic, webhook)
  if (!row) throw new Error('a subscription has no deliveries')
  await service.owner.query(sql`update delivery set status = 'failed', due_at = null, lease_id = null, lease_until = null
    where clinic_id = ${clinic.clinic.clinic_id} and id = ${row.id}`)
  return row.id
}

export async function requiredQuery(
  service: TestService,
  clinic: TestClinic,
  operation: Operation,
): Promise<Record<string, string>> {
  if (operation.id === 'events.list') return { since: await sinceAnEvent(service, clinic) }
  if (operation.id !== 'availability.list') return {}
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const branch_id = await validId(service, clinic, operation, 'branch')
  return { from: day(0), to: day(14), branch_id }
}

/** A demo clinic has no events, so this makes one unless there is one. */
async function sinceAnEvent(service: TestService, { clinic, key }: TestClinic): Promise<string> {
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const { json } = await ask(service, key, `/v1/events?since=${since}`)
  if (json.data.length === 0) {
    const change = { type: 'patient.updated', data: '{"id":"p1"}' } as const
    await service.database.write(clinic, (tx) => emit(tx, clinic, [change], new Date()))
  }
  return since
}

/** The tools that run one operation without a body, each with what it succeeds with. */
export async function validToolCalls(service: TestService, clinic: TestClinic): Promise<ToolCall[]> {
  const called = tools().flatMap((tool) => {
    const operation = allOperations.find(({ id }) => 'operation' in tool.runs && id === tool.runs.operation)
    return operation === undefined || operation.body !== undefined ? [] : [{ tool, operation }]
  })
  const calls: ToolCall[] = []
  for (const { tool, operation } of called) {
    const ids = await validIds(service, clinic, operation)
    const path = Object.entries(tool.path_arguments).map(([name, argument]) => [argument, ids[name]])
    const toolArguments = { ...Object.fromEntries(path), ...(await requiredQuery(service, clinic, operation)) }
    calls.push({ name: tool.name, operation, ids, toolArguments })
  }
  return calls
}
