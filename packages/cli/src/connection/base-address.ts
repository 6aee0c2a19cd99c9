// Checks the service's address: https, or plain http to this machine only, because the key travels with every request.
import { UsageError } from '../usage-error.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}

/** An address of this machine as people type it: `localhost:3000/hook`. */
const BARE_LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?([/?].*)?$/

/**
 * Returns the address without its last slash. `what` names the setting in the error.
 *
 * @throws UsageError
 * @example readAddress('https://api.clinic-data.example/', 'SC_BASE_URL') // 'https://api.clinic-data.example'
 */
export function readAddress(typed: string, what: string): string {
  const text = BARE_LOOPBACK.test(typed) ? `http://${typed}` : typed
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${what} must be an address that begins with https://`)
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new UsageError(`${what} must begin with https://: plain http is for this machine only`)
  }
  if (url.username !== '' || url.password !== '') throw new UsageError(`${what} must not hold a user or a password`)
  if (url.hash !== '') throw new UsageError(`${what} must not hold a fragment`)
  return url.href.replace(/\/+$/, '')
}

/** Like `readAddress`, and refuses a query and `/v1` too. @throws UsageError */
export function readBaseAddress(text: string, what: string): string {
  const address = readAddress(text, what)
  if (new URL(address).search !== '') throw new UsageError(`${what} must not hold a query`)
  if (address.endsWith('/v1')) throw new UsageError(`${what}: leave out /v1, which sc adds`)
  return address
}
