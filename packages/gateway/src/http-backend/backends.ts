// The backends of a gateway, and which of them is asked: the one with the fewest calls under way of those that are well. A
// name that stands for several addresses is as many backends, and is looked up again every few seconds.
//
// A call that has reached nobody is made again elsewhere. One that may have arrived is repeated only when it is a read, once,
// and within the retry budget. A backend that drains or has failed is asked after beside the calls.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { PORT_LIMITS, portForms, portPaths } from '@clinic-data/contract/port'
import { readJson } from '@clinic-data/contract/port-answer'
import { type Call, type Condition, PortClient, type PortClientOptions, type Read } from './port-client.ts'
import { PortFailure } from './port-failure.ts'
import { whole } from './read-answer.ts'
import { RetryBudget } from './retry-budget.ts'

export interface BackendsOptions extends Omit<PortClientOptions, 'url' | 'address'> {
  urls: readonly string[]
  /** The addresses of a name. */
  resolve?: (name: string) => Promise<readonly Address[]>
}

export interface Address {
  address: string
  family: number
}

/** How often names are looked up: a backend that is added gets calls within this time. */
const RESOLVE_MS = 5_000
/** How often one that is not well is asked after. */
const ASK_AFTER_MS = 1_000

const PREFERENCE: Record<Condition, number> = { well: 0, draining: 1, broken: 2 }

export class Backends {
  readonly #options: BackendsOptions
  readonly #retries = new RetryBudget()
  #clients = new Map<string, PortClient>()
  /** Those that their names have lost since they were looked up before. */
  readonly #leaving = new Set<PortClient>()
  #resolving: Promise<void> | undefined
  #resolvedAt = Number.NEGATIVE_INFINITY
  readonly #askedAfterAt = new WeakMap<PortClient, number>()
  #isClosed = false

  constructor(options: BackendsOptions) {
    this.#options = options
  }

  /** @throws Problem, a backend's own; PortFailure when there was no answer. */
  async call<T>(call: Call, read: Read<T>): Promise<T> {
    this.#retries.earn()
    const clients = await this.#current()
    const asked = new Set<PortClient>()
    let isRepeated = false
    for (;;) {
      const others = clients.filter((client) => !asked.has(client))
      const client = bestOf(others.length > 0 ? others : clients)
      asked.add(client)
      try {
        return await client.call(call, read)
      } catch (error) {
        if (!(error instanceof PortFailure)) throw error
        if (error.isUnsent && asked.size < clients.length) continue
        const mayRepeat = error.kind === 'unreachable' && call.isRepeatable && !isRepeated
        if (!mayRepeat || !this.#retries.spend()) throw error
        isRepeated = true
      }
    }
  }

  /** The first answer of any of them, asked at once. */
  async probe<T>(call: Call, read: Read<T>): Promise<T> {
    const clients = await this.#current()
    try {
      return await Promise.any(clients.map((client) => client.probe(call, read)))
    } catch (error) {
      throw (error as AggregateError).errors[0]
    }
  }

  /** Waits for the calls under way. */
  async close(): Promise<void> {
    await this.#end((client) => client.close())
  }

  /** Breaks off the calls under way. */
  async destroy(): Promise<void> {
    await this.#end((client) => client.destroy())
  }

  async #end(end: (client: PortClient) => Promise<void>): Promise<void> {
    this.#isClosed = true
    await this.#resolving
    await Promise.all([...this.#clients.values(), ...this.#leaving].map(end))
  }

  /** Those that there are, in an order of their own each time: of equal ones the first is chosen. */
  async #current(): Promise<PortClient[]> {
    const now = performance.now()
    if (!this.#isClosed && now - this.#resolvedAt >= RESOLVE_MS) {
      this.#resolvedAt = now
      this.#resolving = this.#resolve()
    }
    if (this.#clients.size === 0) await this.#resolving
    const clients = [...this.#clients.values()]
    if (clients.length > 1) for (const client of clients) this.#askAfter(client, now)
    const first = Math.floor(Math.random() * clients.length)
    return [...clients.slice(first), ...clients.slice(0, first)]
  }

  /** Any answer tells how it is: through the breaker, as a call of its own that no client waits for. */
  #askAfter(client: PortClient, now: number): void {
    if (client.condition === 'well' || now - (this.#askedAfterAt.get(client) ?? 0) < ASK_AFTER_MS) return
    this.#askedAfterAt.set(client, now)
    const deadline = now + PORT_LIMITS.deadline_ms
    client
      .call({ method: 'GET', path: portPaths.ready, deadline, isRepeatable: true }, whole(readJson(portForms.ready)))
      .catch(() => undefined)
  }

  /** Never rejects: what cannot be looked up stays as it was. */
  async #resolve(): Promise<void> {
    const { urls, resolve = resolveName, ...options } = this.#options
    const found = new Map<string, PortClient>()
    for (const url of urls) {
      const known = [...this.#clients].filter(([key]) => key.startsWith(`${url} `))
      const addresses = await addressesOf(url, resolve).catch(() => null)
      if (addresses === null && known.length > 0) for (const [key, client] of known) found.set(key, client)
      else {
        for (const address of addresses ?? [null]) {
          const key = `${url} ${address ?? ''}`
          found.set(key, this.#clients.get(key) ?? new PortClient({ ...options, url, address }))
        }
      }
    }
    const gone = [...this.#clients].filter(([key]) => !found.has(key))
    this.#clients = found
    this.#closeLeaving()
    for (const [, client] of gone) this.#leaving.add(client)
  }

  /** Not at once: a call may have chosen one that is about to go, and not begun. */
  #closeLeaving(): void {
    for (const client of this.#leaving) {
      if (client.pending > 0) continue
      this.#leaving.delete(client)
      void client.close()
    }
  }
}

function bestOf(clients: readonly PortClient[]): PortClient {
  return clients.reduce((best, client) => (isBetter(client, best) ? client : best))
}

function isBetter(one: PortClient, other: PortClient): boolean {
  const preference = PREFERENCE[one.condition] - PREFERENCE[other.condition]
  return preference < 0 || (preference === 0 && one.pending < other.pending)
}

/** Null: one backend, wherever its name leads. That a name has an address of each family does not make two of it. */
async function addressesOf(
  url: string,
  resolve: (name: string) => Promise<readonly Address[]>,
): Promise<(string | null)[]> {
  const name = new URL(url).hostname
  if (isIP(name.replace(/^\[|\]$/g, ''))) return [null]
  const addresses = await resolve(name)
  const [v4, v6] = [4, 6].map((wanted) =>
    addresses.filter(({ family }) => family === wanted).map(({ address }) => address),
  ) as [string[], string[]]
  const most = v6.length > v4.length ? v6 : v4
  return most.length > 1 ? [...new Set(most)] : [null]
}

function resolveName(name: string): Promise<readonly Address[]> {
  return lookup(name, { all: true })
}
