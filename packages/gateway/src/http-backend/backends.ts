// A gateway's backends, and the choice between them: the healthy one with the fewest running calls. A name with several addresses
// counts as several backends and is resolved again every few seconds.
//
// A call that reached no backend is repeated at another one. One that may have arrived is repeated once, only if it is a read, and within
// the retry budget. A backend that drains or has failed is probed beside the calls (docs/decisions/0033).

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { PORT_LIMITS, portForms, portPaths } from '@clinic-data/contract/port'
import { readJson } from '@clinic-data/contract/port-answer'
import type { Call } from './port-call.ts'
import { type Condition, PortClient, type PortClientOptions, type Read } from './port-client.ts'
import { PortFailure } from './port-failure.ts'
import { whole } from './read-answer.ts'
import { RetryBudget } from './retry-budget.ts'

export interface BackendsOptions extends Omit<PortClientOptions, 'url' | 'address'> {
  urls: readonly string[]
  /** Resolves a name's addresses. */
  resolve?: (name: string) => Promise<readonly Address[]>
}

export interface Address {
  address: string
  family: number
}

/** The interval of name look-ups: a new backend gets calls within this time. */
const RESOLVE_MS = 5_000
/** The interval of probes of an unhealthy backend. */
const ASK_AFTER_MS = 1_000

const PREFERENCE: Record<Condition, number> = { well: 0, draining: 1, broken: 2 }

export class Backends {
  readonly #options: BackendsOptions
  readonly #retries = new RetryBudget()
  #clients = new Map<string, PortClient>()
  /** Backends whose addresses the last look-up no longer returned. */
  readonly #leaving = new Set<PortClient>()
  #resolving: Promise<void> | undefined
  #resolvedAt = Number.NEGATIVE_INFINITY
  readonly #askedAfterAt = new WeakMap<PortClient, number>()
  #isClosed = false

  constructor(options: BackendsOptions) {
    this.#options = options
  }

  /** @throws Problem of a backend; PortFailure when there was no answer. */
  async call<T>(call: Call, read: Read<T>): Promise<T> {
    this.#retries.earn()
    const clients = await this.#current()
    const tried = new Set<PortClient>()
    let isRepeated = false
    for (;;) {
      const others = clients.filter((client) => !tried.has(client))
      const client = bestOf(others.length > 0 ? others : clients)
      tried.add(client)
      try {
        return await client.call(call, read)
      } catch (error) {
        if (!(error instanceof PortFailure)) throw error
        if (error.isUnsent && tried.size < clients.length) continue
        const mayRepeat = error.kind === 'unreachable' && call.isRepeatable && !isRepeated
        if (!mayRepeat || !this.#retries.spend()) throw error
        isRepeated = true
      }
    }
  }

  /** Asks all of them at once and returns the first answer. */
  async probe<T>(call: Call, read: Read<T>): Promise<T> {
    const clients = await this.#current()
    try {
      return await Promise.any(clients.map((client) => client.probe(call, read)))
    } catch (error) {
      throw (error as AggregateError).errors[0]
    }
  }

  /** Waits for the running calls. */
  async close(): Promise<void> {
    await this.#end((client) => client.close())
  }

  /** Aborts the running calls. */
  async destroy(): Promise<void> {
    await this.#end((client) => client.destroy())
  }

  async #end(end: (client: PortClient) => Promise<void>): Promise<void> {
    this.#isClosed = true
    await this.#resolving
    await Promise.all([...this.#clients.values(), ...this.#leaving].map(end))
  }

  /** The current backends, in a different order each time: of equal ones the first is chosen. */
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

  /** Probes a backend with a separate call through its breaker. Any answer shows its health, and no client waits for it. */
  #askAfter(client: PortClient, now: number): void {
    if (client.condition === 'well' || now - (this.#askedAfterAt.get(client) ?? 0) < ASK_AFTER_MS) return
    this.#askedAfterAt.set(client, now)
    const deadline = now + PORT_LIMITS.deadline_ms
    client
      .call({ method: 'GET', path: portPaths.ready, deadline, isRepeatable: true }, whole(readJson(portForms.ready)))
      .catch(() => undefined)
  }

  /** Never rejects: when a look-up fails, the addresses stay as they were. */
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

  /** Waits a moment: a call may have chosen this backend and not started yet. */
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

/** Null means one backend, wherever its name points. One address of each family still makes one backend. */
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
