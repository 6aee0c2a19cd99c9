// What an answer says besides its body: where the new resource can be read, and whether it repeats an earlier answer.
import assert from 'node:assert/strict'
import test from 'node:test'
import { type Operation, operations } from '@clinic-data/contract'
import { exampleAnswer } from '@clinic-data/contract/projections/example-answer'
import { type AnyAnswer, outputWriter } from '../src/answers/write-output.ts'

const links = { cursor: () => 'cursor', file: () => null, address: (path: string) => `/clinic-api${path}` }

function headersOf(operation: Operation, given: Partial<AnyAnswer> = {}): Readonly<Record<string, string>> | undefined {
  const answer = exampleAnswer(operation) as AnyAnswer
  return outputWriter(operation)({ ...answer, ...given }, false, links).headers
}

test('the 201 of a resource that can be read names its address, below the base address', () => {
  const ids: [operation: Operation, address: string][] = [
    [operations['payments.create'], '/clinic-api/v1/payments/pay9001'],
    [operations['chat.messages.create'], '/clinic-api/v1/chat/messages/out_70412'],
    [operations['webhooks.create'], '/clinic-api/v1/webhooks/wh31'],
  ]
  for (const [operation, location] of ids) assert.deepEqual(headersOf(operation), { location }, operation.id)
})

test('an id is written so that the address leads to it', () => {
  const { data } = exampleAnswer(operations['payments.create']) as { data: object }
  const headers = headersOf(operations['payments.create'], { data: { ...data, id: 'a/b ?é' } })
  assert.equal(headers?.location, '/clinic-api/v1/payments/a%2Fb%20%3F%C3%A9')
})

test('what existed already, what cannot be read and what was only read has no address', () => {
  assert.equal(headersOf(operations['payments.create'], { status: 200 }), undefined)
  assert.equal(headersOf(operations['leads.create']), undefined)
  assert.equal(headersOf(operations['payments.get']), undefined)
  assert.equal(headersOf(operations['payments.list'], { next: null }), undefined)
})

test('an answer that repeats an earlier one says so, with the same status and address', () => {
  assert.deepEqual(headersOf(operations['leads.create'], { replayed: true }), { 'idempotent-replayed': 'true' })
  assert.deepEqual(headersOf(operations['payments.create'], { replayed: true }), {
    location: '/clinic-api/v1/payments/pay9001',
    'idempotent-replayed': 'true',
  })
})
