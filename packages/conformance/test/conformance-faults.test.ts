// A wrong backend fails exactly the rules of the conformance kit that it breaks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batches, held, testFaults, testReference } from './told-faults.ts'

testReference()

test('for every rule that the reference passes, some fault breaks it', () => {
  const broken = new Set(Object.values(batches).flatMap((faults) => faults.flatMap(({ breaks }) => breaks)))
  assert.deepEqual(
    held.filter((name) => !broken.has(name)),
    [],
  )
})

testFaults([['port', 'lists'], ['filters', 'ids'], ['isolation', 'writes'], ['one clinic']])
