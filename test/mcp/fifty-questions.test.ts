// Fifty questions of a clinic about the demo clinic: each is answered by the tools in at most three calls and 10,000 characters of
// results, and the answer is the one that plain SQL gives.
import assert from 'node:assert/strict'
import test from 'node:test'
import { allScopes, type Clinic } from '@clinic-data/contract'
import type { Statement } from '@clinic-data/database'
import { DEMO_CLINIC, ensureDemoClinic } from '@clinic-data/demo/demo-clinic'
import { keyOf, newClinicId, startParts } from '@clinic-data/testing/run/test-service'
import { type Asked, namedTables } from './questions/asked.ts'
import { counted } from './questions/counted.ts'
import { lookedUp } from './questions/looked-up.ts'
import type { Tables } from './questions/question.ts'
import { recalls } from './questions/recalls.ts'
import { Walker } from './questions/walker.ts'

/** A morning in Jerusalem. */
const NOW = new Date('2026-11-16T06:00:00Z')
const PATIENTS = 150
const MOST_CALLS = 3
const MOST_CHARACTERS = 10_000
const FEWEST = 50
/** An empty answer would prove little: few questions may have none on that day. */
const MOST_EMPTY = 5

const clinic: Clinic = { ...DEMO_CLINIC, clinic_id: newClinicId() }
const service = await startParts({ now: () => NOW.getTime() })
test.after(() => service.close())
await ensureDemoClinic({
  owner: service.owner,
  database: service.database,
  clinic,
  now: NOW,
  patients: PATIENTS,
})
const key = await keyOf(service.owner, clinic, allScopes)
const { clinic_id, time_zone } = clinic
/** Through the owner, whose statements have no time limit. */
const rows = <R extends object>(statement: Statement) => service.owner.read<R>({ clinic_id, time_zone }, statement)
const tables: Tables = {
  clinic_id,
  now: NOW,
  rows,
  one: async <R extends object>(statement: Statement) =>
    (await rows<R>(statement))[0] ?? assert.fail('the demo clinic has no such row'),
}
const named = namedTables(tables)
const questions: readonly Asked[] = [...recalls(named), ...counted(named), ...(await lookedUp(tables, named))]

/** In any order, as texts. */
const inOrder = (said: readonly unknown[]) => said.map(String).sort()

test('fifty questions of a clinic take at most three calls and 10,000 characters each', async (context) => {
  const costs: string[] = []
  const empty: string[] = []
  for (const { words, ask, truth } of questions) {
    await context.test(words, async () => {
      const agent = await Walker.begin(service, key)
      const answer = await ask(agent)
      const right = (await rows<{ said: unknown }>(truth)).map(({ said }) => said)
      assert.deepEqual(inOrder([answer].flat()), inOrder(right))
      if (right.length === 0 || right[0] === 0) empty.push(words)
      costs.push(`${String(agent.calls).padStart(5)} ${String(agent.characters).padStart(10)}  ${words}`)
      assert.ok(agent.calls <= MOST_CALLS, `${agent.calls} calls`)
      assert.ok(agent.characters <= MOST_CHARACTERS, `${agent.characters} characters`)
    })
  }
  context.diagnostic(['calls characters  question', ...costs].join('\n'))
  assert.ok(questions.length >= FEWEST, `${questions.length} questions`)
  assert.equal(new Set(questions.map(({ words }) => words)).size, questions.length)
  assert.ok(empty.length <= MOST_EMPTY, `the true answer is empty: ${empty.join(', ')}`)
})
