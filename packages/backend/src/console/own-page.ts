// Refuses changes that a page of another site makes a browser send. The cookie is not sent along by then (`SameSite=Strict`): this is the
// second wall, and it also keeps others from signing a browser in.
import type { IncomingHttpHeaders } from 'node:http'
import { Problem } from '@clinic-data/contract'
import { CONSOLE_HEADER } from '@clinic-data/contract/console/console-operations'

const REFUSED = 'A change must come from the console itself.'

/** @throws Problem 403 unless the console's own page sent this. */
export function requireOwnPage(headers: IncomingHttpHeaders, isSecure: boolean): void {
  if (headers[CONSOLE_HEADER] !== '1' || !isOwn(headers, isSecure)) throw new Problem('forbidden', REFUSED)
}

/**
 * Browsers write both headers, and no page can. `Sec-Fetch-Site` compares the whole origin as the browser sees it. A proxy in front may
 * have changed the scheme, so beside it only the host of `Origin` must be ours.
 */
function isOwn({ origin, host, ...headers }: IncomingHttpHeaders, isSecure: boolean): boolean {
  const site = headers['sec-fetch-site']
  if (origin === undefined || host === undefined) return site === 'same-origin'
  if (site === undefined) return origin === `${isSecure ? 'https' : 'http'}://${host}`
  return site === 'same-origin' && hostOf(origin) === host
}

function hostOf(origin: string): string | null {
  return /^https?:\/\/(.+)$/.exec(origin)?.[1] ?? null
}
