// An app's request at the authorization endpoint (RFC 6749, 4.1.1): the text behind the question mark of its address.
import { type Fault, readScopes, type Scope } from '@clinic-data/contract'
import { faultProblem } from '@clinic-data/contract/fault-problem'
import type { Audience } from '@clinic-data/contract/grant'
import type { App } from '../apps/app.ts'
import type { Apps } from '../apps/apps.ts'
import { findRedirect, redirectFault } from '../apps/redirects.ts'
import { OAuthError } from '../oauth-error.ts'
import { readResource } from '../tokens/audience.ts'
import { scopesNamed } from '../tokens/refresh.ts'
import { appOfRequest } from './app-of-request.ts'

export interface ConsentParts {
  readonly apps: Pick<Apps, 'find'>
  /** The issuer. */
  readonly baseUrl: string
}

export interface AuthorizationRequest {
  readonly app: App
  /** One of the app's, compared to the letter. */
  readonly redirectUri: string
  readonly state: string | null
  readonly scopes: readonly Scope[]
  readonly audience: Audience | null
  readonly codeChallenge: string
}

/** A request whose redirect address is good, and that is wrong otherwise: the app hears of it. */
export interface FaultyRequest {
  readonly app: App
  readonly redirectUri: string
  readonly state: string | null
  readonly fault: OAuthError
}

/** Some apps keep a whole signed text in it. */
const LONGEST_STATE = 2_000
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
/** Ways to send a request that are not taken here. */
const OTHER_WAYS = ['request', 'request_uri', 'registration'] as const

/**
 * @param clinic_id of the signed-in person.
 * @throws Problem 422 when nobody may be sent to the redirect address: it is not surely the app's.
 */
export async function readRequest(
  { apps, baseUrl }: ConsentParts,
  clinic_id: string,
  text: string,
): Promise<AuthorizationRequest | FaultyRequest> {
  const parameters = new URLSearchParams(text)
  const app = await appIn(apps, clinic_id, parameters)
  const redirectUri = redirectOf(app, parameters)
  const states = parameters.getAll('state')
  const isSound = states.length <= 1 && (states[0] ?? '').length <= LONGEST_STATE
  const state = isSound ? (states[0] ?? null) : null
  try {
    if (!isSound) throw invalid(`state may come once, with at most ${LONGEST_STATE} characters.`)
    refuseOtherForms(parameters)
    const codeChallenge = challengeOf(parameters)
    const audience = readResource(baseUrl, parameters.getAll('resource'))
    return { app, redirectUri, state, scopes: askedScopes(parameters.get('scope')), audience, codeChallenge }
  } catch (fault) {
    if (!(fault instanceof OAuthError)) throw fault
    return { app, redirectUri, state, fault }
  }
}

async function appIn(apps: Pick<Apps, 'find'>, clinic_id: string, parameters: URLSearchParams): Promise<App> {
  const [id, ...others] = parameters.getAll('client_id')
  if (id === undefined || others.length > 0) throw unanswerable('client_id', 'must come once')
  const app = await appOfRequest(apps, { clinic_id, id }, '#/request')
  if (app === null) throw unanswerable('client_id', 'names no app that may be connected here')
  return app
}

function redirectOf(app: App, parameters: URLSearchParams): string {
  const [sent, ...others] = parameters.getAll('redirect_uri')
  if (sent === undefined || others.length > 0) throw unanswerable('redirect_uri', 'must come once')
  const redirectUri = findRedirect(app, sent)
  if (redirectUri === null) throw unanswerable('redirect_uri', 'is none of those that the app has registered')
  // Nobody has looked at such an app, and an earlier version may have let it register the address.
  const fault = app.kind === 'self_registered' ? redirectFault(redirectUri) : null
  if (fault !== null) throw unanswerable('redirect_uri', fault)
  return redirectUri
}

function unanswerable(name: string, detail: string) {
  const fault: Fault = { pointer: '#/request', code: name, detail: `is refused: its ${name} ${detail}` }
  return faultProblem('unprocessable', [fault])
}

function refuseOtherForms(parameters: URLSearchParams): void {
  const doubled = [...new Set(parameters.keys())].filter(
    (name) => name !== 'resource' && parameters.getAll(name).length > 1,
  )
  // A name is what the app sent: it is not repeated.
  if (doubled.length > 0) throw invalid('A parameter comes twice. Send each one once.')
  const other = OTHER_WAYS.find((name) => parameters.has(name))
  if (other !== undefined) throw invalid(`${other} is not taken here. Send the parameters themselves.`)
  const type = parameters.get('response_type')
  if (type === null) throw invalid('response_type must be code.')
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code.')
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    throw invalid('response_mode must be query, or left out.')
  const prompts = (parameters.get('prompt') ?? '').split(' ')
  if (prompts.includes('none'))
    throw new OAuthError('consent_required', 'A person is always asked. Leave out prompt=none.')
}

function challengeOf(parameters: URLSearchParams): string {
  const challenge = parameters.get('code_challenge')
  if (parameters.get('code_challenge_method') !== 'S256' || challenge === null)
    throw invalid('Send code_challenge with code_challenge_method=S256 (RFC 7636).')
  if (!CHALLENGE.test(challenge))
    throw invalid('code_challenge must be the base64url form of a SHA-256 hash, without =.')
  return challenge
}

/** @throws OAuthError when the clinic has none of these scopes. */
export function askedScopes(scope: string | null): readonly Scope[] {
  const words = (scope ?? '').split(' ').filter((word) => word !== '' && word !== 'offline_access')
  if (words.length === 0) return readScopes
  const scopes = scopesNamed(words.join(' '))
  if (scopes.length === 0)
    throw new OAuthError('invalid_scope', 'scope names no scope of this API. Its documentation lists them.')
  return scopes
}

function invalid(description: string): OAuthError {
  return new OAuthError('invalid_request', description)
}
