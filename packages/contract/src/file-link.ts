// A signed link to a stored file: anyone who has it may fetch the file until it expires, without a key.
//
//   {base_url}/files/<opaque>?exp=<unix seconds>&sig=<base64url>
//
// `opaque` is base64url of a JSON array of the signing key's id, clinic_id, key_id and file_id. It is longer than a path parameter
// may be, so the route ends in a wildcard. The signature covers `<opaque>.<exp>`.

import { timingSafeEqual } from 'node:crypto'
import type { FileReference } from './backend.ts'
import { FILE_LINK_SECONDS, MAX } from './limits.ts'
import { mac, type SigningKeys } from './values/secret-keys.ts'

export interface SignedFileLink {
  url: string
  /** Epoch milliseconds, a whole second. */
  expires_at: number
}

/** Makes a link that is valid for 15 minutes from `now` (epoch milliseconds). */
export function signFileLink(
  { current }: SigningKeys,
  baseUrl: string,
  file: FileReference,
  now: number,
): SignedFileLink {
  const opaque = Buffer.from(JSON.stringify([current.id, file.clinic_id, file.key_id, file.file_id])).toString(
    'base64url',
  )
  const exp = Math.floor(now / 1000) + FILE_LINK_SECONDS
  const sig = mac(current, `${opaque}.${exp}`).toString('base64url')
  return { url: `${baseUrl}/files/${opaque}?exp=${exp}&sig=${sig}`, expires_at: exp * 1000 }
}

/**
 * Reads a link. `invalid` (404) when we did not sign any part of it, which is checked before the time; `expired` (410) once `now`
 * (epoch milliseconds) has reached `exp`.
 */
export function openFileLink(
  keys: SigningKeys,
  link: { opaque: string; exp: string; sig: string },
  now: number,
): FileReference | 'expired' | 'invalid' {
  const { opaque, exp, sig } = link
  if (opaque.length > MAX.url) return 'invalid'
  const parts = parse(opaque)
  const key = parts && keys.byId.get(parts[0])
  if (!parts || !key) return 'invalid'
  // The signature covers the text and is compared as text, so no second spelling of either is accepted.
  const expected = Buffer.from(mac(key, `${opaque}.${exp}`).toString('base64url'))
  const sent = Buffer.from(sig)
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return 'invalid'
  if (now >= Number(exp) * 1000) return 'expired'
  const [, clinic_id, key_id, file_id] = parts
  return { clinic_id, key_id, file_id }
}

/** Not trusted yet: the signature has not been checked. */
function parse(opaque: string): [string, string, string, string] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(opaque, 'base64url').toString())
    return Array.isArray(parts) && parts.length === 4 && parts.every((part) => typeof part === 'string')
      ? (parts as [string, string, string, string])
      : null
  } catch {
    return null
  }
}
