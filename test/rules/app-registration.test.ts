// An app that registered itself reads its registration by the token for it: bounded, logged without the token, and kept by nobody.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AppAnswer, AppRequest } from '@clinic-data/contract/app-request'
import { startParts } from '@clinic-data/testing/run/test-service'

const TOKEN = 'sent_text'
const OK: AppAnswer = { status: 200, body: { registration_access_token: TOKEN } }
const REFUSED: AppAnswer = { status: 401, body: { error: 'invalid_token' } }

const asked: AppRequest[] = []
let answer = OK
const answerApp = async (_endpoint: string, request: AppRequest) => {
  asked.push(request)
  return answer
}
const service = await startParts({
  connect: { consoleUrl: 'https://console.clinic.example', mayRegister: true },
  wrap: (backend) => ({ ...backend, answerApp }),
})
after(() => service.close())

/** @param from each test has addresses of its own. */
async function ask(from: string, method: 'GET' | 'OPTIONS' | 'PUT' = 'GET', authorization = `Bearer ${TOKEN}`) {
  const headers = { host: 'api.clinic.example', authorization }
  const url = '/oauth/register/app_1'
  const { statusCode: status, ...got } = await service.gateway.app.inject({ method, url, remoteAddress: from, headers })
  return { status, headers: got.headers, text: got.payload }
}

async function post(from: string, endpoint: string, type: string, payload: string): Promise<number> {
  const headers = { host: 'api.clinic.example', 'content-type': `application/${type}` }
  const url = `/oauth/${endpoint}`
  return (await service.gateway.app.inject({ method: 'POST', url, remoteAddress: from, headers, payload })).statusCode
}

test('an app reads its registration, which nobody keeps, and its token is in no line of the log', async () => {
  const { status, text, headers } = await ask('203.0.113.50')
  assert.deepEqual([status, JSON.parse(text)], [200, OK.body])
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['access-control-allow-origin'], '*')
  assert.deepEqual(asked, [{ form: { client_id: 'app_1' }, authorization: `Bearer ${TOKEN}`, address: '203.0.113.50' }])
  const line = JSON.parse(service.logLines.at(-1) ?? '')
  assert.deepEqual([line.route, line.status], ['/oauth/register/{client_id}', 200])
  assert.ok(!service.logLines.some((text) => text.includes(TOKEN)))
})

test('a registration is read, also by pages of every origin, and not changed', async () => {
  const { status, headers } = await ask('203.0.113.51', 'OPTIONS')
  assert.deepEqual([status, headers['access-control-allow-methods']], [204, 'GET'])
  const changed = await ask('203.0.113.51', 'PUT')
  assert.deepEqual([changed.status, changed.headers.allow], [405, 'GET, HEAD, OPTIONS'])
})

test('a refused token of a registration is answered with Bearer, also to who sends Basic', async () => {
  answer = REFUSED
  for (const authorization of ['Bearer x', 'Basic YTpi', '']) {
    const { status, headers } = await ask('203.0.113.52', 'GET', authorization)
    assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer error="invalid_token"'])
  }
})

test('an address may read thirty registrations a minute, and registers as often as before', async () => {
  answer = OK
  const statuses = []
  for (let n = 0; n < 31; n++) statuses.push((await ask('203.0.113.53')).status)
  assert.deepEqual(statuses, [...Array(30).fill(200), 429])
  assert.equal(await post('203.0.113.53', 'register', 'json', '{}'), 200)
})

test('each wrong token of a registration counts as a guess of its address', async () => {
  answer = REFUSED
  for (let n = 0; n < 30; n++) await ask('203.0.113.54')
  answer = { status: 400, body: { error: 'invalid_grant' } }
  const statuses = []
  for (let n = 0; n < 31; n++) statuses.push(await post('203.0.113.54', 'token', 'x-www-form-urlencoded', 'a=b'))
  assert.deepEqual(statuses, [...Array(30).fill(400), 429])
})
