// The access token of a connected clinic: where the client gets it, when it asks for another one, and that it never shows it.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { inspect } from 'node:util'
import { ClinicDataClient, type TokenRequest, type TokenSource, UnauthorizedError } from '../src/client.ts'
import { problem, scriptedServer } from './scripted-server.ts'

const server = await scriptedServer()
const asked: TokenRequest[] = []
const OK = { body: '{"data":{"clinic_id":"c"}}' }
const REFUSED = problem('unauthorized', 401)

const clientWith = (token: TokenSource, more = {}) =>
  new ClinicDataClient({
    baseUrl: server.url,
    token: (request) => {
      asked.push(request)
      return token(request)
    },
    pause: async () => undefined,
    ...more,
  })
const sent = () => server.requests.map(({ headers }) => headers.authorization)

beforeEach(() => {
  server.requests.length = 0
  asked.length = 0
  server.script = [OK]
})

test('the source is asked before each attempt, so a token that was renewed meanwhile is used at once', async () => {
  server.script = [problem('service-unavailable', 503), 'reset', OK]
  await clientWith(async () => `token-${asked.length}`).me.get()
  assert.deepEqual(sent(), ['Bearer token-1', 'Bearer token-2', 'Bearer token-3'])
  assert.deepEqual(asked, Array(3).fill({ refused: null }))
})

test('after a 401 the source is told the refused token, and the request is made again with the other one, a write too', async () => {
  server.script = [REFUSED, { status: 201 }]
  const client = clientWith(({ refused }) => (refused === null ? 'old' : 'new'), { maxRetries: 0 })
  await client.payments.create('p1', { amount: 1, method_type: 'cash' })
  assert.deepEqual(sent(), ['Bearer old', 'Bearer new'])
  assert.deepEqual(asked, [{ refused: null }, { refused: 'old' }])
  const [first, second] = server.requests.map(({ headers }) => headers['idempotency-key'])
  assert.equal(first, second)
})

test('a request asks for another token once, whatever happens, and every request may', async () => {
  server.script = [REFUSED]
  const client = clientWith(() => `token-${asked.length}`)
  await assert.rejects(client.me.get(), UnauthorizedError)
  assert.equal(server.requests.length, 2)
  server.script = [REFUSED, problem('service-unavailable', 503), REFUSED]
  await assert.rejects(client.me.get(), UnauthorizedError)
  assert.deepEqual(
    asked.map(({ refused }) => refused),
    [null, 'token-1', null, 'token-3', null],
  )
})

test('a source that has no other token is not sent again', async () => {
  server.script = [REFUSED]
  await assert.rejects(clientWith(() => 'the-same').me.get(), UnauthorizedError)
  assert.equal(server.requests.length, 1)
})

test('a key is not asked for again after a 401', async () => {
  server.script = [REFUSED]
  const client = new ClinicDataClient({ baseUrl: server.url, apiKey: 'sk_live_x' })
  await assert.rejects(client.me.get(), UnauthorizedError)
  assert.equal(server.requests.length, 1)
})

test("the source's own failure is the call's, and nothing is sent", async () => {
  const lost = new Error('the clinic has ended the connection')
  await assert.rejects(clientWith(() => Promise.reject(lost)).me.get(), (error) => error === lost)
  assert.equal(server.requests.length, 0)
})

test('a call that is cancelled does not wait for its source', async () => {
  const cancel = new AbortController()
  const client = clientWith(() => {
    cancel.abort(new Error('enough'))
    return new Promise(() => undefined)
  })
  await assert.rejects(client.me.get({}, { signal: cancel.signal }), /enough/)
})

test('a token that would change a header is refused and not quoted, and a key beside a source is too', async () => {
  for (const token of ['to ken', 'to\nken', 'to\r\nX-Other: b', '', 'токен', undefined, 7]) {
    await assert.rejects(clientWith(() => token as string).me.get(), (error) => {
      assert.ok(error instanceof TypeError)
      return typeof token !== 'string' || token === '' || !error.message.includes(token)
    })
  }
  assert.equal(server.requests.length, 0)
  const { url: baseUrl } = server
  for (const options of [{ baseUrl }, { baseUrl, apiKey: 'x', token: () => 'x' }, { baseUrl, token: 'x' as never }])
    assert.throws(() => new ClinicDataClient(options), TypeError)
})

test('the client and its errors never show the token, however they are printed', async () => {
  const token = `token-${'t'.repeat(20)}`
  const client = clientWith(() => token, { maxRetries: 0 })
  const shown: unknown[] = [client]
  server.script = [REFUSED]
  await client.me.get().catch((error: unknown) => shown.push(error))
  const careless = async (_: string, init: RequestInit): Promise<never> => {
    const { authorization } = init.headers as Record<string, string>
    throw Object.assign(new Error(`failed: ${authorization}`), { init })
  }
  await clientWith(() => token, { fetch: careless, maxRetries: 0 })
    .me.get()
    .catch((error: unknown) => shown.push(error))
  assert.equal(shown.length, 3)
  for (const one of shown) {
    const text = inspect(one, { depth: null, showHidden: true, getters: true }) + String(one) + (one as Error).stack
    assert.ok(!text.includes(token), text)
  }
})
