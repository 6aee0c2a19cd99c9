// Reads addresses, names and origins from settings. A wrong one gives one clear line.
import { isIP } from 'node:net'
import { cidrBlock } from '@clinic-data/contract/cidr-block'
import { ConfigError } from './config-error.ts'

/** As in PostgreSQL's addresses: the file of the authority that a server's certificate must come from. */
const AUTHORITY = 'sslrootcert'
/** The authorities that Node.js knows, which is the default. */
const SYSTEM = 'system'
/** Parameters of PostgreSQL's addresses that somebody would miss in those of Redis. */
const OF_POSTGRESQL = ['sslcert', 'sslkey', 'sslmode']

export function urlOf(name: string, text: string | null, protocols: readonly string[]): string | null {
  if (text === null) return null
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    throw new ConfigError(
      `${name} must be an address that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`,
    )
  }
  return text
}

export function redisUrlOf(text: string | null): string | null {
  const url = urlOf('REDIS_URL', text, ['redis:', 'rediss:'])
  if (url?.startsWith('redis:') && parameterOf(url, AUTHORITY) !== null)
    throw new ConfigError(`REDIS_URL names an authority (${AUTHORITY}) and is not encrypted: begin it with rediss://`)
  const unheeded = OF_POSTGRESQL.find((name) => url !== null && parameterOf(url, name) !== null)
  if (unheeded) throw new ConfigError(`REDIS_URL takes the parameter ${AUTHORITY} alone, and not ${unheeded}`)
  return url === null || parameterOf(url, AUTHORITY) !== SYSTEM ? url : withoutAuthority(url)
}

function withoutAuthority(text: string): string {
  const url = new URL(text)
  url.searchParams.delete(AUTHORITY)
  return url.href
}

export function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new ConfigError('BASE_URL must be an https address without query, for example https://api.example.com')
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, ''))) {
    throw new ConfigError('BASE_URL must be https: keys and health data must be encrypted on the way')
  }
  return text.replace(/\/+$/, '')
}

export function backendUrlsOf(text: string | null, isInsecureAllowed: boolean): readonly string[] {
  return listOf(text).map((entry) => {
    const url = URL.canParse(entry) ? new URL(entry) : null
    if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
      throw new ConfigError('BACKEND_URL must be an https address, or several separated by commas')
    }
    if (url.protocol === 'http:' && !isInsecureAllowed && !isLoopback(url.hostname.replace(/^\[|\]$/g, ''))) {
      throw new ConfigError(
        'BACKEND_URL must be https: the token and health data must be encrypted on the way. ' +
          'BACKEND_INSECURE=1 allows http if something else encrypts them, for example WireGuard',
      )
    }
    return entry
  })
}

/** A port has a setting of its own. */
export function listenerHostOf(name: string, text: string): string {
  if (isIP(text) === 0 && !/^[\w.-]+$/.test(text))
    throw new ConfigError(`${name} must be an address or a name of this machine without a port, for example 127.0.0.1`)
  return text
}

export function namesOf(text: string | null): readonly string[] {
  const names = listOf(text).map((name) => name.toLowerCase())
  for (const name of names) {
    if (!URL.canParse(`http://${name}`) || new URL(`http://${name}`).hostname !== name)
      throw new ConfigError('ADMIN_NAMES must be host names without a port, for example metrics.example.com')
  }
  return names
}

/** @returns an origin. */
export function consoleUrlOf(text: string | null): string | null {
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isHere = url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''))
  const isBare = url !== null && url.origin === text.toLowerCase().replace(/\/$/, '')
  if (!isBare || !(url.protocol === 'https:' || isHere))
    throw new ConfigError(
      'CONSOLE_URL must be an https address without a path, for example https://console.example.com',
    )
  return url.origin
}

export function originsOf(text: string | null): readonly string[] {
  const origins = listOf(text)
  for (const origin of origins) {
    // Browsers write it without path and default port, in lower case.
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new ConfigError(`ALLOWED_ORIGINS: ${origin} is not an origin, for example https://agent.example.com`)
  }
  return origins
}

export function blocksOf(name: string, text: string | null): readonly string[] {
  const blocks = listOf(text)
  try {
    for (const block of blocks) cidrBlock(block, name)
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
  return blocks
}

/** Comma-separated. */
function listOf(text: string | null): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

/** Whether a database's address leads to this machine: by a loopback address, or a socket in a folder. */
export function leadsHere(url: string): boolean {
  const host = hostOf(url)
  return host.startsWith('/') || isLoopback(host)
}

/** Returns the host of a database's address. Empty where the driver would ask `PGHOST`. */
export function hostOf(url: string): string {
  return decodeURIComponent(parameterOf(url, 'host') ?? new URL(url).hostname).replace(/^\[|\]$/g, '')
}

/** As PostgreSQL's driver reads it: of a name that stands twice the last value counts. */
export function parameterOf(url: string, name: string): string | null {
  return new URL(url).searchParams.getAll(name).at(-1) ?? null
}

/** A name such as `127.0.0.1.example.com` is another machine's. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

export function authority(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}
