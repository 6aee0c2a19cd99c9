// What input schemas may not have: regular expressions, which a fault would quote, and steps, by which validators refuse good amounts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ingestOperations } from '@clinic-data/backend/ingest/operations'
import { ingestDocument } from '@clinic-data/backend/intake/ingest-document'
import { allOperations } from '@clinic-data/contract'
import { commands } from '@clinic-data/contract/projections/commands'
import { openapi } from '@clinic-data/contract/projections/openapi'
import { tools } from '@clinic-data/contract/projections/tools'
import { writeTools } from '@clinic-data/contract/projections/write-tools'
import { Ajv2020 } from 'ajv/dist/2020.js'

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

test('a standard validator accepts every ordinary amount by the published documents', () => {
  const base = 'https://api.clinic.example'
  const documents = {
    api: openapi(base),
    ingest: ingestDocument(ingestOperations, base),
    tools: tools(),
    more: writeTools(),
    commands: commands(),
  }
  const numbers = [...new Set(numbersIn(documents).map((schema) => JSON.stringify(schema)))]
  assert.ok(numbers.length >= 3)
  const ajv = new Ajv2020({ strict: false })
  for (const schema of numbers) {
    const accepts = ajv.compile({ ...JSON.parse(schema), minimum: 0 })
    const refused = Array.from({ length: 20_000 }, (_, at) => (at + 1) / (at % 2 === 0 ? 1_000 : 100)).filter(
      (one) => !accepts(one),
    )
    assert.deepEqual(refused, [], schema)
  }
})

/** Those of amounts: with a bound that lets an amount be. */
function numbersIn(schema: unknown): object[] {
  if (typeof schema !== 'object' || schema === null) return []
  const here =
    'type' in schema && schema.type === 'number' && 'maximum' in schema && Number(schema.maximum) >= 1_000_000
      ? [schema]
      : []
  return [...here, ...Object.values(schema).flatMap(numbersIn)]
}
