// Ids in the results of tools: a model reads who or what each one is, without another call.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Operation } from '../src/operation.ts'
import { type OperationId, operations } from '../src/operations.ts'
import { tools } from '../src/projections/tools.ts'
import { type JsonSchema, jsonSchemaOf } from '../src/schema/json-schema.ts'

/** Ids of things that have no name of their own, or that another system gave. */
const NAMELESS = new Set(['business_id', 'conversation_id', 'external_id', 'refunded_payment_id', 'replied_to_id'])

/** The places where a schema has an id and nothing beside it says whose it is. */
function bareIds({ properties = {}, items, anyOf = [] }: JsonSchema, path: string): string[] {
  const own = Object.keys(properties).filter((name) => {
    const what = name.replace(/_id$/, '')
    return what !== name && !NAMELESS.has(name) && !(what in properties) && !(`${what}_name` in properties)
  })
  return [
    ...own.map((name) => `${path}.${name}`),
    ...Object.entries(properties).flatMap(([name, inner]) => bareIds(inner, `${path}.${name}`)),
    ...[...(items ? [items] : []), ...anyOf].flatMap((inner) => bareIds(inner, path)),
  ]
}

const runs = tools().flatMap(({ runs }) => ('operation' in runs ? [runs.operation] : Object.values(runs.kind)))

for (const id of runs as OperationId[]) {
  test(`${id} names what its ids stand for`, () => {
    const operation: Operation = operations[id]
    const forms = [operation.output, ...(operation.detailed ? [operation.detailed] : [])]
    assert.deepEqual(
      forms.flatMap((form) => bareIds(jsonSchemaOf(form), id)),
      [],
    )
  })
}
