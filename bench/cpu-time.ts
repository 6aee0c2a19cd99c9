// The CPU time that processes have used until now, from Linux's own count.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time in hundredths of a second. */
const TICK_US = 10_000

/** Returns the CPU time of a process alone, in µs. 0 when it has ended. */
export function cpuOf(pid: number): number {
  const [user = 0, system = 0] = timesOf(pid)
  return (user + system) * TICK_US
}

/** Returns the CPU time of a process alone, in µs, as exact as the scheduler counts: for turns of milliseconds. 0 when it has ended. */
export function exactCpuOf(pid: number): number {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return 0
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number.parseInt(readFileSync(`${tasks}/${task}/schedstat`, 'utf8'), 10),
  )
  return nanoseconds.reduce((sum, of) => sum + of, 0) / 1000
}

/**
 * Returns the CPU time of a process, its children and those of them that have ended, in µs: a PostgreSQL by the id of its first process.
 */
export function cpuOfFamily(pid: number): number {
  const all = timesOf(pid).reduce((sum, ticks) => sum + ticks, 0)
  return all * TICK_US + childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), 0)
}

export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

/** Its own time as a user's program and in the system, and the same of its children that have ended. */
function timesOf(pid: number): number[] {
  const stat = `/proc/${pid}/stat`
  if (!existsSync(stat)) return []
  const fields = readFileSync(stat, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return fields.slice(11, 15).map(Number)
}
