// The addresses to which a webhook may be sent: global unicast ones that are not this machine's own.
//
// Somebody else writes a receiver's URL, and we call it from within our network. Addresses that are reachable from here but not
// from everywhere (loopback, private networks, metadata services of clouds) are never a receiver's.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { AddressBlocks } from './address-blocks.ts'

/** From IANA's special-purpose registries: everything that is not, or not surely, global unicast. */
const NOT_GLOBAL = new AddressBlocks([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers
  '127.0.0.0/8', // loopback
  '168.63.129.16', // global unicast by its number, but inside of Azure the host's own services for the machine
  '169.254.0.0/16', // link-local; metadata services of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved; broadcast

  // In IPv6 only 2000::/3 is global unicast. Outside it: unspecified, loopback, IPv4 embedded (::, ::ffff:0:0/96), NAT64
  // (64:ff9b::/96, 64:ff9b:1::/48), discard-only (100::/64), …
  '::/3',
  // … segment routing (5f00::/16), …
  '4000::/2',
  // … unique local (fc00::/7), link-local (fe80::/10), site-local (fec0::/10), multicast (ff00::/8).
  '8000::/1',
  '2001::/23', // protocol assignments: Teredo (2001::/32), benchmarks, hashes that look like addresses
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: IPv4 embedded
  '3fff::/20', // documentation
])

const LOOPBACK = new AddressBlocks(['127.0.0.0/8', '::1'])

/** Interfaces come and go: VPNs, containers. Listing them takes about 0.1 ms. */
const OWN_ADDRESSES_MS = 10_000

/** Judges by the address alone, in any spelling. False for a text that is not an address. */
export function isGlobalUnicast(address: string): boolean {
  return isIP(address) !== 0 && !NOT_GLOBAL.has(address)
}

export function isLoopback(address: string): boolean {
  return LOOPBACK.has(address)
}

export interface TargetAddressesOptions {
  /** Addresses and CIDR blocks that are allowed anyway, for development and tests. */
  allowCidrs?: readonly string[]
  /** This machine's addresses. Default: those of its network interfaces. */
  ownAddresses?: () => readonly string[]
  /** Monotonic, in ms. */
  now?: () => number
}

export class TargetAddresses {
  /** Whether plain http may go to loopback: true when `allowCidrs` opens any addresses. */
  readonly allowsLoopbackHttp: boolean
  readonly #allowed: AddressBlocks
  readonly #ownAddresses: () => readonly string[]
  readonly #now: () => number
  #own = new AddressBlocks([])
  #ownUntil = Number.NEGATIVE_INFINITY

  /** @throws Error, one line that names the entry of `allowCidrs` that is no address and no block. */
  constructor(options: TargetAddressesOptions = {}) {
    const allowCidrs = options.allowCidrs ?? []
    this.#allowed = new AddressBlocks(allowCidrs)
    this.allowsLoopbackHttp = allowCidrs.length > 0
    this.#ownAddresses = options.ownAddresses ?? interfaceAddresses
    this.#now = options.now ?? (() => performance.now())
  }

  isForbidden(address: string): boolean {
    if (this.#allowed.has(address)) return false
    return !isGlobalUnicast(address) || this.#isOwn(address)
  }

  #isOwn(address: string): boolean {
    if (this.#now() >= this.#ownUntil) {
      this.#own = new AddressBlocks(this.#ownAddresses())
      this.#ownUntil = this.#now() + OWN_ADDRESSES_MS
    }
    return this.#own.has(address)
  }
}

function interfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((entries = []) =>
    entries.map(({ address }) => address.split('%', 1).join('')),
  )
}
