// The two logins of a database elsewhere: the owner of the tables, and what requests are served as. Where only the owner's is given,
// the other one is made of the secret keys: every process finds it by itself, and no password is stored.
import { hash } from 'node:crypto'
import { mac, type SecretKey, signingKeys } from '@clinic-data/contract/secret-keys'
import { APP_ROLE, type ApplicationLogin } from '@clinic-data/database/application-login'
import { type Config, ConfigError } from './config.ts'

export interface DatabaseLogins {
  readonly ownerUrl: string
  /** Null where the secret keys are not given: to a command that serves no request. */
  readonly appUrl: string | null
  /** What `appUrl` logs in as; null with it. */
  readonly login: ApplicationLogin | null
  /** Of the logins that are made: how their names begin, and those of the present keys. */
  readonly made: { readonly prefix: string; readonly names: readonly string[] } | null
}

type Given = Pick<Config, 'databaseOwnerUrl' | 'secretKeys'>

/** @throws ConfigError */
export function databaseLogins(databaseUrl: string, { databaseOwnerUrl, secretKeys }: Given): DatabaseLogins {
  if (databaseOwnerUrl !== null) {
    const login = { name: userOf(databaseUrl, 'DATABASE_URL'), password: null }
    if (login.name === userOf(databaseOwnerUrl, 'DATABASE_OWNER_URL'))
      throw new ConfigError(
        'DATABASE_URL and DATABASE_OWNER_URL must name two logins: requests are not served as the owner',
      )
    return { ownerUrl: databaseOwnerUrl, appUrl: databaseUrl, login, made: null }
  }
  if (secretKeys === null) return { ownerUrl: databaseUrl, appUrl: null, login: null, made: null }
  const url = new URL(databaseUrl)
  const database = decodeURIComponent(url.pathname.slice(1)) || userOf(databaseUrl, 'DATABASE_URL')
  // Roles are a server's, and two of its databases may be two installations.
  const prefix = `${APP_ROLE}_${hash('sha256', database).slice(0, 12)}_`
  const { current, byId } = signingKeys(secretKeys, 'database-login')
  const made = (key: SecretKey) => ({
    name: prefix + mac(key, 'name').toString('hex').slice(0, 12),
    password: mac(key, 'password').toString('base64url'),
  })
  const login = made(current)
  Object.assign(url, { username: login.name, password: login.password, pathname: `/${encodeURIComponent(database)}` })
  for (const name of ['user', 'password']) url.searchParams.delete(name)
  return {
    ownerUrl: databaseUrl,
    appUrl: url.href,
    login,
    made: { prefix, names: [...byId.values()].map((key) => made(key).name) },
  }
}

/** The driver prefers what stands behind the question mark. */
function userOf(text: string, variable: string): string {
  const url = new URL(text)
  const user = url.searchParams.get('user') ?? decodeURIComponent(url.username)
  if (user === '') throw new ConfigError(`${variable} must name the login: postgres://login:password@host/database`)
  return user
}
