// The links from the OpenAPI document's answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinedId } from '../src/names.ts'
import { allOperations, operations } from '../src/operations.ts'
import { linksOf } from '../src/projections/openapi-links.ts'

const byOperationId = new Map(allOperations.map((operation) => [joinedId(operation.id, '_'), operation]))

test('a created subscription links to every operation on it', () => {
  const id = '$response.body#/data/id'
  const links = Object.values(linksOf(operations['webhooks.create']))
  assert.deepEqual(links.map(({ operationId, parameters }) => [operationId, parameters]).sort(), [
    ['webhooks_delete', { id }],
    ['webhooks_deliveries_list', { id }],
    ['webhooks_get', { id }],
    ['webhooks_replay', { id }],
    ['webhooks_secret_rotate', { id }],
    ['webhooks_test', { id }],
    ['webhooks_update', { id }],
  ])
})

test('a list links to the operations on its rows, with the ids of its own path where they need them', () => {
  const first = '$response.body#/data/0/id'
  assert.deepEqual(linksOf(operations['treatments.list']).treatments_get?.parameters, { id: first })
  assert.deepEqual(linksOf(operations['webhooks.deliveries.list']).webhooks_deliveries_retry?.parameters, {
    id: '$request.path.id',
    delivery_id: first,
  })
})

test('every operation that takes an id has a link to it, and every link gives all ids that its operation takes', () => {
  const reached = new Set<string>()
  for (const operation of allOperations) {
    for (const [name, { operationId, parameters }] of Object.entries(linksOf(operation))) {
      const target = byOperationId.get(operationId)
      assert.equal(name, operationId)
      assert.notEqual(target, operation, 'no answer leads to itself')
      assert.deepEqual(Object.keys(parameters).sort(), Object.keys(target?.params.properties ?? {}).sort(), name)
      reached.add(operationId)
    }
  }
  const takesId = [...byOperationId].filter(([, { path }]) => path.includes('{')).map(([id]) => id)
  assert.deepEqual([...reached].sort(), takesId.sort())
})
