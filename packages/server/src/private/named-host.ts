// Checks the name under which a request without a token reached the private listener. By DNS rebinding a web page can make a
// browser call it, but then the header Host holds the page's own name.
import { isIP } from 'node:net'
import { isLoopback } from '@clinic-data/installation/settings/addresses'

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

export interface ConsoleNames {
  /** Where browsers reach the console. Null: nobody has said. */
  readonly consoleUrl: string | null
  readonly baseUrl: string
  readonly adminHost: string
  readonly adminNames: readonly string[]
}

/**
 * Whether the console answers under this Host: by its own address, and always at this machine itself. Where nobody has said its address, by
 * whatever name is ours.
 */
export function isConsoleHost(host: string | undefined, names: ConsoleNames): boolean {
  const { consoleUrl, baseUrl, adminHost, adminNames } = names
  if (host === undefined || host === '') return false
  if (consoleUrl === null) return isNamedHost(host, [new URL(baseUrl).hostname, adminHost.toLowerCase(), ...adminNames])
  const isHere =
    URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, ''))
  return isHere || host.toLowerCase() === new URL(consoleUrl).host
}
