// The blocks of addresses that one client may control. Whatever anybody can take a share of has a bound for each.
import { isIPv6 } from 'node:net'

/** A /48 is mostly one customer's, and sometimes several have a part of it: together they get as much as so many of its blocks. */
const WIDE_SHARE = 4

/**
 * The block that one client controls: an IPv4 address, or the /64 of an IPv6 address, in which a client can choose addresses
 * freely. Takes addresses in the spelling of `ClientAddress`.
 *
 * @example addressBlock('2001:db8::7') // '2001:db8:0:0'
 */
export function addressBlock(address: string): string {
  return isIPv6(address) ? groupsOf(address).slice(0, 4).join(':') : address
}

/**
 * The /48 of an IPv6 address, which whoever rents a server may get, with its 65,536 blocks. An IPv4 address is its own.
 *
 * @example wideBlock('2001:db8::7') // '2001:db8:0'
 */
export function wideBlock(address: string): string {
  return isIPv6(address) ? groupsOf(address).slice(0, 3).join(':') : address
}

function groupsOf(address: string): string[] {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after]
}

/** The bounds of an address: its block may take `most`, and where that lies in a wider one, all of that together somewhat more. */
export function boundsOf(address: string, most: number): readonly { readonly block: string; readonly most: number }[] {
  const [narrow, wide] = [addressBlock(address), wideBlock(address)]
  const own = { block: narrow, most }
  return wide === narrow ? [own] : [own, { block: wide, most: most * WIDE_SHARE }]
}
