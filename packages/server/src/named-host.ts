// The names under which the private listener answers to whoever bears no token. A web page that a browser was led to reaches it by
// DNS rebinding: under the page's own name, which is then in the header Host.
import { isIP } from 'node:net'

/**
 * Whether a Host header names this machine: by an address, by a name without a dot, which no web page has, or by one of the
 * names given.
 */
export function isNamedHost(host: string, names: readonly string[]): boolean {
  const url = `http://${host}`
  if (!URL.canParse(url)) return false
  const name = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return isIP(name) !== 0 || !name.includes('.') || names.includes(name)
}
