// A transaction on its own connection: each statement is awaited, the commit is a separate message, and the time is limited.

import type { Client, QueryResult } from 'pg'
import type { Statement } from '../sql.ts'
import { destroy } from './connect.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { DatabaseUnavailable, failureOf, TransactionTimeout } from './database-failure.ts'
import type { Row } from './shared-connection.ts'

export type StatementResult<R> = { rows: R[]; rowCount: number }

export class Transaction {
  readonly #client: Client
  #busy = false
  #over = false

  constructor(client: Client) {
    this.#client = client
  }

  async query<R extends object = Row>(statement: Statement): Promise<StatementResult<R>> {
    const { rows, rowCount } = await this.#send(statement.render())
    return { rows: rows as R[], rowCount: rowCount ?? 0 }
  }

  /** Runs several statements in one text without values, for migrations. */
  async script(text: string): Promise<void> {
    await this.#send({ text })
  }

  /** Accepts nothing more. Returns false when a statement is still under way. */
  finish(): boolean {
    this.#over = true
    return !this.#busy
  }

  async #send(config: Message): Promise<QueryResult<Row>> {
    if (this.#over) throw new Error('the transaction is over')
    if (this.#busy) throw new Error('the statements of a transaction are awaited one by one')
    this.#busy = true
    try {
      return await send(this.#client, config)
    } finally {
      this.#busy = false
    }
  }
}

export type TransactionOptions = {
  /** Settings for this transaction only. */
  settings?: string
  /** The clinic that owns it: clinics take turns. */
  owner: string
  /** From the request to the commit's answer. When it has passed during a commit, it is unknown whether the commit succeeded. */
  timeoutMs: number
}

export async function runTransaction<T>(
  pool: ConnectionPool,
  { settings, owner, timeoutMs }: TransactionOptions,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const endsAt = performance.now() + timeoutMs
  const client = await pool.acquire(owner, timeoutMs)
  const tx = new Transaction(client)
  const deadline = destroyAfter(client, endsAt - performance.now())
  try {
    await send(client, { text: settings === undefined ? 'begin' : `begin; ${settings}` })
    const result = await Promise.race([work(tx), deadline.passed])
    if (!tx.finish()) throw new Error('a statement of the transaction was not awaited')
    const { command } = await Promise.race([send(client, { text: 'commit' }), deadline.passed])
    // The server answers ROLLBACK without an error when the work continued after a failed statement.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back: one of its statements had failed')
    pool.release(client)
    return result
  } catch (error) {
    tx.finish()
    if (error instanceof DatabaseUnavailable) pool.discard(client)
    else await rollBack(pool, client)
    throw error
  } finally {
    deadline.cancel()
  }
}

async function rollBack(pool: ConnectionPool, client: Client): Promise<void> {
  try {
    await send(client, { text: 'rollback' })
    pool.release(client)
  } catch {
    pool.discard(client)
  }
}

function destroyAfter(client: Client, ms: number): { passed: Promise<never>; cancel: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new TransactionTimeout('the transaction reached its deadline'))
    destroy(client)
  }, ms)
  // The deadline may pass during the rollback, when nothing waits for it.
  promise.catch(() => undefined)
  return { passed: promise, cancel: () => clearTimeout(timer) }
}

/** A prepared statement by its name, or a script. */
type Message = { name?: string | undefined; text: string; values?: (string | null)[] }

export async function send(client: Client, { name, ...message }: Message): Promise<QueryResult<Row>> {
  try {
    return await client.query<Row>(name === undefined ? message : { name, ...message })
  } catch (error) {
    throw failureOf(error)
  }
}
