// Reads the configuration from the environment, once. A wrong value gives one clear line and exit 2.
import type { AlertTarget } from '@clinic-data/administration/alerts/alert-webhook'
import type { SmtpSettings } from '@clinic-data/administration/people/smtp-mail'
import type { OpenIdSettings } from '@clinic-data/administration/sign-in/openid-provider'
import { LEAST_RETENTION_DAYS } from '@clinic-data/contract/limits'
import { PORT_LIMITS } from '@clinic-data/contract/port-limits'
import { parseSecretKeys, type SecretKeys } from '@clinic-data/contract/secret-keys'
import {
  authority,
  backendUrlsOf,
  baseUrlOf,
  blocksOf,
  consoleUrlOf,
  isLoopback,
  listenerHostOf,
  namesOf,
  originsOf,
  redisUrlOf,
  urlOf,
} from './settings/addresses.ts'
import { alertsOf } from './settings/alerts.ts'
import { type AuditExportSettings, auditExportOf } from './settings/audit-export.ts'
import { ConfigError } from './settings/config-error.ts'
import { type ConnectConfig, connectOf } from './settings/connect.ts'
import { type DatabaseSettings, databaseOf } from './settings/database.ts'
import { DEFAULT_RATE } from './settings/definitions.ts'
import { flagOf } from './settings/flag.ts'
import { mailOf } from './settings/mail.ts'
import { openIdOf } from './settings/openid.ts'
import { type Settings, settingsIn } from './settings/setting-names.ts'
import { type WhatsAppConfig, whatsappOf } from './settings/whatsapp.ts'

export { ConfigError }

export interface Config extends DatabaseSettings {
  host: string
  port: number
  adminHost: string
  adminPort: number
  /** Names under which the private listener serves its metrics, besides addresses and names without a dot. */
  adminNames: readonly string[]
  /** Where browsers reach the console. Null: nobody has said. */
  consoleUrl: string | null
  /** Without a trailing slash. Must be https unless it is an address of this machine. */
  baseUrl: string
  dataDir: string
  redisUrl: string | null
  /** Addresses of remote backends, for a separate gateway. Must be https unless they are addresses of this machine. */
  backendUrls: readonly string[]
  /** The token that every call of the backend's port carries. Null: the port is not served. */
  backendToken: string | null
  /** Null: the keys are made in `dataDir` when the database is the embedded one. */
  secretKeys: SecretKeys | null
  trustedProxies: readonly string[]
  proxyIdleMs: number
  /** The most open connections to the public API per address, or requests under way through a trusted proxy. */
  maxConnectionsPerAddress: number
  /** Origins of web pages that may use the MCP server, besides that of `baseUrl`. */
  allowedOrigins: readonly string[]
  /** Whether the MCP server has tools that write. */
  mcpWrites: boolean
  rate: { requests: number; seconds: number }
  /** How many processes serve the public API. Null: as many as fit the machine. */
  workers: number | null
  /** How many gateways share the rate limit while Redis cannot be reached. */
  gateways: number
  /** Older days of the audit log are dropped. Null keeps all. */
  auditRetentionDays: number | null
  /** Days of the audit log that have ended are packed. Versions that cannot read them do not start any more. */
  packsAudit: boolean
  /** Where the audit log is exported to continuously. Null: nowhere. */
  auditExport: AuditExportSettings | null
  /** Older days of events and their deliveries are dropped. */
  eventRetentionDays: number
  /** For development and tests: forbidden addresses that webhooks may still call. On loopback also by plain http. */
  webhookAllowCidrs: readonly string[]
  whatsapp: WhatsAppConfig
  /** The apps that people may connect to their clinics. */
  connect: ConnectConfig
  /** The identity provider by which administrators may sign in to the console. Null: there is none. */
  openId: OpenIdSettings | null
  /** The mail server that sends invitations. Null: they are only shown. */
  mail: SmtpSettings | null
  /** Where unusual use of keys is posted. Null: nowhere. */
  alerts: AlertTarget | null
  /** The name of the service in measurements and traces. */
  serviceName: string
  /** Null: no traces. The exporter reads the standard variables itself. */
  tracing: { ratio: number } | null
  logLevel: string
}

/** The line that starts the service with another value. @example withSetting('PORT', '8090') // 'PORT=8090 npm start' */
export function withSetting(name: string, value: string): string {
  return `${name}=${value} ${process.env.npm_lifecycle_event === 'start' ? 'npm start' : 'clinicd serve'}`
}

/** The primary process counts the requests of all. */
export const MOST_WORKERS = 64
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent']

