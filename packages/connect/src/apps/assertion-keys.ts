// The public keys of apps that sign: which are taken, and the one that an assertion names.
//
// A stranger writes these sets. So a key is bounded before anything reads it as a key, and a signature is verified beside the main thread.
import { constants, createPublicKey, verify } from 'node:crypto'
import { assertionAlgorithms } from '@clinic-data/contract/app-request'
import { isJsonObject, type JsonObject } from '../json-object.ts'

export type Algorithm = (typeof assertionAlgorithms)[number]

/** An app rotates its keys and has two or three. */
const MOST_KEYS = 20
/** Fewer bits can be broken. A signature of 4,096 takes half a millisecond, one of 16,384 takes ten. */
const RSA_BITS = { least: 2_048, most: 4_096 } as const
/** Everybody has 65537. An exponent as long as a modulus of 3,072 bits takes 15 ms for each signature. */
const MOST_EXPONENT_BITS = 32
/** Each number of the two curves that are taken. */
const CURVE_BITS = 256
const LONGEST_KID = 300
/** Nothing else of a key is read. The longest one is the modulus of an RSA key. */
const MEMBERS = ['kid', 'kty', 'alg', 'use', 'crv', 'n', 'e', 'x', 'y'] as const
const LONGEST_MEMBER = 700

/** The algorithm that a header names. Null: another one. */
export function algorithmOf(alg: unknown): Algorithm | null {
  return assertionAlgorithms.find((one) => one === alg) ?? null
}

/** The one key with this `kid` that the algorithm may use. Null: there is none. */
export function namedKey(
  set: JsonObject,
  { kid, algorithm }: { readonly kid: string; readonly algorithm: Algorithm },
): JsonObject | null {
  return keysOf(set).find((jwk) => jwk.kid === kid && isUsable(jwk) && isOfAlgorithm(jwk, algorithm)) ?? null
}

/** Verifies in the thread pool, where no request waits for it. @param key by `namedKey` */
export function isVerified(
  key: JsonObject,
  { algorithm, signed, signature }: { algorithm: Algorithm; signed: Buffer; signature: Buffer },
): Promise<boolean> {
  const options = {
    RS256: { padding: constants.RSA_PKCS1_PADDING },
    PS256: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
    ES256: { dsaEncoding: 'ieee-p1363' },
    Ed25519: {},
    EdDSA: {},
  } as const
  const digest = isEdwards(algorithm) ? null : 'sha256'
  return new Promise((resolve) => {
    try {
      const publicKey = { key: createPublicKey({ key, format: 'jwk' }), ...options[algorithm] }
      verify(digest, signed, publicKey, signature, (error, isGood) => resolve(error === null && isGood))
    } catch {
      // A point that is not on its curve.
      resolve(false)
    }
  })
}

/** Why an app may not have this JWK set, with how to mend it. Null: it may. */
export function jwksFault(value: unknown): string | null {
  if (!isJsonObject(value) || !Array.isArray(value.keys))
    return 'must be a JWK set (RFC 7517), an object with the list keys'
  const { keys } = value
  if (keys.length === 0 || keys.length > MOST_KEYS) return `must have 1 to ${MOST_KEYS} keys`
  if (keys.some((jwk) => isJsonObject(jwk) && ['d', 'k', 'p'].some((secret) => secret in jwk)))
    return 'must have public keys alone: this one has a secret, make another key and keep that to yourself'
  const { least, most } = RSA_BITS
  return keysOf(value).some((jwk) => isNamed(jwk) && isUsable(jwk))
    ? null
    : `must have a key with a kid of 1 to ${LONGEST_KID} characters for ${assertionAlgorithms.join(', ')} (RSA of ${least} to ${most} bits, its exponent at most ${MOST_EXPONENT_BITS})`
}

/** A stranger's set is kept as this: the keys that can be used, and of each what is read. */
export function usableKeys(set: JsonObject): JsonObject {
  const isOfSome = (jwk: JsonObject) => assertionAlgorithms.some((one) => isOfAlgorithm(jwk, one))
  return {
    keys: keysOf(set)
      .filter((jwk) => isNamed(jwk) && isUsable(jwk) && isOfSome(jwk))
      .map((jwk) => Object.fromEntries(MEMBERS.filter((one) => isShort(jwk[one])).map((one) => [one, jwk[one]]))),
  }
}

function isNamed({ kid }: JsonObject): boolean {
  return typeof kid === 'string' && kid !== '' && kid.length <= LONGEST_KID
}

function isShort(member: unknown): boolean {
  return typeof member === 'string' && member.length <= LONGEST_MEMBER
}

function keysOf({ keys }: JsonObject): JsonObject[] {
  return Array.isArray(keys) ? keys.slice(0, MOST_KEYS).filter(isJsonObject) : []
}

/** Looks at the lengths alone: reading a set costs nothing, however many keys it has. */
function isUsable({ kty, crv, n, e, x, y }: JsonObject): boolean {
  if (kty === 'OKP') return crv === 'Ed25519' && isWithin(x, CURVE_BITS)
  if (kty === 'EC') return crv === 'P-256' && isWithin(x, CURVE_BITS) && isWithin(y, CURVE_BITS)
  return kty === 'RSA' && isWithin(n, RSA_BITS.most, RSA_BITS.least) && isWithin(e, MOST_EXPONENT_BITS)
}

function isWithin(number: unknown, mostBits: number, leastBits = 0): boolean {
  // Base64url has six bits a character, and some libraries write a zero byte before the number or `=` behind it.
  if (typeof number !== 'string' || number.length > mostBits / 6 + 4) return false
  const bits = Buffer.from(number, 'base64url').toString('hex').replace(/^0+/, '').length * 4
  return bits <= mostBits && bits >= leastBits
}

function isOfAlgorithm({ kty, alg, use }: JsonObject, algorithm: Algorithm): boolean {
  const wanted = isEdwards(algorithm) ? 'OKP' : algorithm === 'ES256' ? 'EC' : 'RSA'
  return kty === wanted && (use === undefined || use === 'sig') && (alg === undefined || isSame(alg, algorithm))
}

function isSame(named: unknown, algorithm: Algorithm): boolean {
  const alike = algorithmOf(named)
  return named === algorithm || (alike !== null && isEdwards(alike) && isEdwards(algorithm))
}

function isEdwards(algorithm: Algorithm): algorithm is 'Ed25519' | 'EdDSA' {
  return algorithm === 'Ed25519' || algorithm === 'EdDSA'
}
