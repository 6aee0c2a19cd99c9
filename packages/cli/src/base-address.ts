// Where the service is: https, or plain http on this machine alone, for the key travels with every request.
import { UsageError } from './usage-error.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * The address without its last slash. `what` names it where it is wrong.
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

/** The base address of the service: besides, no query. @throws UsageError */
export function readBaseAddress(text: string, what: string): string {
  const address = readAddress(text, what)
  if (new URL(address).search !== '') throw new UsageError(`${what} must hold no query`)
  return address
}
