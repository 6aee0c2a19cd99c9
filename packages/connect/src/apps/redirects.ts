// Where an app may send a browser back: the check of an address that is registered, and the comparison of one that is sent (RFC 8252, RFC 9700).
import type { App } from './app.ts'

/** As the table of codes takes it. */
const LONGEST_REDIRECT = 2_000

/** Printable ASCII without what browsers read in more than one way. */
const PLAIN = /^[!#-;=?-[\]_a-z~%]+$/
const SCHEME = /^([a-z][a-z0-9+.-]*):./
/** A loopback address by http, with any port. The rest begins where the host has surely ended. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?([/?].*)?$/
const HOST = /^([a-z0-9_-]+\.)*[a-z0-9_-]+$|^\[[0-9a-f:.]+\]$/
const LARGEST_PORT = 65_535

/**
 * A scheme of an app's own: a domain in reverse (RFC 8252, 7.1). Other schemes are of whatever program claims them, and some of these run what
 * stands behind. Windows has some of its own that look like a domain.
 */
const REVERSE_DOMAIN = /^(?!microsoft\.)(?:[a-z]{2,}|xn--[a-z0-9]+)(?:\.[a-z0-9]+(?:-+[a-z0-9]+)*)+$/

/** Known apps that register an address of another scheme. It alone: by others of the same scheme the app installs programs. */
const KNOWN_CALLBACKS = [
  // Cursor refuses to connect when one of the three addresses that it registers is refused.
  'cursor://anysphere.cursor-mcp/oauth/callback',
]

/** Why an app may not register the address, with how to mend it. Null: it may. */
export function redirectFault(uri: string): string | null {
  if (uri.length > LONGEST_REDIRECT) return `has at most ${LONGEST_REDIRECT} characters`
  if (uri.includes('#')) return 'must not have a fragment'
  if (uri.includes('*')) return 'must not have a wildcard: register each address as it is'
  const [, scheme = ''] = SCHEME.exec(uri) ?? []
  if (scheme === '' || !PLAIN.test(uri) || !URL.canParse(uri))
    return 'must be a whole address in plain ASCII, other characters as %XX'
  if (scheme === 'https') return webFault(uri)
  if (scheme === 'http' && LOOPBACK.test(uri)) return loopbackFault(uri)
  return REVERSE_DOMAIN.test(scheme) || KNOWN_CALLBACKS.includes(uri) ? null : OTHER_SCHEME
}

const OTHER_SCHEME =
  'must be https, http to 127.0.0.1, [::1] or localhost in this spelling, or a domain of yours in reverse as the scheme, as in com.example.app:/callback'
const AS_CALLED =
  'must be spelled as a browser calls it: the host in lower case, no port 443, no user, no . or .. in the path'

function loopbackFault(uri: string): string | null {
  const [, , port = '1'] = LOOPBACK.exec(uri) ?? []
  if (!isPort(port)) return `must have a port from 1 to ${LARGEST_PORT}, or none`
  return isAsCalled(uri.replace(/:\d+(?=[/?]|$)/, '')) ? null : AS_CALLED
}

function webFault(uri: string): string | null {
  const { username, password, hostname } = new URL(uri)
  return username === '' && password === '' && HOST.test(hostname) && isAsCalled(uri) ? null : AS_CALLED
}

/** Else the address that is compared would not be the one that is called. */
function isAsCalled(uri: string): boolean {
  const { href, pathname, search, origin } = new URL(uri)
  // Without a path the browser adds the slash.
  return uri === href || (pathname === '/' && uri === origin + search)
}

function isPort(text: string): boolean {
  return Number(text) >= 1 && Number(text) <= LARGEST_PORT
}

/**
 * The sent address when it is one of the app's, compared to the letter. For a loopback address any port is good: programs take a free one.
 * Null for every other one. Nobody is ever sent there.
 */
export function findRedirect({ redirect_uris }: Pick<App, 'redirect_uris'>, sent: string): string | null {
  if (sent.length > LONGEST_REDIRECT) return null
  if (redirect_uris.includes(sent)) return sent
  const portless = withoutPort(sent)
  return portless !== null && redirect_uris.some((one) => withoutPort(one) === portless) ? sent : null
}

/** Null unless it is a loopback address. */
function withoutPort(uri: string): string | null {
  const [, host, port = '1', rest = ''] = LOOPBACK.exec(uri) ?? []
  return host === undefined || !isPort(port) ? null : `http://${host}${rest}`
}

/** Whether it leads to a program on the person's own computer: a loopback address, or a scheme of the program's own. Any program can claim these. */
export function isOnThisComputer(uri: string): boolean {
  return !uri.startsWith('https:')
}
