// The signed assertion by which an app proves at the token endpoint that it is itself (`private_key_jwt`: RFC 7523, OpenID Connect Core 9).
import { hashKey } from '@clinic-data/contract/key'
import { type JsonObject, parseObject } from '../json-object.ts'
import { OAuthError } from '../oauth-error.ts'
import type { KnownApp } from './app.ts'
import { type Algorithm, algorithmOf, isVerified, namedKey } from './assertion-keys.ts'
import type { Reader } from './reader.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** An assertion that lasts longer is refused. So is none remembered for longer. */
const LONGEST_LIFE_MS = 5 * 60_000
/** The clocks of apps differ by this from ours. */
const SKEW_MS = 60_000
const LONGEST_ASSERTION = 8_000
const LONGEST_JTI = 500
const NO_KID =
  'The header of client_assertion must have a kid, and the JWK set of the app a key with the same kid: one key is tried.'
/** As many as one process remembers: each needs a key of a known app. */
const MOST_REMEMBERED = 10_000

export interface ClientAssertionsParts {
  /** The issuer. An assertion is for it, or for its token endpoint. */
  readonly baseUrl: string
  readonly now: () => Date
  /** The JWK set at an address. `isRenewed` asks for a new copy, because the one before has not the key. */
  readonly fetchKeys: (url: string, reader: Reader, isRenewed: boolean) => Promise<JsonObject>
}

export interface Assertion {
  readonly algorithm: Algorithm
  /** Names the one key that is tried. */
  readonly kid: string
  readonly claims: JsonObject
  readonly signed: Buffer
  readonly signature: Buffer
}

/**
 * An assertion is good once in a process. Another process may take it again within its five minutes, and that opens nothing: it goes with a
 * code and its verifier, or with a refresh token, and these are used up in one transaction of the database that all share.
 */
export class ClientAssertions {
  readonly #parts: ClientAssertionsParts
  /** When each may be forgotten, by the hash of its app and `jti`. The oldest come first. */
  readonly #used = new Map<string, number>()

  constructor(parts: ClientAssertionsParts) {
    this.#parts = parts
  }

  async isGood({ app, keys }: KnownApp, assertion: Assertion, reader: Reader): Promise<boolean> {
    if (keys === null || !this.#isForUs(assertion.claims, app.id)) return false
    if (!(await this.#isSigned(keys, assertion, reader))) return false
    return this.#isFirst(app.id, String(assertion.claims.jti))
  }

  #isForUs({ iss, sub, aud, exp, iat, nbf, jti }: Assertion['claims'], id: string): boolean {
    const { baseUrl } = this.#parts
    const audiences = [aud].flat()
    const ours: unknown[] = [baseUrl, `${baseUrl}/oauth/token`]
    const now = this.#parts.now().getTime()
    const isInTime = isSeconds(exp) && exp * 1_000 > now - SKEW_MS && exp * 1_000 <= now + LONGEST_LIFE_MS + SKEW_MS
    const hasBegun = [iat, nbf].every((at) => at === undefined || (isSeconds(at) && at * 1_000 <= now + SKEW_MS))
    const isNamed = typeof jti === 'string' && jti !== '' && jti.length <= LONGEST_JTI
    // Every audience: one for us and another one could be sent on by that other one.
    const isOurs = audiences.length > 0 && audiences.every((one) => ours.includes(one))
    return iss === id && sub === id && isOurs && isInTime && hasBegun && isNamed
  }

  /** Verifies one signature at most. A set is read again only where the key is not in it, so a new key needs a `kid` of its own. */
  async #isSigned(keys: JsonObject | string, assertion: Assertion, reader: Reader): Promise<boolean> {
    const key =
      typeof keys !== 'string'
        ? namedKey(keys, assertion)
        : (namedKey(await this.#parts.fetchKeys(keys, reader, false), assertion) ??
          namedKey(await this.#parts.fetchKeys(keys, reader, true), assertion))
    return key !== null && isVerified(key, assertion)
  }

  #isFirst(id: string, jti: string): boolean {
    const now = this.#parts.now().getTime()
    for (const [used, until] of this.#used) {
      if (until > now && this.#used.size < MOST_REMEMBERED) break
      this.#used.delete(used)
    }
    const hash = hashKey(JSON.stringify([id, jti]))
    if (this.#used.has(hash)) return false
    this.#used.set(hash, now + LONGEST_LIFE_MS + 2 * SKEW_MS)
    return true
  }
}

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

/**
 * Nothing of it is proved. Null for a text of another form, an unknown algorithm, and rules that nobody here knows (`crit`: RFC 7515, 4.1.11).
 *
 * @throws OAuthError when it names no key.
 */
export function readAssertion(text: string): Assertion | null {
  if (text.length > LONGEST_ASSERTION || !COMPACT.test(text)) return null
  const [header = '', claims = '', signature = ''] = text.split('.')
  const [readHeader, readClaims] = [header, claims].map((part) =>
    parseObject(Buffer.from(part, 'base64url').toString()),
  )
  const algorithm = algorithmOf(readHeader?.alg)
  if (!readHeader || !readClaims || algorithm === null || readHeader.crit !== undefined) return null
  const { kid } = readHeader
  if (typeof kid !== 'string' || kid === '') throw new OAuthError('invalid_client', NO_KID)
  return {
    algorithm,
    kid,
    claims: readClaims,
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, 'base64url'),
  }
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
