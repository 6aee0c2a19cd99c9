// Statements that leave in one packet and end at one Sync, on a connection that one caller owns.
//
// PostgreSQL skips everything between a failed message and the next Sync. So in a packet no statement runs after a failed one, not
// even a commit at its end: the packet's statements are done as if each had been awaited. (The driver's own pipeline ends each
// statement with a Sync. There a statement runs alone, and commits alone, when the `begin` before it has failed.)
//
// All values are texts before a packet is made, and a packet is written to the socket whole. A connection that breaks in between
// delivers no Sync, and a commit only together with all that stands before it (docs/decisions/0047).

import type { Client, Connection, Submittable } from 'pg'
import type { RenderedStatement } from '../sql.ts'
import { type Column, type Row, RowReader, type RowTexts } from '../values/row-reader.ts'
import { failureOf } from './database-failure.ts'

const NO_COLUMNS = new RowReader([])

/** Holds what the server has answered to one statement. */
export class PacketAnswer {
  /** The first words of the server's report: `INSERT 0 1`, `COMMIT`. Undefined while the statement is not done. */
  report: string | undefined
  reader: RowReader
  readonly values: RowTexts[] = []

  constructor(reader: RowReader = NO_COLUMNS) {
    this.reader = reader
  }

  /** @throws RangeError or SyntaxError for a column that cannot be read. */
  rows(): Row[] {
    return this.values.map((values) => this.reader.read(values))
  }

  get rowCount(): number {
    return Number(/\d+$/.exec(this.report ?? '')?.[0] ?? 0)
  }
}

/**
 * The statements that a connection's server is known to hold, by their names, with their columns: PostgreSQL refuses to run one whose
 * columns have changed.
 */
type Prepared = Map<string, RowReader>

const preparedOn = new WeakMap<Client, Prepared>()

const unanswered = new WeakMap<Client, object>()

/** Stands for the packet that the server owes an answer to: the same as long as it is the same packet. */
export function unansweredPacket(client: Client): object | undefined {
  return unanswered.get(client)
}

/** @returns the answers, in the statements' order. Rejects with the first failure. */
export function sendPacket(client: Client, statements: readonly RenderedStatement[]): Promise<PacketAnswer[]> {
  const prepared: Prepared = preparedOn.get(client) ?? new Map()
  preparedOn.set(client, prepared)
  return new Promise<PacketAnswer[]>((resolve, reject) => {
    const packet = new Packet(statements, prepared, resolve, (error) => reject(failureOf(error)))
    unanswered.set(client, packet)
    client.query(packet)
  }).finally(() => unanswered.delete(client))
}

/** In the form that the driver calls: it has one active at a time, and hands over the server's messages. */
class Packet implements Submittable {
  readonly #statements: readonly RenderedStatement[]
  readonly #prepared: Prepared
  readonly #resolve: (answers: PacketAnswer[]) => void
  readonly #reject: (error: unknown) => void
  readonly #answers: PacketAnswer[]
  #done = 0

  constructor(
    statements: readonly RenderedStatement[],
    prepared: Prepared,
    resolve: (answers: PacketAnswer[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.#statements = statements
    this.#prepared = prepared
    this.#resolve = resolve
    this.#reject = reject
    this.#answers = statements.map(({ name = '' }) => new PacketAnswer(prepared.get(name)))
  }

  submit(connection: Connection): null {
    const sent = new Set<string>()
    connection.stream.cork()
    for (const { name, text, values } of this.#statements) {
      const isPrepared = name !== undefined && this.#prepared.has(name)
      if (name === undefined || !(isPrepared || sent.has(name))) {
        // A failed packet may have prepared a name. Closing one that does not exist is no error.
        if (name !== undefined) connection.close({ type: 'S', name }, true)
        connection.parse({ name: name ?? '', text, types: [] }, true)
        if (name !== undefined) sent.add(name)
      }
      connection.bind({ statement: name ?? '', values }, true)
      if (!isPrepared) connection.describe({ type: 'P' }, true)
      connection.execute({}, true)
    }
    connection.sync()
    connection.stream.uncork()
    return null
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    const answer = this.#answers[this.#done]
    if (answer) answer.reader = new RowReader(fields)
  }

  handleDataRow({ fields }: { fields: RowTexts }): void {
    this.#answers[this.#done]?.values.push(fields)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const [answer, statement] = [this.#answers[this.#done], this.#statements[this.#done]]
    if (answer) {
      answer.report = text
      if (statement?.name !== undefined) this.#prepared.set(statement.name, answer.reader)
    }
    this.#done++
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#answers)
  }

  handleError(error: unknown): void {
    this.#reject(error)
  }
}
