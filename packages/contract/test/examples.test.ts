// The contract accepts every example in the documentation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { default as addFormats } from 'ajv-formats'
import { GOLDEN_BASE_URL } from '../scripts/golden-files.ts'
import { allOperations } from '../src/operations.ts'
import { problems } from '../src/problems.ts'
import { openapi } from '../src/projections/openapi.ts'
import type { MediaType, OperationObject, Response } from '../src/projections/openapi-document.ts'
import type { JsonSchema } from '../src/schema/json-schema.ts'

const document = openapi(GOLDEN_BASE_URL)

const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'document', $defs: closed(document.components.schemas) })

/** Objects in answers are open to future fields. An example must not hold any. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'examples' ? inner : closed(inner)]),
  )
  if (typeof copy.$ref === 'string') return { $ref: copy.$ref.replace('#/components/schemas/', 'document#/$defs/') }
  return isOpenObject(copy) ? { ...copy, additionalProperties: false } : copy
}

function isOpenObject(schema: Record<string, unknown>): boolean {
  return typeof schema.properties === 'object' && 'type' in schema && schema.additionalProperties === undefined
}

function assertValid(schema: JsonSchema, value: unknown, what: string): void {
  const check = ajv.compile(closed(schema) as JsonSchema)
  assert.ok(check(value), `${what}: ${ajv.errorsText(check.errors)}`)
}

function assertMedia(media: MediaType | undefined, what: string): void {
  if (!media) return
  assert.ok(Object.keys(media.examples).length > 0, `${what} has no example`)
  for (const [name, example] of Object.entries(media.examples))
    assertValid(media.schema, example.value, `${what}, ${name}`)
}

const described: [string, OperationObject][] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): [string, OperationObject] => [`${method} ${path}`, operation]),
)

test('the example of every resource is valid, and so is the schema', () => {
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    assert.equal(schema.examples?.length, 1, `${name} has no example`)
    assertValid({ $ref: `#/components/schemas/${name}` }, schema.examples[0], name)
  }
})

test('the example request and answer of every operation are valid', () => {
  assert.equal(described.length, allOperations.length)
  for (const [what, { requestBody, responses }] of described) {
    assertMedia(requestBody?.content['application/json'], `${what}, body`)
    for (const [status, response] of Object.entries(responses)) {
      if ('content' in response) assertMedia(response.content?.['application/json'], `${what}, ${status}`)
    }
  }
})

test('the example parameters of every operation are valid and name only parameters that exist', () => {
  for (const { id, params, query, example } of allOperations) {
    const check = (schema: unknown, values: Record<string, string> = {}) => {
      const properties = (schema as { properties: Record<string, JsonSchema> }).properties
      for (const [name, text] of Object.entries(values)) {
        const one = properties[name]
        assert.ok(one, `${id} has no parameter ${name}`)
        const value = one.type === 'boolean' ? text === 'true' : one.type === 'integer' ? Number(text) : text
        const parameter = publishedParameter(name, id) ?? one
        assertValid(parameter, value, `${id}, ${name}`)
      }
      const required = (schema as { required?: string[] }).required ?? []
      for (const name of required) assert.ok(name in values, `the example of ${id} lacks ${name}`)
    }
    check(params, example.params)
    check(query, example.query)
  }
})

/** A parameter's schema as published. For an array the schema of its items: each word of a comma-separated list is one item. */
function publishedParameter(name: string, id: string): JsonSchema | undefined {
  const operation = described.find(([, { operationId }]) => operationId === id.replaceAll('.', '_'))?.[1]
  for (const parameter of operation?.parameters ?? []) {
    if ('name' in parameter && parameter.name === name) return parameter.schema.items ?? parameter.schema
  }
  return undefined
}

test('the example of every problem is valid', () => {
  const media = Object.values(document.components.responses).flatMap((response: Response) =>
    Object.entries(response.content ?? {}),
  )
  const shown = media.flatMap(([, content]) => Object.keys(content.examples))
  assert.deepEqual([...new Set(shown)].toSorted(), Object.keys(problems).toSorted(), 'every problem is shown')
  for (const [type, content] of media) {
    assert.equal(type, 'application/problem+json')
    assertMedia(content, 'problem')
  }
})

test('the example of every event is valid, and so is that of every header', () => {
  for (const [type, { post }] of Object.entries(document.webhooks))
    assertMedia(post.requestBody.content['application/json'], type)
  const headers = [...Object.values(document.components.headers), ...Object.values(document.components.parameters)]
  for (const { schema, example, description } of headers)
    if (example !== undefined) assertValid(schema, example, description)
})
