// Checks the service's address: https, or plain http to this machine only, because the key travels with every request.
import { UsageError } from './usage-error.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns the address without its last slash. `what` names the setting in the error.
 *
 * @throws UsageError
 * @example readAddress('https://api.clinic-data.example/', 'SC_BASE_URL') // 'https://api.clinic-data.example'
 */
export function readAddress(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${what} must be an address that begins with https://`)
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw new UsageError(`${what} must begin with https://: plain http goes to this machine alone`)
  }
  if (url.username !== '' || url.password !== '') throw new UsageError(`${what} must hold no user and no password`)
  if (url.hash !== '') throw new UsageError(`${what} must hold no fragment`)
  return url.href.replace(/\/$/, '')
}

/** Like `readAddress`, and refuses a query too. @throws UsageError */
export function readBaseAddress(text: string, what: string): string {
  const address = readAddress(text, what)
  if (new URL(address).search !== '') throw new UsageError(`${what} must hold no query`)
  return address
}
