// An address, or a CIDR block of addresses, as a setting names it.
import { isIP } from 'node:net'

export interface CidrBlock {
  address: string
  prefix: number
  family: 'ipv4' | 'ipv6'
}

/**
 * @param text '192.0.2.1', '10.0.0.0/8', '2001:db8::/32', …
 * @param setting the name of the setting that holds it, for the error.
 * @throws Error, one line that names a text which is neither address nor block.
 */
export function cidrBlock(text: string, setting?: string): CidrBlock {
  const [address = '', length, ...more] = text.split('/')
  const version = address.includes('%') ? 0 : isIP(address)
  const bits = version === 6 ? 128 : 32
  if (version === 0 || more.length > 0 || (length !== undefined && !(/^\d{1,3}$/.test(length) && +length <= bits))) {
    const line = `${text} is neither an address nor a CIDR block`
    throw new Error(setting === undefined ? line : `${setting}: ${line}`)
  }
  return { address, prefix: length === undefined ? bits : +length, family: version === 6 ? 'ipv6' : 'ipv4' }
}
