// `npm test`: format and lint, types, then every test on a real PostgreSQL, and whether a test left files behind. Stops at the
// first failure.
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const given = process.argv.slice(2)
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
]
run('tests', process.execPath, [...runner, ...files], { ...process.env, TMPDIR: temporary, TEMP: temporary })

/** Node's own folder, for programs that keep their compiled code. */
const KEPT_BY_NODE = 'node-compile-cache'
const left = readdirSync(temporary).filter((name) => name !== KEPT_BY_NODE)
if (left.length > 0) {
  process.stderr.write(`tests left files behind: ${left.join(', ')}\n`)
  process.exit(1)
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
