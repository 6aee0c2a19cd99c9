// Where people reach the console, as far as the settings say it.
import type { Config } from './config.ts'
import type { Role } from './role.ts'
import { authority } from './settings/addresses.ts'

/** This machine's own addresses, and those of a listener on all of its addresses. */
const THIS_MACHINE = ['127.0.0.1', '[::1]', '0.0.0.0', '[::]']

/**
 * At a name, because browsers have passkeys for names alone.
 *
 * @param address of the private listener, such as `http://127.0.0.1:8081`
 */
export function consoleAddress(address: string): string {
  const url = new URL(address)
  if (THIS_MACHINE.includes(url.hostname)) url.hostname = 'localhost'
  return url.origin
}

/** Null: no app can be connected. A process that has the console in itself does not know in time which port the system chooses. */
export function knownConsoleUrl(
  { consoleUrl, adminHost, adminPort }: Pick<Config, 'consoleUrl' | 'adminHost' | 'adminPort'>,
  role: Role,
): string | null {
  if (consoleUrl !== null || role !== 'all' || adminPort === 0) return consoleUrl
  return consoleAddress(`http://${authority(adminHost)}:${adminPort}`)
}

/** A line for the operator where nothing says the console's address. */
export function connectsNoApp(role: Role): string {
  const also = role === 'all' ? ', or an ADMIN_PORT other than 0' : ''
  return `no app can be connected, because the service does not know where people reach the console: set CONSOLE_URL${also}`
}
