// `npm test`: format and lint, types, then every test on a real PostgreSQL, and whether a test left files behind. Stops at the
// first step that fails. `npm test -- --profile` runs one file at a time and prints what each cost, the dearest first.
// `npm run test:long` runs the files that `test/size.ts` gives more to do, in their long size.
import { spawnSync } from 'node:child_process'
import { chmodSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Outcome, runTests } from './run-tests.ts'
import { costTable, type FileCost } from './test-cost.ts'

const root = dirname(import.meta.dirname)
const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const given = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isProfiled = process.argv.includes('--profile')
const isLong = process.argv.includes('--long')
/** Tests that start programs take longest, so they come first. */
const longest = globSync('packages/{conformance,server}/test/**/*.test.ts', { cwd: root })
const all = globSync(['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
const everyday = [...new Set([...longest, ...all])]
const isSized = (file: string) => readFileSync(join(root, file), 'utf8').includes("/size.ts'")
const files = given.length > 0 ? given : isLong ? everyday.filter(isSized) : everyday

/** The smallest machines have two cores. A profile knows whose work the database does when files run alone. */
const PROCESSES = isProfiled ? 1 : 2
/** The longest file takes a tenth of this, and on a busy machine beside a cluster more than a half. Anything longer hangs. */
const HUNG_MS = 900_000
/** Begins the part of a file's report that tells its failures. */
const FAILURES = '✖ failing tests:'
/** What tools keep from one run to the next: checked types, compiled modules. */
const kept = join(root, 'node_modules', '.cache')

if (given.length === 0 && !isLong) {
  run('lint', bin('biome'), ['check', '--error-on-warnings', '.'])
  run('types', bin('tsc'), ['-p', '.', '--incremental', '--tsBuildInfoFile', join(kept, 'types.tsbuildinfo')])
  run("types of the pages' script", bin('tsc'), ['-p', 'packages/gateway/browser'])
  run('types of the console', bin('tsc'), ['-p', 'packages/console'])
}
/** The folder for the tests' files: leftovers are reported and removed with it. */
const temporary = mkdtempSync(join(tmpdir(), 'clinic-data-tests-'))
// Embedded servers run under another account.
chmodSync(temporary, 0o755)
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }))
Object.assign(process.env, { TMPDIR: temporary, TEMP: temporary, NODE_COMPILE_CACHE: join(kept, 'compiled') })
if (isLong) process.env.TEST_SIZE = 'long'

const startedAt = performance.now()
const outcomes: (Outcome & FileCost)[] = []
await runTests({
  files,
  processes: PROCESSES,
  timeoutMs: HUNG_MS,
  onOutcome: (outcome, database) => {
    outcomes.push({ ...outcome, database })
    process.stdout.write(`${outcome.file}\n${outcome.text}`)
  },
})
if (isProfiled) process.stdout.write(costTable(outcomes))
const failed = outcomes.filter(({ isPassed }) => !isPassed)
const sum = (of: keyof Outcome['counts']) => outcomes.reduce((total, { counts }) => total + counts[of], 0)
process.stdout.write(
  `${sum('tests')} tests in ${outcomes.length} files, ${sum('passed')} passed, ${sum('skipped')} skipped\n`,
)
for (const { file, text } of failed)
  process.stderr.write(`\n${file}\n${text.slice(Math.max(0, text.indexOf(FAILURES)))}`)
if (failed.length > 0) process.exit(1)
process.stdout.write(`tests passed in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)

const left = readdirSync(temporary)
if (left.length > 0) {
  process.stderr.write(`tests left files behind: ${left.join(', ')}\n`)
  process.exit(1)
}

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
