// Tests that a backend with certain faults fails exactly the rules of the conformance kit that they break.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Backend } from '@clinic-data/contract'
import { hashKey } from '@clinic-data/contract/key'
import type { ConformanceReport } from '../src/conformance.ts'
import { reportText } from '../src/report.ts'
import { type Batch, faultBatches } from './conformance-faults.ts'
import { conformanceOf, failed, first, patientTexts, reference, second } from './conformance-ground.ts'
import type { Fault } from './faults/fault.ts'

export const batches = faultBatches({ first, second })

const whole = await conformanceOf({}, true)
/** The rules that were tried and held. No fault can break a rule that was skipped. */
export const held = whole.rules.flatMap(({ name, result }) => (result === 'held' ? [name] : []))

/** Tries each group of batches in one backend. */
export function testFaults(groups: readonly (readonly Batch[])[]): void {
  const reports: ConformanceReport[] = []
  for (const group of groups) {
    test(`exactly the broken rules fail: ${group.join(', ')}`, async () => {
      const faults = group.flatMap((about) => batches[about])
      const backend = faults.reduce<Backend>((one, { wrap }) => wrap?.(one) ?? one, reference)
      const before: Fault['before'] = (app, token) => {
        for (const fault of faults) fault.before?.(app, token)
      }
      const report = await conformanceOf({ backend, before }, group.includes('writes'))
      reports.push(report)
      const expected = new Set(faults.flatMap(({ breaks }) => breaks).filter((name) => held.includes(name)))
      const broken = report.rules.filter(({ result }) => result === 'failed')
      const told = JSON.stringify(broken.map(({ name, findings }) => [name, findings[0]]))
      assert.deepEqual(failed(report).toSorted(), [...expected].toSorted(), told)
    })
  }

  test('no report of a fault quotes a patient, a key or its hash', async () => {
    const secret = [first.key, second.key, hashKey(first.key), hashKey(second.key)]
    const texts = [...secret, ...(await patientTexts(first)), ...(await patientTexts(second))]
    assert.ok(texts.length > 100)
    for (const report of reports) {
      const said = reportText(report) + JSON.stringify(report)
      assert.deepEqual(
        texts.filter((text) => said.includes(text)),
        [],
      )
    }
  })
}

export function testReference(): void {
  test('the reference passes', () => {
    assert.deepEqual(failed(whole), [])
    assert.deepEqual([whole.clinic_id, whole.other_clinic_id], [first.clinic.clinic_id, second.clinic.clinic_id])
  })
}
