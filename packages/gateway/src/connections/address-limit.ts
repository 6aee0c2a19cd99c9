// Limits each address's connections to a listener, so that there is always room for others. Behind a trusted proxy, the
// client of a connection is unknown. There the running requests are counted, by the address that the proxy names.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '@clinic-data/contract'
import { wideBlock } from '@clinic-data/contract/address-block'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../telemetry/log.ts'
import type { ClientAddress } from './client-address.ts'

interface AddressLimitOptions {
  clientAddress: ClientAddress
  /** Connections, or running requests through a trusted proxy. */
  most: number
  /** Called when a connection is refused. */
  onFull?: () => void
}

class AddressLimit {
  readonly #clientAddress: ClientAddress
  readonly #most: number
  readonly #onFull: () => void
  readonly #taken = new Map<string, number>()

  constructor({ clientAddress, most, onFull = () => undefined }: AddressLimitOptions) {
    this.#clientAddress = clientAddress
    this.#most = most
    this.#onFull = onFull
  }

  /** Takes a place for a connection until it closes, or closes it. */
  admitConnection(socket: Socket): void {
    if (this.#clientAddress.isTrustedProxy(socket)) return
    const address = wideBlock(this.#clientAddress.ofSocket(socket))
    if (this.#take(address)) socket.once('close', () => this.#leave(address))
    else {
      socket.destroy()
      this.#onFull()
    }
  }

  /** Takes a place for a request through a trusted proxy until it is answered. Returns null, or the Problem to answer. */
  admitRequest(request: IncomingMessage, response: ServerResponse): Problem | null {
    if (!this.#clientAddress.isTrustedProxy(request.socket)) return null
    const address = wideBlock(this.#clientAddress.of(request))
    if (!this.#take(address)) {
      const detail = `${this.#most} requests of this address are running. Send fewer at once.`
      return new Problem('service-unavailable', detail, { retry_after: 1 })
    }
    response.once('close', () => this.#leave(address))
    return null
  }

  /** The number of addresses that hold places. */
  get size(): number {
    return this.#taken.size
  }

  #take(address: string): boolean {
    const taken = this.#taken.get(address) ?? 0
    if (taken >= this.#most) return false
    this.#taken.set(address, taken + 1)
    return true
  }

  #leave(address: string): void {
    const taken = this.#taken.get(address) ?? 0
    if (taken > 1) this.#taken.set(address, taken - 1)
    else this.#taken.delete(address)
  }
}

const TOLD_EVERY_MS = 60_000

/** Limits each address's share of a listener, and warns the operator when one uses all of it. */
export function limitAddresses(
  app: FastifyInstance,
  { clientAddress, most, log }: { clientAddress: ClientAddress; most: number; log: Pick<Log, 'warn'> },
): void {
  let toldAt = Number.NEGATIVE_INFINITY
  const onFull = () => {
    if (performance.now() - toldAt < TOLD_EVERY_MS) return
    toldAt = performance.now()
    log.warn(
      { most },
      'an address has all the connections that one may have; if it is a proxy, name it in TRUSTED_PROXIES',
    )
  }
  const limit = new AddressLimit({ clientAddress, most, onFull })
  app.server.on('connection', (socket: Socket) => limit.admitConnection(socket))
  app.addHook('onRequest', (request, reply, done) => {
    done(limit.admitRequest(request.raw, reply.raw) ?? undefined)
  })
}
