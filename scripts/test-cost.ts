// Measures what test files cost, in the process that runs them. `npm test -- --profile` prints it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** One test file took this, in seconds, without the share of the run's servers. */
export interface Cost {
  readonly wall: number
  readonly cpu: number
  /** CPU time of the programs that it started and that have ended; 0 where the system does not say. */
  readonly children: number
}

/** Linux counts the time of processes in hundredths. */
const TICKS_PER_SECOND = 100

/** Returns what this process has cost so far. */
export function costSoFar(): Cost {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return { wall: process.uptime(), cpu: (userCPUTime + systemCPUTime) / 1e6, children: statOf('self')?.ended ?? 0 }
}

/**
 * Returns what the servers of the run have cost so far, in seconds; 0 where the system does not say: the database, the browser, and what a
 * process of tests keeps from file to file.
 * @param runner - the process of tests, which counts itself.
 */
export function serverSeconds(runner: number | undefined): number {
  const all = existsSync('/proc/self/stat') ? readdirSync('/proc').flatMap((name) => statOf(name) ?? []) : []
  const below = new Set([process.pid])
  // A process may have a lower number than its parent.
  for (let before = 0; before < below.size; ) {
    before = below.size
    for (const { pid, parent } of all) if (below.has(parent)) below.add(pid)
  }
  const servers = all.filter(({ pid }) => below.has(pid) && pid !== process.pid && pid !== runner)
  return servers.reduce((total, { own, ended }) => total + own + ended, 0)
}

export function difference(later: Cost, earlier: Cost): Cost {
  return {
    wall: later.wall - earlier.wall,
    cpu: later.cpu - earlier.cpu,
    children: later.children - earlier.children,
  }
}

interface Stat {
  readonly pid: number
  readonly name: string
  readonly parent: number
  /** CPU seconds of the process. */
  readonly own: number
  /** CPU seconds of its children that have ended. */
  readonly ended: number
}

/** Reads `/proc/<pid>/stat`. Null when there is no such process, or no such folder. */
function statOf(pid: string): Stat | null {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return null
  try {
    // The name, in brackets, may hold spaces.
    const [, id, name = '', rest = ''] = /^(\d+) \((.*)\) (.*)/s.exec(readFileSync(path, 'utf8')) ?? []
    const fields = rest.split(' ')
    const seconds = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / TICKS_PER_SECOND
    return { pid: Number(id), name, parent: Number(fields[1]), own: seconds(11), ended: seconds(13) }
  } catch {
    // It has ended in between.
    return null
  }
}

export interface FileCost {
  readonly file: string
  readonly cost: Cost
  /** CPU time of the run's servers while the file ran. */
  readonly servers: number
}

/** A table, the dearest file first. */
export function costTable(files: readonly FileCost[]): string {
  const shown = (seconds: number) => seconds.toFixed(1).padStart(8)
  const line = ({ cost: { cpu, children, wall }, servers, file }: FileCost) =>
    `${[cpu + children + servers, cpu, children, servers, wall].map(shown).join('')}  ${file}\n`
  const sum = (of: keyof Cost) => files.reduce((total, { cost }) => total + cost[of], 0)
  const all = {
    file: `all ${files.length} files`,
    cost: { cpu: sum('cpu'), children: sum('children'), wall: sum('wall') },
    servers: files.reduce((total, { servers }) => total + servers, 0),
  }
  const whole = ({ cost, servers }: FileCost) => cost.cpu + cost.children + servers
  return [
    "seconds of CPU: all, the file's own, programs that it started, the run's servers; seconds of wall time\n",
    line(all),
    ...files.toSorted((a, b) => whole(b) - whole(a)).map(line),
  ].join('')
}
