// Connections that one caller at a time owns: for transactions, which wait for each answer.

import type { Client } from 'pg'
import { type Connect, destroy } from './connect.ts'
import { DatabaseUnavailable } from './database-failure.ts'

type Waiter = { resolve: (client: Client) => void; reject: (error: Error) => void; timer: NodeJS.Timeout }

export class ConnectionPool {
  readonly #connect: Connect
  readonly #limit: number
  readonly #idle: Client[] = []
  readonly #waiting: Waiter[] = []
  #size = 0

  constructor(connect: Connect, limit: number) {
    this.#connect = connect
    this.#limit = limit
  }

  /** A connection of the caller's own, to be given back by `release` or `discard`. */
  async acquire(timeoutMs: number): Promise<Client> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#size < this.#limit) return this.#open()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        reject(new DatabaseUnavailable('the database is unavailable: all its connections are in use'))
      }, timeoutMs)
      const waiter = { resolve, reject, timer }
      this.#waiting.push(waiter)
    })
  }

  release(client: Client): void {
    const next = this.#nextWaiter()
    if (next === undefined) this.#idle.push(client)
    else next.resolve(client)
  }

  /** For a connection whose state is not known any more. */
  discard(client: Client): void {
    destroy(client)
    this.#size -= 1
    this.#replace()
  }

  async close(): Promise<void> {
    const idle = this.#idle.splice(0)
    this.#size -= idle.length
    await Promise.all(idle.map((client) => client.end()))
  }

  async #open(): Promise<Client> {
    this.#size += 1
    let client: Client
    try {
      client = await this.#connect({ pipeline: false })
    } catch (error) {
      this.#size -= 1
      this.#replace()
      throw error
    }
    client.on('error', () => this.#forgetIdle(client))
    client.on('end', () => this.#forgetIdle(client))
    return client
  }

  #forgetIdle(client: Client): void {
    const at = this.#idle.indexOf(client)
    if (at === -1) return
    this.#idle.splice(at, 1)
    this.#size -= 1
  }

  /** Whoever waits for a connection that will not come back gets a new one. */
  #replace(): void {
    const next = this.#nextWaiter()
    if (next !== undefined) this.#open().then(next.resolve, next.reject)
  }

  #nextWaiter(): Waiter | undefined {
    const next = this.#waiting.shift()
    if (next !== undefined) clearTimeout(next.timer)
    return next
  }
}
