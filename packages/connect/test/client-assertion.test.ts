// An app that signs: which assertions prove it, and that each does so once.
import assert from 'node:assert/strict'
import crypto, { constants, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { type TestContext, test } from 'node:test'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { jwksFault } from '../src/apps/assertion-keys.ts'
import { ASSERTION_TYPE } from '../src/apps/client-assertion.ts'
import { OAuthError } from '../src/oauth-error.ts'
import { BASE_URL, openedApps, storeApp } from './apps-ground.ts'

const { owner } = await testDatabase()
const { authentication, clock } = openedApps(owner)

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const newEc = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ec = newEc()
const ed = generateKeyPairSync('ed25519')
const jwk = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more })
const jwks = {
  keys: [
    jwk(rsa.publicKey, { kid: 'r' }),
    jwk(ec.publicKey, { kid: 'e', use: 'sig' }),
    jwk(ed.publicKey, { kid: 'd', alg: 'Ed25519' }),
  ],
}
const client_id = await storeApp(owner, { authentication: 'private_key_jwt', jwks })

const seconds = () => clock.now().getTime() / 1_000
const claims = (more: object = {}) => ({
  iss: client_id,
  sub: client_id,
  aud: BASE_URL,
  exp: seconds() + 60,
  jti: randomUUID(),
  ...more,
})
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** The key of each algorithm. */
const KID: Record<string, string> = { RS256: 'r', PS256: 'r', ES256: 'e', Ed25519: 'd', EdDSA: 'd' }
const SIGNERS: Record<string, (data: Buffer) => Buffer> = {
  RS256: (data) => sign('sha256', data, rsa.privateKey),
  PS256: (data) =>
    sign('sha256', data, {
      key: rsa.privateKey,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
  ES256: (data) => sign('sha256', data, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }),
  Ed25519: (data) => sign(null, data, ed.privateKey),
  EdDSA: (data) => sign(null, data, ed.privateKey),
}
function assertion(
  body: object,
  header: Record<string, unknown> = { alg: 'ES256' },
  signer = SIGNERS[String(header.alg)],
) {
  const { alg, kid = KID[String(alg)] ?? 'e', ...more } = header
  const data = `${part({ alg, kid, ...more })}.${part(body)}`
  const signature = signer?.(Buffer.from(data)) ?? Buffer.from('none')
  return `${data}.${signature.toString('base64url')}`
}
const prove = (client_assertion: string, more: Record<string, string> = {}) =>
  authentication.authenticate({ client_assertion, client_assertion_type: ASSERTION_TYPE, ...more }, null)
const refused = (text: string, code = 'invalid_client', why = /./) =>
  assert.rejects(
    prove(text, { client_id }),
    (error) => error instanceof OAuthError && error.code === code && why.test(error.message),
  )

/** Until the test ends: the thread of each signature that Node.js verifies. */
function countVerified(t: TestContext): string[] {
  const threads: string[] = []
  const { verify } = crypto
  const counted = (...args: unknown[]) => {
    threads.push(typeof args.at(-1) === 'function' ? 'pool' : 'main')
    return Reflect.apply(verify, crypto, args)
  }
  const put = (value: typeof verify) => {
    crypto.verify = value
    syncBuiltinESMExports()
  }
  put(counted as typeof verify)
  t.after(() => put(verify))
  return threads
}

test('an assertion by each algorithm proves the app, with its client_id beside it or without', async () => {
  for (const alg of Object.keys(SIGNERS)) assert.equal((await prove(assertion(claims(), { alg }))).id, client_id, alg)
  assert.equal((await prove(assertion(claims({ aud: [`${BASE_URL}/oauth/token`] })), { client_id })).id, client_id)
  assert.equal((await prove(assertion(claims(), { alg: 'RS256', kid: 'r' }))).id, client_id)
})

test('an assertion proves an app once', async () => {
  const text = assertion(claims())
  await prove(text)
  await refused(text)
  // Another signature over the same jti is the same assertion.
  const jti = randomUUID()
  await prove(assertion(claims({ jti })))
  await refused(assertion(claims({ jti }), { alg: 'EdDSA' }))
})

test('ten at once with one assertion are one', async () => {
  const text = assertion(claims())
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => prove(text)))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
})

test('what is not for us, not of the app, not in time or without jti is refused', async () => {
  const bad = [
    { aud: 'https://other.example.com' },
    { aud: [BASE_URL, 'https://other.example.com'] },
    { aud: [] },
    { aud: undefined },
    { aud: `${BASE_URL}/` },
    { iss: 'app_other' },
    { exp: undefined },
    { exp: seconds() - 61 },
    { exp: seconds() + 361 },
    { exp: '9999999999' },
    { iat: seconds() + 61 },
    { nbf: seconds() + 61 },
    { jti: undefined },
    { jti: '' },
    { jti: 'j'.repeat(501) },
  ]
  for (const more of bad) await refused(assertion(claims(more)))
  await refused(assertion(claims({ sub: 'app_other' })), 'invalid_request')
})

test('no algorithm, a secret one, another key and unknown rules are refused', async () => {
  const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' })
  await refused(assertion(claims(), { alg: 'none' }))
  await refused(`${part({ alg: 'none', kid: 'e' })}.${part(claims())}.${part('')}`)
  await refused(assertion(claims(), { alg: 'HS256' }, (data) => createHmac('sha256', publicPem).update(data).digest()))
  await refused(assertion(claims(), { alg: 'RS512' }, (data) => sign('sha512', data, rsa.privateKey)))
  await refused(assertion(claims(), { alg: 'ES256', kid: 'r' }))
  await refused(assertion(claims(), { alg: 'ES256', crit: ['exp'] }))
  const other = newEc()
  const signer = (data: Buffer) => sign('sha256', data, { key: other.privateKey, dsaEncoding: 'ieee-p1363' })
  await refused(assertion(claims(), { alg: 'ES256' }, signer))
  await refused(assertion(claims(), { alg: 'ES256', jwk: jwk(other.publicKey) }, signer))
  await refused(assertion(claims(), { alg: 'ES256' }, () => Buffer.alloc(64)))
})

