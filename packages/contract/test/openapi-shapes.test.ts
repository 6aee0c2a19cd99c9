// The document that is published: what generators need of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openapi } from '../src/projections/openapi.ts'
import { forGenerators, sharedValues } from '../src/projections/openapi-shapes.ts'

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
