// Which test files a run is about, and in which order.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { changedFiles, reachedTests } from './reached-tests.ts'

const root = dirname(import.meta.dirname)
/** It says what each file took when it last ran here. */
const SECONDS = join(root, 'node_modules', '.cache', 'test-seconds.json')
/** Whose tests start programs, and so take longest where nothing is known yet. */
const LONGEST = /^(packages\/(conformance|server|database)|test\/(faults|console))\//

const all = globSync(['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
const isLong = (file: string) => file.endsWith('.long.test.ts')
const isSized = (file: string) => readFileSync(join(root, file), 'utf8').includes("/size'")

export interface Choice {
  /** Files named by the caller: they alone are run. */
  readonly named: readonly string[]
  /** The long sizes, and the files that are run only then. */
  readonly isLong: boolean
  /** Only what was changed since this commit can reach. */
  readonly changedSince?: string | undefined
}

/** The longest first, so that the processes end together. */
export function chosenFiles({ named, isLong: isLongRun, changedSince }: Choice): string[] {
  if (named.length > 0) return [...named]
  const files = all.filter((file) => (isLongRun ? isLong(file) || isSized(file) : !isLong(file)))
  const chosen = changedSince === undefined ? files : reachedTests(files, changedFiles(changedSince))
  const seconds = keptSeconds()
  const weight = (file: string) => seconds[file] ?? (LONGEST.test(file) ? Number.POSITIVE_INFINITY : 0)
  return chosen.toSorted((a, b) => (weight(a) === weight(b) ? 0 : weight(b) - weight(a)))
}

export function everydayFiles(): string[] {
  return all.filter((file) => !isLong(file))
}

export function keepSeconds(seconds: Readonly<Record<string, number>>): void {
  mkdirSync(dirname(SECONDS), { recursive: true })
  writeFileSync(SECONDS, JSON.stringify({ ...keptSeconds(), ...seconds }))
}

function keptSeconds(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(SECONDS, 'utf8'))
  } catch {
    return {}
  }
}
