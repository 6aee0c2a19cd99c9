// Reads where the audit log is exported to continuously.
import { fileURLToPath } from 'node:url'
import { isLoopback } from './addresses.ts'
import { ConfigError } from './config-error.ts'
import type { Settings } from './setting-names.ts'

export type AuditExportFormat = 'ndjson' | 'ocsf'

export type AuditDestination =
  /** A folder, with a file for each clinic. */
  | { kind: 'file'; folder: string }
  | { kind: 'syslog'; host: string; port: number; isSecure: boolean }
  | { kind: 'http'; url: string; token: string | null }

export interface AuditExportSettings {
  format: AuditExportFormat
  destination: AuditDestination
}

/** Syslog over TLS (RFC 5425), and over TCP. */
const PORTS: Readonly<Record<string, number>> = { 'syslog+tls:': 6514, 'syslog:': 601 }

/** The audit log names it. */
const LONGEST_URL = 1_000

/** @throws ConfigError */
export function auditExportOf(value: Settings): AuditExportSettings | null {
  const [url, format, token] = [value('AUDIT_EXPORT_URL'), value('AUDIT_EXPORT_FORMAT'), value('AUDIT_EXPORT_TOKEN')]
  if (format !== 'ndjson' && format !== 'ocsf') throw new ConfigError('AUDIT_EXPORT_FORMAT must be ndjson or ocsf')
  if (token !== null && !/^[\x21-\x7e]+$/.test(token))
    throw new ConfigError('AUDIT_EXPORT_TOKEN must be printable ASCII without spaces')
  if (url === null) {
    if (token === null) return null
    throw new ConfigError('AUDIT_EXPORT_TOKEN is for the collector that AUDIT_EXPORT_URL names: set both, or none')
  }
  const read = URL.canParse(url) ? new URL(url) : null
  if (read === null || url.length > LONGEST_URL || read.username !== '' || read.password !== '' || read.hash !== '')
    throw new ConfigError(WRONG_URL)
  const destination = destinationOf(read, token)
  if (token !== null && destination.kind !== 'http')
    throw new ConfigError('AUDIT_EXPORT_TOKEN is for an https address in AUDIT_EXPORT_URL alone: remove it')
  return { format, destination }
}

function destinationOf(url: URL, token: string | null): AuditDestination {
  if (url.protocol === 'file:') {
    if (url.host !== '' || url.search !== '' || url.pathname === '/') throw new ConfigError(WRONG_URL)
    return { kind: 'file', folder: fileURLToPath(url) }
  }
  // A URL of such a scheme keeps its host as it is written.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (host === '') throw new ConfigError(WRONG_URL)
  const usualPort = PORTS[url.protocol]
  if (usualPort === undefined && !/^https?:$/.test(url.protocol)) throw new ConfigError(WRONG_URL)
  const isSecure = url.protocol === 'syslog+tls:' || url.protocol === 'https:'
  if (!isSecure && !isLoopback(host))
    throw new ConfigError(
      'AUDIT_EXPORT_URL must begin with https:// or syslog+tls:// where it leads to another machine: the log names patients by ids',
    )
  if (usualPort === undefined) return { kind: 'http', url: url.href, token }
  if (!['', '/'].includes(url.pathname) || url.search !== '') throw new ConfigError(WRONG_URL)
  return { kind: 'syslog', host, port: url.port === '' ? usualPort : Number(url.port), isSecure }
}

const WRONG_URL =
  'AUDIT_EXPORT_URL must be file:///folder, syslog+tls://host:port, syslog://127.0.0.1:port or https://host/path, without a user or password'
