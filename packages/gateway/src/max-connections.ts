// How many connections the public edge takes at once: never so many that there is no open file left for anything else,
// for what the process then cannot open, be it to learn its own memory's size, ends it.
import { readFileSync } from 'node:fs'

const MAX_CONNECTIONS = 2_000
/** The database's connections, the private port's, the log, the program's own. */
const OTHER_FILES = 100

/** @param limits what Linux says of a process in `/proc/<pid>/limits`; elsewhere nothing is known, and limits are high. */
export function maxConnections(limits: string = ownLimits()): number {
  const openFiles = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  return Math.max(1, Math.min(MAX_CONNECTIONS, openFiles - OTHER_FILES))
}

function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
