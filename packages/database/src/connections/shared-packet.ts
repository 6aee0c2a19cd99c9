// Statements that leave in one packet and end at one Sync, on a connection that many share.
//
// PostgreSQL runs what stands between two Syncs in one transaction, unless a `begin` says otherwise. It commits at the Sync. After a failed
// statement it skips the rest up to the Sync, and rolls back there. So nothing of a failed packet is left for the packets behind it.

import { type Client, type Connection, Query, type Submittable } from 'pg'
import type { RenderedStatement } from '../sql.ts'
import { type Column, type Row, RowReader, type RowTexts } from '../values/row-reader.ts'
import type { PreparedNames, Use } from './prepared-names.ts'

/** The server's answer to the last statement of a packet. */
export interface SharedAnswer {
  readonly rows: Row[]
  readonly rowCount: number
}

/** Rejects with the driver's error. */
export function sendShared(
  client: Client,
  names: PreparedNames,
  statements: readonly RenderedStatement[],
): Promise<SharedAnswer> {
  return new Promise((resolve, reject) => {
    client.query(new SharedPacket(statements, names, resolve, reject))
  })
}

/** In the form that the driver calls. */
class SharedPacket implements Submittable {
  readonly #statements: readonly RenderedStatement[]
  readonly #names: PreparedNames
  readonly #uses: readonly Use[]
  readonly #resolve: (answer: SharedAnswer) => void
  readonly #reject: (error: unknown) => void
  readonly #rows: Row[] = []
  #reader: RowReader | undefined
  #done = 0
  #report = ''
  #fault: unknown

  constructor(
    statements: readonly RenderedStatement[],
    names: PreparedNames,
    resolve: (answer: SharedAnswer) => void,
    reject: (error: unknown) => void,
  ) {
    this.#statements = statements
    this.#names = names
    this.#uses = statements.map(({ name }) => names.take(name))
    this.#reader = this.#uses.at(-1)?.reader
    this.#resolve = resolve
    this.#reject = reject
  }

  submit(connection: Connection): null {
    connection.stream.cork()
    this.#statements.forEach(({ text, values }, i) => {
      const { name, isProven } = this.#uses[i] as Use
      if (!isProven) {
        // A failed packet may have prepared the name. Closing one that does not exist is no error.
        if (name !== '') connection.close({ type: 'S', name }, true)
        connection.parse({ name, text, types: [] }, true)
      }
      connection.bind({ statement: name, values }, true)
      // Only the last statement's rows are read.
      if (i === this.#statements.length - 1 && this.#reader === undefined) connection.describe({ type: 'P' }, true)
      connection.execute({}, true)
    })
    connection.sync()
    connection.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    this.#reader = new RowReader(fields)
  }

  handleDataRow({ fields }: { fields: RowTexts }): void {
    if (this.#fault !== undefined || this.#done < this.#statements.length - 1) return
    try {
      if (this.#reader !== undefined) this.#rows.push(this.#reader.read(fields))
    } catch (error) {
      this.#fault = error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const use = this.#uses[this.#done++]
    this.#report = text
    const isLast = this.#done === this.#uses.length
    if (use?.isProven === false) this.#names.settle(use, true, isLast ? (this.#reader ?? NO_COLUMNS) : undefined)
  }

  handleReadyForQuery(): void {
    if (this.#fault !== undefined) this.#reject(this.#fault)
    else this.#resolve({ rows: this.#rows, rowCount: Number(/\d+$/.exec(this.#report)?.[0] ?? 0) })
  }

  handleError(error: unknown): void {
    for (const use of this.#uses.slice(this.#done)) if (!use.isProven) this.#names.settle(use, false)
    this.#reject(error)
  }
}

const NO_COLUMNS = new RowReader([])

// The driver lets no other kind of query into a pipeline, because some keep a portal open across round trips. This one does not.
Object.setPrototypeOf(SharedPacket.prototype, Query.prototype)
