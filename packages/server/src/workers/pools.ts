// How many connections to the database each worker may open: together about what one process would, but never so few that one slow
// statement stops a worker.
import type { DatabaseOptions } from '@clinic-data/database'

type Pools = Required<Pick<DatabaseOptions, 'readConnections' | 'writeConnections' | 'scanConnections'>>

/** With the two for audit rows, a worker of many has eight connections. */
export function poolsOf(workers: number): Pools {
  return {
    readConnections: Math.max(2, Math.ceil(4 / workers)),
    // One clinic can hold two of three.
    writeConnections: Math.max(3, Math.ceil(8 / workers)),
    // A scan takes a processor, and there are two for each worker.
    scanConnections: 1,
  }
}
