// The problems that the published document gives each operation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openapi } from '../src/projections/openapi.ts'
import { exampleProblem } from '../src/projections/openapi-problems.ts'

const document = openapi('https://api.example.com')
const REUSED = exampleProblem('https://api.example.com', 'idempotency-key-reused').type
const KEY = '#/components/parameters/IdempotencyKey'

test('an operation names the problem of a reused Idempotency-Key exactly where it takes that header', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const takes = operations.filter(({ parameters = [] }) => parameters.some((one) => '$ref' in one && one.$ref === KEY))
  const names = operations.filter(({ responses }) => {
    const { $ref = '' } = (responses['422'] ?? {}) as { $ref?: string }
    const answer = document.components.responses[$ref.slice('#/components/responses/'.length)]
    return JSON.stringify(answer ?? null).includes(`"${REUSED}"`)
  })
  assert.equal(takes.length, 4)
  assert.deepEqual(idsOf(names), idsOf(takes))
})

test('a 409 declares the header Retry-After, which it has only at times', () => {
  const { headers } = document.components.responses.Conflict ?? {}
  const { $ref = '' } = (headers?.['Retry-After'] ?? {}) as { $ref?: string }
  const { required, schema } = document.components.headers[$ref.slice('#/components/headers/'.length)] ?? {}
  assert.deepEqual([required, schema?.type], [undefined, 'integer'])
})

const idsOf = (operations: readonly { operationId: string }[]) => operations.map(({ operationId }) => operationId)
