// Every operation needs exactly its scope. With all other scopes it is refused and the scope is named; with that one it is served.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allOperations, allScopes, type Operation } from '@clinic-data/contract'
import type { JsonSchema } from '@clinic-data/contract/json-schema'
import { ask, emptyClinic, keyOf, pathOf, servedClinic } from '@clinic-data/testing/run/test-service'
import { askValid } from './valid-request.ts'

const { service, clinic } = await servedClinic()

for (const operation of allOperations) {
  const { scope } = operation
  if (scope === null) {
    test(`${operation.id} needs no scope`, async () => {
      const key = await keyOf(service.owner, clinic.clinic, [])
      assert.equal((await ask(service, key, pathOf(operation))).status, 200)
    })
    continue
  }
  test(`${operation.id} is refused without ${scope}, and the answer names it`, async () => {
    const key = await keyOf(
      service.owner,
      clinic.clinic,
      allScopes.filter((other) => other !== scope),
    )
    const { status, json } = await askValid(service, clinic, operation, key)
    assert.equal(status, 403)
    assert.equal(json.required_scope, scope)
    assert.match(json.detail, new RegExp(scope))
  })
  test(`${operation.id} is served with only ${scope}`, async () => {
    const key = await keyOf(service.owner, clinic.clinic, [scope])
    assert.equal((await askValid(service, clinic, operation, key)).status, operation.status)
  })
}

for (const operation of allOperations) {
  for (const [filter, scope] of Object.entries(operation.addedFilters ?? {})) {
    if (scope === null) continue
    test(`${operation.id} filters by ${filter} only for a key that holds ${scope} too`, async () => {
      const value = exampleOfFilter(operation, filter)
      const path = `${pathOf(operation)}?${filter}=${value}`
      const key = await keyOf(
        service.owner,
        clinic.clinic,
        allScopes.filter((other) => other !== scope),
      )
      const { status, json } = await ask(service, key, path)
      assert.deepEqual([status, json.required_scope], [403, scope])
      assert.match(String((operation.query.properties[filter] as JsonSchema).description), new RegExp(scope))
      const both = await keyOf(service.owner, clinic.clinic, [operation.scope ?? scope, scope])
      assert.equal((await ask(service, both, path)).status, 200)
    })
  }
}

/** A value that the filter's schema takes. */
function exampleOfFilter({ query }: Operation, filter: string): string {
  const { type, format } = query.properties[filter] as JsonSchema
  if (type === 'boolean') return 'true'
  return type === 'number' ? '0' : format === 'date' ? '2026-03-01' : '03-01'
}

test('the scope is checked before the rest of the request', async () => {
  const empty = await emptyClinic(service.owner)
  const key = await keyOf(service.owner, empty, ['calls:read'])
  assert.equal((await ask(service, key, '/v1/patients?limit=9999&nonsense=1')).status, 403)
})
