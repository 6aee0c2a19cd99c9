// Reads where the database is, and who may do what there.
import { hostOf, leadsHere, parameterOf, urlOf } from './addresses.ts'
import { ConfigError } from './config-error.ts'
import { flagOf } from './flag.ts'
import type { Settings } from './setting-names.ts'

export interface DatabaseSettings {
  /** Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null
  /** The login of the tables' owner, if `databaseUrl` is a login for requests only. */
  databaseOwnerUrl: string | null
  /** A standby that answers analytics, with the login of `databaseUrl`. Null: the primary does. */
  databaseReplicaUrl: string | null
  /** The login of the console, where the owner may not make one. Null: it is derived from the secret keys. */
  databaseConsoleUrl: string | null
}

/** @throws ConfigError */
export function databaseOf(value: Settings): DatabaseSettings {
  const urls = NAMES.map((name) => addressOf(name, value(name)))
  const [databaseUrl = null, databaseOwnerUrl = null, databaseReplicaUrl = null, databaseConsoleUrl = null] = urls
  if (!flagOf('DATABASE_INSECURE', value('DATABASE_INSECURE'))) refuseUnencrypted(urls)
  if (databaseOwnerUrl !== null && databaseUrl === null)
    throw new ConfigError('DATABASE_OWNER_URL needs DATABASE_URL, the login for requests')
  if (databaseReplicaUrl !== null && databaseUrl === null)
    throw new ConfigError('DATABASE_REPLICA_URL needs DATABASE_URL, the primary: the embedded database has no standby')
  if (databaseConsoleUrl !== null && databaseUrl === null)
    throw new ConfigError('DATABASE_CONSOLE_URL needs DATABASE_URL: the embedded database makes the login itself')
  return { databaseUrl, databaseOwnerUrl, databaseReplicaUrl, databaseConsoleUrl }
}

/** Those that encrypt whatever the server offers. */
const ENCRYPTING = ['require', 'verify-ca', 'verify-full']

/** Behind the login. */
const HOSTS = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)/

/**
 * An address in the form that PostgreSQL's driver reads. Others of libpq's are rewritten, or told.
 *
 * @throws ConfigError
 */
function addressOf(name: (typeof NAMES)[number], text: string | null): string | null {
  if (text === null) return null
  const [, hosts = ''] = HOSTS.exec(text) ?? []
  // libpq's `postgres://clinics@/clinics?host=/run/postgresql`: the host of the query counts.
  const isBare = hosts === '' && text.includes('@/')
  const whole = isBare ? text.replace('@/', '@localhost/') : text
  const queryHost = URL.canParse(whole) ? parameterOf(whole, 'host') : null
  if (`${hosts}${queryHost ?? ''}`.includes(','))
    throw new ConfigError(
      `${name} names several hosts: give that of the primary, or of a proxy that leads to it, as in docs/failover.md`,
    )
  const url = urlOf(name, whole, ['postgres:', 'postgresql:'])
  if (url !== null && ((isBare && queryHost === null) || hostOf(url) === ''))
    throw new ConfigError(`${name} must name its host, for example postgres://clinics@db.internal/clinics`)
  return url === null ? null : withSystemsCertificates(name, url)
}

/** libpq's name for the authorities that the system trusts. Node.js brings its own list of them, which counts where no file is named. */
function withSystemsCertificates(name: string, url: string): string {
  if (parameterOf(url, 'sslrootcert') !== 'system') return url
  if (parameterOf(url, 'sslmode') !== 'verify-full')
    throw new ConfigError(`${name} trusts everybody's authorities (sslrootcert=system): add sslmode=verify-full`)
  const plain = new URL(url)
  plain.searchParams.delete('sslrootcert')
  return plain.href
}

function refuseUnencrypted(urls: readonly (string | null)[]): void {
  const open = NAMES.filter((_, n) => {
    const url = urls[n] ?? null
    return url !== null && !leadsHere(url) && !ENCRYPTING.includes(parameterOf(url, 'sslmode') ?? '')
  })
  if (open.length > 0)
    throw new ConfigError(
      `${open.join(' and ')} must encrypt patients' data on the way to another machine: add sslmode=verify-full. ` +
        'DATABASE_INSECURE=1 allows none if something else encrypts it, for example WireGuard',
    )
}

const NAMES = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL', 'DATABASE_CONSOLE_URL'] as const
