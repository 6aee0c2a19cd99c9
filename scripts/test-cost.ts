// What test files cost: measured in the process that runs them, printed by `npm test -- --profile`.
import { existsSync, readFileSync } from 'node:fs'

/** What one test file took, in seconds. The database server's share is not in it. */
export interface Cost {
  readonly wall: number
  readonly cpu: number
  /** CPU time of the programs that it started and that have ended; 0 where the system does not say. */
  readonly children: number
}

const OWN_STAT = '/proc/self/stat'
/** Linux counts the time of processes in hundredths. */
const TICKS_PER_SECOND = 100

/** What this process has cost so far. */
export function costSoFar(): Cost {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  const children = existsSync(OWN_STAT) ? childrenSeconds(readFileSync(OWN_STAT, 'utf8')) : 0
  return { wall: process.uptime(), cpu: (userCPUTime + systemCPUTime) / 1e6, children }
}

export function difference(later: Cost, earlier: Cost): Cost {
  return {
    wall: later.wall - earlier.wall,
    cpu: later.cpu - earlier.cpu,
    children: later.children - earlier.children,
  }
}

/** The 16th and 17th field: user and system time of children that were waited for. The name, in brackets, may hold spaces. */
function childrenSeconds(stat: string): number {
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(afterName[13]) + Number(afterName[14])) / TICKS_PER_SECOND
}

/** A table, the dearest file first. */
export function costTable(files: readonly { readonly file: string; readonly cost: Cost }[]): string {
  const shown = (seconds: number) => seconds.toFixed(1).padStart(8)
  const line = ({ cpu, children, wall }: Cost, name: string) =>
    `${shown(cpu)}${shown(children)}${shown(wall)}  ${name}\n`
  const sum = (of: keyof Cost) => files.reduce((total, { cost }) => total + cost[of], 0)
  const all = { cpu: sum('cpu'), children: sum('children'), wall: sum('wall') }
  const dearestFirst = files.toSorted((a, b) => b.cost.cpu + b.cost.children - a.cost.cpu - a.cost.children)
  return [
    'seconds: CPU, CPU of programs that it started, wall\n',
    line(all, `all ${files.length} files`),
    ...dearestFirst.map(({ file, cost }) => line(cost, file)),
  ].join('')
}
