// Addresses and CIDR blocks, and whether an address lies in one of the blocks.
import { BlockList, isIP } from 'node:net'

export class AddressBlocks {
  // One list for each family: in a shared list an IPv6 block also matches IPv4 addresses, as if they were embedded.
  readonly #v4 = new BlockList()
  readonly #v6 = new BlockList()

  /**
   * @param blocks '192.0.2.1', '10.0.0.0/8', '2001:db8::/32', …
   * @throws Error, one line that names the entry which is neither address nor block.
   */
  constructor(blocks: readonly string[]) {
    for (const block of blocks) this.#add(block)
  }

  /** Whether the address, in any spelling, lies in a block of its own family. False for a text that is not an address. */
  has(address: string): boolean {
    const [bare = ''] = address.split('%', 1)
    const family = isIP(bare)
    if (family === 0) return false
    return family === 4 ? this.#v4.check(bare, 'ipv4') : this.#v6.check(bare, 'ipv6')
  }

  #add(block: string): void {
    const [address = '', length, ...more] = block.split('/')
    const family = address.includes('%') ? 0 : isIP(address)
    const bits = family === 6 ? 128 : 32
    if (family === 0 || more.length > 0 || (length !== undefined && !(/^\d{1,3}$/.test(length) && +length <= bits))) {
      throw new Error(`${block} is neither an address nor a CIDR block`)
    }
    const prefix = length === undefined ? bits : +length
    if (family === 4) this.#v4.addSubnet(address, prefix, 'ipv4')
    else this.#v6.addSubnet(address, prefix, 'ipv6')
  }
}
