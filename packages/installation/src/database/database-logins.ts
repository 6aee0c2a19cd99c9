// The logins of an external database: one owns the tables, one serves requests, one the console. When only the owner's is given, the others
// are derived from the secret keys (docs/decisions/0082).
import type { SecretKeys } from '@clinic-data/contract/secret-keys'
import { APP_ROLE, type ApplicationLogin, CONSOLE_ROLE } from '@clinic-data/database/schema/application-login'
import { type Config, ConfigError } from '../config.ts'
import { asLogin, type DerivedLogins, databaseOf, derivedLogins, userOf } from './derived-logins.ts'

export interface DatabaseLogins {
  readonly ownerUrl: string
  /** Null without the secret keys: a command that serves no request does not need it. */
  readonly appUrl: string | null
  /** The standby that answers analytics, with the login of `appUrl`. Null without one. */
  readonly replicaUrl: string | null
  /** The login in `appUrl`. Null when that is null. */
  readonly login: ApplicationLogin | null
  /** The prefix of all derived logins for requests, and the names of those of the present keys. */
  readonly made: DerivedLogins['made'] | null
}

type LoginSettings = Pick<Config, 'databaseOwnerUrl' | 'databaseReplicaUrl' | 'secretKeys'>

/** @throws ConfigError */
export function databaseLogins(databaseUrl: string, settings: LoginSettings): DatabaseLogins {
  const { databaseOwnerUrl, databaseReplicaUrl, secretKeys } = settings
  if (databaseOwnerUrl !== null) {
    const login = { role: APP_ROLE, name: userOf(databaseUrl, 'DATABASE_URL'), password: null } as const
    if (login.name === userOf(databaseOwnerUrl, 'DATABASE_OWNER_URL'))
      throw new ConfigError(
        'DATABASE_URL and DATABASE_OWNER_URL must name two logins: the owner must not serve requests',
      )
    return { ownerUrl: databaseOwnerUrl, appUrl: databaseUrl, replicaUrl: databaseReplicaUrl, login, made: null }
  }
  const none = { appUrl: null, replicaUrl: null, login: null, made: null }
  if (secretKeys === null) return { ownerUrl: databaseUrl, ...none }
  const database = databaseOf(databaseUrl, 'DATABASE_URL')
  const { current: login, made } = derivedLogins(APP_ROLE, secretKeys, database)
  return {
    ownerUrl: databaseUrl,
    appUrl: asLogin(databaseUrl, login, database),
    replicaUrl: databaseReplicaUrl === null ? null : asLogin(databaseReplicaUrl, login, database),
    login,
    made,
  }
}

export interface ConsoleLogin {
  readonly url: string
  readonly login: ApplicationLogin
  /** As of `DatabaseLogins`. Null when the operator has made the login. */
  readonly made: DerivedLogins['made'] | null
}

/** The console's login: the one that the operator has made, else one that is derived. @throws ConfigError */
export function consoleLogin(
  ownerUrl: string,
  { databaseConsoleUrl }: Pick<Config, 'databaseConsoleUrl'>,
  secretKeys: SecretKeys,
): ConsoleLogin {
  if (databaseConsoleUrl !== null) {
    const name = userOf(databaseConsoleUrl, 'DATABASE_CONSOLE_URL')
    if (name === userOf(ownerUrl, 'DATABASE_OWNER_URL'))
      throw new ConfigError('DATABASE_CONSOLE_URL must name another login than the owner of the tables')
    return { url: databaseConsoleUrl, login: { role: CONSOLE_ROLE, name, password: null }, made: null }
  }
  const database = databaseOf(ownerUrl, 'DATABASE_URL')
  const { current: login, made } = derivedLogins(CONSOLE_ROLE, secretKeys, database)
  return { url: asLogin(ownerUrl, login, database), login, made }
}
