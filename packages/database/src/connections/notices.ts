// Notices between processes on one database (LISTEN, NOTIFY), received on a separate connection that is reopened when it breaks. A
// notice may be lost, so every user of notices also polls now and then.

import type { Client } from 'pg'
import { type Connect, destroy } from './connect.ts'

const TRY_AGAIN_MS = 1_000

export class NoticeListener {
  readonly #connect: Connect
  readonly #channel: string
  readonly #onNotice: (payload: string) => void
  #client: Client | null = null
  #again: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(connect: Connect, channel: string, onNotice: (payload: string) => void) {
    if (!/^[a-z_]{1,63}$/.test(channel)) throw new TypeError('a channel is a plain SQL name')
    this.#connect = connect
    this.#channel = channel
    this.#onNotice = onNotice
    void this.#open()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#again !== null) clearTimeout(this.#again)
    await this.#client?.end()
  }

  async #open(): Promise<void> {
    try {
      const client = await this.#connect({ pipeline: false })
      if (this.#isClosed) return await client.end()
      client.on('notification', ({ payload }) => this.#onNotice(payload ?? ''))
      client.on('end', () => this.#reopen(client))
      client.on('error', () => this.#reopen(client))
      this.#client = client
      await client.query(`listen ${this.#channel}`)
    } catch {
      this.#reopen(this.#client)
    }
  }

  #reopen(client: Client | null): void {
    if (client !== this.#client || this.#isClosed || this.#again !== null) return
    if (client !== null) destroy(client)
    this.#client = null
    this.#again = setTimeout(() => {
      this.#again = null
      void this.#open()
    }, TRY_AGAIN_MS)
  }
}
