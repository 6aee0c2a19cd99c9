// What strangers may make us read of apps, what they are told of it, and what that leaves to people and to apps that are connected.
import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { makeKey } from '@clinic-data/contract/key'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { until } from '@clinic-data/testing/until'
import { ASSERTION_TYPE } from '../src/apps/client-assertion.ts'
import { lookAtRequest } from '../src/consent/consent.ts'
import { BASE_URL, connected, consenting, newPerson, openConnect, REDIRECT, requestOf } from './connect-ground.ts'
import { type DocumentServer, sends, serveDocuments } from './document-server.ts'

const database = await testDatabase()
const { owner } = database
const HERE = ['127.0.0.0/8']

/** A service that has read nothing yet. */
function opened(timeoutMs = 5_000) {
  const told: Record<string, unknown>[] = []
  const log = { ...failingLog, warn: (fields: Record<string, unknown>) => void told.push(fields) }
  return { told, ...openConnect(database, { log, reading: { allowCidrs: HERE, bounds: { timeoutMs } } }) }
}

const documentAt = (client_id: string, more: object = {}) => ({
  client_id,
  client_name: 'Agent',
  redirect_uris: [REDIRECT],
  ...more,
})

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : assert.fail('it has no port')
}

/** Answers by the path. One that begins with `/hanging` waits for the test's `release`, and any other is not there. */
async function serve(t: TestContext, answers: (url: string) => Record<string, DocumentServer['answer']>) {
  const server = await serveDocuments(t)
  const { origin } = new URL(server.url)
  const byPath = answers(origin)
  const held: (() => void)[] = []
  server.answer = (request, response) => {
    const { url = '' } = request
    if (url.startsWith('/hanging')) held.push(() => response.writeHead(404).end())
    else (byPath[url] ?? status(404))(request, response)
  }
  return {
    origin,
    held,
    release: () => {
      for (const answer of held) answer()
    },
  }
}

const status =
  (code: number): DocumentServer['answer'] =>
  (_, response) =>
    response.writeHead(code, { location: '/good' }).end()

