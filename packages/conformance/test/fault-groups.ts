// Tests that the rules of the conformance kit find the faults of wrong backends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Backend } from '@clinic-data/contract'
import { hashKey } from '@clinic-data/contract/key'
import { reportText } from '../src/report.ts'
import type { RuleReport } from '../src/rule-report.ts'
import { type Batch, faultBatches } from './conformance-faults.ts'
import { conformanceOf, failed, first, patientTexts, reference, type Served, second } from './conformance-ground.ts'
import type { Fault } from './faults/fault.ts'

export const batches = faultBatches({ first, second })

/** The faults of a group do not affect each other, and each rule is broken by one of the groups. */
export const groups: readonly (readonly Batch[])[] = [
  ['port', 'lists'],
  ['filters', 'ids'],
  ['isolation', 'writes'],
  ['one clinic'],
]

const whole = await conformanceOf({}, true)
/** The rules that were tried and held. No fault can break a rule that was skipped. */
export const held = whole.rules.flatMap(({ name, result }) => (result === 'held' ? [name] : []))

export interface Wrong {
  readonly served: Served
  /** The names of the rules that it breaks. */
  readonly breaks: ReadonlySet<string>
  /** Those of them that suffice to notice each of its faults. */
  readonly noticedBy: ReadonlySet<string>
}

/** How many faults break each rule. */
const timesBroken = new Map<string, number>()
for (const { breaks } of Object.values(batches).flat())
  for (const name of breaks) timesBroken.set(name, (timesBroken.get(name) ?? 0) + 1)

/** The rules that this fault alone breaks, or else all that it breaks. */
function noticing({ breaks }: Fault): readonly string[] {
  const own = breaks.filter((name) => timesBroken.get(name) === 1)
  return own.length > 0 ? own : breaks
}

/** One backend with all faults of a group. */
export function wrongBackend(group: readonly Batch[]): Wrong {
  const faults = group.flatMap((about) => batches[about])
  const backend = faults.reduce<Backend>((one, { wrap }) => wrap?.(one) ?? one, reference)
  const before: Fault['before'] = (app, token) => {
    for (const fault of faults) fault.before?.(app, token)
  }
  const heldOf = (names: readonly string[]) => new Set(names.filter((name) => held.includes(name)))
  return {
    served: { backend, before },
    breaks: heldOf(faults.flatMap((fault) => fault.breaks)),
    noticedBy: heldOf(faults.flatMap(noticing)),
  }
}

/** Lists what failed, with the first finding of each. */
export function failuresText(reports: readonly RuleReport[]): string {
  const broken = reports.filter(({ result }) => result === 'failed')
  return JSON.stringify(broken.map(({ name, findings }) => [name, findings[0]]))
}

export function testReference(): void {
  test('the reference passes', () => {
    assert.deepEqual(failed(whole), [])
    assert.deepEqual([whole.clinic_id, whole.other_clinic_id], [first.clinic.clinic_id, second.clinic.clinic_id])
  })
}

/** @param reports - of the tests before it. */
export function testSecrecy(reports: readonly (readonly RuleReport[])[]): void {
  test('no report of a fault quotes a patient, a key or its hash', async () => {
    const secret = [first.key, second.key, hashKey(first.key), hashKey(second.key)]
    const texts = [...secret, ...(await patientTexts(first)), ...(await patientTexts(second))]
    assert.ok(texts.length > 50)
    assert.equal(reports.length, groups.length)
    for (const rules of reports) {
      const said = reportText({ ...whole, rules }) + JSON.stringify(rules)
      assert.deepEqual(
        texts.filter((text) => said.includes(text)),
        [],
      )
    }
  })
}
