// The signed assertion by which an app proves at the token endpoint that it is itself (`private_key_jwt`: RFC 7523, OpenID Connect Core 9).
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { assertionAlgorithms } from '@clinic-data/contract/app-request'
import { hashKey } from '@clinic-data/contract/key'
import { isJsonObject, type JsonObject, parseObject } from '../json-object.ts'
import type { KnownApp } from './app.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

type Algorithm = (typeof assertionAlgorithms)[number]

/** An assertion that lasts longer is refused. So is none remembered for longer. */
const LONGEST_LIFE_MS = 5 * 60_000
/** The clocks of apps differ by this from ours. */
const SKEW_MS = 60_000
const LONGEST_ASSERTION = 8_000
const LONGEST_JTI = 500
/** As many as one process remembers: each needs a key of a known app. */
const MOST_REMEMBERED = 10_000
/** An app rotates its keys and has two or three. */
const MOST_KEYS = 20
const LEAST_RSA_BITS = 2_048

export interface ClientAssertionsParts {
  /** The issuer. An assertion is for it, or for its token endpoint. */
  readonly baseUrl: string
  readonly now: () => Date
  /** The JWK set at an address. `isRenewed` asks for a new copy, because the one before has not the key. */
  readonly fetchKeys: (url: string, isRenewed: boolean) => Promise<JsonObject>
}

interface Assertion {
  readonly header: JsonObject
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

  async isGood({ app, keys }: KnownApp, text: string): Promise<boolean> {
    const assertion = readAssertion(text)
    if (assertion === null || keys === null || !this.#isForUs(assertion.claims, app.id)) return false
    if (!(await this.#isSigned(keys, assertion))) return false
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

  async #isSigned(keys: JsonObject | string, assertion: Assertion): Promise<boolean> {
    if (typeof keys !== 'string') return isSignedBy(keys, assertion)
    if (isSignedBy(await this.#parts.fetchKeys(keys, false), assertion)) return true
    return isSignedBy(await this.#parts.fetchKeys(keys, true), assertion)
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

/** The app that an assertion says it is of. Nothing of it is proved. Empty: it says none. */
export function subjectOf(text: string): string {
  const sub = readAssertion(text)?.claims.sub
  return typeof sub === 'string' ? sub : ''
}

const COMPACT = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/

function readAssertion(text: string): Assertion | null {
  if (text.length > LONGEST_ASSERTION || !COMPACT.test(text)) return null
  const [header = '', claims = '', signature = ''] = text.split('.')
  const [readHeader, readClaims] = [header, claims].map((part) =>
    parseObject(Buffer.from(part, 'base64url').toString()),
  )
  if (!readHeader || !readClaims) return null
  return {
    header: readHeader,
    claims: readClaims,
    signed: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, 'base64url'),
  }
}

function isSignedBy(set: JsonObject, { header, signed, signature }: Assertion): boolean {
  const algorithm = assertionAlgorithms.find((one) => one === header.alg)
  // A header with `crit` asks for rules that nobody here knows (RFC 7515, 4.1.11).
  if (algorithm === undefined || header.crit !== undefined) return false
  return keysOf(set)
    .filter((jwk) => header.kid === undefined || jwk.kid === undefined || jwk.kid === header.kid)
    .filter(
      (jwk) => (jwk.alg === undefined || isSame(jwk.alg, algorithm)) && (jwk.use === undefined || jwk.use === 'sig'),
    )
    .some((jwk) => {
      const key = publicKeyOf(jwk)
      return key !== null && isOfAlgorithm(key, algorithm) && isVerified(algorithm, key, signed, signature)
    })
}

function isSame(named: unknown, algorithm: Algorithm): boolean {
  return (
    named === algorithm || (isEdwards(algorithm) && assertionAlgorithms.some((one) => one === named && isEdwards(one)))
  )
}

function isEdwards(algorithm: Algorithm): algorithm is 'Ed25519' | 'EdDSA' {
  return algorithm === 'Ed25519' || algorithm === 'EdDSA'
}

function isVerified(algorithm: Algorithm, key: KeyObject, signed: Buffer, signature: Buffer): boolean {
  if (isEdwards(algorithm)) return verify(null, signed, key, signature)
  const options = {
    RS256: { padding: constants.RSA_PKCS1_PADDING },
    PS256: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
    ES256: { dsaEncoding: 'ieee-p1363' },
  } as const
  return verify('sha256', signed, { key, ...options[algorithm] }, signature)
}

function isOfAlgorithm({ asymmetricKeyType: type, asymmetricKeyDetails: about }: KeyObject, to: Algorithm): boolean {
  if (isEdwards(to)) return type === 'ed25519'
  if (to === 'ES256') return type === 'ec' && about?.namedCurve === 'prime256v1'
  return type === 'rsa' && (about?.modulusLength ?? 0) >= LEAST_RSA_BITS
}

/** Why an app may not have this JWK set, with how to mend it. Null: it may. */
export function jwksFault(value: unknown): string | null {
  if (!isJsonObject(value) || !Array.isArray(value.keys))
    return 'must be a JWK set (RFC 7517), an object with the list keys'
  const { keys } = value
  if (keys.length === 0 || keys.length > MOST_KEYS) return `must have 1 to ${MOST_KEYS} keys`
  if (keys.some((jwk) => isJsonObject(jwk) && ['d', 'k', 'p'].some((secret) => secret in jwk)))
    return 'must have public keys alone: this one has a secret, make another key and keep that to yourself'
  const isUsable = keys.some((jwk) => {
    const key = isJsonObject(jwk) ? publicKeyOf(jwk) : null
    return key !== null && assertionAlgorithms.some((algorithm) => isOfAlgorithm(key, algorithm))
  })
  return isUsable
    ? null
    : `must have a key for ${assertionAlgorithms.join(', ')} (RSA of ${LEAST_RSA_BITS} bits or more)`
}

function keysOf({ keys }: JsonObject): JsonObject[] {
  return Array.isArray(keys) ? keys.slice(0, MOST_KEYS).filter(isJsonObject) : []
}

function publicKeyOf(jwk: JsonObject): KeyObject | null {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return null
  }
}

function isSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
