// Whether a process runs, whoever started it.
import { readFileSync } from 'node:fs'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // It runs as another user, whom we may not signal.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return !isZombie(pid)
}

/** It has ended, and its parent has not asked how: the first process of a machine may take seconds, and one of a container need not ask. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    // The name may hold anything, brackets too.
    return /^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}
