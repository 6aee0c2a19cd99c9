// What a client sends, in the published document: each object and each choice of it has a name of its own, which generators keep.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forGenerators } from '../src/generators/openapi-shapes.ts'
import { openapi } from '../src/projections/openapi.ts'

const { components, paths } = forGenerators(openapi('https://api.example.com'))
const bodies = Object.values(paths)
  .flatMap((item) => Object.values(item))
  .flatMap(({ requestBody }) => (requestBody ? [requestBody.content['application/json']?.schema] : []))

test('the body of every request is a component', () => {
  assert.ok(bodies.length >= 8)
  assert.deepEqual(
    bodies.filter((schema) => schema?.$ref === undefined),
    [],
  )
  // The name that openapi-generator gives to a body without one.
  assert.ok(components.schemas.PaymentsCreateRequest?.properties?.amount)
})

test('and so is each object and each choice inside one', () => {
  const { dimensions } = components.schemas.Query?.properties ?? {}
  assert.deepEqual(dimensions?.items, { $ref: '#/components/schemas/QueryDimension' })
  assert.equal(components.schemas.QueryDimension?.anyOf?.length, 2)
  const { template } = components.schemas.ChatMessagesCreateRequest?.properties ?? {}
  assert.deepEqual(template, { $ref: '#/components/schemas/ChatMessageTemplate', description: 'An approved template.' })
})
