// The address under which a browser sees the console: what a passkey is bound to, and where an identity provider sends a browser back.
import type { IncomingMessage } from 'node:http'

export interface OwnAddress {
  /** @example 'https://console.example.com' */
  origin: string
  /** The name that passkeys are bound to: the host without its port. */
  rpId: string
}

/**
 * By the header Host, which a proxy in front keeps. A page of another site cannot write it, and an answer to another address fits
 * none of the passkeys that were made for this one.
 *
 * @returns null for a request whose Host is no host.
 */
export function ownAddress(
  { headers: { host } }: Pick<IncomingMessage, 'headers'>,
  isSecure: boolean,
): OwnAddress | null {
  const text = `${isSecure ? 'https' : 'http'}://${host ?? ''}`
  if (!URL.canParse(text)) return null
  const { origin, hostname, pathname, username } = new URL(text)
  return pathname === '/' && username === '' ? { origin, rpId: hostname } : null
}
