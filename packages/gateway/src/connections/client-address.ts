// The client's address: the socket's, or the one that trusted proxies report in `X-Forwarded-For`.
//
//   const clientAddress = new ClientAddress(['10.0.0.0/8', '2001:db8::/32'])   // TRUSTED_PROXIES
//   clientAddress.of(request.raw)                                             // '203.0.113.9'

import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, type Socket, SocketAddress } from 'node:net'
import { cidrBlock } from '@clinic-data/contract/cidr-block'

/** An IPv4 client of a dual-stack socket: `::ffff:192.0.2.1`. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
/** A port that some proxies append: `192.0.2.1:443`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/
/** No chain of proxies is longer. Everything beyond was written by the client. */
const MAX_HOPS = 16

export class ClientAddress {
  readonly #trusted: BlockList | null

  /**
   * @param trustedProxies addresses and CIDR blocks. Without any, `X-Forwarded-For` is never trusted.
   * @throws Error, one line that names the entry that is no address and no block.
   */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = trustedProxies.length === 0 ? null : blockList(trustedProxies)
  }

  /** The address at the other end of a connection: the client's own, or a proxy's. */
  ofSocket(socket: Socket): string {
    return peerAddress(socket.remoteAddress ?? '')
  }

  isTrustedProxy(socket: Socket): boolean {
    return this.#trusted !== null && this.#trusts(this.ofSocket(socket))
  }

  /** The socket's address. If that is a trusted proxy: the rightmost address of `X-Forwarded-For` that is not one. */
  of(request: IncomingMessage): string {
    const peer = this.ofSocket(request.socket)
    const forwarded = request.headers['x-forwarded-for']
    if (this.#trusted === null || forwarded === undefined || !this.#trusts(peer)) return peer
    const hops = (typeof forwarded === 'string' ? forwarded : forwarded.join(',')).split(',')
    let client = peer
    for (const hop of hops.reverse().slice(0, MAX_HOPS)) {
      const address = normalAddress(hop.trim())
      if (isIP(address) === 0) return client
      client = address
      if (!this.#trusts(client)) return client
    }
    return client
  }

  #trusts(address: string): boolean {
    const family = isIP(address)
    return family !== 0 && this.#trusted?.check(address, family === 6 ? 'ipv6' : 'ipv4') === true
  }
}

function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const { address, prefix, family } = cidrBlock(entry, 'TRUSTED_PROXIES')
    list.addSubnet(address, prefix, family)
  }
  return list
}

/** The system spells a socket's address normally, except for two cases. */
function peerAddress(text: string): string {
  return text.startsWith('::ffff:') || text.includes('%') ? normalAddress(text) : text
}

/** Normalizes an address: no port or zone, IPv4-mapped as IPv4, IPv6 compressed and in lower case. */
function normalAddress(text: string): string {
  const mapped = MAPPED.exec(text)?.[1]
  if (mapped !== undefined) return mapped
  const family = isIP(text)
  if (family === 4) return text
  if (family === 0) {
    const [, v6, v4] = WITH_PORT.exec(text) ?? []
    const bare = v6 ?? v4
    return bare !== undefined && isIP(bare) !== 0 ? normalAddress(bare) : text
  }
  const compressed = new SocketAddress({ address: text.split('%', 1).join(''), family: 'ipv6' }).address
  return MAPPED.exec(compressed)?.[1] ?? compressed
}
