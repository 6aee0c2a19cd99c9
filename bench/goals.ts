// Runs the programs that measure a goal, several times in turn, and prints one table of the goals: median and worst of the runs.
//
//   node bench/goals.ts [--runs 5] [--only reads,leads]    needs wrk (Debian package wrk), and an otherwise idle machine
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Goal, goalsOf } from './goal.ts'
import { median } from './wrk.ts'

/** A program's name, and its arguments: short rounds, since the runs are repeated. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  reads: ['2'],
  mcp: ['200'],
  leads: ['3', 'goal'],
  payments: ['3', 'goal'],
  ingest: ['10'],
  import: ['1'],
  memory: ['15'],
  webhooks: ['--only', 'burst,steady,killed', '--rounds', '1', '--seconds', '4'],
  'webhook-costs': [],
  analytics: ['5', 'beside'],
  console: [],
  connect: ['2000', '50'],
}

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' }, only: { type: 'string' } } })
const names = values.only?.split(',') ?? Object.keys(PROGRAMS)
const unknown = names.filter((name) => !Object.hasOwn(PROGRAMS, name))
if (unknown.length > 0) throw new Error(`no program measures ${unknown}; there are ${Object.keys(PROGRAMS)}`)

const measured = new Map<string, Goal[]>()
for (let run = 1; run <= Number(values.runs); run++) {
  for (const name of names) {
    process.stderr.write(`run ${run}: ${name}\n`)
    for (const goal of goalsOf(outputOf(name))) measured.set(goal.name, [...(measured.get(goal.name) ?? []), goal])
  }
}

process.stdout.write('| goal | limit | median | worst | runs | compared with |\n|---|---|---|---|---|---|\n')
for (const [name, runs] of measured) {
  const [first] = runs
  if (first === undefined) continue
  const { limit, unit, opponent } = first
  const all = runs.map(({ value }) => value)
  const worst = 'atLeast' in limit ? Math.min(...all) : Math.max(...all)
  const bound = 'atLeast' in limit ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`
  const shown = (value: number) => `${Number(value.toPrecision(3))} ${unit}`
  process.stdout.write(
    `| ${name} | ${bound} ${unit} | ${shown(median(all))} | ${shown(worst)} | ${all.length} | ${opponent ?? ''} |\n`,
  )
}

function outputOf(name: string): string {
  const file = join(import.meta.dirname, `${name}.ts`)
  const { status, stdout } = spawnSync(process.execPath, [file, ...(PROGRAMS[name] ?? [])], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${file} ended with ${status}:\n${stdout}`)
  return stdout
}
