// `npm run faults`: breaks a service under load in every way that the scenarios name, checks the histories, and prints the rows of
// the table in docs/reliability.md. `--only <scenario>` runs one (or several, with commas), `--seed <n>` repeats the choices of a
// run, `--rounds <n>` breaks each so often.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Outcome, runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const { values } = parseArgs({
  options: { only: { type: 'string' }, seed: { type: 'string' }, rounds: { type: 'string' } },
})
const names = values.only?.split(',')
const chosen = scenarios.filter(({ name }) => names === undefined || names.includes(name))
const unknown = (names ?? []).filter((name) => !scenarios.some((scenario) => scenario.name === name))
if (unknown.length > 0) {
  process.stderr.write(`there is no scenario ${unknown.join(', ')}; there are ${scenarios.map(({ name }) => name)}\n`)
  process.exit(1)
}
const seed = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed)
process.stdout.write(`seed ${seed}\n`)
/** Ctrl-C: a run that ends at once would leave processes and mounted file systems behind. */
const stopped = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort(new Error('stopped')))

const rows: string[] = []
for (const scenario of chosen) {
  const missing = (await scenario.missing?.()) ?? null
  if (missing !== null) {
    process.stdout.write(`${scenario.name}: skipped, ${missing}\n`)
    continue
  }
  rows.push(await run(scenario))
}
process.stdout.write(`\n${rows.join('\n')}\n`)

async function run(scenario: Scenario): Promise<string> {
  const rounds = values.rounds === undefined ? scenario.rounds : Number(values.rounds)
  const startedAt = performance.now()
  process.stdout.write(`${scenario.name}: ${scenario.done}, ${rounds} times …\n`)
  const outcome = await runScenario(scenario, { seed, rounds, isHurried: false, signal: stopped.signal })
  for (const violation of outcome.violations) process.stdout.write(`  ${violation}\n`)
  if (outcome.violations.length > 0) for (const line of outcome.logged) process.stdout.write(`  logged: ${line}\n`)
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  process.stdout.write(`  ${outcome.violations.length} violations, ${seconds} s\n`)
  if (outcome.violations.length > 0) process.exitCode = 1
  return row(scenario, outcome)
}

function row({ name }: Scenario, outcome: Outcome): string {
  const { rounds, acknowledged, unknown, deliveries, longestPauseMs, violations } = outcome
  const pause = `${(longestPauseMs / 1000).toFixed(1)} s`
  return `| ${[`\`${name}\``, rounds, seed, acknowledged, unknown, deliveries, pause, violations.length].join(' | ')} |`
}
