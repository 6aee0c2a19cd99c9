// The proof of an app at the endpoints below `/oauth` that it is itself: nothing for a public one, a secret, or a signed assertion.
//
// An app that is unknown, disabled or not allowed gets the answer of one that proves nothing. So nobody learns which apps there are.
import { timingSafeEqual } from 'node:crypto'
import { hashKey } from '@clinic-data/contract/key'
import { OAuthError, UnusableDocument } from '../oauth-error.ts'
import type { App, KnownApp } from './app.ts'
import type { Apps } from './apps.ts'
import { ASSERTION_TYPE, type Assertion, type ClientAssertions, readAssertion } from './client-assertion.ts'
import { clinicOf, type Reader } from './reader.ts'

export interface ClientAuthenticationParts {
  readonly apps: Pick<Apps, 'findKnown'>
  readonly assertions: ClientAssertions
}

export interface AppCaller {
  readonly address: string
  /** The clinic in which the app has the connection that it shows a code or token of. Null: there is none. */
  readonly clinicOf: (app_id: string) => Promise<string | null>
  /** Ends the wait for the app's document and its keys, both together. */
  readonly signal: AbortSignal
}

/** This an app has sent to prove that it is itself, in one of the three ways. */
type Proof =
  | { readonly way: 'none' }
  | { readonly way: 'client_secret'; readonly secret: string }
  | { readonly way: 'private_key_jwt'; readonly assertion: Assertion }

/** A secret of ours has less than 60, an assertion some 700. */
const LONGEST_HEADER = 4_000

export class ClientAuthentication {
  readonly #parts: ClientAuthenticationParts

  constructor(parts: ClientAuthenticationParts) {
    this.#parts = parts
  }

  /**
   * The app that has proved to be itself.
   *
   * A stranger is not told why the document of an app cannot be used, or whether it can: it may have named any address.
   *
   * @param form the parameters of the body, each once.
   * @param authorization the header `Authorization`.
   * @throws OAuthError, `invalid_client` or `invalid_request`, and `temporarily_unavailable` when its document cannot be read now.
   */
  async authenticate(
    form: Readonly<Record<string, string>>,
    authorization: string | null,
    { address, clinicOf: clinicOfApp, signal }: AppCaller,
  ): Promise<App> {
    const { id, proof } = sentProof(form, authorization)
    let clinic: Promise<string | null> | undefined
    const reader = { address, clinic: () => (clinic ??= clinicOfApp(id)), signal }
    try {
      const known = await this.#parts.apps.findKnown(id, reader)
      const isProved = await this.#isProved(known, proof, reader)
      if (known !== null && isProved) return known.app
    } catch (error) {
      if (!(error instanceof UnusableDocument) || (await clinicOf(reader)) !== null) throw error
    }
    throw notItself()
  }

  async #isProved(known: KnownApp | null, proof: Proof, reader: Reader): Promise<boolean> {
    // Hashed for an unknown app too: else the time would say that there is none.
    const sent = proof.way === 'client_secret' ? Buffer.from(hashKey(proof.secret)) : null
    if (known === null || known.app.authentication !== proof.way) return false
    if (proof.way === 'private_key_jwt') return this.#parts.assertions.isGood(known, proof.assertion, reader)
    return sent === null || known.secret_hashes.some((hash) => timingSafeEqual(Buffer.from(hash), sent))
  }
}

function notItself(): OAuthError {
  return new OAuthError(
    'invalid_client',
    'There is no app with this client_id that may be connected here, or it has not proved to be itself in the way that it is registered with: ' +
      'none, client_secret_basic, client_secret_post, or private_key_jwt with the kid of one of its keys. ' +
      'A document at the client_id may also be one that cannot be read or used: the page that asks for consent says why.',
  )
}

/** @throws OAuthError when the app is not named, or sends several proofs. */
function sentProof(
  form: Readonly<Record<string, string>>,
  authorization: string | null,
): { readonly id: string; readonly proof: Proof } {
  const { client_id, client_secret = '', client_assertion, client_assertion_type } = form
  const basic = authorization === null ? null : basicOf(authorization)
  // An empty secret is none (RFC 6749, 2.3.1): some public apps send it so.
  const ways = [basic !== null && basic.secret !== '', client_secret !== '', client_assertion !== undefined]
  if (ways.filter(Boolean).length > 1 || (basic !== null && client_assertion !== undefined))
    throw new OAuthError(
      'invalid_request',
      'Send one proof: the header Authorization, client_secret or client_assertion.',
    )
  if ((client_assertion === undefined) !== (client_assertion_type === undefined))
    throw new OAuthError('invalid_request', 'client_assertion and client_assertion_type go together.')
  if (client_assertion_type !== undefined && client_assertion_type !== ASSERTION_TYPE)
    throw new OAuthError('invalid_request', `client_assertion_type is ${ASSERTION_TYPE}.`)
  const assertion = client_assertion === undefined ? undefined : readAssertion(client_assertion)
  const sub = assertion?.claims.sub
  const named = [client_id, basic?.id, typeof sub === 'string' ? sub : undefined]
  const ids = new Set(named.filter((id) => id !== undefined && id !== ''))
  const [id] = ids
  if (id === undefined) throw new OAuthError('invalid_request', 'Send client_id.')
  if (ids.size > 1)
    throw new OAuthError('invalid_request', 'client_id names another app than the proof that is sent with it.')
  if (assertion === null) throw notItself()
  return { id, proof: proofOf(basic?.secret || client_secret, assertion) }
}

function proofOf(secret: string, assertion: Assertion | undefined): Proof {
  if (assertion !== undefined) return { way: 'private_key_jwt', assertion }
  return secret === '' ? { way: 'none' } : { way: 'client_secret', secret }
}

const BASIC = /^basic ([A-Za-z0-9+/]+={0,2})$/i
/** Both parts are written as in a form (RFC 6749, 2.3.1). */
const ENCODED = /^(?:[!-$&-~]|%[0-9A-Fa-f]{2})*$/

/** @throws OAuthError for any other header. */
function basicOf(header: string): { id: string; secret: string } {
  const [, encoded = ''] = header.length > LONGEST_HEADER ? [] : (BASIC.exec(header) ?? [])
  const bytes = Buffer.from(encoded, 'base64')
  const text = bytes.toString('latin1')
  const colon = text.indexOf(':')
  const isStrict = bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '')
  const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)].map(decoded)
  if (colon < 1 || !isStrict || id === null || id === undefined || secret === null || secret === undefined)
    throw new OAuthError(
      'invalid_client',
      'Authorization is Basic and base64 of client_id:client_secret, both encoded as in a form.',
    )
  return { id, secret }
}

function decoded(text: string): string | null {
  if (!ENCODED.test(text)) return null
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
