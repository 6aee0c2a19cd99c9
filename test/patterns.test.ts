// A fault tells how to mend a request in words. A regular expression in an input's schema would be told as it stands.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ingestOperations } from '@clinic-data/backend/ingest/operations'
import { allOperations } from '@clinic-data/contract'

/** Has words of its own: not blank. */
const NOT_BLANK = '\\S'

test('no input of an integrator or of a clinic’s own system has a bare regular expression: a format has words for it', () => {
  const inputs = [
    ...allOperations.map(({ id, params, query, body }) => [id, { params, query, body }] as const),
    ...ingestOperations.map((operation) => [operation.id, inputsOf(operation)] as const),
  ]
  const bare = inputs.flatMap(([id, schemas]) => patternsIn(schemas).map((pattern) => `${id} ${pattern}`))
  assert.deepEqual(bare, [])
})

function inputsOf(operation: (typeof ingestOperations)[number]): unknown {
  return 'record' in operation ? operation.record : { params: operation.params, body: operation.body }
}

function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]) => {
    if (name !== 'pattern' || typeof value !== 'string') return patternsIn(value)
    return value === NOT_BLANK ? [] : [value]
  })
}
