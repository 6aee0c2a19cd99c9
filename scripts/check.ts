// `npm test`: format and lint, types, then every test on a real PostgreSQL. Stops at the first of these that fails.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const given = process.argv.slice(2)
const files = given.length > 0 ? given : globSync(['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })

/** Two cores are what the smallest machine for this has; each test file is a process with clinics of its own. */
const CONCURRENCY = 2
/** The longest file takes a quarter of it: what takes longer hangs. */
const HUNG_MS = 120_000

if (given.length === 0) {
  run('lint', bin('biome'), ['check', '--error-on-warnings', '.'])
  run('types', bin('tsc'), ['-p', '.'])
}
run('tests', process.execPath, [
  '--test',
  `--test-concurrency=${CONCURRENCY}`,
  '--test-global-setup=test/database-setup.ts',
  `--test-timeout=${HUNG_MS}`,
  '--test-reporter=spec',
  ...files,
])

function run(name: string, command: string, argv: readonly string[]): void {
  const startedAt = performance.now()
  process.stdout.write(`${name} …\n`)
  const { status } = spawnSync(command, argv, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) {
    process.stderr.write(`${name} failed\n`)
    process.exit(1)
  }
  process.stdout.write(`${name} passed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
}
