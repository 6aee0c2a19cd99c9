// What apps ask passes the port over HTTP, from the public listener to the backend and back, and a backend that answers no apps says so.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { createBackend } from '@clinic-data/backend'
import { portRoutes } from '@clinic-data/backend/port-listener'
import { type Backend, Problem } from '@clinic-data/contract'
import { type AnswerApp, type AppRequest, appEndpoints } from '@clinic-data/contract/app-request'
import { portPaths } from '@clinic-data/contract/port'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { DatabaseUnavailable } from '@clinic-data/database'
import { createGateway } from '@clinic-data/gateway'
import { httpBackend } from '@clinic-data/gateway/http-backend/http-backend'
import { MemoryRateLimit } from '@clinic-data/gateway/limits/rate-limit'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import Fastify from 'fastify'
import pino from 'pino'
import { answeringWorkers, askingPrimary } from '../src/workers/app-answers.ts'

const { app: database } = await testDatabase()
const asked: [endpoint: string, request: AppRequest][] = []
let answer: AnswerApp = async () => ({ status: 200, body: {} })
const answerApp: AnswerApp = (endpoint, request, context) => {
  asked.push([endpoint, request])
  return answer(endpoint, request, context)
}

const token = randomBytes(24).toString('hex')
const quiet = pino({ level: 'silent' })
const toClose: (() => Promise<unknown>)[] = []
after(async () => {
  for (const close of toClose.reverse()) await close()
})

/** A gateway before a backend of another process. */
async function behindPort(backend: Backend) {
  const listener = Fastify()
  // What the backend's own outage is called stands in its log.
  await listener.register(portRoutes(backend, { token, log: { ...failingLog, error: () => undefined } }))
  const url = await listener.listen({ port: 0, host: '127.0.0.1' })
  const warnings: string[] = []
  const log = { warn: (line: unknown) => void warnings.push(String(line)), info: () => undefined }
  const remote = httpBackend({ urls: [url], token, log: log as never })
  const gateway = await createGateway({
    backend: remote,
    baseUrl: 'https://api.clinic.example',
    secretKeys: parseSecretKeys(`t:${randomBytes(32).toString('base64')}`),
    rateLimit: new MemoryRateLimit(),
    rate: { requests: 100, seconds: 60 },
    trustedProxies: [],
    connect: { consoleUrl: 'https://console.clinic.example', mayRegister: true },
    log: quiet,
    shedAtDelayMs: 0,
  })
  toClose.push(
    () => listener.close(),
    () => remote.close(),
    () => gateway.close(),
  )
  const send = async (endpoint: string, payload: string) => {
    const type = endpoint === 'register' ? 'application/json' : 'application/x-www-form-urlencoded'
    const {
      statusCode,
      headers,
      payload: text,
    } = await gateway.app.inject({
      method: 'POST',
      url: `/oauth/${endpoint}`,
      remoteAddress: '192.0.2.7',
      headers: { host: 'api.clinic.example', 'content-type': type, authorization: 'Basic YTpi' },
      payload,
    })
    return { status: statusCode, headers, text, json: text === '' ? null : JSON.parse(text) }
  }
  return { url, remote, warnings, send, stop: () => listener.close() }
}

const options = { database, now: () => new Date(), log: { ...failingLog, error: () => undefined } }

test('every endpoint passes its form and answers as the backend did, also without a body', async () => {
  const { send } = await behindPort(createBackend({ ...options, answerApp }))
  for (const endpoint of appEndpoints) {
    asked.length = 0
    answer = async () => ({ status: 400, body: { error: 'invalid_scope', nested: { list: [1, null] } } })
    const [body, form] =
      endpoint === 'register'
        ? ['{"client_name":"מרפאה"}', { metadata: '{"client_name":"מרפאה"}' }]
        : ['a=%D7%9E&__proto__=x', JSON.parse('{"a":"מ","__proto__":"x"}')]
    const { status, json } = await send(endpoint, body)
    assert.deepEqual([status, json], [400, { error: 'invalid_scope', nested: { list: [1, null] } }])
    assert.deepEqual(asked, [[endpoint, { form, authorization: 'Basic YTpi', address: '192.0.2.7' }]])
    answer = async () => ({ status: 200, body: null })
    const empty = await send(endpoint, body)
    assert.deepEqual([empty.status, empty.text], [200, ''])
  }
})

test('a request is asked once, even if the backend breaks off: no code is used up by a repetition', async () => {
  const { send } = await behindPort(createBackend({ ...options, answerApp }))
  asked.length = 0
  answer = async () => {
    throw new DatabaseUnavailable('away')
  }
  const { status, headers, json } = await send('token', 'a=b')
  assert.deepEqual([status, json.error], [503, 'temporarily_unavailable'])
  assert.ok(Number(headers['retry-after']) >= 1)
  assert.equal(asked.length, 1)
})

test('while the backend is away an app is told to come again', async () => {
  const { send, stop } = await behindPort(createBackend({ ...options, answerApp }))
  await stop()
  const { status, headers, json } = await send('token', 'a=b')
  assert.deepEqual([status, json.error], [503, 'temporarily_unavailable'])
  assert.ok(Number(headers['retry-after']) >= 1)
})

test('a backend of an earlier version answers apps with 503, and the log says why once', async () => {
  const { url, send, warnings } = await behindPort(createBackend(options))
  for (const endpoint of appEndpoints) {
    const { status, json } = await send(endpoint, endpoint === 'register' ? '{}' : 'a=b')
    assert.deepEqual([status, json.error], [503, 'temporarily_unavailable'])
  }
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /does not answer apps/)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const unknown = await fetch(url + portPaths.connect('token'), { method: 'POST', headers, body: '{}' })
  assert.equal(unknown.status, 404)
})

test('an answer that is no object is none for an app', async () => {
  const { send } = await behindPort(createBackend({ ...options, answerApp }))
  // No backend of ours could make them.
  for (const body of [[], 'text', 7] as unknown as Record<string, unknown>[]) {
    answer = async () => ({ status: 200, body })
    assert.equal((await send('token', 'a=b')).status, 502)
  }
})

test('a parameter that comes twice over the port is refused as a fault of the gateway', async () => {
  const { url } = await behindPort(createBackend({ ...options, answerApp }))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const one = { name: 'code', value: 'a' }
  const body = JSON.stringify({ form: [one, one], authorization: null, address: '192.0.2.7' })
  const { status } = await fetch(url + portPaths.connect('token'), { method: 'POST', headers, body })
  assert.equal(status, 400)
})

test('a worker gets from the primary process what that answers, and its problems as they are', async () => {
  const context = { request_id: 'req_1', deadline: performance.now() + 5_000 }
  const request = { form: { a: 'b' }, authorization: null, address: '192.0.2.7' }
  const ask = askingPrimary(async (question) => {
    assert.ok(question.remaining_ms > 0 && question.remaining_ms <= 5_000)
    return JSON.parse(JSON.stringify(await answeringWorkers(answerApp)(question)))
  })
  answer = async () => ({ status: 200, body: { access_token: 'x' } })
  assert.deepEqual(await ask('token', request, context), { status: 200, body: { access_token: 'x' } })
  answer = async () => {
    throw new Problem('service-unavailable', 'Away.', { retry_after: 3 })
  }
  await assert.rejects(ask('token', request, context), (error: unknown) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.slug, error.members.retry_after], ['service-unavailable', 3])
    return true
  })
})
