// The document that is published: what generators need of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forGenerators, sharedValues } from '../src/generators/openapi-shapes.ts'
import { openapi } from '../src/projections/openapi.ts'

const document = forGenerators(openapi('https://api.example.com'))

test('no value is in two named lists of values', () => {
  const values = Object.values(sharedValues).flat()
  assert.deepEqual(
    values.filter((value, at) => values.indexOf(value) < at),
    [],
  )
})

test('no schema lists several types, except one and null', () => {
  const lists = JSON.stringify(document).match(/"type":\[[^\]]*\]/g) ?? []
  assert.ok(lists.length > 0)
  for (const list of lists) assert.match(list, /^"type":\["\w+","null"\]$/)
})

test('a day of a resource has a format and no pattern, one of a request has both', () => {
  const { birth_date } = document.components.schemas.Patient?.properties ?? {}
  assert.equal(birth_date?.format, 'date')
  assert.equal(birth_date?.pattern, undefined)
  const from = document.paths['/v1/availability']?.get?.parameters?.find((one) => 'name' in one && one.name === 'from')
  assert.ok(from && 'schema' in from && from.schema.format === 'date' && from.schema.pattern)
})
