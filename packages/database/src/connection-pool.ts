// Connections that one caller at a time owns, for transactions, which wait for each answer. Waiting clinics take turns, and no
// clinic holds all connections.

import type { Client } from 'pg'
import { type Connect, destroy } from './connect.ts'
import { DatabaseUnavailable } from './database-failure.ts'
import { FairQueue } from './fair-queue.ts'

type Waiter = {
  owner: string
  resolve: (client: Client) => void
  reject: (error: Error) => void
  timer: NodeJS.Timeout
}

/** The owner of work that belongs to no clinic: operators and migrations. */
export const NO_CLINIC = ''

export class ConnectionPool {
  readonly #connect: Connect
  readonly #limit: number
  /**
   * The maximum of one clinic's transactions at once. Where there are several connections, the last one is left to other clinics.
   */
  readonly #share: number
  readonly #idle: Client[] = []
  readonly #waiting = new FairQueue<Waiter>()
  /** The owner of each connection in use. */
  readonly #holders = new Map<Client, string>()
  /** The number of connections that each owner holds or is opening. */
  readonly #held = new Map<string, number>()
  #size = 0

  constructor(connect: Connect, limit: number) {
    this.#connect = connect
    this.#limit = limit
    this.#share = limit > 2 ? limit - 1 : limit
  }

  /** Takes a connection. The caller must return it with `release` or `discard`. */
  async acquire(owner: string, timeoutMs: number): Promise<Client> {
    if (this.#mayHold(owner)) {
      const idle = this.#idle.pop()
      if (idle !== undefined) return this.#give(owner, idle)
      if (this.#size < this.#limit) return this.#open(owner)
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.remove(owner, waiter)
        reject(new DatabaseUnavailable('the database is unavailable: all its connections are in use'))
      }, timeoutMs)
      const waiter = { owner, resolve, reject, timer }
      this.#waiting.push(owner, waiter)
    })
  }

  release(client: Client): void {
    this.#takeBack(client)
    this.#idle.push(client)
    this.#serveNext()
  }

  /** For a connection in an unknown state. */
  discard(client: Client): void {
    destroy(client)
    this.#takeBack(client)
    this.#size -= 1
    this.#serveNext()
  }

  async close(): Promise<void> {
    const idle = this.#idle.splice(0)
    this.#size -= idle.length
    await Promise.all(idle.map((client) => client.end()))
  }

  #mayHold(owner: string): boolean {
    return owner === NO_CLINIC || (this.#held.get(owner) ?? 0) < this.#share
  }

  #give(owner: string, client: Client): Client {
    this.#count(owner, 1)
    this.#holders.set(client, owner)
    return client
  }

  #takeBack(client: Client): void {
    const owner = this.#holders.get(client)
    if (owner === undefined) throw new Error('a connection was given back twice')
    this.#holders.delete(client)
    this.#count(owner, -1)
  }

  #count(owner: string, change: 1 | -1): void {
    const held = (this.#held.get(owner) ?? 0) + change
    if (held === 0) this.#held.delete(owner)
    else this.#held.set(owner, held)
  }

  async #open(owner: string): Promise<Client> {
    this.#size += 1
    this.#count(owner, 1)
    try {
      const client = await this.#connect({ pipeline: false })
      client.on('error', () => this.#forgetIdle(client))
      client.on('end', () => this.#forgetIdle(client))
      this.#holders.set(client, owner)
      return client
    } catch (error) {
      this.#size -= 1
      this.#count(owner, -1)
      this.#serveNext()
      throw error
    }
  }

  #forgetIdle(client: Client): void {
    const at = this.#idle.indexOf(client)
    if (at === -1) return
    this.#idle.splice(at, 1)
    this.#size -= 1
  }

  /** Gives the next waiting caller an idle connection, or opens a new one in place of a discarded one. */
  #serveNext(): void {
    if (this.#idle.length === 0 && this.#size >= this.#limit) return
    const next = this.#waiting.shift((owner) => this.#mayHold(owner))
    if (next === undefined) return
    clearTimeout(next.timer)
    const idle = this.#idle.pop()
    if (idle !== undefined) next.resolve(this.#give(next.owner, idle))
    else this.#open(next.owner).then(next.resolve, next.reject)
  }
}
