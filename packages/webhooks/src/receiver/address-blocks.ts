// Addresses and CIDR blocks, and whether an address lies in one of the blocks.
import { BlockList, isIP } from 'node:net'
import { cidrBlock } from '@clinic-data/contract/cidr-block'

export class AddressBlocks {
  // One list for each family: in a shared list an IPv6 block also matches IPv4 addresses, as if they were embedded.
  readonly #v4 = new BlockList()
  readonly #v6 = new BlockList()

  /**
   * @param blocks '192.0.2.1', '10.0.0.0/8', '2001:db8::/32', …
   * @throws Error, one line that names the entry that is no address and no block.
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
    const { address, prefix, family } = cidrBlock(block)
    const list = family === 'ipv4' ? this.#v4 : this.#v6
    list.addSubnet(address, prefix, family)
  }
}
