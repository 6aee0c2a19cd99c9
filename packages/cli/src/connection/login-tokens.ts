// The access token of a stored login, which renews itself. Several `sc` share the file: whoever renews replaces it whole, and the others
// read it before they renew, and again when the service refuses what they held.
import type { TokenSource } from '@clinic-data/client'
import type { Environment } from '../config.ts'
import { NoKey } from './no-key.ts'
import { isLogin, readStoredKey, type StoredLogin, storeKey } from './stored-key.ts'
import { RefusedForm, sendForm, tokensOf } from './token-endpoint.ts'

/** A token is renewed so long before its end: a request may wait in a queue, and clocks differ. */
const AHEAD_MS = 60_000

/** The tokens of one run. @throws NoKey when the connection has ended; ConnectionError, UnexpectedAnswerError */
export function loginTokens(environment: Environment, stored: StoredLogin, now: () => number = Date.now): TokenSource {
  let held = stored
  let renewal: Promise<StoredLogin> | null = null
  return async ({ refused }) => {
    const isRefused = held.access_token === refused
    if (!isRefused && leftMs(held, now) > AHEAD_MS) return held.access_token
    renewal ??= renewed(environment, held, isRefused, now).finally(() => {
      renewal = null
    })
    try {
      held = await renewal
    } catch (error) {
      if (isRefused || error instanceof NoKey || leftMs(held, now) <= 0) throw error
      // The service is away for a moment, and the token is still good.
    }
    return held.access_token
  }
}

async function renewed(
  environment: Environment,
  held: StoredLogin,
  isRefused: boolean,
  now: () => number,
): Promise<StoredLogin> {
  const found = await storedFor(environment, held)
  const isOther = found.access_token !== held.access_token
  if (isOther && leftMs(found, now) > AHEAD_MS) return found
  try {
    return await exchanged(environment, found, now)
  } catch (error) {
    if (!(error instanceof RefusedForm)) throw error
    // Another `sc` may have renewed it meanwhile.
    const again = await storedFor(environment, found)
    if (again.refresh_token !== found.refresh_token) return again
    if (!isRefused && error.code !== 'invalid_grant' && leftMs(found, now) > 0) return found
    if (error.code === 'access_denied') throw new NoKey(error.message, 'ask the clinic; the login is kept')
    if (error.code === 'temporarily_unavailable') throw error
    throw new NoKey(`the login has ended: ${error.message}`, 'sc login connects again')
  }
}

/** Reads the login that is stored now, if it is at the same service. After a logout it is the one that this run holds. */
async function storedFor(environment: Environment, held: StoredLogin): Promise<StoredLogin> {
  const stored = await readStoredKey(environment).catch(() => null)
  return stored !== null && isLogin(stored) && stored.token_endpoint === held.token_endpoint ? stored : held
}

/** The new tokens are stored before anybody uses them: a process that is killed then loses none. */
async function exchanged(environment: Environment, from: StoredLogin, now: () => number): Promise<StoredLogin> {
  const { refresh_token, token_endpoint } = from
  const body = await sendForm(token_endpoint, { grant_type: 'refresh_token', refresh_token })
  const login: StoredLogin = { ...from, ...tokensOf(body, token_endpoint, now()) }
  const stored = await readStoredKey(environment).catch(() => null)
  // A logout or another login meanwhile is not undone.
  const isStill = stored !== null && isLogin(stored) && stored.refresh_token === refresh_token
  if (isStill) await storeKey(environment, login)
  return login
}

function leftMs({ expires_at }: StoredLogin, now: () => number): number {
  return Date.parse(expires_at) - now()
}

/** Ends the connection at the service. @throws ConnectionError, UnexpectedAnswerError, RefusedForm */
export async function revoke({ revocation_endpoint, refresh_token }: StoredLogin, signal: AbortSignal): Promise<void> {
  await sendForm(revocation_endpoint, { token: refresh_token, token_type_hint: 'refresh_token' }, signal)
}
