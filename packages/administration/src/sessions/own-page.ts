// Refuses what another page makes a browser send. A page of another site gets no cookie sent along (`SameSite=Strict`). This is the second
// wall: it also stands against other hosts of the same site, and keeps others from signing a browser in.
import type { IncomingHttpHeaders } from 'node:http'
import { CONSOLE_HEADER } from '@clinic-data/console-contract/console-operations'
import { Problem } from '@clinic-data/contract'
import { isClinicId } from '../clinics.ts'

const REFUSED = 'A change must come from the console itself.'
const READ_REFUSED = 'A page other than the console asked for this. Open the console itself.'

/** The page works in a clinic that is paired with the one of its session. */
const AT = /^at (.+)$/

/** @throws Problem 403 unless the console's own page sent this. */
export function requireOwnPage(headers: IncomingHttpHeaders, isSecure: boolean): void {
  const isConsole = headers[CONSOLE_HEADER] === '1' || clinicAt(headers) !== null
  if (!isConsole || !isOwn(headers, isSecure)) throw new Problem('forbidden', REFUSED)
}

/** The paired clinic that a request is sent to. Null: the one of its session. */
export function clinicAt(headers: IncomingHttpHeaders): string | null {
  const clinic_id = AT.exec(String(headers[CONSOLE_HEADER]))?.[1] ?? ''
  return isClinicId(clinic_id) ? clinic_id : null
}

/**
 * A read changes little: it is on record in the administrator's name, and keeps the session from ending. Browsers from
 * before 2023, and any by plain http to another machine, do not tell which page asks.
 *
 * @throws Problem 403 when a browser tells that another page sent this.
 */
export function refuseOtherPage({ 'sec-fetch-site': site = 'none' }: IncomingHttpHeaders): void {
  if (site !== 'none' && site !== 'same-origin') throw new Problem('forbidden', READ_REFUSED)
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
