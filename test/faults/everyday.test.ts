// One fault of each kind, under a small load: nothing acknowledged is lost, nothing is doubled. `npm run faults` breaks everything.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { SEED } from '@clinic-data/testing/run/size'
import { lostDependencies } from './lost-dependencies.ts'
import { missingForMounts } from './mounts.ts'
import { ownMachine } from './own-machine.ts'
import { runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

async function assertSound(t: TestContext, scenario: Pick<Scenario, 'name' | 'open'>, rounds: number): Promise<void> {
  const options = { seed: SEED, rounds, isHurried: true, isSmall: true } as const
  const { violations, logged, ...figures } = await runScenario(scenario, options)
  t.diagnostic(JSON.stringify(figures))
  if (violations.length > 0) for (const line of logged) t.diagnostic(line)
  assert.deepEqual(violations, [])
}

const noDisk = await missingForMounts()
const cut = noDisk === null ? 'a power cut' : 'a killed service'

test(`${cut} and a killed PostgreSQL lose nothing that was acknowledged, and double nothing`, (t) => {
  if (noDisk !== null) t.diagnostic(`no power is cut here: ${noDisk}`)
  return assertSound(t, ownMachine, 2)
})

test('a lost database, a lost Redis, a clock that jumps and a killed service lose nothing, and double nothing', (t) =>
  assertSound(t, lostDependencies, 4))
