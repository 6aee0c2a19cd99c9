// Connections that one caller at a time owns, for transactions, which wait for each answer. Waiting clinics take turns, and no
// clinic holds all connections.

import type { Client } from 'pg'
import { type Connect, destroy } from './connect.ts'
import { DatabaseUnavailable } from './database-failure.ts'
import { FairLine } from './fair-line.ts'

/** The owner of work that belongs to no clinic: operators and migrations. */
export const NO_CLINIC = ''

/** What a pool's connections do at this moment. */
export interface PoolUse {
  /** The most connections that it opens. */
  most: number
  used: number
  idle: number
  /** Those who wait for a connection, or behind another on one. */
  waiting: number
}

export class ConnectionPool {
  readonly #connect: Connect
  readonly #most: number
  readonly #line: FairLine
  readonly #idle: Client[] = []
  /** The owners of the connections in use. */
  readonly #holders = new Map<Client, string>()

  constructor(connect: Connect, limit: number) {
    this.#connect = connect
    this.#most = limit
    // If there are several connections, the last one is another clinic's.
    const share = limit > 2 ? limit - 1 : limit
    this.#line = new FairLine(limit, (owner) => (owner === NO_CLINIC ? limit : share))
  }

  get use(): PoolUse {
    return { most: this.#most, used: this.#holders.size, idle: this.#idle.length, waiting: this.#line.waiting }
  }

  /** A connection of the caller's own, to be given back by `release` or `discard`. */
  async acquire(owner: string, timeoutMs: number): Promise<Client> {
    const waiting = this.#line.enter(owner, {
      timeoutMs,
      late: () => new DatabaseUnavailable('the database is unavailable: all its connections are in use'),
    })
    if (waiting) await waiting
    try {
      const client = this.#idle.pop() ?? (await this.#open())
      this.#holders.set(client, owner)
      return client
    } catch (error) {
      this.#line.leave(owner)
      throw error
    }
  }

  release(client: Client): void {
    const owner = this.#takeBack(client)
    this.#idle.push(client)
    this.#line.leave(owner)
  }

  /** For a connection whose state is not known any more. */
  discard(client: Client): void {
    destroy(client)
    this.#line.leave(this.#takeBack(client))
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((client) => client.end()))
  }

  #takeBack(client: Client): string {
    const owner = this.#holders.get(client)
    if (owner === undefined) throw new Error('a connection was given back twice')
    this.#holders.delete(client)
    return owner
  }

  async #open(): Promise<Client> {
    const client = await this.#connect({ pipeline: false })
    client.on('error', () => this.#forgetIdle(client))
    client.on('end', () => this.#forgetIdle(client))
    return client
  }

  #forgetIdle(client: Client): void {
    const at = this.#idle.indexOf(client)
    if (at !== -1) this.#idle.splice(at, 1)
  }
}
