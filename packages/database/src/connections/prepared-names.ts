// Decides which prepared statements of a shared connection may be used by name.
//
// If the first use of a name fails before the server has prepared it (in a transaction that was broken from the start, say), every
// queued use of the bare name would fail too. One clinic's bad read would break another's. So a name is shared only after one use of it has
// succeeded. Until then every use sends the text along.

import type { RowReader } from '../values/row-reader.ts'

/** Each one takes memory of the server for the life of the connection. */
const MOST = 2_000

/** How one use of a statement is sent. */
export interface Use {
  /** Empty for a use that prepares nothing. */
  readonly name: string
  readonly isProven: boolean
  /** Its columns. PostgreSQL refuses to run a prepared statement whose columns have changed. */
  readonly reader: RowReader | undefined
}

const UNPREPARED: Use = { name: '', isProven: false, reader: undefined }

export class PreparedNames {
  readonly #proven = new Map<string, Use>()
  readonly #trying = new Set<string>()

  take(name: string | undefined): Use {
    if (name === undefined) return UNPREPARED
    const proven = this.#proven.get(name)
    if (proven !== undefined) return proven
    if (this.#trying.has(name) || this.#proven.size >= MOST) return UNPREPARED
    this.#trying.add(name)
    return { name, isProven: false, reader: undefined }
  }

  settle({ name }: Use, succeeded: boolean, reader?: RowReader): void {
    if (this.#trying.delete(name) && succeeded) this.#proven.set(name, { name, isProven: true, reader })
  }
}
