// The rules for every schema of the contract, so that every request and answer is bounded.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventResources } from '../src/event-examples.ts'
import { type Operation, takesBody } from '../src/operation.ts'
import { allOperations } from '../src/operations.ts'
import { tags } from '../src/projections/tags.ts'
import type { JsonSchema } from '../src/schema/json-schema.ts'
import { scopes } from '../src/scopes.ts'

interface Found {
  at: string
  schema: JsonSchema
}

/** A schema and every schema inside it. */
function inside(schema: JsonSchema, at: string): Found[] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema
  return [
    { at, schema },
    ...Object.entries(properties).flatMap(([name, inner]) => inside(inner, `${at}.${name}`)),
    ...(items ? inside(items, `${at}[]`) : []),
    ...(typeof additionalProperties === 'object' ? inside(additionalProperties, `${at}.*`) : []),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((inner, index) => inside(inner, `${at}|${index}`)),
  ]
}

const partsOf = (
  operation: Operation,
  names: readonly ('params' | 'query' | 'body' | 'output' | 'detailed')[],
): Found[] =>
  names.flatMap((name) =>
    operation[name] ? inside(operation[name] as unknown as JsonSchema, `${operation.id} ${name}`) : [],
  )

const inputs = allOperations.flatMap((operation) => partsOf(operation, ['params', 'query', 'body']))
const outputs = [
  ...allOperations.flatMap((operation) => partsOf(operation, ['output', 'detailed'])),
  ...Object.entries(eventResources).flatMap(([name, schema]) => inside(schema as unknown as JsonSchema, name)),
]
const all = [...inputs, ...outputs]

const isOf = (type: string, { type: types = [] }: JsonSchema) =>
  types === type || (Array.isArray(types) && types.includes(type))
const where = (found: readonly Found[]) => found.map(({ at }) => at)

describe('schemas', () => {
  test('every string is bounded', () => {
    const unbounded = all.filter(
      ({ schema }) => isOf('string', schema) && !schema.enum && schema.maxLength === undefined,
    )
    assert.deepEqual(where(unbounded), [])
  })

  test('every array is bounded', () => {
    assert.deepEqual(where(all.filter(({ schema }) => isOf('array', schema) && schema.maxItems === undefined)), [])
  })

  test('every number is bounded at both ends', () => {
    const unbounded = all.filter(({ schema }) => {
      // A value of several types has its own rules: it is compared, never used in calculations.
      const isNumber =
        schema.type === 'number' || schema.type === 'integer' || (isOf('integer', schema) && isOf('null', schema))
      return isNumber && (schema.maximum === undefined || (schema.minimum ?? schema.exclusiveMinimum) === undefined)
    })
    assert.deepEqual(where(unbounded), [])
  })

  test('every map with free keys is bounded', () => {
    const unbounded = all.filter(
      ({ schema }) => isOf('object', schema) && !schema.properties && schema.maxProperties === undefined,
    )
    assert.deepEqual(where(unbounded), [])
  })

  test('every object that a client sends is strict, except free maps', () => {
    const loose = inputs.filter(({ schema }) => schema.properties && schema.additionalProperties !== false)
    assert.deepEqual(where(loose), [])
  })

  test('no answer holds a union', () => {
    assert.deepEqual(where(outputs.filter(({ schema }) => schema.anyOf ?? schema.oneOf ?? schema.allOf)), [])
  })

  test('every object of an answer tolerates future fields', () => {
    assert.deepEqual(where(outputs.filter(({ schema }) => schema.additionalProperties === false)), [])
  })
})

describe('operations', () => {
  test('every id, path and tag is well formed and unique', () => {
    const routes = new Set(allOperations.map(({ method, path }) => `${method} ${path}`))
    assert.equal(routes.size, allOperations.length)
    for (const { id, path, tag } of allOperations) {
      assert.match(id, /^[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)+$/)
      assert.match(path, /^\/v1(\/[a-z]+|\/\{[a-z_]+\})+$/)
      assert.ok(tag in tags, `${tag} has no description`)
    }
  })

  test('the parameters of a path are those of its schema', () => {
    for (const { id, path, params } of allOperations) {
      const inPath = [...path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1])
      assert.deepEqual(Object.keys(params.properties), inPath, id)
    }
  })

  test('every operation except the introspection of the key needs exactly one scope', () => {
    for (const { id, scope } of allOperations) {
      if (id === 'me.get') assert.equal(scope, null)
      else assert.ok(typeof scope === 'string' && scope in scopes, id)
    }
  })

  test('a read never needs a write scope, and a write never a read scope', () => {
    for (const { id, effect, scope } of allOperations) {
      if (scope === null || scope === 'webhooks:manage') continue
      assert.equal(scope.endsWith(effect === 'none' ? ':read' : ':write'), true, id)
    }
  })

  test('only POST and PATCH have a body, and every operation that creates can be repeated safely', () => {
    for (const { id, method, body, effect, status } of allOperations) {
      if (body) assert.ok(takesBody(method), id)
      assert.equal(effect === 'once a key', method === 'POST' && status === 201, id)
    }
  })

  test('every paginated list takes limit and cursor, and no other operation does', () => {
    for (const { id, shape, query } of allOperations) {
      for (const name of ['limit', 'cursor']) assert.equal(name in query.properties, shape === 'page', `${id} ${name}`)
    }
  })
})
