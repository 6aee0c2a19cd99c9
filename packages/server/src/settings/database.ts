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
  const [databaseUrl = null, databaseOwnerUrl = null, databaseReplicaUrl = null, databaseConsoleUrl = null] = NAMES.map(
    (name) => urlOf(name, value(name), ['postgres:', 'postgresql:']),
  )
  for (const name of NAMES) {
    const url = value(name)
    if (url !== null && hostOf(url) === '')
      throw new ConfigError(`${name} must name its host, for example postgres://clinics@db.internal/clinics`)
  }
  if (!flagOf('DATABASE_INSECURE', value('DATABASE_INSECURE'))) refuseUnencrypted(value)
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

function refuseUnencrypted(value: Settings): void {
  const open = NAMES.filter((name) => {
    const url = value(name)
    return url !== null && !leadsHere(url) && !ENCRYPTING.includes(parameterOf(url, 'sslmode') ?? '')
  })
  if (open.length > 0)
    throw new ConfigError(
      `${open.join(' and ')} must encrypt patients' data on the way to another machine: add sslmode=verify-full. ` +
        'DATABASE_INSECURE=1 allows none if something else encrypts it, for example WireGuard',
    )
}

const NAMES = ['DATABASE_URL', 'DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL', 'DATABASE_CONSOLE_URL'] as const
