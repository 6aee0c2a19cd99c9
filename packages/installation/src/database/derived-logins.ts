// Logins whose names and passwords follow from the secret keys: every process computes them, and no password is stored.
import { hash } from 'node:crypto'
import {
  mac,
  type SecretKey,
  type SecretKeys,
  type SigningPurpose,
  signingKeys,
} from '@clinic-data/contract/secret-keys'
import type { ApplicationRole } from '@clinic-data/database/schema/application-login'
import { ConfigError } from '../settings/config-error.ts'

export interface DerivedLogin {
  readonly role: ApplicationRole
  readonly name: string
  readonly password: string
}

export interface DerivedLogins {
  /** The login of the present key. */
  readonly current: DerivedLogin
  /** The prefix of all of them, and the names of those of the present keys. */
  readonly made: { readonly prefix: string; readonly names: readonly string[] }
}

const PURPOSE: Record<ApplicationRole, SigningPurpose> = {
  clinic_data_app: 'database-login',
  clinic_data_console: 'console-login',
}

/** @param database the name of the database: all databases of a server share its roles, and two may be two installations. */
export function derivedLogins(role: ApplicationRole, secretKeys: SecretKeys, database: string): DerivedLogins {
  const prefix = `${role}_${hash('sha256', database).slice(0, 12)}_`
  const { current, byId } = signingKeys(secretKeys, PURPOSE[role])
  const made = (key: SecretKey) => ({
    role,
    name: prefix + mac(key, 'name').toString('hex').slice(0, 12),
    password: mac(key, 'password').toString('base64url'),
  })
  return { current: made(current), made: { prefix, names: [...byId.values()].map((key) => made(key).name) } }
}

/** The same place for another login. */
export function asLogin(text: string, { name, password }: DerivedLogin, database: string): string {
  const url = new URL(text)
  Object.assign(url, { username: name, password, pathname: `/${encodeURIComponent(database)}` })
  for (const parameter of ['user', 'password']) url.searchParams.delete(parameter)
  return url.href
}

/** By default a database has the name of the login. */
export function databaseOf(url: string, variable: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1)) || userOf(url, variable)
}

/** The driver prefers the values in the query string. */
export function userOf(text: string, variable: string): string {
  const url = new URL(text)
  const user = url.searchParams.get('user') ?? decodeURIComponent(url.username)
  if (user === '') throw new ConfigError(`${variable} must name the login: postgres://login:password@host/database`)
  return user
}
