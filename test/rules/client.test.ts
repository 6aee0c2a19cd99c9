// Each operation of the contract is a method of the client, which answers like REST. Runs against a real service over HTTP.
import assert from 'node:assert/strict'
import test, { before } from 'node:test'
import { ClinicDataClient, type OperationId, type Pages, type Patient } from '@clinic-data/client'
import { allOperations, takesBody } from '@clinic-data/contract'
import { ask, pathOf, servedClinic } from '@clinic-data/testing/run/test-service'
import { betweenEqual, comparable } from './comparable-answer.ts'
import { requiredQuery, validIds, validOptions } from './valid-request.ts'

const { service, clinic } = await servedClinic()
let client: ClinicDataClient

before(async () => {
  client = new ClinicDataClient({ apiKey: clinic.key, baseUrl: await service.address(), maxRetries: 0 })
})

type AnyMethod = (...args: readonly unknown[]) => Promise<unknown> | Pages<unknown>

/** Finds `client.patients.list` by `patients.list`. */
function methodOf(id: string): AnyMethod {
  let at: unknown = client
  for (const name of id.split('.')) at = (at as Record<string, unknown>)[name]
  return at as AnyMethod
}

for (const operation of allOperations) {
  test(`${operation.id} is a method of the client and answers what the service answers`, async () => {
    const ids = await validIds(service, clinic, operation)
    const query = await requiredQuery(service, clinic, operation)
    const { body } = validOptions(operation)
    const input = takesBody(operation.method) ? body : query
    const names = Object.keys(operation.ids)
    const call = async () => methodOf(operation.id)(...names.map((name) => ids[name]), input)
    if (operation.method === 'GET') {
      const rest = async () =>
        comparable(operation, (await ask(service, clinic.key, pathOf(operation, ids, query))).json)
      const { done, answered } = await betweenEqual(rest, call)
      assert.deepEqual(comparable(operation, done), answered)
    } else if (operation.shape === 'none') {
      assert.equal(await call(), undefined)
    } else {
      assert.ok(((await call()) as { data: object }).data)
    }
  })
}

test('the generic request returns status, headers and the request id with the body', async () => {
  const { status, body, request_id, headers } = await client.request('me.get')
  assert.equal(status, 200)
  assert.equal(body.data.clinic_id, clinic.clinic.clinic_id)
  assert.match(request_id ?? '', /^req_/)
  assert.equal(headers.get('x-request-id'), request_id)
})

test('a walk shows each row of all pages once', async () => {
  const { json } = await ask(service, clinic.key, '/v1/patients?limit=100')
  const ids: string[] = []
  for await (const { id } of client.patients.list({ limit: 5 })) ids.push(id)
  assert.deepEqual(
    ids,
    json.data.map(({ id }: { id: string }) => id),
  )
  assert.ok(ids.length > 10)
})

test('a list of event types is sent as the service reads it', async () => {
  const event_types = ['payment.recorded', 'payment.cancelled'] as const
  const since = '2026-01-01T00:00:00Z'
  const listed = await client.events.list({ event_types, since })
  const { json } = await ask(service, clinic.key, `/v1/events?event_types=${event_types}&since=${since}`)
  assert.deepEqual([listed.data, listed.resume_cursor], [json.data, json.resume_cursor])
  await assert.rejects(async () => client.events.list({ event_types: [] }), { status: 400 })
})

/** Never runs: the compiler checks it. */
export async function whatTheTypesSay(): Promise<void> {
  const { data: patient } = await client.patients.get('p1')
  const name: string | null = patient.first_name
  const { data: detailed } = await client.patients.get('p1', { response_format: 'detailed' })
  const owed: number | undefined = detailed.balance?.amount
  for await (const { contacts } of client.patients.list({ query: name ?? '', response_format: 'detailed' }))
    void contacts
  for await (const { start } of client.patients.appointments.list('p1', { limit: 5 })) void start
  const payment = await client.payments.create(
    'p1',
    { amount: owed ?? 1, method_type: 'cash' },
    { idempotencyKey: 'k' },
  )
  const amount: number = payment.data.amount
  // @ts-expect-error the amount is required
  await client.payments.create('p1', { method_type: 'cash' })
  // @ts-expect-error no such parameter
  client.patients.list({ name })
  // @ts-expect-error only detailed patients have a balance
  void patient.balance
  // @ts-expect-error an id is needed
  await client.patients.get()
  const nothing: undefined = await client.webhooks.delete('wh1', {}, { timeoutMs: amount })
  for await (const event of client.events.list({ wait: 5 }))
    if (event.type === 'call.updated') void event.data.transcript
  const { resume_cursor }: { resume_cursor: string } = await client.events.list({ event_types: ['call.updated'] })
  const { data: rows, next_cursor }: { data: Patient[]; next_cursor: string | null } = await client.patients.list()
  void [rows, next_cursor]
  void resume_cursor
  const id: OperationId = 'webhooks.deliveries.retry'
  void [nothing, id]
}
