// A network that a key may be bound to: one address or a CIDR block, in one spelling each. Without Node's own reader: pages read networks too.

/** Every request of a bound key is compared with each of them. A clinic whose offices need more has a firewall. */
export const NETWORKS = 20
/** The longest spelling: eight groups, and a prefix. */
export const NETWORK_CHARACTERS = 43

interface Network {
  readonly spelling: string
  /** Without the bits after the prefix. */
  readonly value: bigint
  /** The bits of an address: 32 or 128. */
  readonly width: number
  readonly prefix: number
}

type Bits = Pick<Network, 'value' | 'width'>

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const V4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`)
const V6 = /^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$/
const PREFIX = /^[1-9]\d{0,2}$/
/** The first 96 bits of an IPv4 address in the form of IPv6: `::ffff:192.0.2.1`. */
const MAPPED = 0xffffn

/**
 * The one spelling of a network: a single address without its prefix, IPv6 compressed and in lower case.
 *
 * @returns null for any other text, for a prefix of 0 (which is every address), for bits after the prefix (a slip: another network may be meant),
 * and for IPv4 in the form of IPv6.
 * @example readNetwork('2001:DB8:0::/32')   // '2001:db8::/32'
 */
export function readNetwork(text: string): string | null {
  return parsed(text)?.spelling ?? null
}

/** Each once, in its one spelling. Null stays null: everywhere. @param networks that `readNetwork` can read. */
export function spelledNetworks(networks: readonly string[] | null): string[] | null {
  return networks && [...new Set(networks.map((network) => readNetwork(network) ?? network))]
}

/**
 * @param address of a client, also an IPv4 one in the form of IPv6.
 * @param networks as `readNetwork` spells them. Any other text holds no address.
 */
export function liesWithin(address: string, networks: readonly string[]): boolean {
  const known = spelled(address)
  if (known === null) return false
  const bits = clientBits(bitsOf(known))
  const client = { ...bits, prefix: bits.width }
  return networks.some((network) => holds(network, client))
}

/**
 * The network of so many bits that an address lies in, as `readNetwork` spells it. Null for a text that is no address.
 *
 * @example networkAround('203.0.113.9', { v4: 24, v6: 48 })   // '203.0.113.0/24'
 */
export function networkAround(address: string, { v4, v6 }: { v4: number; v6: number }): string | null {
  const known = spelled(address)
  if (known === null) return null
  const { value, width } = clientBits(bitsOf(known))
  const prefix = width === 32 ? v4 : v6
  const rest = BigInt(width - prefix)
  return `${addressOf({ value: (value >> rest) << rest, width })}/${prefix}`
}

function addressOf({ value, width }: Bits): string {
  const part = width === 32 ? 8 : 16
  const parts = Array.from({ length: width / part }, (_, n) =>
    BigInt.asUintN(part, value >> BigInt(width - part * (n + 1))),
  )
  const text = width === 32 ? parts.join('.') : parts.map((one) => one.toString(16)).join(':')
  return spelled(text) ?? text
}

/** An IPv4 address in the form of IPv6 is an IPv4 address. */
function clientBits({ value, width }: Bits): Bits {
  return isMapped({ value, width }) ? { value: BigInt.asUintN(32, value), width: 32 } : { value, width }
}

/** Whether somebody in one of these networks is in none of the former. Null: everywhere. */
export function isWiderThan(networks: readonly string[] | null, former: readonly string[] | null): boolean {
  if (former === null) return false
  return networks === null || networks.map(parsed).some((one) => one && !former.some((other) => holds(other, one)))
}

function holds(network: string, { value, width, prefix }: Bits & { prefix: number }): boolean {
  const outer = parsed(network)
  if (outer?.spelling !== network) return false
  const rest = BigInt(width - outer.prefix)
  return outer.width === width && outer.prefix <= prefix && outer.value >> rest === value >> rest
}

/** Null for a text that `readNetwork` refuses. */
function parsed(text: string): Network | null {
  const [written = '', length, ...more] = text.split('/')
  const address = spelled(written)
  if (address === null || more.length > 0 || (length !== undefined && !PREFIX.test(length))) return null
  const { value, width } = bitsOf(address)
  const prefix = length === undefined ? width : Number(length)
  if (prefix > width || BigInt.asUintN(width - prefix, value) !== 0n || isMapped({ value, width })) return null
  return { spelling: prefix === width ? address : `${address}/${prefix}`, value, width, prefix }
}

/** An address in its one spelling, or null. */
function spelled(text: string): string | null {
  if (V4.test(text)) return text
  const url = `http://[${text}]`
  return V6.test(text) && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : null
}

function bitsOf(address: string): Bits {
  if (!address.includes(':')) return { value: joined(address.split('.').map(BigInt), 8n), width: 32 }
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  return {
    value: joined(
      groups.map((group) => BigInt(`0x${group}`)),
      16n,
    ),
    width: 128,
  }
}

function joined(parts: readonly bigint[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | part, 0n)
}

function isMapped({ value, width }: Bits): boolean {
  return width === 128 && value >> 32n === MAPPED
}
