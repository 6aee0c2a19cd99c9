// How many connections the listeners of a process take at once: never so many that there is no open file left for anything else,
// for what the process then cannot open, be it to learn its own memory's size, ends it. Each listener has its share, so that
// neither can take the other's.
import { readFileSync } from 'node:fs'

/** Of one listener. */
const MOST = 2_000
/** Of the private one beside the public: gateways, the clinic's own systems, who measures. */
const MOST_PRIVATE = 500
/** What the private listener has of the files that are left for connections, where there is a public one. */
const PRIVATE_PART = 0.2
/** The database's connections, webhooks under way (256), the log, the program's own. */
const OTHER_FILES = 400

export interface ConnectionShares {
  readonly public: number
  readonly private: number
}

/**
 * @param isPublic whether there is a public listener beside the private one.
 * @param limits what Linux says of a process in `/proc/<pid>/limits`; elsewhere nothing is known, and limits are high.
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
