// Makes room in a full listener for a new connection. Of the address that has the most connections without a request, the idlest is
// closed. So idle connections keep nobody out, and whoever has few of them keeps them. A running request is never broken off. Nor does a
// listener that closes wait for connections without a request.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { wideBlock } from '@clinic-data/contract/address-block'
import type { FastifyInstance } from 'fastify'
import type { ClientAddress } from './client-address.ts'

interface Place {
  readonly address: string
  /** Running and waiting requests. */
  requests: number
}

class FullListener {
  readonly #clientAddress: ClientAddress
  readonly #most: number
  readonly #places = new Map<Socket, Place>()
  /** Each address's connections without a request, the idlest first. One whose request has not arrived whole is among them. */
  readonly #idle = new Map<string, Set<Socket>>()

  constructor(clientAddress: ClientAddress, most: number) {
    this.#clientAddress = clientAddress
    this.#most = most
  }

  admit(socket: Socket): void {
    // Another limit has refused it.
    if (socket.destroyed) return
    if (this.#places.size >= this.#most) {
      const leaving = this.#idlest() ?? socket
      this.#forget(leaving)
      leaving.destroy()
      if (leaving === socket) return
    }
    const address = wideBlock(this.#clientAddress.ofSocket(socket))
    this.#places.set(socket, { address, requests: 0 })
    this.#rest(address, socket)
    socket.once('close', () => this.#forget(socket))
  }

  follow({ socket }: IncomingMessage, response: ServerResponse): void {
    const place = this.#places.get(socket)
    if (place === undefined) return
    place.requests++
    this.#wake(place.address, socket)
    response.once('close', () => {
      place.requests--
      if (place.requests === 0 && this.#places.has(socket)) this.#rest(place.address, socket)
    })
  }

  /** Nothing else would end one that has never sent a whole request: Node.js itself closes only those that have. */
  endIdle(): void {
    for (const idle of this.#idle.values()) for (const socket of idle) socket.destroy()
  }

  #idlest(): Socket | undefined {
    let fullest: ReadonlySet<Socket> = new Set()
    for (const idle of this.#idle.values()) if (idle.size > fullest.size) fullest = idle
    return fullest.values().next().value
  }

  #rest(address: string, socket: Socket): void {
    const idle = this.#idle.get(address)
    if (idle) idle.add(socket)
    else this.#idle.set(address, new Set([socket]))
  }

  #wake(address: string, socket: Socket): void {
    const idle = this.#idle.get(address)
    if (idle?.delete(socket) && idle.size === 0) this.#idle.delete(address)
  }

  #forget(socket: Socket): void {
    const place = this.#places.get(socket)
    if (place) this.#wake(place.address, socket)
    this.#places.delete(socket)
  }
}

/** The time of a request that is just arriving when the listener closes. Short, because whoever stops a service waits for it. */
const ARRIVING_MS = 250

/** Register it after the limits that refuse a connection themselves, so that a refused one takes nobody's place. */
export function makeRoom(app: FastifyInstance, clientAddress: ClientAddress, most: number): void {
  const listener = new FullListener(clientAddress, most)
  app.server.on('connection', (socket: Socket) => listener.admit(socket))
  app.server.on('request', (request, response) => listener.follow(request, response))
  app.addHook('preClose', (done) => {
    setTimeout(() => listener.endIdle(), ARRIVING_MS).unref()
    done()
  })
}
