// Splits a receiver's URL into the address to connect to and the path to request.
import { isIP } from 'node:net'
import { isWebhookUrl } from '@clinic-data/contract/formats'

export interface Target {
  /** `https://crm.example.com:8443`. Connections are kept by origin. */
  readonly origin: string
  /** With its query, without a fragment. */
  readonly path: string
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
  /** The host when it is an address, so there is no name to resolve. */
  readonly literal: string | null
}

/**
 * Null for a text that is not a receiver's URL (the contract's format `webhook-url`).
 *
 * @example readTarget('https://crm.example.com/hooks?a=1', { allowsLoopbackHttp: false })
 *   // { origin: 'https://crm.example.com', path: '/hooks?a=1', host: 'crm.example.com', port: 443, isSecure: true, literal: null }
 */
export function readTarget(text: string, about: { readonly allowsLoopbackHttp: boolean }): Target | null {
  if (!isWebhookUrl(text, about)) return null
  const { origin, pathname, search, hostname, port, protocol } = new URL(text)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isSecure = protocol === 'https:'
  return {
    origin,
    path: pathname + search,
    host,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    isSecure,
    literal: isIP(host) === 0 ? null : host,
  }
}
