// The reference passes the conformance kit, and each rule of it finds the fault that breaks it. What else fails with a wrong backend is
// told by `conformance-faults.long.test.ts`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleReport } from '../src/rule-report.ts'
import { reportsOf } from './conformance-ground.ts'
import { batches, failuresText, groups, held, testReference, testSecrecy, wrongBackend } from './fault-groups.ts'

testReference()

test('for every rule that the reference passes, some fault breaks it', () => {
  const broken = new Set(Object.values(batches).flatMap((faults) => faults.flatMap(({ breaks }) => breaks)))
  assert.deepEqual(
    held.filter((name) => !broken.has(name)),
    [],
  )
})

const reports: RuleReport[][] = []
for (const group of groups) {
  test(`each broken rule fails: ${group.join(', ')}`, async () => {
    const { served, noticedBy } = wrongBackend(group)
    const tried = await reportsOf(served, noticedBy)
    reports.push(tried)
    const names = tried.flatMap(({ name, result }) => (result === 'failed' ? [name] : []))
    assert.deepEqual(names.toSorted(), [...noticedBy].toSorted(), failuresText(tried))
  })
}

testSecrecy(reports)
