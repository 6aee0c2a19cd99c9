// Signs in by a browser on this computer: the code flow with PKCE (RFC 7636), back to a port of this computer.
import { hash, randomBytes } from 'node:crypto'
import { RefusedForm, sendForm, type Tokens, tokensOf } from '../connection/token-endpoint.ts'
import { tell } from '../output/tell.ts'
import { type Loopback, openLoopback, type Received } from './loopback.ts'
import { openBrowser } from './open-browser.ts'
import type { SignIn } from './sign-in.ts'

/** Time for a person to sign in and to decide. */
const DECIDE_MS = 300_000
const SECRET_BYTES = 32

/** Null when no browser could be started. @throws RefusedForm when the person or the service refuses */
export async function browserSignIn(signIn: SignIn, limitMs = DECIDE_MS): Promise<Tokens | null> {
  const { stderr, environment } = signIn
  const [state, verifier] = [newSecret(), newSecret()]
  const loopback = await openLoopback(state)
  try {
    const address = addressOf(signIn, loopback, state, verifier)
    await tell(stderr, 'Your browser opens. If it does not, open this page in it:')
    await tell(stderr, address)
    const late = AbortSignal.timeout(limitMs)
    const received = loopback.received(AbortSignal.any([signIn.signal, late])).catch((error) => {
      if (late.aborted) throw new RefusedForm('timeout', 'nobody signed in within five minutes: run sc login again')
      throw error
    })
    if (!(await openBrowser(address, environment))) {
      received.catch(() => undefined)
      return null
    }
    return await exchanged(signIn, await received, loopback.redirectUri, verifier)
  } finally {
    loopback.close()
  }
}

const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url')

function addressOf(
  { metadata, baseUrl, scope }: SignIn,
  { redirectUri }: Loopback,
  state: string,
  verifier: string,
): string {
  const address = new URL(metadata.authorization_endpoint)
  const parameters = {
    response_type: 'code',
    client_id: 'sc',
    redirect_uri: redirectUri,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    state,
    resource: baseUrl,
    ...(scope === null ? {} : { scope }),
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address.href
}

async function exchanged(
  { metadata, baseUrl, signal }: SignIn,
  { parameters, answer }: Received,
  redirect_uri: string,
  code_verifier: string,
): Promise<Tokens> {
  try {
    const code = codeOf(parameters, metadata.issuer)
    const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier, resource: baseUrl }
    const tokens = tokensOf(await sendForm(metadata.token_endpoint, form, signal), metadata.token_endpoint, Date.now())
    await answer('You are signed in', 'sc is connected to your clinic. You can close this page and go back to it.')
    return tokens
  } catch (error) {
    await answer('You are not signed in', 'sc says why. You can close this page.')
    throw error
  }
}

/** @throws RefusedForm for an answer of another service (RFC 9207), or a refusal */
function codeOf(parameters: URLSearchParams, issuer: string): string {
  const only = (name: string) => (parameters.getAll(name).length === 1 ? parameters.get(name) : null)
  if (only('iss') !== issuer)
    throw new RefusedForm('invalid_request', 'the answer in the browser came from another service')
  const [code, error] = [only('code'), only('error')]
  if (error === 'access_denied') throw new RefusedForm(error, 'the connection was refused in the browser')
  if (code === null)
    throw new RefusedForm(error ?? 'invalid_request', only('error_description') ?? 'the browser brought no code')
  return code
}
