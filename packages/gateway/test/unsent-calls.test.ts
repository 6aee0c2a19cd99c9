// A call counts as unsent only when none of the addresses took it: then even a write may go elsewhere.
import assert from 'node:assert/strict'
import test from 'node:test'
import { failureOf } from '../src/http-backend/port-failure.ts'

test('of a name with several addresses, a call that one of them may have taken is not unsent', () => {
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const broken = Object.assign(new Error('broken'), { code: 'ECONNRESET', syscall: 'read' })
  const isUnsent = (...errors: Error[]) => failureOf(new AggregateError(errors)).isUnsent
  assert.equal(isUnsent(refused, refused), true)
  assert.equal(isUnsent(refused, broken), false)
  assert.equal(isUnsent(), false)
})
