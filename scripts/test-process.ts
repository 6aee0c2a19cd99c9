// Runs test files one after another in one process, so that the service is loaded and compiled once, and not once a file. Each file
// has its own root, hooks and modules: what lies in a test folder and in the kit is loaded anew for it, what it tests is not, nor what
// files share (`testing/shared`).
import { once } from 'node:events'
import { registerHooks } from 'node:module'
import { Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { SEED } from '@clinic-data/testing/run/size'
import { takeKept } from '@clinic-data/testing/shared/lent'
import fc from 'fast-check'
import { CHANNEL, type Outcome, type Task } from './run-tests.ts'
import { costSoFar, difference } from './test-cost.ts'

const root = dirname(import.meta.dirname)
/** Until a test that hangs is reported. */
const UNTIL_NAMED_MS = 1_000
const environment = { ...process.env }
let filesSoFar = 0
// Property tests try the same values each time.
fc.configureGlobal({ seed: SEED })

const inTestFolder = new RegExp(
  `^${pathToFileURL(root).href}/((packages/[^/]+/)?test/|packages/testing/src/(?!shared/))[^?]*$`,
)
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return inTestFolder.test(found.url) ? { ...found, url: `${found.url}?${filesSoFar}` } : found
  },
})

// A wait that is below zero or too long was computed wrongly, and waits a millisecond.
process.on('warning', (warning) => {
  if (/^Timeout\w+Warning$/.test(warning.name)) throw warning
})

// No channel of Node's own: programs under test that find one would speak to it.
const channel = new Socket({ fd: CHANNEL })
// A file ends when nothing of it is open any more. Until then the channel does not keep this process, afterwards it does.
process.on('beforeExit', () => channel.destroyed || channel.ref())
let isAtFile = false
// A run that was killed ends the files that it had begun: they would wait for servers that are gone.
channel.on('end', () => isAtFile && process.exit(1))
createInterface({ input: channel }).on('line', async (line) => {
  channel.unref()
  isAtFile = true
  const outcome = await outcomeOf(JSON.parse(line))
  isAtFile = false
  // A reader of lines takes these two for the end of one.
  channel.write(`${JSON.stringify(outcome).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`)
})

async function outcomeOf({ file, timeoutMs, tests = null }: Task): Promise<Outcome> {
  filesSoFar++
  const before = costSoFar()
  let isPassed = true
  let counts: Outcome['counts'] = { tests: 0, passed: 0, failed: 0, skipped: 0 }
  let text = ''
  const names = tests === null ? {} : { testNamePatterns: tests.map((name) => new RegExp(`^${RegExp.escape(name)}$`)) }
  const events = run({ files: [join(root, file)], cwd: root, isolation: 'none', timeout: timeoutMs, ...names })
  events.on('test:fail', ({ todo }) => {
    isPassed &&= todo !== undefined
  })
  events.on('test:summary', (summary) => {
    isPassed &&= summary.success
    const { tests, passed, skipped } = summary.counts
    counts = { tests, passed, skipped, failed: tests - passed - skipped }
  })
  const report = Readable.from(withoutCounts(events)).compose(new spec())
  report.on('data', (shown: string) => {
    text += shown
  })
  const { promise: stuck, resolve } = Promise.withResolvers<true>()
  // Whatever is open keeps the process, and this timer does not.
  const timer = setTimeout(() => resolve(true), timeoutMs + UNTIL_NAMED_MS).unref()
  const isStuck = await Promise.race([once(report, 'end').then(() => false), stuck])
  clearTimeout(timer)
  if (isStuck) text += `✖ ${file} does not end. Still open: ${process.getActiveResourcesInfo().join(', ')}\n`
  const kept = takeKept()
  if (kept.length > 0) text += `✖ ${file} kept ${kept.join(', ')}\n`
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  return {
    file,
    isPassed: isPassed && !isStuck && kept.length === 0,
    isStuck,
    counts,
    text,
    cost: difference(costSoFar(), before),
  }
}

/** The counts that end a run are added up over all files. */
async function* withoutCounts(events: ReturnType<typeof run>) {
  for await (const event of events) {
    const isCount = event.type === 'test:diagnostic' && /^[a-z_]+ [\d.]+$/.test(event.data.message)
    if (!isCount && event.type !== 'test:summary') yield event
  }
}
