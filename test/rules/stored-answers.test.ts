// The answer that an `Idempotency-Key` repeats fits the contract of today, also one that a version with fewer fields stored.
import assert from 'node:assert/strict'
import test from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { allOperations } from '@clinic-data/contract'
import { type JsonSchema, jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { sql } from '@clinic-data/database'
import { ask, servedClinic } from '@clinic-data/testing/run/test-service'
import { faultsOfClosed } from '@clinic-data/testing/shared/closed-schema'
import { validOptions, validPath } from './valid-request.ts'

const { service, clinic } = await servedClinic()

/** Without the fields that may be null or an empty list: the contract may only gain such fields. */
function withoutAddable(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutAddable(schema.items ?? {}, item))
  if (typeof value !== 'object' || value === null) return value
  const isAddable = ({ type }: JsonSchema) => type === 'array' || (Array.isArray(type) && type.includes('null'))
  const kept = Object.entries(value).filter(([name]) => !isAddable(schema.properties?.[name] ?? {}))
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutAddable(schema.properties?.[name] ?? {}, inner)]))
}

const onceAKey = allOperations.filter(({ effect }) => effect === 'once a key')

test('some operations are done once a key', () => {
  assert.ok(onceAKey.length >= 4, onceAKey.map(({ id }) => id).join())
})

for (const operation of onceAKey) {
  test(`${operation.id} repeats an answer from before fields were added, and completes it`, async () => {
    const { clinic_id } = clinic.clinic
    const path = await validPath(service, clinic, operation)
    const options = { ...validOptions(operation), headers: { 'idempotency-key': operation.id } }
    const first = await ask(service, clinic.key, path, options)
    assert.equal(first.status, operation.status, first.text)
    await service.database.write(clinic.clinic, async (tx) => {
      const ofThis = sql`clinic_id = ${clinic_id} and key = ${operation.id}`
      const { rows } = await tx.query<{ answer: object }>(sql`select answer from idempotency where ${ofThis}`)
      assert.equal(rows.length, 1)
      const former = withoutAddable(jsonSchemaOf(operation.output), rows[0]?.answer)
      // Only the id of an answer that holds a secret is stored.
      assert.equal(isDeepStrictEqual(former, rows[0]?.answer), operation.id === 'webhooks.create')
      await tx.query(sql`update idempotency set answer = ${JSON.stringify(former)} where ${ofThis}`)
    })
    const repeated = await ask(service, clinic.key, path, options)
    assert.equal(repeated.status, operation.status, repeated.text)
    assert.equal(faultsOfClosed(operation.output, repeated.json), '')
    assert.equal(repeated.json.data.id, first.json.data.id)
  })
}
