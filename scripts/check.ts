// `npm test`: format and lint, types, then every test on a real PostgreSQL, and whether a test left files behind. Stops at the
// first failure. `npm test -- --profile` also prints what each test file cost, the dearest first.
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Cost } from './test-cost.ts'

const root = dirname(import.meta.dirname)
const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const given = process.argv.slice(2).filter((word) => word !== '--profile')
const isProfiled = process.argv.includes('--profile')
const files = given.length > 0 ? given : globSync(['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })

/** The smallest machines have two cores. Each test file is a process with its own clinics. */
const CONCURRENCY = 2
/** The longest file takes a quarter of this. Anything longer hangs. */
const HUNG_MS = 120_000

if (given.length === 0) {
  run('lint', bin('biome'), ['check', '--error-on-warnings', '.'])
  run('types', bin('tsc'), ['-p', '.'])
  run("types of the pages' script", bin('tsc'), ['-p', 'packages/gateway/browser'])
}
/** The folder for the tests' files: leftovers are reported and removed with it. */
const temporary = mkdtempSync(join(tmpdir(), 'clinic-data-tests-'))
// Embedded servers run under another account.
chmodSync(temporary, 0o755)
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }))
const runner = [
  '--test',
  `--test-concurrency=${CONCURRENCY}`,
  '--test-global-setup=test/database-setup.ts',
  `--test-timeout=${HUNG_MS}`,
  '--test-reporter=spec',
  ...(isProfiled ? ['--import', './scripts/test-cost.ts'] : []),
]
const environment = { ...process.env, TMPDIR: temporary, TEMP: temporary }
run('tests', process.execPath, [...runner, ...files], isProfiled ? profiled(environment) : environment)

/** Node's own folder, for programs that keep their compiled code. */
const KEPT_BY_NODE = 'node-compile-cache'
const left = readdirSync(temporary).filter((name) => name !== KEPT_BY_NODE)
if (left.length > 0) {
  process.stderr.write(`tests left files behind: ${left.join(', ')}\n`)
  process.exit(1)
}

/** The costs are printed at the end, also of a run that failed. */
function profiled(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const costs = mkdtempSync(join(tmpdir(), 'clinic-data-costs-'))
  process.on('exit', () => {
    printCosts(costs)
    rmSync(costs, { recursive: true, force: true })
  })
  return { ...environment, TEST_COSTS: costs }
}

function printCosts(costs: string): void {
  const all = readdirSync(costs).map((name) => JSON.parse(readFileSync(join(costs, name), 'utf8')) as Cost)
  const shown = (seconds: number) => seconds.toFixed(1).padStart(8)
  const line = (cpu: number, children: number, wall: number, file: string) =>
    `${shown(cpu)}${shown(children)}${shown(wall)}  ${file}\n`
  const sum = (of: 'cpu' | 'children' | 'wall') => all.reduce((total, cost) => total + cost[of], 0)
  all.sort((a, b) => b.cpu + b.children - a.cpu - a.children)
  process.stdout.write('seconds: CPU, CPU of programs that it started, wall\n')
  process.stdout.write(line(sum('cpu'), sum('children'), sum('wall'), `all ${all.length} files`))
  for (const { cpu, children, wall, file } of all) process.stdout.write(line(cpu, children, wall, file))
}

function run(name: string, command: string, argv: readonly string[], env = process.env): void {
  const startedAt = performance.now()
  process.stdout.write(`${name} …\n`)
  const { status } = spawnSync(command, argv, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) {
    process.stderr.write(`${name} failed\n`)
    process.exit(1)
  }
  process.stdout.write(`${name} passed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
}
