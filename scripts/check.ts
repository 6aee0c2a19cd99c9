// `npm test`: format and lint, types, then every test on a real PostgreSQL, and whether a test left files behind. Stops at the
// first step that fails.
//   npm test -- <file> …      only these files
//   npm test -- --changed     what the changes since the last commit can reach; --since <commit> names another
//   npm test -- --watch       the same, again after each change of a file
//   npm test -- --profile     one file at a time, and what each cost, the dearest first
//   npm run test:long         the files that only CI runs, and the long size of the tests that have one (`testing/size`)
//   npm run explore           as test:long, with new choices instead of the fixed ones
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from '@clinic-data/testing/run/run-database'
import { folderOfRun } from './memory-folder.ts'
import { reachedTests } from './reached-tests.ts'
import { type Outcome, runTests } from './run-tests.ts'
import { sizedTestsOf } from './sized-tests.ts'
import { costTable, type FileCost } from './test-cost.ts'
import { chosenFiles, everydayFiles, keepSeconds } from './test-files.ts'
import { unlinted } from './unlinted.ts'
import { changes } from './watch.ts'

const root = dirname(import.meta.dirname)
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean' },
    since: { type: 'string' },
    watch: { type: 'boolean' },
    profile: { type: 'boolean' },
    long: { type: 'boolean' },
    explore: { type: 'boolean' },
  },
})

/**
 * One more than two processors, because files wait now and then. A profile knows for whom the run's servers work only when files run
 * alone.
 */
const PROCESSES = values.profile ? 1 : 3
/** The longest file takes a tenth of this, and on a busy machine beside a cluster more than a half. Anything longer hangs. */
const HUNG_MS = 900_000
/** Begins the part of a file's report that tells its failures. */
const FAILURES = '✖ failing tests:'
/** Tools keep something here from one run to the next: checked types, compiled modules. */
const kept = join(root, 'node_modules', '.cache')
const isLong = values.long === true || values.explore === true
const changedSince = values.since ?? (values.changed || values.watch ? 'HEAD' : undefined)

const startedAt = performance.now()
const secondsSince = (moment: number) => `${((performance.now() - moment) / 1000).toFixed(1)} s`
process.env.TEST_SEED ??= String(values.explore ? randomInt(1, 1_000_000) : 1)
if (isLong) process.env.TEST_SIZE = 'long'

/** Whatever tests leave here is reported. */
const temporary = folderOfRun('clinic-data-tests')
Object.assign(process.env, { TMPDIR: temporary, TEMP: temporary, NODE_COMPILE_CACHE: join(kept, 'compiled') })

const checked = named.length === 0 && !isLong ? areStatic() : isConsoleBuilt()
// Meanwhile the database starts.
await globalSetup()
let isPassed = false
try {
  const isChecked = await checked
  isPassed = isChecked && (await areTested(chosenFiles({ named, isLong, changedSince })))
  if (isChecked && values.watch) {
    const stopped = new AbortController()
    process.once('SIGINT', () => stopped.abort())
    process.stdout.write('waiting for a change; Ctrl-C ends it\n')
    for await (const changed of changes(root, stopped.signal)) {
      const files = reachedTests(everydayFiles(), changed)
      if (files.length > 0) isPassed = await areTested(files)
    }
  }
} finally {
  await globalTeardown()
}
const left = readdirSync(temporary)
if (left.length > 0) process.stderr.write(`tests left files behind: ${left.join(', ')}\n`)
process.stdout.write(`${isPassed && left.length === 0 ? 'passed' : 'failed'} in ${secondsSince(startedAt)}\n`)
process.exitCode = isPassed && left.length === 0 ? 0 : 1

/** The linter and the type checkers beside each other: each leaves a processor idle for a part of its time. */
async function areStatic(): Promise<boolean> {
  const incremental = (name: string) => ['--incremental', '--tsBuildInfoFile', join(kept, `${name}.tsbuildinfo`)]
  const passed = await Promise.all([
    isConsoleBuilt(),
    areLinted(),
    tool('types', 'tsc', ['-p', '.', ...incremental('types')]),
    tool("types of the pages' script", 'tsc', ['-p', 'packages/gateway/browser', ...incremental('browser')]),
    tool('types of the console', 'tsc', ['-p', 'packages/console', ...incremental('console')]),
  ])
  return !passed.includes(false)
}

async function areLinted(): Promise<boolean> {
  const { files, keep } = unlinted(root, join(kept, 'linted.json'))
  // Without names the linter would read all files.
  if (files.length === 0) return true
  const isPassed = await tool('lint', 'biome', ['check', '--error-on-warnings', '--no-errors-on-unmatched', ...files])
  if (isPassed) keep()
  return isPassed
}

/** Any file may open the console's page, so none of them depends on one that has built it. */
function isConsoleBuilt(): Promise<boolean> {
  return tool('build of the console', 'node', ['packages/console/scripts/build.ts'])
}

async function tool(name: string, command: string, argv: readonly string[]): Promise<boolean> {
  const startedAt = performance.now()
  const child = spawn(join(root, 'node_modules', '.bin', command), argv, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (code !== 0) process.stderr.write(`${out}${errors}${name} failed\n`)
  else process.stdout.write(`${name} passed in ${secondsSince(startedAt)}\n`)
  return code === 0
}

/** Runs these files and tells of them. The last lines name what failed, with what repeats it. */
async function areTested(files: readonly string[]): Promise<boolean> {
  const startedAt = performance.now()
  const outcomes: (Outcome & FileCost)[] = []
  await runTests({
    files,
    // New choices are new for every test, a long size only for those that have one.
    ...(values.long && named.length === 0 && { testsOf: sizedTestsOf }),
    processes: PROCESSES,
    timeoutMs: HUNG_MS,
    onOutcome: (outcome, servers) => {
      outcomes.push({ ...outcome, servers })
      process.stdout.write(`${outcome.file}\n${outcome.text}`)
    },
  })
  if (values.profile) process.stdout.write(costTable(outcomes))
  keepSeconds(Object.fromEntries(outcomes.map(({ file, cost }) => [file, cost.wall])))
  const failed = outcomes.filter(({ isPassed }) => !isPassed)
  for (const { file, text } of failed)
    process.stderr.write(`\n${file}\n${text.slice(Math.max(0, text.indexOf(FAILURES)))}`)
  const sum = (of: keyof Outcome['counts']) => outcomes.reduce((total, { counts }) => total + counts[of], 0)
  process.stdout.write(`${outcomes.length} files in ${secondsSince(startedAt)}\n`)
  process.stdout.write(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`)
  for (const { file, cost } of failed)
    process.stderr.write(`failed: ${file}, after ${cost.wall.toFixed(1)} s, with seed ${process.env.TEST_SEED}\n`)
  return failed.length === 0
}
