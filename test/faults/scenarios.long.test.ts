// Some faults of `npm run faults`, a round or two each: nothing acknowledged is lost, nothing is doubled.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SEED } from '@clinic-data/testing/run/size'
import { runScenario } from './run-scenario.ts'
import { scenarios } from './scenarios.ts'

for (const scenario of scenarios.filter(({ long }) => long > 0)) {
  const { long: rounds } = scenario
  test(`${scenario.name}: ${scenario.done}`, async (t) => {
    const missing = (await scenario.missing?.()) ?? null
    if (missing !== null) return t.skip(missing)
    t.diagnostic(`--only ${scenario.name} --seed ${SEED} --rounds ${rounds}`)
    const { violations, logged, ...figures } = await runScenario(scenario, { seed: SEED, rounds, isHurried: true })
    t.diagnostic(JSON.stringify(figures))
    if (violations.length > 0) for (const line of logged) t.diagnostic(line)
    assert.deepEqual(violations, [])
  })
}
