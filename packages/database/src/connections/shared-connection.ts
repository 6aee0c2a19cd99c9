// One connection that many reads share: each is sent without waiting for earlier answers.
//
// A read is a transaction of three messages: begin with the clinic's settings, the statement, commit. They are enqueued in one
// synchronous call, so no other read can come between them, and leave in one packet. Even if a statement in the middle fails, the commit has
// already been sent and ends the transaction. This is safe for reads only: a write must see each answer.

import type { Client, QueryResult } from 'pg'
import type { RenderedStatement } from '../sql.ts'
import { type Connect, destroy } from './connect.ts'
import { DatabaseUnavailable, failureOf, readFailureOf } from './database-failure.ts'
import type { PoolUse } from './pool-use.ts'
import { PreparedNames } from './prepared-names.ts'
import { inStatementSpan } from './statement-span.ts'

export type Row = Record<string, unknown>

/** Counts what some connections do at this moment. On each, all but one of the unanswered wait behind another. */
export function useOf(connections: readonly SharedConnection[]): PoolUse {
  const used = connections.filter(({ pending }) => pending > 0)
  return {
    most: connections.length,
    used: used.length,
    idle: connections.filter(({ isOpen, pending }) => isOpen && pending === 0).length,
    waiting: used.reduce((sum, { pending }) => sum + pending - 1, 0),
  }
}

type Open = { client: Client; prepared: PreparedNames }

export class SharedConnection {
  /** Sent and not yet answered. */
  pending = 0
  readonly #connect: Connect
  #open: Open | undefined
  #opening: Promise<Open> | undefined
  #heard = false
  #silence = 0

  constructor(connect: Connect) {
    this.#connect = connect
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  /** Runs in a read-only transaction with these settings. */
  readUnder(settings: readonly string[], statement: RenderedStatement): Promise<QueryResult<Row>> {
    return inStatementSpan([statement], () => this.#ask((open) => enqueueRead(open, settings, statement)))
  }

  /** Runs alone and commits on success. */
  execute(statement: RenderedStatement): Promise<QueryResult<Row>> {
    return inStatementSpan([statement], () => this.#ask((open) => enqueue(open, statement)))
  }

  /**
   * Call this at intervals. Gives up on a server that was asked but has not answered for this many intervals.
   * (Intervals, not time: a process that was suspended has missed no answer.)
   */
  giveUpAfter(silentIntervals: number): void {
    this.#silence = this.pending === 0 || this.#heard ? 0 : this.#silence + 1
    this.#heard = false
    if (this.#silence > silentIntervals) this.abandon(new DatabaseUnavailable('the database does not answer any more'))
  }

  /** Breaks the connection. Everything that waits for its answers fails with this reason. */
  abandon(reason: DatabaseUnavailable): void {
    if (this.#open !== undefined) destroy(this.#open.client, reason)
  }

  async close(): Promise<void> {
    const open = this.#open ?? (await this.#opening?.catch(() => undefined))
    await open?.client.end()
  }

  async #ask<T>(send: (open: Open) => Promise<T>): Promise<T> {
    this.pending++
    try {
      const open = this.#open ?? (await this.#opened())
      return await send(open).catch((error) => {
        if (error instanceof DatabaseUnavailable) this.#leave(open)
        throw error
      })
    } finally {
      this.pending--
      this.#heard = true
    }
  }

  /** Sends nothing more on it, but still accepts its answers. */
  #leave(open: Open): void {
    if (this.#open !== open) return
    this.#open = undefined
    void open.client.end()
  }

  #opened(): Promise<Open> {
    this.#opening ??= this.#connectAnew().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  async #connectAnew(): Promise<Open> {
    const client = await this.#connect({ pipeline: true })
    const open = { client, prepared: new PreparedNames() }
    client.on('error', () => this.#leave(open))
    client.on('end', () => this.#leave(open))
    this.#open = open
    return open
  }
}

function enqueueRead(open: Open, settings: readonly string[], statement: RenderedStatement): Promise<QueryResult<Row>> {
  const { client } = open
  const { stream } = client.connection
  return new Promise((resolve, reject) => {
    let refused: Error | null = null
    stream.cork()
    try {
      client.query(['begin read only', ...settings].join('; '), (error) => {
        refused = error
      })
      // A statement whose begin was refused may have run outside of any transaction, so its rows are no answer.
      enqueue(open, statement, readFailureOf).then(
        (result) => (refused === null ? resolve(result) : reject(readFailureOf(refused))),
        (error) => reject(refused === null ? error : readFailureOf(refused)),
      )
      client.query('commit', ignore)
    } finally {
      stream.uncork()
    }
  })
}

function enqueue(
  { client, prepared }: Open,
  { name, text, values }: RenderedStatement,
  failure = failureOf,
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const taken = prepared.take(name)
    const config = { text, values, ...(taken === undefined ? { queryMode: 'extended' } : { name: taken }) }
    client.query<Row>(config, (error, result) => {
      prepared.settle(taken, error === null)
      if (error === null) resolve(result)
      else reject(failure(error))
    })
  })
}

// The transaction only read, so how it ended does not matter. A broken connection rejects the statement as well.
function ignore(): void {}
