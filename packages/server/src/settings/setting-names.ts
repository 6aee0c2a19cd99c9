// The names of all settings, and how their values are found: in the environment, or a secret's in the file that the environment names.
import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'

/** A secret may also stand in a file, named by the setting with `_FILE` behind it. */
const settings = {
  ADMIN_HOST: 'plain',
  ADMIN_NAMES: 'plain',
  ADMIN_PORT: 'plain',
  ALLOWED_ORIGINS: 'plain',
  AUDIT_RETENTION_DAYS: 'plain',
  BACKEND_INSECURE: 'plain',
  BACKEND_TOKEN: 'secret',
  BACKEND_URL: 'plain',
  BASE_URL: 'plain',
  CONSOLE_URL: 'plain',
  // Their addresses hold passwords.
  DATABASE_CONSOLE_URL: 'secret',
  DATABASE_INSECURE: 'plain',
  DATABASE_OWNER_URL: 'secret',
  DATABASE_REPLICA_URL: 'secret',
  DATABASE_URL: 'secret',
  DATA_DIR: 'plain',
  EVENT_RETENTION_DAYS: 'plain',
  GATEWAYS: 'plain',
  HOST: 'plain',
  LOG_LEVEL: 'plain',
  MAX_CONNECTIONS_PER_ADDRESS: 'plain',
  OIDC_CLIENT_ID: 'plain',
  OIDC_CLIENT_SECRET: 'secret',
  OIDC_ISSUER: 'plain',
  OIDC_NAME: 'plain',
  OIDC_REQUIRED: 'plain',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'plain',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'plain',
  OTEL_SDK_DISABLED: 'plain',
  OTEL_SERVICE_NAME: 'plain',
  OTEL_TRACES_SAMPLER_ARG: 'plain',
  PORT: 'plain',
  RATE_LIMIT: 'plain',
  REDIS_URL: 'secret',
  SECRET_KEYS: 'secret',
  TRUSTED_PROXIES: 'plain',
  WEBHOOK_ALLOW_CIDRS: 'plain',
  WHATSAPP_ACCESS_TOKEN: 'secret',
  WHATSAPP_API_URL: 'plain',
  WHATSAPP_APP_SECRET: 'secret',
  WHATSAPP_VERIFY_TOKEN: 'secret',
  WORKERS: 'plain',
} as const satisfies Record<string, 'plain' | 'secret'>

export type Setting = keyof typeof settings
/** Null for one that is not set. An empty value counts as unset. */
export type Settings = (name: Setting) => string | null

export const settingNames = Object.keys(settings) as Setting[]
export const secretSettings = settingNames.filter((name) => settings[name] === 'secret')

const IN_FILE = '_FILE'
/** The longest value is a list of keys: some hundred bytes each. */
const LONGEST_FILE = 64 * 1024
/** Among shorter names (`HOST`, `PORT`) others differ by a letter and mean something else. */
const SHORTEST_COMPARED = 6

/** @throws ConfigError with every name that is misspelt, every value that stands twice and every file that cannot be read. */
export function settingsIn(environment: NodeJS.ProcessEnv): Settings {
  const given = new Map<string, string>()
  for (const [name, text] of Object.entries(environment)) {
    const value = text?.trim() ?? ''
    if (value !== '') given.set(name, value)
  }
  const faults = misspelt(new Set(given.keys()))
  const values = new Map<Setting, string>()
  for (const name of settingNames) {
    const value = given.get(name)
    if (value !== undefined) values.set(name, value)
  }
  for (const name of secretSettings) {
    const path = given.get(name + IN_FILE)
    if (path === undefined) continue
    if (values.has(name)) faults.push(`${name} and ${name}${IN_FILE} are both set: keep one of them`)
    else {
      const found = valueIn(path)
      if ('fault' in found) faults.push(`${name}${IN_FILE} names ${path}, ${found.fault}`)
      else values.set(name, found.value)
    }
  }
  if (faults.length > 0) throw new ConfigError(faults.join('; '))
  return (name) => values.get(name) ?? null
}

function valueIn(path: string): { value: string } | { fault: string } {
  let value: string
  try {
    value = readFileSync(path, 'utf8').trim()
  } catch (error) {
    return { fault: `which cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` }
  }
  if (value === '') return { fault: 'which is empty' }
  if (value.length > LONGEST_FILE) return { fault: `which is longer than ${LONGEST_FILE} characters` }
  return { value }
}

/**
 * A setting that is missing because its name was misspelt would be ignored: `DATABSE_URL` would open an empty database. So a name that is
 * one slip away from a setting that is not set is refused. Beside the right name it may well be another program's.
 */
function misspelt(given: ReadonlySet<string>): string[] {
  const all = [...settingNames, ...secretSettings.map((name) => name + IN_FILE)]
  const known = new Set(all)
  const missing = all.filter((name) => !given.has(name) && name.length >= SHORTEST_COMPARED)
  return [...given].sort().flatMap((name) => {
    const meant = known.has(name) ? undefined : missing.find((setting) => isOneSlip(name, setting))
    return meant === undefined ? [] : [`there is no setting ${name}; write ${meant}, or remove it`]
  })
}

/** Whether a letter is missing, added or another one, two neighbours are swapped, or only underscores differ. */
export function isOneSlip(written: string, meant: string): boolean {
  const [a, b] = [written, meant].map((name) => name.replaceAll('_', '')) as [string, string]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [restA, restB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const isSwapped = restA.length === 2 && restA === [...restB].reverse().join('')
  return isSwapped || Math.max(restA.length, restB.length) <= 1
}
