// Lists of scopes: the only bundle holds read scopes only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allScopes, parseScopes, readScopes } from '../src/scopes.ts'

test('the bundle reads holds every read scope of the specification and no other', () => {
  const reads = [
    'patients',
    'appointments',
    'availability',
    'treatments',
    'payments',
    'calls',
    'chat',
    'catalog',
    'analytics',
  ]
  assert.deepEqual(
    readScopes,
    reads.map((name) => `${name}:read`),
  )
  const others = allScopes.filter((scope) => !readScopes.includes(scope))
  assert.deepEqual(others, ['payments:write', 'leads:write', 'leads:read', 'chat:write', 'webhooks:manage'])
  assert.deepEqual(parseScopes('reads'), { scopes: readScopes })
})

test('scopes are named one by one or with the bundle, in the contract’s order, and an unknown one is reported', () => {
  assert.deepEqual(parseScopes(' leads:write, patients:read'), { scopes: ['patients:read', 'leads:write'] })
  assert.deepEqual(parseScopes('leads:read, catalog:read'), { scopes: ['leads:read', 'catalog:read'] })
  assert.deepEqual(parseScopes('webhooks:manage,reads'), { scopes: [...readScopes, 'webhooks:manage'] })
  assert.deepEqual(parseScopes('reads,all,write,leads:list'), { unknown: ['all', 'write', 'leads:list'] })
  for (const none of ['', ' , ']) assert.deepEqual(parseScopes(none), { unknown: [] })
})
