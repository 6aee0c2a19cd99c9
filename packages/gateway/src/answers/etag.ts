// Weak entity tags: a client that has the bytes already is told so (304) instead of being sent them again.
import { hash } from 'node:crypto'

export function etagOf(body: string | Buffer): string {
  return `W/"${hash('sha1', body, 'base64url')}"`
}

/** Whether `If-None-Match` names this tag: a list, weakly compared, or `*`. */
export function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque)
}