/** Reads the configuration. @param environment also names files of secrets. @param flags values of the command line, which go first. @throws ConfigError that tells of all that is wrong */
export function readConfig(
  environment: NodeJS.ProcessEnv = process.env,
  flags: { workers?: string | undefined } = {},
): Config {
  const value = settingsIn(environment)
  const faults: string[] = []
  const read = <T>(setting: () => T): T => {
    try {
      return setting()
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      faults.push(error.message)
      // Nobody sees it: all faults are thrown below.
      return undefined as T
    }
  }
  const host = read(() => listenerHostOf('HOST', value('HOST')))
  const port = read(() => portOf('PORT', value('PORT')))
  const ownUrl = `http://${isLoopback(host) ? authority(host) : '127.0.0.1'}:${port}`
  const givenUrl = value('BASE_URL')
  const isInsecure = read(() => flagOf('BACKEND_INSECURE', value('BACKEND_INSECURE')))
  const config = {
    host,
    port,
    adminHost: read(() => listenerHostOf('ADMIN_HOST', value('ADMIN_HOST'))),
    adminPort: read(() => portOf('ADMIN_PORT', value('ADMIN_PORT'))),
    adminNames: read(() => namesOf(value('ADMIN_NAMES'))),
    consoleUrl: read(() => consoleUrlOf(value('CONSOLE_URL'))),
    baseUrl: givenUrl === null ? ownUrl : read(() => baseUrlOf(givenUrl)),
    dataDir: value('DATA_DIR'),
    ...read(() => databaseOf(value)),
    redisUrl: read(() => redisUrlOf(value('REDIS_URL'))),
    backendUrls: read(() => backendUrlsOf(value('BACKEND_URL'), isInsecure)),
    backendToken: read(() => tokenOf(value('BACKEND_TOKEN'))),
    secretKeys: read(() => secretKeysOf(value('SECRET_KEYS'))),
    trustedProxies: read(() => blocksOf('TRUSTED_PROXIES', value('TRUSTED_PROXIES'))),
    proxyIdleMs: read(() => proxyIdleOf(value('PROXY_IDLE_SECONDS'))),
    maxConnectionsPerAddress: read(() => connectionsOf(value('MAX_CONNECTIONS_PER_ADDRESS'))),
    allowedOrigins: read(() => originsOf(value('ALLOWED_ORIGINS'))),
    mcpWrites: read(() => flagOf('MCP_WRITES', value('MCP_WRITES'))),
    rate: read(() => rateOf(value('RATE_LIMIT'))),
    workers: read(() => workersOf(flags.workers ?? value('WORKERS'))),
    gateways: read(() => gatewaysOf(value('GATEWAYS'))),
    auditRetentionDays: read(() => retentionOf(value('AUDIT_RETENTION_DAYS'))),
    packsAudit: read(() => flagOf('AUDIT_PACKING', value('AUDIT_PACKING'))),
    auditExport: read(() => auditExportOf(value)),
    eventRetentionDays: read(() => eventRetentionOf(value('EVENT_RETENTION_DAYS'))),
    webhookAllowCidrs: read(() => blocksOf('WEBHOOK_ALLOW_CIDRS', value('WEBHOOK_ALLOW_CIDRS'))),
    whatsapp: read(() => whatsappOf(value)),
    connect: read(() => connectOf(value)),
    openId: read(() => openIdOf(value)),
    mail: read(() => mailOf(value)),
    alerts: read(() => alertsOf(value)),
    serviceName: value('OTEL_SERVICE_NAME'),
    tracing: read(() => tracingOf(value)),
    logLevel: read(() => logLevelOf(value('LOG_LEVEL'))),
  }
  if (faults.length > 0) throw new ConfigError(faults.join('; '))
  return config
}

function tracingOf(value: Settings): Config['tracing'] {
  const names = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const
  const urls = names.map((name) => urlOf(name, value(name), ['http:', 'https:']))
  const ratio = Number(value('OTEL_TRACES_SAMPLER_ARG'))
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  return urls.some((url) => url !== null) && value('OTEL_SDK_DISABLED') !== 'true' ? { ratio } : null
}

function portOf(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1
  if (port < 0 || port > 65_535) throw new ConfigError(`${name} must be a port number from 0 to 65535`)
  return port
}

function tokenOf(text: string | null): string | null {
  if (text !== null && text.length < PORT_LIMITS.token_characters)
    throw new ConfigError(`BACKEND_TOKEN must have at least ${PORT_LIMITS.token_characters} characters`)
  return text
}

function secretKeysOf(text: string | null): SecretKeys | null {
  if (text === null) return null
  try {
    return parseSecretKeys(text)
  } catch (error) {
    throw new ConfigError((error as Error).message)
  }
}

function connectionsOf(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text))
    throw new ConfigError('MAX_CONNECTIONS_PER_ADDRESS must be a number of connections, from 1 to 99999')
  return Number(text)
}

function proxyIdleOf(text: string): number {
  if (!/^[1-9]\d{1,4}$/.test(text))
    throw new ConfigError('PROXY_IDLE_SECONDS must be a number of seconds, from 10 to 99999')
  return Number(text) * 1000
}

function rateOf(text: string): Config['rate'] {
  const [, requests, seconds] = /^(\d{1,7})\/(\d{1,5})$/.exec(text) ?? []
  if (!Number(requests) || !Number(seconds)) {
    throw new ConfigError(`RATE_LIMIT must be requests/seconds, for example ${DEFAULT_RATE}`)
  }
  return { requests: Number(requests), seconds: Number(seconds) }
}

function gatewaysOf(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new ConfigError('GATEWAYS must be the number of gateways, from 1 to 9999')
  return Number(text)
}

function workersOf(text: string | null): number | null {
  if (text === null) return null
  if (!/^[1-9]\d?$/.test(text) || Number(text) > MOST_WORKERS)
    throw new ConfigError(`--workers (or WORKERS) must be a number of processes, from 1 to ${MOST_WORKERS}`)
  return Number(text)
}

/** The database keeps at least 30 days. */
function eventRetentionOf(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (days < LEAST_RETENTION_DAYS) {
    throw new ConfigError(`EVENT_RETENTION_DAYS must be a number of days from ${LEAST_RETENTION_DAYS} to 999`)
  }
  return days
}

function retentionOf(text: string | null): number | null {
  if (text === null) return null
  if (!/^\d{2,5}$/.test(text) || Number(text) < 30)
    throw new ConfigError('AUDIT_RETENTION_DAYS must be a number of days, at least 30')
  return Number(text)
}

function logLevelOf(text: string): string {
  if (!LOG_LEVELS.includes(text)) throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}`)
  return text
}
