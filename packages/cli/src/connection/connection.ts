// Makes the client for one run, with its key and address.
import { ClinicDataClient } from '@clinic-data/client'
import { isWellFormedKey } from '@clinic-data/contract/key'
import { DEFAULT_PROFILE, type Environment } from '../config.ts'
import { UsageError } from '../usage-error.ts'
import { readBaseAddress } from './base-address.ts'
import { httpFetch } from './http-fetch.ts'
import { NoKey } from './no-key.ts'
import { readStoredKey } from './stored-key.ts'

export interface Connection {
  readonly apiKey: string
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
  const key = apiKey ?? stored?.api_key
  if (key === undefined && environment.profile !== DEFAULT_PROFILE)
    throw new NoKey(
      `there is no profile ${environment.profile}`,
      'sc profiles lists them, sc login --profile stores one',
    )
  if (key === undefined) throw new NoKey('there is no key', 'store one with sc login, or set SC_API_KEY')
  checkKey(key, apiKey === null ? 'the stored key' : 'SC_API_KEY')
  const address = baseUrl ?? stored?.base_url
  if (address === undefined)
    throw new UsageError('there is no base address', 'set SC_BASE_URL, or store one with sc login')
  return {
    apiKey: key,
    baseUrl: readBaseAddress(address, baseUrl === null ? 'the stored base address' : 'SC_BASE_URL'),
  }
}

/** Reports a mistyped key before it is sent. @throws NoKey, which does not quote the key */
export function checkKey(key: string, what: string): void {
  if (isWellFormedKey(key)) return
  throw new NoKey(
    `${what} is not a key`,
    'a key is sk_live_ and 40 letters and digits: check that all of it was copied',
  )
}

export function clientOf({ apiKey, baseUrl }: Connection, { mayRetry, pause }: ClientSettings): ClinicDataClient {
  return new ClinicDataClient({ apiKey, baseUrl, pause, fetch: httpFetch, ...(mayRetry ? {} : { maxRetries: 0 }) })
}
