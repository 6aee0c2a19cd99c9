// `npm run mutate`: breaks the product in one place after another, as `test/mutants/` lists, and asks the test that must notice it.
// Fails when a mutant is not caught. Words on the command line choose the mutants whose file, promise or test holds one of them:
// each word outside quotes is a filter of its own, so a phrase needs quotes, `npm run mutate -- "two words"`.
// `--by <file>` asks that test file about each chosen mutant instead, and only tells what it catches.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { globalSetup, globalTeardown } from '@clinic-data/testing/run/run-database'
import type { Mutant } from '../test/mutants/mutant.ts'
import { filesOfTree } from './files-of-tree.ts'
import { folderOfRun } from './memory-folder.ts'
import { type Outcome, outcomeOf, startRunner, type Task } from './run-tests.ts'

const root = dirname(import.meta.dirname)
const { values, positionals } = parseArgs({ options: { by: { type: 'string' } }, allowPositionals: true })
/** A mutant that makes its test wait for ever is noticed by this. The slowest catcher takes a quarter of it on a quiet machine. */
const HUNG_MS = 60_000
const COPIES = Math.min(2, availableParallelism())

const lists = globSync('test/mutants/*.ts', { cwd: root }).filter((file) => !file.endsWith('/mutant.ts'))
const all: Mutant[] = (await Promise.all(lists.map((file) => import(join(root, file))))).flatMap(
  ({ mutants }) => mutants,
)
const chosen = all.filter(
  ({ breaks, file, caught }) =>
    positionals.length === 0 || positionals.some((word) => `${file}\n${breaks}\n${caught.by}`.includes(word)),
)

const folder = folderOfRun('clinic-data-mutants')
process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
await globalSetup()
const waiting = [...chosen]
const survivors: Mutant[] = []
try {
  await Promise.all(Array.from({ length: COPIES }, (_, copy) => askAboutAll(copyOfTree(join(folder, `copy-${copy}`)))))
} finally {
  await globalTeardown()
}
process.stdout.write(`${chosen.length} mutants, ${chosen.length - survivors.length} caught\n`)
for (const { breaks, file } of survivors) process.stdout.write(`not caught: ${breaks} (${file})\n`)
if (survivors.length > 0 && values.by === undefined) process.exitCode = 1

async function askAboutAll(copy: string): Promise<void> {
  for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
    const startedAt = performance.now()
    const answer = await answerWith(copy, mutant)
    const isCaught = !answer.isPassed && (answer.isStuck || answer.counts.tests > 0)
    if (!isCaught) survivors.push(mutant)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    const verdict = isCaught
      ? answer.isStuck
        ? 'hangs  '
        : 'caught '
      : answer.counts.tests === 0
        ? 'no test'
        : 'MISSED '
    process.stdout.write(`${verdict} ${seconds.padStart(5)} s  ${mutant.breaks}\n`)
  }
}

type Answer = Pick<Outcome, 'isPassed' | 'isStuck' | 'counts'>

async function answerWith(copy: string, { file, from, to, caught }: Mutant): Promise<Answer> {
  const path = join(copy, file)
  const original = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    original.replace(from, () => to),
  )
  const by = values.by ?? caught.by
  try {
    // The run's database has been migrated already.
    if (file.endsWith('.sql')) return await answerOfCheck(copy, by)
    const tests = values.by === undefined && caught.test !== undefined ? { tests: [caught.test] } : {}
    return await answerOfRunner(copy, { file: by, timeoutMs: HUNG_MS, ...tests })
  } finally {
    writeFileSync(path, original)
  }
}

/** In a new process: one that runs has loaded the modules already. */
async function answerOfRunner(copy: string, task: Task): Promise<Answer> {
  const runner = startRunner(join(copy, 'scripts'))
  const ended = once(runner.child, 'exit')
  try {
    return await outcomeOf(runner, task)
  } finally {
    runner.child.kill('SIGKILL')
    await ended
  }
}

/** With a database server of its own. */
async function answerOfCheck(copy: string, file: string): Promise<Answer> {
  const ours = ['TEST_DATABASE_URL', 'TEST_APP_DATABASE_URL', 'TEST_TEMPLATES']
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.includes(name)))
  const child = spawn(process.execPath, [join(copy, 'scripts', 'check.ts'), file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const [, passed = 0, failed = 0, skipped = 0] = (
    /^(\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(printed) ?? []
  ).map(Number)
  return { isPassed: code === 0, isStuck: false, counts: { tests: passed + failed, passed, failed, skipped } }
}

/** The tracked tree, with the packages that are installed here. */
function copyOfTree(copy: string): string {
  for (const file of filesOfTree(root)) cpSync(join(root, file), join(copy, file))
  for (const modules of ['node_modules', 'packages/server/node_modules'])
    linkModules(join(root, modules), join(copy, modules))
  return copy
}

/** Our own packages are links to folders of the tree, which here means the copy's. */
function linkModules(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) {
    if (name !== '.cache' && name !== '@clinic-data') symlinkSync(join(from, name), join(to, name))
  }
  const own = join(from, '@clinic-data')
  if (existsSync(own)) cpSync(own, join(to, '@clinic-data'), { recursive: true, verbatimSymlinks: true })
}
