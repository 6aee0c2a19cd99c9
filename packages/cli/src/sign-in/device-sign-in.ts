// Signs in by a browser elsewhere: shows a code to type there, and asks until it was (RFC 8628).
import { ConnectionError, UnexpectedAnswerError } from '@clinic-data/client/errors'
import { RefusedForm, sendForm, type Tokens, tokensOf } from '../connection/token-endpoint.ts'
import { tell } from '../output/tell.ts'
import type { SignIn } from './sign-in.ts'

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const SECOND_MS = 1_000
/** The service means it by `slow_down` (RFC 8628, section 3.5). */
const SLOWER_SECONDS = 5
const USUAL_INTERVAL_SECONDS = 5

/** @throws RefusedForm when the person refuses, or nobody types the code in time */
export async function deviceSignIn(signIn: SignIn): Promise<Tokens> {
  const { metadata, baseUrl, scope, stderr, signal, wait } = signIn
  const form = { resource: baseUrl, ...(scope === null ? {} : { scope }) }
  const begun = await sendForm(metadata.device_authorization_endpoint, form, signal)
  const { device_code, user_code, verification_uri, expires_in } = begun
  if (typeof device_code !== 'string' || typeof user_code !== 'string' || typeof verification_uri !== 'string')
    throw new UnexpectedAnswerError('the service answered no code to type', 200, null)
  await tell(stderr, `Open ${verification_uri} on any computer or phone, and type this code there: ${user_code}`)
  let seconds = Number(begun.interval) || USUAL_INTERVAL_SECONDS
  for (let left = Number(expires_in) || 0; left > 0; left -= seconds) {
    await wait(seconds * SECOND_MS, signal)
    const outcome = await askOnce(signIn, device_code)
    if (typeof outcome !== 'string') return outcome
    if (outcome === 'slower') seconds += SLOWER_SECONDS
  }
  throw new RefusedForm('expired_token', 'nobody typed the code in time: run sc login again')
}

async function askOnce({ metadata, signal }: SignIn, device_code: string): Promise<Tokens | 'waiting' | 'slower'> {
  const { token_endpoint } = metadata
  try {
    return tokensOf(
      await sendForm(token_endpoint, { grant_type: GRANT, device_code }, signal),
      token_endpoint,
      Date.now(),
    )
  } catch (error) {
    const code = error instanceof RefusedForm ? error.code : null
    if (code === 'authorization_pending') return 'waiting'
    const isAway = error instanceof ConnectionError || (error instanceof UnexpectedAnswerError && error.status >= 500)
    // The second one with 429: others at this address send too many requests.
    if (code === 'slow_down' || code === 'temporarily_unavailable' || isAway) return 'slower'
    if (code === 'access_denied') throw new RefusedForm(code, 'the connection was refused in the browser')
    if (code === 'expired_token') throw new RefusedForm(code, 'nobody typed the code in time: run sc login again')
    throw error
  }
}
