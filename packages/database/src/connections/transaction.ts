// A transaction on its own connection, limited in time.
//
// `query` awaits a statement. `send` keeps one whose answer nobody needs yet: it leaves in one packet with the next awaited one, or with
// the commit. `begin` and the settings leave with the first statement.
//
// This is safe, because a packet ends at one Sync (`packet.ts`) and its values are texts before it is made:
//
// - A value that has no text throws where the statement is made, when nothing of its packet has been sent.
// - After a failed statement the server skips the rest of its packet: the commit, or the statements behind a refused `begin`.
// - After a failed packet nothing is sent but a rollback. And only the report COMMIT means that a transaction is done.
// - A connection that breaks before the commit's answer leaves the outcome unknown, whatever was sent together with the commit.

import type { Client } from 'pg'
import type { RenderedStatement, Statement } from '../sql.ts'
import type { Row } from '../values/row-reader.ts'
import { destroy } from './connect.ts'
import type { ConnectionPool } from './connection-pool.ts'
import { DatabaseUnavailable, failureOf, TransactionTimeout } from './database-failure.ts'
import { type PacketAnswer, sendPacket } from './packet.ts'
import { inStatementSpan } from './statement-span.ts'

export type StatementResult<R> = { rows: R[]; rowCount: number }

/** Leaves with the next packet. */
interface Waiting {
  readonly statement: RenderedStatement
  readonly take: (answer: PacketAnswer) => void
  readonly isRequired?: true
}

export class Transaction {
  readonly #client: Client
  #waiting: Waiting[]
  #busy = false
  #failed = false
  #over = false

  constructor(client: Client, opening: readonly RenderedStatement[]) {
    this.#client = client
    this.#waiting = opening.map((statement) => ({ statement, take: () => undefined }))
  }

  async query<R extends object = Row>(statement: Statement): Promise<StatementResult<R>> {
    this.#requireIdle()
    const answer = this.send<R>(statement)
    await this.#flush()
    return answer()
  }

  /**
   * Sends the statement with the next awaited one, or with the commit, in the order of the calls. When it fails, that one fails.
   *
   * @returns a function for the answer. It throws before a statement was awaited.
   */
  send<R extends object = Row>(statement: Statement): () => StatementResult<R> {
    if (this.#over) throw new Error('the transaction is over')
    let answered: PacketAnswer | undefined
    this.#waiting.push({
      statement: statement.render(),
      take: (answer) => {
        answered = answer
      },
    })
    return () => {
      if (answered === undefined) throw new Error('a statement was not sent yet')
      return { rows: answered.rows() as R[], rowCount: answered.rowCount }
    }
  }

  /**
   * Sends the statement with the next awaited one, and never with the commit. When `check` throws, that one fails with the same error,
   * and nothing of the transaction is committed.
   */
  require<R extends object = Row>(statement: Statement, check: (rows: readonly R[]) => void): void {
    if (this.#over) throw new Error('the transaction is over')
    const take = (answer: PacketAnswer) => check(answer.rows() as R[])
    this.#waiting.push({ statement: statement.render(), take, isRequired: true })
  }

  /** Runs several statements in one text without values, for migrations. */
  async script(text: string): Promise<void> {
    if (this.#over) throw new Error('the transaction is over')
    this.#requireIdle()
    await this.#flush()
    await this.#alone(() => sendScript(this.#client, text))
  }

  /** @throws Error when the transaction was not committed, or it is unknown whether it was. */
  async commit(): Promise<void> {
    if (this.#busy) throw new Error('a statement of the transaction was not awaited')
    if (this.#waiting.some(({ isRequired }) => isRequired)) await this.#flush()
    let report: string | undefined
    this.#waiting.push({
      statement: COMMIT,
      take: (answer) => {
        report = answer.report
      },
    })
    this.finish()
    await this.#flush()
    if (report !== 'COMMIT') throw new Error(ROLLED_BACK)
  }

  /** Accepts nothing more. */
  finish(): void {
    this.#over = true
  }

  async #flush(): Promise<void> {
    const sent = this.#waiting
    this.#waiting = []
    const statements = sent.map(({ statement }) => statement)
    await this.#alone(async () => {
      const answers = await inStatementSpan(statements, () => sendPacket(this.#client, statements))
      sent.forEach(({ take }, i) => {
        const answer = answers[i]
        if (answer !== undefined) take(answer)
      })
    })
  }

  async #alone<T>(send: () => Promise<T>): Promise<T> {
    if (this.#failed) throw new Error(ROLLED_BACK)
    this.#busy = true
    try {
      return await send()
    } catch (error) {
      this.#failed = true
      throw error
    } finally {
      this.#busy = false
    }
  }

  #requireIdle(): void {
    if (this.#busy) throw new Error('the statements of a transaction are awaited one by one')
  }
}

const ROLLED_BACK = 'the transaction was rolled back: one of its statements had failed'

export type TransactionOptions = {
  /** Statements that leave with its `begin`, and set what holds for it only. */
  opening?: readonly RenderedStatement[]
  /** The clinic that owns it: clinics take turns. */
  owner: string
  /** From the request to the commit's answer. When it has passed during a commit, it is unknown whether the commit succeeded. */
  timeoutMs: number
}

export async function runTransaction<T>(
  pool: ConnectionPool,
  { opening = [], owner, timeoutMs }: TransactionOptions,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const endsAt = performance.now() + timeoutMs
  const client = await pool.acquire(owner, timeoutMs)
  const tx = new Transaction(client, [BEGIN, ...opening])
  const deadline = destroyAfter(client, endsAt - performance.now())
  try {
    const result = await Promise.race([work(tx), deadline.passed])
    await Promise.race([tx.commit(), deadline.passed])
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
    await sendScript(client, 'rollback')
    pool.release(client)
  } catch {
    pool.discard(client)
  }
}

function destroyAfter(client: Client, ms: number): { passed: Promise<never>; cancel: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => {
      reject(new TransactionTimeout('the transaction reached its deadline'))
      destroy(client)
    },
    Math.max(0, ms),
  )
  // The deadline may pass during the rollback, when nothing waits for it.
  promise.catch(() => undefined)
  return { passed: promise, cancel: () => clearTimeout(timer) }
}

const BEGIN: RenderedStatement = { name: 'begin', text: 'begin', values: [] }
const COMMIT: RenderedStatement = { name: 'commit', text: 'commit', values: [] }

async function sendScript(client: Client, text: string): Promise<void> {
  try {
    await client.query(text)
  } catch (error) {
    throw failureOf(error)
  }
}
