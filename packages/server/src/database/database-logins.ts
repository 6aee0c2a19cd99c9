// The two logins of an external database: one owns the tables, the other serves requests. When only the owner's is given, the other
// is derived from the secret keys: every process computes it, and no password is stored.
import { hash } from 'node:crypto'
import { mac, type SecretKey, signingKeys } from '@clinic-data/contract/secret-keys'
import { APP_ROLE, type ApplicationLogin } from '@clinic-data/database/schema/application-login'
import { type Config, ConfigError } from '../config.ts'

export interface DatabaseLogins {
  readonly ownerUrl: string
  /** Null without the secret keys: a command that serves no request does not need it. */
  readonly appUrl: string | null
  /** The standby that answers analytics, with the login of `appUrl`. Null without one. */
  readonly replicaUrl: string | null
  /** The login in `appUrl`. Null when that is null. */
  readonly login: ApplicationLogin | null
  /** The prefix of all derived logins, and the names of those of the present keys. */
  readonly made: { readonly prefix: string; readonly names: readonly string[] } | null
}

type Given = Pick<Config, 'databaseOwnerUrl' | 'databaseReplicaUrl' | 'secretKeys'>

/** @throws ConfigError */
export function databaseLogins(databaseUrl: string, given: Given): DatabaseLogins {
  const { databaseOwnerUrl, databaseReplicaUrl, secretKeys } = given
  if (databaseOwnerUrl !== null) {
    const login = { name: userOf(databaseUrl, 'DATABASE_URL'), password: null }
    if (login.name === userOf(databaseOwnerUrl, 'DATABASE_OWNER_URL'))
      throw new ConfigError(
        'DATABASE_URL and DATABASE_OWNER_URL must name two logins: the owner must not serve requests',
      )
    return { ownerUrl: databaseOwnerUrl, appUrl: databaseUrl, replicaUrl: databaseReplicaUrl, login, made: null }
  }
  const none = { appUrl: null, replicaUrl: null, login: null, made: null }
  if (secretKeys === null) return { ownerUrl: databaseUrl, ...none }
  const database = decodeURIComponent(new URL(databaseUrl).pathname.slice(1)) || userOf(databaseUrl, 'DATABASE_URL')
  // All databases of a server share its roles, and two databases may be two installations.
  const prefix = `${APP_ROLE}_${hash('sha256', database).slice(0, 12)}_`
  const { current, byId } = signingKeys(secretKeys, 'database-login')
  const made = (key: SecretKey) => ({
    name: prefix + mac(key, 'name').toString('hex').slice(0, 12),
    password: mac(key, 'password').toString('base64url'),
  })
  const login = made(current)
  const asApp = (text: string) => {
    const url = new URL(text)
    Object.assign(url, { username: login.name, password: login.password, pathname: `/${encodeURIComponent(database)}` })
    for (const name of ['user', 'password']) url.searchParams.delete(name)
    return url.href
  }
  return {
    ownerUrl: databaseUrl,
    appUrl: asApp(databaseUrl),
    replicaUrl: databaseReplicaUrl === null ? null : asApp(databaseReplicaUrl),
    login,
    made: { prefix, names: [...byId.values()].map((key) => made(key).name) },
  }
}

/** The driver prefers the values in the query string. */
function userOf(text: string, variable: string): string {
  const url = new URL(text)
  const user = url.searchParams.get('user') ?? decodeURIComponent(url.username)
  if (user === '') throw new ConfigError(`${variable} must name the login: postgres://login:password@host/database`)
  return user
}
