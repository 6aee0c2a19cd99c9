// A wrong backend fails exactly the rules of the conformance kit that it breaks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RuleReport } from '../src/rule-report.ts'
import { conformanceOf, failed } from './conformance-ground.ts'
import { failuresText, groups, testReference, testSecrecy, wrongBackend } from './fault-groups.ts'

testReference()

const reports: (readonly RuleReport[])[] = []
for (const group of groups) {
  test(`exactly the broken rules fail: ${group.join(', ')}`, async () => {
    const { served, breaks } = wrongBackend(group)
    const report = await conformanceOf(served, group.includes('writes'))
    reports.push(report.rules)
    assert.deepEqual(failed(report).toSorted(), [...breaks].toSorted(), failuresText(report.rules))
  })
}

testSecrecy(reports)
