// Checks the name under which a request without a token reached the private listener. By DNS rebinding a web page can make a
// browser call it, but then the header Host holds the page's own name.
import { isIP } from 'node:net'

/**
 * Whether a Host header names this machine: by an address, by a name without a dot (no web page has one), or by one of the
 * given names.
 */
export function isNamedHost(host: string, names: readonly string[]): boolean {
  const url = `http://${host}`
  if (!URL.canParse(url)) return false
  const name = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return isIP(name) !== 0 || !name.includes('.') || names.includes(name)
}
