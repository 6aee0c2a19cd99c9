// A transaction on a connection of its own: each statement awaited, committed by a message of its own, bounded in time.

import type { Client, QueryResult } from 'pg'
import { destroy } from './connect.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { DatabaseUnavailable, failureOf, TransactionTimeout } from './database-failure.ts'
import type { Row } from './shared-connection.ts'
import type { Statement } from './sql.ts'

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

  /** Several statements in one text, without values: a migration's. */
  async script(text: string): Promise<void> {
    await this.#send({ text })
  }

  /** From here on nothing more is taken. False when a statement is still under way. */
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
  /** What is set for this transaction only. */
  settings?: string
  /** Whose it is: the clinics take turns. */
  owner: string
  /** From the asking to the commit's answer. When it has passed, whether a commit under way was done is not known. */
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
    // The server answers ROLLBACK, and no error, when the work went on after a statement of it had failed.
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
  // It may pass while nobody looks: during the rollback.
  promise.catch(() => undefined)
  return { passed: promise, cancel: () => clearTimeout(timer) }
}

/** By the name under which it was prepared, or as a script. */
type Message = { name?: string | undefined; text: string; values?: (string | null)[] }

export async function send(client: Client, { name, ...message }: Message): Promise<QueryResult<Row>> {
  try {
    return await client.query<Row>(name === undefined ? message : { name, ...message })
  } catch (error) {
    throw failureOf(error)
  }
}
