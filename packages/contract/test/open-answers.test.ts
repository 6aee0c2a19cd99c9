// Answers in the published document: they bear what `/v1` may add, and each object of them has its own name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forGenerators } from '../src/generators/openapi-shapes.ts'
import { openapi } from '../src/projections/openapi.ts'
import type { JsonSchema } from '../src/schema/json-schema.ts'

const document = forGenerators(openapi('https://api.example.com'))
const { components, paths, webhooks } = document
const operations = Object.values(paths).flatMap((item) => Object.values(item))

const answers = reached([operations.map(({ responses }) => responses), components.responses, webhooks])
const requests = reached([
  operations.map(({ parameters, requestBody }) => [parameters, requestBody]),
  Object.values(components.parameters),
])

/** Every schema of these parts, and of the components that they reach, with its place. */
function reached(part: unknown, place = '', found = new Map<string, JsonSchema>()): Map<string, JsonSchema> {
  if (typeof part !== 'object' || part === null) return found
  const schema = part as JsonSchema
  if (!Array.isArray(part)) found.set(place, schema)
  const name = schema.$ref?.startsWith('#/components/schemas/')
    ? schema.$ref.slice('#/components/schemas/'.length)
    : null
  if (name !== null && !found.has(name)) reached(components.schemas[name], name, found)
  for (const [key, inner] of Object.entries(part))
    if (!['example', 'examples', 'headers'].includes(key)) reached(inner, `${place}/${key}`, found)
  return found
}

const placesOf = (schemas: Map<string, JsonSchema>, has: (schema: JsonSchema, place: string) => boolean) =>
  [...schemas].filter(([place, schema]) => has(schema, place)).map(([place]) => place)

test('a value, and an item more than today, can be added to every list of an answer', () => {
  assert.deepEqual(
    placesOf(answers, ({ maxItems }) => typeof maxItems === 'number'),
    [],
  )
  assert.deepEqual(
    placesOf(answers, ({ enum: values }) => Array.isArray(values) && values.length > 1),
    [],
  )
  assert.deepEqual(components.schemas.Call?.properties?.direction, {
    type: 'string',
    description: 'Who called whom: `inbound` is a call to the clinic. One of `inbound`, `outbound`. More may be added.',
    maxLength: 64,
    'x-extensible-enum': ['inbound', 'outbound'],
  })
})

test('what a client sends stays bounded, and chosen from closed lists', () => {
  assert.deepEqual(
    placesOf(requests, ({ type, maxItems }) => [type].flat().includes('array') && maxItems === undefined),
    [],
  )
  assert.deepEqual(
    placesOf(requests, (schema) => 'x-extensible-enum' in schema),
    [],
  )
  const { source } = components.schemas.LeadRequest?.properties ?? {}
  assert.equal(source?.$ref, '#/components/schemas/LeadSource')
  assert.ok(components.schemas.LeadSource?.enum?.includes('walk_in'))
})

test('each object of an answer is a component, and no two have one name', () => {
  const nameless = placesOf(answers, ({ properties }, place) => typeof properties === 'object' && place.includes('/'))
  assert.deepEqual(
    nameless.filter((place) => !place.endsWith('/requestBody/content/application/json/schema')),
    [],
  )
  const { AppointmentStatus, AppointmentStatusSummary } = components.schemas
  assert.ok(AppointmentStatus?.properties?.enabled)
  assert.deepEqual(Object.keys(AppointmentStatusSummary?.properties ?? {}), ['id', 'name', 'color'])
})

test('an operation answers one type at each of its statuses', () => {
  const { responses } = paths['/v1/leads']?.post ?? {}
  const schemas = ['200', '201'].map((status) => {
    const response = responses?.[status]
    return response && 'content' in response ? response.content?.['application/json']?.schema : undefined
  })
  assert.deepEqual(schemas, [
    { $ref: '#/components/schemas/LeadsCreateAnswer' },
    { $ref: '#/components/schemas/LeadsCreateAnswer' },
  ])
})
