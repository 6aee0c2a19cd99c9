// Shares the event loop among the clients' addresses. The loop handles everything that has arrived before it looks at what arrives
// next, so a client with hundreds of requests at once would be served whole before anybody else. Here the requests that are too many for
// one turn of the loop wait, by address, and the addresses come one after the other (docs/decisions/0084).
//
//   createServer(inTurns(handler, clientAddress))

import type { IncomingMessage, ServerResponse } from 'node:http'
import { wideBlock } from '@clinic-data/contract/address-block'
import type { ClientAddress } from './client-address.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Short beside what a client notices, and long beside what handling one request takes. */
const TURN_MS = 5

export class FairTurns {
  readonly #monotonic: () => number
  /** The waiting requests of each address. The address whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #isScheduled = false
  #endsAt = 0

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
  }

  /**
   * Runs it now if the turn has time left, or else when it is the address's turn. While some wait, no turn has time left.
   * @param addressOf is called only for a request that has to wait.
   */
  run(addressOf: () => string, work: () => void): void {
    if (!this.#isScheduled) this.#begin()
    if (this.#monotonic() < this.#endsAt) {
      work()
      return
    }
    const address = addressOf()
    const line = this.#waiting.get(address)
    if (line) line.push(work)
    else this.#waiting.set(address, [work])
  }

  /** A turn ends when the loop has looked at what has arrived meanwhile. */
  #begin(): void {
    this.#isScheduled = true
    this.#endsAt = this.#monotonic() + TURN_MS
    setImmediate(() => this.#next())
  }

  #next(): void {
    this.#isScheduled = false
    if (this.#waiting.size === 0) return
    this.#begin()
    this.#goOn()
  }

  /** Serves one after the other. Most of a request's work comes after its first promise, and belongs to the turn, too. */
  #goOn(): void {
    this.#runFirst()
    const goOn = () => {
      if (this.#waiting.size > 0 && this.#monotonic() < this.#endsAt) this.#goOn()
    }
    queueMicrotask(() => process.nextTick(goOn))
  }

  #runFirst(): void {
    const [first] = this.#waiting
    if (first === undefined) return
    const [address, line] = first
    this.#waiting.delete(address)
    const work = line.shift()
    if (line.length > 0) this.#waiting.set(address, line)
    work?.()
  }
}

/** One for the process: all listeners share its event loop. */
const turns = new FairTurns()
const arrivals = new WeakMap<IncomingMessage, number>()

export function inTurns(handler: Handler, clientAddress: ClientAddress): Handler {
  return (request, response) => {
    const addressOf = () => {
      arrivals.set(request, performance.now())
      return wideBlock(clientAddress.of(request))
    }
    turns.run(addressOf, () => {
      if (!request.socket.destroyed) handler(request, response)
    })
  }
}

/** When a request arrived, in the time of `performance.now()`. One that had no wait has arrived now. */
export function arrivedAt(request: IncomingMessage): number {
  return arrivals.get(request) ?? performance.now()
}
