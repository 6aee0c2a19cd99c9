// Tests that a value arrives as it was meant or is refused with its name, before anything is sent.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { ClinicDataClient } from '../src/client.ts'
import { scriptedServer } from './scripted-server.ts'

const server = await scriptedServer()
const settings = { apiKey: `sk_live_${'k'.repeat(20)}`, baseUrl: server.url, maxRetries: 0 }
const client = new ClinicDataClient(settings)

beforeEach(() => {
  server.requests.length = 0
  server.script = [{ body: '{"data":[],"next_cursor":null}' }]
})

async function refused(call: () => PromiseLike<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(
    async () => await call(),
    (error) => error instanceof TypeError && message.test(error.message),
  )
  assert.equal(server.requests.length, 0)
}

/** As a program in JavaScript gives it. */
const untyped = (value: unknown) => value as never

test('an optional input may be undefined, also where the compiler tells it from a missing one, and is not sent', async () => {
  const maybe = (text?: string) => text
  const limit: number | undefined = undefined
  await client.patients.list({ limit, query: maybe(), phone: maybe('050') })
  await client.payments.create('p1', { amount: 1, method_type: 'cash', billing_account_id: maybe() })
  assert.deepEqual(
    server.requests.map(({ path, body }) => [path, body]),
    [
      ['/v1/patients?phone=050', ''],
      ['/v1/patients/p1/payments', '{"amount":1,"method_type":"cash"}'],
    ],
  )
})

test('null in a query is refused: as a text it would ask for something else, and left out for everything', async () => {
  await refused(() => client.patients.list(untyped({ query: null })), /^query is null: leave it out, or give undefined/)
  await refused(
    () => client.availability.list(untyped({ from: '2026-07-12', to: '2026-07-12', further_branch_ids: ['a', null] })),
    /^further_branch_ids is null/,
  )
})

test('null in a body is sent: there it is a value', async () => {
  await client.leads.create({ first_name: 'Dana', phone: '050', source: 'website', note: null })
  assert.match(server.requests[0]?.body ?? '', /"note":null/)
})

test('a number that is none is refused by its name, where JSON would turn it into null', async () => {
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const payment = { amount: wrong, method_type: 'cash' } as const
    await refused(() => client.payments.create('p1', payment), RegExp(`^amount is ${wrong}, which is not a number`))
    await refused(() => client.patients.list({ limit: wrong }), RegExp(`^limit is ${wrong}`))
    const query = { dataset: 'payments', measures: [], filters: [{ field: 'a', op: 'eq', value: [1, wrong] }] }
    await refused(() => client.query.run(untyped(query)), RegExp(`^filters\\[0\\]\\.value\\[1\\] is ${wrong}`))
  }
  await refused(() => client.request('leads.create', { body: { at: new Date(Number.NaN) } }), /^at is NaN/)
})

test('a parameter that is an object is refused, and a Date is told the way', async () => {
  const from = new Date(0)
  await refused(() => client.appointments.list(untyped({ from })), /^from must be a text.+toISOString\(\)/)
  await refused(() => client.appointments.list(untyped({ from: {} })), /^from must be a text/)
})

test('an option that is misspelt is told, with those that there are', async () => {
  assert.throws(
    () => new ClinicDataClient(untyped({ ...settings, maxRetry: 1 })),
    /^TypeError: the client has no option maxRetry/,
  )
  const lead = { first_name: 'Dana', phone: '050', source: 'website' } as const
  await refused(
    () => client.leads.create(lead, untyped({ idempotencykey: 'k1' })),
    /^a call has no option idempotencykey: its options are signal, timeoutMs, maxRetries, idempotencyKey$/,
  )
  await refused(() => client.patients.list({}, untyped({ timeout: 5 })), /^a call has no option timeout/)
})