test('a stranger is told the same of an address whatever is there, and the log says why, a line a minute', async (t) => {
  const { told, post, consent, ...service } = opened(300)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { origin } = await serve(t, (origin) => {
    const signing = (path: string, jwks_uri: string) => ({
      [path]: sends(documentAt(origin + path, { token_endpoint_auth_method: 'private_key_jwt', jwks_uri })),
    })
    return {
      '/none': status(404),
      '/away': status(503),
      '/elsewhere': status(302),
      '/page': sends('<html>'),
      '/other': sends(documentAt('https://other.example/app.json')),
      '/keys': sends({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'another' }] }),
      ...signing('/signs', `${origin}/keys`),
      ...signing('/signs-404', `${origin}/none`),
      ...signing('/signs-page', `${origin}/page`),
      ...signing('/signs-hanging', `${origin}/hanging`),
    }
  })
  const signed = (client_id: string) => {
    const claims = { iss: client_id, sub: client_id, aud: BASE_URL, exp: Date.now() / 1_000 + 60, jti: randomUUID() }
    const data = [{ alg: 'ES256', kid: 'k' }, claims].map((one) =>
      Buffer.from(JSON.stringify(one)).toString('base64url'),
    )
    const signature = sign('sha256', Buffer.from(data.join('.')), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return {
      client_assertion: `${data.join('.')}.${signature.toString('base64url')}`,
      client_assertion_type: ASSERTION_TYPE,
    }
  }
  const closed = `http://127.0.0.1:${await closedPort()}/app.json`
  const plain = ['/none', '/away', '/elsewhere', '/page', '/other', '/hanging'].map((path) => origin + path)
  const signing = ['/signs', '/signs-404', '/signs-page', '/signs-hanging'].map((path) => origin + path)
  const forms: Record<string, string>[] = [
    ...[...plain, closed, 'https://10.0.0.7/app.json'].map((client_id) => ({ client_id })),
    ...['https://agent.example.com:8443/app.json', 'app_none'].map((client_id) => ({ client_id })),
    ...signing.map((client_id) => ({ client_id, ...signed(client_id) })),
  ]
  const answers = new Set<string>()
  for (const form of forms)
    for (const endpoint of ['token', 'device', 'revoke'] as const) {
      const { status, body } = await post(endpoint, { grant_type: 'refresh_token', token: 'x', ...form })
      answers.add(JSON.stringify([status, body]))
    }
  assert.equal(answers.size, 1, [...answers].join('\n'))
  assert.match([...answers].join(), /^\[401,\{"error":"invalid_client"/)
  assert.deepEqual(told.length, 1)
  assert.deepEqual([told[0]?.host, told[0]?.unusable], ['127.0.0.1', 1])
  assert.match(String(told[0]?.reason), /status 404/)
  // A person is told why.
  const person = consenting({ post, consent, ...service }, owner, await newPerson(owner))
  for (const [path, why] of [
    ['/none', /status 404/],
    ['/page', /JSON object/],
  ] as const)
    await assert.rejects(lookAtRequest(consent, person, requestOf(origin + path, 'v'.repeat(43))), (error: Error) =>
      why.test(JSON.stringify(error)),
    )
})

test('strangers whose documents hang leave room for a person on the page, and for an app that shows a token of its connection', async (t) => {
  const paths = ['/connected', '/asked']
  const { origin, held, release } = await serve(t, (origin) =>
    Object.fromEntries(paths.map((path) => [path, sends(documentAt(origin + path))])),
  )
  const [connectedId, askedId] = [`${origin}/connected`, `${origin}/asked`]
  const person = await newPerson(owner)
  const [before, service] = [opened(), opened(60_000)]
  const { refresh_token = '' } = await connected(before, owner, person, connectedId)
  const hang = (n: number) => service.post('device', { client_id: `${origin}/hanging${n}` }, `203.0.113.${n}`)
  const hanging = Array.from({ length: 10 }, (_, n) => hang(n))
  await until(
    async () => held.length === 10,
    () => 'the places of strangers are not taken',
  )
  const refresh = async (client_id: string, token: string) => {
    const form = { grant_type: 'refresh_token', client_id, refresh_token: token }
    return (await service.post('token', form, '198.51.100.9')).status
  }
  assert.equal((await service.post('device', { client_id: connectedId }, '198.51.100.9')).status, 503)
  assert.equal(await refresh(connectedId, makeKey('ort_live_')), 503, 'a token that opens nothing')
  assert.equal(await refresh(`${origin}/hanging-too`, refresh_token), 503, 'the token of another app')
  const { access } = await lookAtRequest(
    service.consent,
    consenting(service, owner, person),
    requestOf(askedId, 'v'.repeat(43)),
  )
  assert.equal(access?.app.id, askedId)
  assert.equal(await refresh(connectedId, refresh_token), 200)
  release()
  for (const { status } of await Promise.all(hanging)) assert.equal(status, 401)
})

test('an app that shows a token of its connection is told that its document is away for now, and uses nothing up', async (t) => {
  let isAway = false
  const { origin } = await serve(t, (origin) => ({
    '/app': (request, response) => (isAway ? status(503) : sends(documentAt(`${origin}/app`)))(request, response),
  }))
  const person = await newPerson(owner)
  const [before, service] = [opened(), opened()]
  const { refresh_token = '' } = await connected(before, owner, person, `${origin}/app`)
  isAway = true
  const form = { grant_type: 'refresh_token', client_id: `${origin}/app`, refresh_token }
  const away = await service.post('token', form)
  assert.deepEqual([away.status, away.body.error], [503, 'temporarily_unavailable'])
  // The process that has a copy goes on.
  before.advance(6 * 60_000)
  assert.equal((await before.post('token', form)).status, 200)
})