test('an assertion without a kid is told so, whatever app it is of', async () => {
  for (const kid of ['', null, 7])
    await refused(assertion(claims(), { alg: 'ES256', kid }), 'invalid_client', /have a kid/)
  const stranger = { ...claims(), iss: 'app_unknown', sub: 'app_unknown' }
  const unknown = prove(assertion(stranger, { alg: 'ES256', kid: '' }))
  await assert.rejects(unknown, { code: 'invalid_client', message: /have a kid/ })
})

test('however many keys a set has, one signature is verified for a request, and not in the main thread', async (t) => {
  const threads = countVerified(t)
  const twins = [
    jwk(ec.publicKey, { kid: 'e' }),
    ...Array.from({ length: 19 }, () => jwk(newEc().publicKey, { kid: 'e' })),
  ]
  const id = await storeApp(owner, { authentication: 'private_key_jwt', jwks: { keys: twins } })
  const of = (more: object = {}) => ({ ...claims(), iss: id, sub: id, ...more })
  for (const [text, isGood, verified] of [
    [assertion(of()), true, 1],
    [assertion(of(), { alg: 'ES256' }, () => Buffer.alloc(64)), false, 1],
    [assertion(of(), { alg: 'ES256', kid: 'other' }), false, 0],
    [assertion(of({ exp: 1 })), false, 0],
  ] as const) {
    threads.length = 0
    assert.equal(
      await prove(text).then(
        () => true,
        () => false,
      ),
      isGood,
    )
    assert.deepEqual(threads, Array(verified).fill('pool'))
  }
})

test('a key that takes long to verify is not tried: a long exponent or modulus, another curve', async (t) => {
  const threads = countVerified(t)
  const { n, e } = rsa.publicKey.export({ format: 'jwk' })
  const number = (bits: number) => Buffer.alloc(bits / 8, 0xff).toString('base64url')
  const slow = [
    { kty: 'RSA', n, e: n },
    { kty: 'RSA', n, e: number(40) },
    { kty: 'RSA', n: number(4_104), e },
    { kty: 'RSA', n: number(16_384), e },
    { ...generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey.export({ format: 'jwk' }) },
    { ...generateKeyPairSync('ed448').publicKey.export({ format: 'jwk' }) },
    { kty: 'RSA', n, e: [e] },
    { kty: 'EC', crv: 'P-256', x: n, y: n },
  ]
  for (const key of slow) {
    const keys = [{ ...key, kid: 's' }]
    assert.match(jwksFault({ keys }) ?? 'good', /2048 to 4096 bits, its exponent at most 32/)
    // Stored before there was a bound.
    const id = await storeApp(owner, { authentication: 'private_key_jwt', jwks: { keys } })
    for (const alg of Object.keys(SIGNERS))
      await assert.rejects(prove(assertion({ ...claims(), iss: id, sub: id }, { alg, kid: 's' })), OAuthError)
  }
  assert.deepEqual(threads, [])
  for (const key of [
    { kty: 'RSA', n: number(4_096), e: number(32) },
    { kty: 'RSA', n: `${n}==`, e: 'AAEAAQ' },
  ])
    assert.equal(jwksFault({ keys: [{ ...key, kid: 's' }] }), null)
})

test('a key that is on no curve proves nothing', async () => {
  const keys = [{ kty: 'EC', crv: 'P-256', kid: 'e', x: Buffer.alloc(32, 1).toString('base64url'), y: 'AQ' }]
  const id = await storeApp(owner, { authentication: 'private_key_jwt', jwks: { keys } })
  await assert.rejects(prove(assertion({ ...claims(), iss: id, sub: id })), OAuthError)
})

test('what is no assertion is refused', async () => {
  for (const text of ['', '.', 'a.b', 'a.b.c', 'a.b.c.d', `${part([])}.${part(claims())}.x`, 'a'.repeat(9_000)])
    await refused(text)
})

test('a JWK set is refused with a secret key, without a usable one, and in another form', () => {
  assert.equal(jwksFault(jwks), null)
  const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey
  const bad: readonly [unknown, RegExp][] = [
    [null, /JWK set/],
    [{ keys: {} }, /JWK set/],
    [{ keys: [] }, /1 to 20/],
    [{ keys: Array.from({ length: 21 }, () => jwk(ec.publicKey, { kid: 'e' })) }, /1 to 20/],
    [{ keys: [jwk(ec.publicKey)] }, /a key with a kid/],
    [{ keys: [jwk(ec.privateKey)] }, /public keys alone/],
    [{ keys: [jwk(rsa.privateKey)] }, /public keys alone/],
    [{ keys: [{ kty: 'oct', k: 'AAAA' }] }, /public keys alone/],
    [{ keys: [jwk(weak, { kid: 'w' })] }, /2048 to 4096 bits/],
    [{ keys: [jwk(ec.publicKey, { kid: 'e'.repeat(301) })] }, /a kid of 1 to 300 characters for/],
    [{ keys: [{}] }, /must have a key with a kid of/],
  ]
  for (const [set, why] of bad) assert.match(jwksFault(set) ?? 'good', why)
})
