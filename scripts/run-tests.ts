// Runs test files in a few processes on one database server. Each process takes the next file when it has finished one.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Duplex } from 'node:stream'
import { type Cost, serverSeconds } from './test-cost.ts'

/** How much longer a process may take than a file, before it is ended. */
const GRACE_MS = 10_000
/** These files share a service and a page, which take as long to start as some of the files: one process runs them all. */
const TOGETHER = /^test\/console\//
/** The number of the process's stream for tasks and outcomes, a line of JSON each. */
export const CHANNEL = 3

export interface Task {
  readonly file: string
  readonly timeoutMs: number
  /** Runs only the tests of these names. */
  readonly tests?: readonly string[] | null
}

export interface Counts {
  readonly tests: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export interface Outcome {
  readonly file: string
  readonly isPassed: boolean
  /** The file has not ended, so its process can run no other. */
  readonly isStuck: boolean
  readonly counts: Counts
  /** The report of its tests. */
  readonly text: string
  readonly cost: Cost
}

interface Options {
  readonly files: readonly string[]
  /** The tests of a file that are run, or null for all. */
  readonly testsOf?: (file: string) => readonly string[] | null
  readonly processes: number
  /** For one test, and for one file. */
  readonly timeoutMs: number
  /** @param servers - CPU seconds of the run's servers meanwhile, whichever process asked for them. */
  readonly onOutcome: (outcome: Outcome, servers: number) => void
}

/** The database of `testing/run-database` must be there. */
export async function runTests({ files, testsOf, processes, timeoutMs, onOutcome }: Options): Promise<void> {
  const waiting = { together: files.filter(isTogether), others: files.filter((file) => !isTogether(file)) }
  const runWaiting = async (_: unknown, place: number) => {
    let runner: Runner | null = null
    const next = () => (place === 0 ? waiting.together.shift() : undefined) ?? waiting.others.shift()
    for (let file = next(); file !== undefined; file = next()) {
      runner ??= startRunner()
      const before = serverSeconds(runner.child.pid)
      const outcome = await outcomeOf(runner, { file, timeoutMs, tests: testsOf?.(file) ?? null })
      const servers = serverSeconds(runner.child.pid) - before
      if (outcome.isStuck) {
        runner.child.kill('SIGKILL')
        runner = null
      }
      onOutcome(outcome, servers)
    }
    runner?.channel.end()
  }
  await Promise.all(Array.from({ length: processes }, runWaiting))
}

function isTogether(file: string): boolean {
  return TOGETHER.test(file)
}

export interface Runner {
  readonly child: ChildProcess
  readonly channel: Duplex
  readonly lines: Interface
}

/** @param folder - the `scripts` of the tree whose tests it runs. */
export function startRunner(folder = import.meta.dirname): Runner {
  const program = join(folder, 'quick-promises.ts')
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] })
  const channel = child.stdio[CHANNEL] as Duplex
  return { child, channel, lines: createInterface({ input: channel }) }
}

/** A process that ends before its file, or has to be ended, fails the file. */
export async function outcomeOf({ child, channel, lines }: Runner, task: Task): Promise<Outcome> {
  const startedAt = performance.now()
  const ended = new AbortController()
  const { signal } = ended
  const end = setTimeout(() => child.kill('SIGKILL'), task.timeoutMs + GRACE_MS)
  channel.write(`${JSON.stringify(task)}\n`)
  const reported = once(lines, 'line', { signal }).then(([line]): Outcome => JSON.parse(line))
  const exited = once(child, 'exit', { signal }).then(([code, killed]): Outcome => {
    return {
      file: task.file,
      isPassed: false,
      isStuck: true,
      counts: { tests: 1, passed: 0, failed: 1, skipped: 0 },
      text: `✖ ${task.file} did not finish: its process ended with ${killed ?? code}\n`,
      cost: { wall: (performance.now() - startedAt) / 1000, cpu: 0, children: 0 },
    }
  })
  try {
    return await Promise.race([reported, exited])
  } finally {
    clearTimeout(end)
    ended.abort()
    await Promise.allSettled([reported, exited])
  }
}
