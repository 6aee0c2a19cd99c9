// A wrong backend fails the conformance kit by the names of the rules that it breaks, and by no others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batches, held, testFaults, testReference } from './told-faults.ts'

testReference()

test('every rule that the reference is held against is broken by some fault', () => {
  const broken = new Set(Object.values(batches).flatMap((faults) => faults.flatMap(({ breaks }) => breaks)))
  assert.deepEqual(
    held.filter((name) => !broken.has(name)),
    [],
  )
})

testFaults([['port', 'lists'], ['filters', 'ids'], ['isolation', 'writes'], ['one clinic']])
