// One connection that many reads share: each is sent without waiting for earlier answers.
//
// A read is a packet of two statements: one for the settings of its transaction, and its own. Nothing of it is left for the next read, even
// if it fails (docs/decisions/0142). This is safe for reads only: a write must see each answer.

import type { Client } from 'pg'
import type { RenderedStatement } from '../sql.ts'
import { type Settings, setForRead, setLocal } from './clinic-session.ts'
import { type Connect, destroy } from './connect.ts'
import { DatabaseUnavailable, failureOf, readFailureOf } from './database-failure.ts'
import type { PoolUse } from './pool-use.ts'
import { PreparedNames } from './prepared-names.ts'
import { type SharedAnswer, sendShared } from './shared-packet.ts'
import { inStatementSpan } from './statement-span.ts'

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

/** The settings of a read, and the form in which they are sent. */
export interface Under {
  readonly settings: Settings
  /** Whether the workers of a cluster must learn of it. */
  readonly isCluster: boolean
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
  readUnder(under: Under, statement: RenderedStatement): Promise<SharedAnswer> {
    return inStatementSpan([statement], () => this.#ask((open) => sendRead(open, under, statement), readFailureOf))
  }

  /** Runs alone and commits on success. */
  execute(statement: RenderedStatement): Promise<SharedAnswer> {
    return inStatementSpan([statement], () => this.#ask((open) => send(open, [statement]), failureOf))
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

  async #ask<T>(send: (open: Open) => Promise<T>, converted: (error: unknown) => Error): Promise<T> {
    this.pending++
    try {
      const open = this.#open ?? (await this.#opened())
      return await send(open).catch((error) => {
        const failure = converted(error)
        if (failure instanceof DatabaseUnavailable) this.#leave(open)
        throw failure
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

/** In one transaction, which begins and ends by itself. */
function send({ client, prepared }: Open, statements: readonly RenderedStatement[]): Promise<SharedAnswer> {
  return sendShared(client, prepared, statements)
}

function sendRead(open: Open, { settings, isCluster }: Under, statement: RenderedStatement): Promise<SharedAnswer> {
  if (isCluster) return sendToCluster(open, settings, statement)
  return send(open, [setForRead(settings), statement])
}

/**
 * In three messages, which are enqueued in one synchronous call. So no other read can come between them, and they leave in one packet. Even
 * if the statement fails, the commit has already been sent and ends the transaction.
 */
function sendToCluster(open: Open, settings: Settings, statement: RenderedStatement): Promise<SharedAnswer> {
  const { client } = open
  const { stream } = client.connection
  stream.cork()
  const begun = new Promise<void>((resolve, reject) => {
    client.query(['begin read only', ...setLocal(settings)].join('; '), (error) => (error ? reject(error) : resolve()))
  })
  const answer = send(open, [statement])
  client.query('commit', ignore)
  stream.uncork()
  // A statement whose begin was refused may have run outside of any transaction, so its rows are no answer.
  return Promise.all([begun, answer]).then(([, answered]) => answered)
}

// The transaction only read, so how it ended does not matter. A broken connection rejects the statement as well.
function ignore(): void {}
