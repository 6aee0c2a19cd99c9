// Apps that are known by the document at their id: what is read, what is refused, and for how long a copy is used.
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { failingLog } from '@clinic-data/testing/run/test-database'
import { DocumentClient } from '@clinic-data/webhooks/receiver/document-client'
import { AppDocuments } from '../src/apps/app-document.ts'
import { readMetadata } from '../src/apps/app-metadata.ts'
import { ASSERTION_TYPE } from '../src/apps/client-assertion.ts'
import { OAuthError } from '../src/oauth-error.ts'
import { BASE_URL, STRANGER, storeApp } from './apps-ground.ts'
import { documentGround as ground, owner } from './document-ground.ts'
import { sends } from './document-server.ts'

const MINUTE_MS = 60_000

describe('an app with a document', () => {
  test('is found by its address, with its host and not verified', async (t) => {
    const { server, document, apps, authentication } = await ground(t)
    server.answer = sends(document())
    const app = await apps.find(server.url)
    assert.deepEqual(app, {
      id: server.url,
      kind: 'document',
      name: 'Agent',
      host: '127.0.0.1',
      isVerified: false,
      redirect_uris: document().redirect_uris,
      authentication: 'none',
    })
    assert.equal((await authentication.authenticate({ client_id: server.url }, null)).id, server.url)
  })

  test('has the name of its host where it says none', async (t) => {
    const { server, document, apps } = await ground(t)
    server.answer = sends(document({ client_name: undefined }))
    assert.equal((await apps.find(server.url))?.name, '127.0.0.1')
  })

  test('is read only when the policy names its host, also while a copy is kept, and is then verified', async (t) => {
    const policy = ['127.0.0.1']
    const { server, document, apps } = await ground(t, policy)
    server.answer = sends(document())
    assert.equal((await apps.find(server.url))?.isVerified, true)
    policy.splice(0)
    assert.equal(await apps.find(server.url), null)
    assert.equal(server.asked.length, 1)
    const strict = await ground(t, 'registered')
    assert.equal(await strict.apps.find(strict.server.url), null)
    assert.equal(strict.server.asked.length, 0)
  })

  test('is gone at once when the operator disables it, also while a copy is kept', async (t) => {
    const { server, document, apps } = await ground(t)
    server.answer = sends(document())
    assert.notEqual(await apps.find(server.url), null)
    await storeApp(owner, { id: server.url, kind: 'document', disabled_at: new Date(0) })
    assert.equal(await apps.find(server.url), null)
  })

  test('proves itself with the keys of its document, and with new ones from their address', async (t) => {
    const { server, document, authentication, clock } = await ground(t)
    const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const [first, second] = [pair(), pair()]
    const kid = (key: typeof first) => (key === first ? 'k1' : 'k2')
    const setOf = (key: typeof first) => ({ keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: kid(key) }] })
    const assertion = (key: typeof first) => {
      const { privateKey } = key
      const exp = clock.now().getTime() / 1_000 + 60
      const claims = { iss: server.url, sub: server.url, aud: BASE_URL, exp, jti: randomUUID() }
      const data = [{ alg: 'ES256', kid: kid(key) }, claims].map((one) =>
        Buffer.from(JSON.stringify(one)).toString('base64url'),
      )
      const signature = sign('sha256', Buffer.from(data.join('.')), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${data.join('.')}.${signature.toString('base64url')}`
    }
    const prove = (client_assertion: string, caller = STRANGER) =>
      authentication.authenticate({ client_assertion, client_assertion_type: ASSERTION_TYPE }, null, caller)
    let keys = setOf(first)
    const jwks_uri = server.url.replace('app.json', 'keys.json')
    const described = document({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri })
    server.answer = (request, response) =>
      sends(jwks_uri.endsWith(String(request.url)) ? keys : described)(request, response)
    assert.equal((await prove(assertion(first))).id, server.url)
    keys = setOf(second)
    // Whoever sends other assertions makes us read at most once a minute.
    await assert.rejects(prove(assertion(second)), OAuthError)
    await clock.run(MINUTE_MS)
    assert.equal((await prove(assertion(second))).id, server.url)
    await assert.rejects(prove(assertion(first)), OAuthError)
    // Too many keys, as in a document of the app. Whoever shows a token of its connection is told.
    keys = { keys: Array.from({ length: 21 }, () => setOf(first).keys).flat() }
    await clock.run(MINUTE_MS * 60 * 24)
    await assert.rejects(
      prove(assertion(first), { ...STRANGER, clinicOf: async () => 'a-clinic' }),
      /jwks_uri must have 1 to 20 keys/,
    )
    await assert.rejects(authentication.authenticate({ client_id: server.url }, null), OAuthError)
  })

  test('at another address share the time of the document', async (t) => {
    const { server, document, authentication, clock } = await ground(t, 'any', { bounds: { timeoutMs: 60_000 } })
    const ending = new AbortController()
    const jwks_uri = server.url.replace('app.json', 'keys.json')
    const described = sends(document({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri }))
    server.answer = (request, response) => {
      if (jwks_uri.endsWith(String(request.url))) ending.abort()
      else described(request, response)
    }
    const exp = clock.now().getTime() / 1_000 + 60
    const claims = { iss: server.url, sub: server.url, aud: BASE_URL, exp, jti: randomUUID() }
    const parts = [{ alg: 'ES256', kid: 'k' }, claims].map((one) =>
      Buffer.from(JSON.stringify(one)).toString('base64url'),
    )
    const form = { client_assertion: `${parts.join('.')}.x`, client_assertion_type: ASSERTION_TYPE }
    const { signal } = ending
    await assert.rejects(
      authentication.authenticate(form, null, { ...STRANGER, clinicOf: async () => 'a-clinic', signal }),
      /did not come in time/,
    )
  })
})

test('of a key set that a stranger wrote only the usable keys are kept, without other members', async (t) => {
  const { server, document, clock } = await ground(t)
  const key = {
    kid: 'k',
    alg: 'ES256',
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  }
  const filling = Array.from({ length: 1_000 }, () => [])
  const jwks = {
    filling,
    keys: [
      { ...key, filling, use: 'sig', n: 'x'.repeat(701), e: filling },
      { ...key, kid: 'k'.repeat(301) },
      { ...key, alg: filling },
      { ...key, use: 'enc' },
      { filling },
    ],
  }
  const kept = { keys: [{ ...key, use: 'sig' }] }
  const rules = { method: 'none', methods: ['private_key_jwt'], addressFault: () => null }
  const read = readMetadata(document({ token_endpoint_auth_method: 'private_key_jwt', jwks }), rules)
  assert.deepEqual('metadata' in read && read.metadata.keys, kept)
  const client = new DocumentClient({ allowCidrs: ['127.0.0.0/8'] })
  server.answer = sends(jwks)
  const documents = new AppDocuments({ client, now: () => clock.now(), log: failingLog })
  assert.deepEqual(await documents.readKeys(server.url, { clinic_id: 'a-clinic' }, false), kept)
})

describe('a document is refused', () => {
  test('with every reason at once', async (t) => {
    const { server, document, refusal } = await ground(t)
    server.answer = sends(
      document({
        client_id: 'https://other.example.com/app.json',
        client_secret: 'x',
        client_name: 'Agent\u202e',
        redirect_uris: ['https://agent.example.com/back#x', 'javascript:alert(1)', 7],
        grant_types: ['implicit'],
        response_types: ['token'],
        token_endpoint_auth_method: 'client_secret_post',
      }),
    )
    const { code, message } = await refusal()
    assert.equal(code, 'invalid_client')
    for (const why of [
      /client_id must be the address of the document itself/,
      /client_secret must not be there/,
      /client_name must hold no invisible character/,
      /redirect_uris\[0\] must not have a fragment/,
      /redirect_uris\[1\] must be https, http to 127/,
      /redirect_uris\[2\] must be a text/,
      /grant_types must be a list with authorization_code/,
      /response_types must be a list with code/,
      /token_endpoint_auth_method must be one of none, private_key_jwt/,
    ])
      assert.match(message, why)
  })

  test('when it is no JSON object, has no redirect, or a key that is secret', async (t) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const method = { token_endpoint_auth_method: 'private_key_jwt' }
    const bad: readonly [unknown, RegExp][] = [
      ['<html>', /JSON object/],
      ['[]', /JSON object/],
      ['', /JSON object/],
      [{ redirect_uris: [] }, /redirect_uris must be a list/],
      [{ redirect_uris: undefined }, /redirect_uris must be a list/],
      [{ redirect_uris: Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`) }, /1 to 20/],
      [method, /jwks or jwks_uri is needed/],
      [{ ...method, jwks: { keys: [] }, jwks_uri: 'https://a.example/k' }, /not both/],
      [{ ...method, jwks_uri: 'file:///etc/passwd' }, /jwks_uri must be an https address/],
      [{ ...method, jwks: { keys: [privateKey.export({ format: 'jwk' })] } }, /public keys alone/],
    ]
    for (const [more, why] of bad) {
      const { server, document, refusal } = await ground(t)
      server.answer = sends(typeof more === 'string' ? more : document(more as object))
      assert.match((await refusal()).message, why)
    }
  })

  test('when its server redirects, to wherever', async (t) => {
    const { server, refusal } = await ground(t)
    server.answer = (_, response) => response.writeHead(302, { location: `${server.url}?again` }).end()
    assert.match((await refusal()).message, /redirects/)
    assert.deepEqual(server.asked, [new URL(server.url).pathname])
  })

  test('when its host has an address that is not public, by its name or literally', async (t) => {
    const { refusal, server } = await ground(t, 'any', {
      allowCidrs: [],
      resolveName: async () => ['93.184.215.14', '10.0.0.7'],
    })
    const { code, message } = await refusal('https://agent.example.com/app.json')
    assert.equal(code, 'invalid_client')
    assert.match(message, /not public/)
    for (const host of ['169.254.169.254', '[::1]', '10.0.0.1'])
      assert.match((await refusal(`https://${host}/app.json`)).message, /not public/)
    assert.equal(server.asked.length, 0)
  })

  test('when it is longer than 64 KB, and the rest of 100 MB is not read', async (t) => {
    const { server, refusal } = await ground(t)
    const piece = ' '.repeat(1024)
    let sent = 0
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    server.answer = (_, response) => {
      response.on('close', resolve)
      const more = () => {
        while (sent < 100 * 1024 && !response.destroyed) {
          sent += 1
          if (!response.write(piece)) return response.once('drain', more)
        }
        return response.end()
      }
      more()
    }
    assert.match((await refusal()).message, /at most 64 KB/)
    await closed
    assert.ok(sent < 50 * 1024, `${sent} KB were sent`)
  })

  test('when its head says that it is long, or it is packed', async (t) => {
    const long = await ground(t)
    long.server.answer = (_, response) => response.writeHead(200, { 'content-length': '104857600' }).write('{')
    assert.match((await long.refusal()).message, /at most 64 KB/)
    const packed = await ground(t)
    packed.server.answer = sends('{}', { 'content-encoding': 'gzip' })
    assert.match((await packed.refusal()).message, /content-encoding/)
  })

  test('when its server is too slow in any part, for now', async (t) => {
    const slow: readonly ((response: import('node:http').ServerResponse) => void)[] = [
      () => undefined,
      (response) => response.writeHead(200).write('{'),
    ]
    for (const answer of slow) {
      const { server, refusal } = await ground(t, 'any', { bounds: { timeoutMs: 200 } })
      server.answer = (_, response) => answer(response)
      const { code, status, message } = await refusal()
      assert.equal(code, 'temporarily_unavailable')
      assert.equal(status, 503)
      assert.match(message, /did not answer/)
    }
  })

  test('with another status: for now when it may pass', async (t) => {
    for (const [status, code] of [
      [404, 'invalid_client'],
      [500, 'temporarily_unavailable'],
      [429, 'temporarily_unavailable'],
      [408, 'temporarily_unavailable'],
    ] as const) {
      const { server, refusal } = await ground(t)
      server.answer = (_, response) => response.writeHead(status).end()
      const error = await refusal()
      assert.equal(error.code, code)
      assert.match(error.message, new RegExp(String(status)))
    }
  })
})

test("an id in another spelling, without a path, with a user, a fragment or dots is no document's, and is not read", async (t) => {
  const { server, apps } = await ground(t)
  const { origin, host, port } = new URL(server.url)
  const others = [
    origin,
    `${origin}/`,
    `${origin}/a/../app.json`,
    `${origin}/a/%2E%2e/app.json`,
    `${server.url}#x`,
    `http://user@${host}/app.json`,
    `http://127.1:${port}/app.json`,
    `HTTP://${host}/app.json`,
    `http://localhost.example.com:${port}/app.json`,
    `ftp://${host}/app.json`,
    `${server.url}\\x`,
  ]
  for (const id of others) assert.equal(await apps.find(id), null, id)
  assert.equal(server.asked.length, 0)
})
