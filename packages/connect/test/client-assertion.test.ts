// An app that signs: which assertions prove it, and that each does so once.
import assert from 'node:assert/strict'
import { constants, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { ASSERTION_TYPE, jwksFault } from '../src/apps/client-assertion.ts'
import { OAuthError } from '../src/oauth-error.ts'
import { BASE_URL, openedApps, storeApp } from './apps-ground.ts'

const { owner } = await testDatabase()
const { authentication, clock } = openedApps(owner)

const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')
const jwk = (key: KeyObject, more: object = {}) => ({ ...key.export({ format: 'jwk' }), ...more })
const jwks = {
  keys: [
    jwk(rsa.publicKey, { kid: 'r' }),
    jwk(ec.publicKey, { kid: 'e', use: 'sig' }),
    jwk(ed.publicKey, { alg: 'Ed25519' }),
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
  const data = `${part(header)}.${part(body)}`
  const signature = signer?.(Buffer.from(data)) ?? Buffer.from('none')
  return `${data}.${signature.toString('base64url')}`
}
const prove = (client_assertion: string, more: Record<string, string> = {}) =>
  authentication.authenticate({ client_assertion, client_assertion_type: ASSERTION_TYPE, ...more }, null)
const refused = (text: string, code = 'invalid_client') =>
  assert.rejects(prove(text, { client_id }), (error) => error instanceof OAuthError && error.code === code)

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
  await refused(`${part({ alg: 'none' })}.${part(claims())}.${part('')}`)
  await refused(assertion(claims(), { alg: 'HS256' }, (data) => createHmac('sha256', publicPem).update(data).digest()))
  await refused(assertion(claims(), { alg: 'RS512' }, (data) => sign('sha512', data, rsa.privateKey)))
  await refused(assertion(claims(), { alg: 'ES256', kid: 'r' }))
  await refused(assertion(claims(), { alg: 'ES256', crit: ['exp'] }))
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signer = (data: Buffer) => sign('sha256', data, { key: other.privateKey, dsaEncoding: 'ieee-p1363' })
  await refused(assertion(claims(), { alg: 'ES256' }, signer))
  await refused(assertion(claims(), { alg: 'ES256', jwk: jwk(other.publicKey) }, signer))
  await refused(assertion(claims(), { alg: 'ES256' }, () => Buffer.alloc(64)))
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
    [{ keys: Array.from({ length: 21 }, () => jwk(ec.publicKey)) }, /1 to 20/],
    [{ keys: [jwk(ec.privateKey)] }, /public keys alone/],
    [{ keys: [jwk(rsa.privateKey)] }, /public keys alone/],
    [{ keys: [{ kty: 'oct', k: 'AAAA' }] }, /public keys alone/],
    [{ keys: [jwk(weak)] }, /2048 bits/],
    [{ keys: [{}] }, /must have a key for/],
  ]
  for (const [set, why] of bad) assert.match(jwksFault(set) ?? 'good', why)
})
