// The headers of an answer: the new resource's address, and whether it repeats an earlier answer.
import assert from 'node:assert/strict'
import test from 'node:test'
import { inspect } from 'node:util'
import { type AnyAnswer, allOperations, type Operation, operations } from '@clinic-data/contract'
import { exampleAnswer } from '@clinic-data/contract/projections/example-answer'
import { outputWriter } from '../src/answers/write-output.ts'

const links = { cursor: () => 'cursor', file: () => null, address: (path: string) => `/clinic-api${path}` }

function headersOf(
  operation: Operation,
  members: Partial<AnyAnswer> = {},
): Readonly<Record<string, string>> | undefined {
  const answer = exampleAnswer(operation) as AnyAnswer
  return outputWriter(operation)({ ...answer, ...members }, false, links).headers
}

test('the 201 of a readable resource names its address, below the base address', () => {
  const ids: [operation: Operation, address: string][] = [
    [operations['payments.create'], '/clinic-api/v1/payments/pay9001'],
    [operations['chat.messages.create'], '/clinic-api/v1/chat/messages/out_70412'],
    [operations['webhooks.create'], '/clinic-api/v1/webhooks/wh31'],
  ]
  for (const [operation, location] of ids) assert.deepEqual(headersOf(operation), { location }, operation.id)
})

test('a detailed patient has all its fields, also from a backend that leaves some out', () => {
  const operation = operations['patients.get']
  const { data } = exampleAnswer({ ...operation, output: operation.detailed ?? operation.output }) as { data: object }
  const { address, contacts, balance, id_number, ...concise } = data as Record<string, unknown>
  assert.ok(address && contacts && balance && id_number !== undefined)
  const { body } = outputWriter(operation)({ data: concise } as AnyAnswer, true, links)
  assert.deepEqual(JSON.parse(String(body)).data, {
    ...concise,
    address: null,
    contacts: [],
    balance: null,
    id_number: null,
  })
})

test('an id is escaped so that the address is valid', () => {
  const { data } = exampleAnswer(operations['payments.create']) as { data: object }
  const headers = headersOf(operations['payments.create'], { data: { ...data, id: 'a/b ?é' } })
  assert.equal(headers?.location, '/clinic-api/v1/payments/a%2Fb%20%3F%C3%A9')
})

test('an existing resource, one that cannot be read and one that was only read have no address', () => {
  assert.equal(headersOf(operations['payments.create'], { status: 200 }), undefined)
  assert.equal(headersOf(operations['leads.create']), undefined)
  assert.equal(headersOf(operations['payments.get']), undefined)
  assert.equal(headersOf(operations['payments.list'], { next: null }), undefined)
})

test('a repeated answer says so, with the same status and address', () => {
  assert.deepEqual(headersOf(operations['leads.create'], { replayed: true }), { 'idempotent-replayed': 'true' })
  assert.deepEqual(headersOf(operations['payments.create'], { replayed: true }), {
    location: '/clinic-api/v1/payments/pay9001',
    'idempotent-replayed': 'true',
  })
})

test('a backend of an earlier version that knows no detailed form of an appointment is answered for without the details', () => {
  const write = outputWriter(operations['appointments.get'])
  const concise = exampleAnswer(operations['appointments.get'])
  assert.deepEqual(JSON.parse(String(write(concise as AnyAnswer, true, links).body)), concise)
})

const NAME = 'Noa Levi'

/** The value once for each of its leaves, with a name in its place. */
function* withNames(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) yield NAME
  else
    for (const [key, part] of Object.entries(value))
      for (const changed of withNames(part))
        yield Array.isArray(value)
          ? value.map((one, place) => (String(place) === key ? changed : one))
          : { ...value, [key]: changed }
}

test('no error about an answer quotes what a backend put in the place of a number, a list or an object', () => {
  const refused = new Set<string>()
  const answering = allOperations.filter(({ shape }) => shape !== 'none')
  for (const operation of answering) {
    const write = outputWriter(operation)
    const answer = exampleAnswer(operation) as AnyAnswer
    for (const wrong of [...withNames(answer.data)].map((data) => ({ ...answer, data, next: null }))) {
      try {
        write(wrong as AnyAnswer, false, links)
      } catch (error) {
        refused.add(operation.id)
        assert.ok(!inspect(error, { depth: 9 }).includes(NAME), `${operation.id}: ${inspect(error)}`)
      }
    }
  }
  assert.ok(refused.size > answering.length / 4, [...refused].join(' '))
})
