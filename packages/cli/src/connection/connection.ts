// Makes the client for one run, with its key and address.
import { ClinicDataClient, type TokenSource } from '@clinic-data/client'
import { isWellFormedKey } from '@clinic-data/contract/key'
import { DEFAULT_PROFILE, type Environment } from '../config.ts'
import { UsageError } from '../usage-error.ts'
import { readBaseAddress } from './base-address.ts'
import { httpFetch } from './http-fetch.ts'
import { loginTokens } from './login-tokens.ts'
import { NoKey } from './no-key.ts'
import { isLogin, readStoredKey, type Stored } from './stored-key.ts'

export interface Connection {
  /** A key, or the tokens of a login. */
  readonly secret: string | TokenSource
  /** Stays the same as long as the key or the login does. */
  readonly seed: string
  readonly baseUrl: string
}

export interface ClientSettings {
  readonly mayRetry: boolean
  /** Waits before a repeat. */
  readonly pause?: (ms: number, signal: AbortSignal | undefined, error: Error) => Promise<void>
}

/** The environment wins over what is stored. @throws NoKey, UsageError */
export async function connectionOf(environment: Environment): Promise<Connection> {
  const { apiKey, baseUrl } = environment
  const stored = apiKey !== null && baseUrl !== null ? null : await readStoredKey(environment)
  if (apiKey === null && stored === null && environment.profile !== DEFAULT_PROFILE)
    throw new NoKey(
      `there is no profile ${environment.profile}`,
      'sc profiles lists them, sc login --profile stores one',
    )
  if (apiKey === null && stored === null)
    throw new NoKey('there is no key', 'store one with sc login, or set SC_API_KEY')
  if (apiKey === null && stored !== null && isLogin(stored)) return connectionTo(environment, stored)
  const key = apiKey ?? (stored !== null && !isLogin(stored) ? stored.api_key : '')
  checkKey(key, apiKey === null ? 'the stored key' : 'SC_API_KEY')
  const address = baseUrl ?? stored?.base_url
  if (address === undefined)
    throw new UsageError('there is no base address', 'set SC_BASE_URL, or store one with sc login')
  return {
    secret: key,
    seed: key,
    baseUrl: readBaseAddress(address, baseUrl === null ? 'the stored base address' : 'SC_BASE_URL'),
  }
}

/** With what is stored. Tokens go to the service that made them alone. @throws UsageError */
export function connectionTo(environment: Environment, stored: Stored): Connection {
  const baseUrl = readBaseAddress(stored.base_url, 'the stored base address')
  if (!isLogin(stored)) return { secret: stored.api_key, seed: stored.api_key, baseUrl }
  const other = environment.baseUrl === null ? baseUrl : readBaseAddress(environment.baseUrl, 'SC_BASE_URL')
  if (other !== baseUrl)
    throw new UsageError(
      `SC_BASE_URL is not ${baseUrl}, where sc has logged in`,
      'sc login there, or unset SC_BASE_URL',
    )
  return { secret: loginTokens(environment, stored), seed: stored.seed, baseUrl }
}

/** Reports a mistyped key before it is sent. @throws NoKey, which does not quote the key */
export function checkKey(key: string, what: string): void {
  if (isWellFormedKey(key)) return
  throw new NoKey(
    `${what} is not a key`,
    'a key is sk_live_ and 40 letters and digits: check that all of it was copied',
  )
}

export function clientOf({ secret, baseUrl }: Connection, { mayRetry, pause }: ClientSettings): ClinicDataClient {
  const signed = typeof secret === 'string' ? { apiKey: secret } : { token: secret }
  return new ClinicDataClient({ ...signed, baseUrl, pause, fetch: httpFetch, ...(mayRetry ? {} : { maxRetries: 0 }) })
}
