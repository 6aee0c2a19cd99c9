// Connections that one caller at a time owns, for transactions, which wait for each answer. Waiting clinics take turns, and no
// clinic holds all connections.

import type { Client } from 'pg'
import { type Connect, destroy } from './connect.ts'
import { DatabaseUnavailable } from './database-failure.ts'
import { FairLine } from './fair-line.ts'
import { unansweredPacket } from './packet.ts'
import type { PoolUse } from './pool-use.ts'

/** The owner of work that belongs to no clinic: operators and migrations. */
export const NO_CLINIC = ''

/** Who uses a connection. */
interface Holder {
  readonly owner: string
  /** The packet that had no answer at the last look. */
  packet: object | undefined
  /** For how many intervals it has had none. */
  silence: number
}

export class ConnectionPool {
  readonly #connect: Connect
  readonly #most: number
  readonly #line: FairLine
  readonly #idle: Client[] = []
  /** The connections in use. */
  readonly #holders = new Map<Client, Holder>()

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
      this.#holders.set(client, { owner, packet: undefined, silence: 0 })
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

  /**
   * Call this at intervals. Gives up on connections whose server has not answered a packet for this many intervals. Otherwise their users
   * would hold their places, and the locks of what they write, until their transaction's time is over.
   */
  giveUpAfter(silentIntervals: number): void {
    for (const [client, holder] of this.#holders) {
      const packet = unansweredPacket(client)
      holder.silence = packet !== undefined && packet === holder.packet ? holder.silence + 1 : 0
      holder.packet = packet
      if (holder.silence > silentIntervals)
        destroy(client, new DatabaseUnavailable('the database does not answer any more'))
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((client) => client.end()))
  }

  #takeBack(client: Client): string {
    const holder = this.#holders.get(client)
    if (holder === undefined) throw new Error('a connection was given back twice')
    this.#holders.delete(client)
    return holder.owner
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
