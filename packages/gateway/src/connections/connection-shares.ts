// How many connections the listeners accept at once. Always leaves some open files for the rest of the process. A process that
// cannot open a file ends, even if it only reads its own memory size. Each listener has its own share, so neither can take the
// other's.
import { readFileSync } from 'node:fs'

/** The maximum of one listener. */
const MOST = 2_000
/** The maximum of the private listener beside a public one: gateways, the clinic's own systems, monitoring. */
const MOST_PRIVATE = 500
/** The private listener's part of the files left for connections, where there is a public one. */
const PRIVATE_PART = 0.2
/** The database's connections, running webhooks (256), the log, the program's own. */
const OTHER_FILES = 400

export interface ConnectionShares {
  readonly public: number
  readonly private: number
}

/**
 * @param isPublic whether there is a public listener beside the private one.
 * @param limits Linux's `/proc/<pid>/limits`. On other systems nothing is known, and limits are high.
 */
export function connectionShares(isPublic: boolean, limits: string = ownLimits()): ConnectionShares {
  const openFiles = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  const free = openFiles - Math.min(OTHER_FILES, openFiles / 2)
  if (!isPublic) return { public: 0, private: share(free, MOST) }
  return { public: share(free * (1 - PRIVATE_PART), MOST), private: share(free * PRIVATE_PART, MOST_PRIVATE) }
}

function share(files: number, most: number): number {
  return Math.max(1, Math.min(most, Math.floor(files)))
}

function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
