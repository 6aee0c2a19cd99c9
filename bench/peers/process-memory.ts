// The memory that processes hold, from Linux's own count.
import { readFileSync } from 'node:fs'
import { childrenOf } from '../cpu-time.ts'

/** Of these processes and their children, MB. Memory that several share is divided among them, so PostgreSQL's counts once. */
export function memoryOf(pids: readonly number[]): number {
  const all = pids.flatMap((pid) => [pid, ...childrenOf(pid)])
  return all.reduce((sum, pid) => sum + shareOf(pid), 0)
}

function shareOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    // It has ended meanwhile.
    return 0
  }
}
