// The documents by which apps find out how to be connected name this service alone, and are there only where apps can be connected.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type AnswerApp, appEndpoints } from '@clinic-data/contract/app-request'
import { BASE_URL, startParts, type TestParts } from '@clinic-data/testing/run/test-service'

const CONSOLE_URL = 'https://console.clinic.example'
const documents = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
]
const answerApp: AnswerApp = async () => ({ status: 200, body: {} })

let service: TestParts
before(async () => {
  service = await serviceWith({ consoleUrl: CONSOLE_URL, mayRegister: true })
})
after(() => service.close())

function serviceWith(connect: { consoleUrl: string; mayRegister: boolean }, baseUrl = BASE_URL) {
  return startParts({ connect, baseUrl, wrap: (backend) => ({ ...backend, answerApp }) })
}

async function send(path: string, method = 'GET', to = service) {
  const {
    statusCode,
    headers,
    payload: text,
  } = await to.gateway.app.inject({
    method: method as 'GET',
    url: path,
    headers: { host: 'api.clinic.example', 'content-type': 'application/x-www-form-urlencoded' },
    ...(method === 'POST' && { payload: 'a=b' }),
  })
  return { status: statusCode, headers, text, json: text.startsWith('{') ? JSON.parse(text) : null }
}

test('the documents name addresses of this service alone, and what it can do', async () => {
  const get = async (path: string) => (await send(path, 'GET')).json
  const [api, mcp, server] = await Promise.all(documents.map(get))
  assert.deepEqual([api.resource, mcp.resource], [BASE_URL, `${BASE_URL}/mcp`])
  for (const one of [api, mcp]) {
    assert.deepEqual(one.authorization_servers, [BASE_URL])
    assert.deepEqual(one.bearer_methods_supported, ['header'])
    assert.ok(
      one.scopes_supported.every((scope: string) => scope.endsWith(':read')),
      'the smallest useful set',
    )
  }
  assert.equal(server.issuer, BASE_URL)
  assert.equal(server.authorization_endpoint, `${CONSOLE_URL}/console/authorize`)
  for (const [name, endpoint] of [
    ['token_endpoint', 'token'],
    ['revocation_endpoint', 'revoke'],
    ['device_authorization_endpoint', 'device'],
    ['registration_endpoint', 'register'],
  ] as const)
    assert.equal(server[name], `${BASE_URL}/oauth/${endpoint}`)
  assert.deepEqual(server.code_challenge_methods_supported, ['S256'])
  assert.ok(server.token_endpoint_auth_methods_supported.includes('none'))
  assert.ok(!server.token_endpoint_auth_signing_alg_values_supported.some((alg: string) => /^(none|HS)/.test(alg)))
  assert.equal(server.client_id_metadata_document_supported, true)
  assert.equal(server.authorization_response_iss_parameter_supported, true)
})

test('the documents may be kept for some minutes, and are read by pages of every origin', async () => {
  for (const path of documents) {
    const { status, headers } = await send(path, 'GET')
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.equal(headers['cache-control'], 'public, max-age=300')
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal((await send(path, 'OPTIONS')).status, 204)
    const { status: refused, headers: told } = await send(path, 'POST')
    assert.deepEqual([refused, told.allow], [405, 'GET, HEAD, OPTIONS'])
  }
})

test('of OpenID Connect there is no document', async () => {
  for (const path of ['/.well-known/openid-configuration', '/.well-known/openid-configuration/mcp'])
    assert.equal((await send(path, 'GET')).status, 404)
})

test('where apps may not register themselves, nothing says that they may', async () => {
  const closed = await serviceWith({ consoleUrl: CONSOLE_URL, mayRegister: false })
  assert.equal((await send('/oauth/register', 'POST', closed)).status, 404)
  assert.equal((await send('/oauth/register/app_1', 'GET', closed)).status, 404)
  const server = await send(documents[2] ?? '', 'GET', closed)
  assert.equal(server.json.registration_endpoint, undefined)
  await closed.close()
})

test('a base address with a path has its documents behind the well-known part too', async () => {
  const base = 'https://clinic.example/api'
  const below = await serviceWith({ consoleUrl: CONSOLE_URL, mayRegister: false }, base)
  const get = async (path: string) => (await send(path, 'GET', below)).json
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/api'])
    assert.equal((await get(path)).resource, base)
  for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource/api/mcp'])
    assert.equal((await get(path)).resource, `${base}/mcp`)
  for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server/api'])
    assert.equal((await get(path)).issuer, base)
  await below.close()
})

test('where no app can be connected, none of this exists', async () => {
  const without = await startParts()
  const silent = await startParts({ connect: { consoleUrl: CONSOLE_URL, mayRegister: true } })
  for (const service of [without, silent]) {
    for (const path of documents) assert.equal((await send(path, 'GET', service)).status, 404)
    for (const endpoint of appEndpoints) {
      const { status, json } = await send(`/oauth/${endpoint}`, 'POST', service)
      assert.deepEqual([status, json.code], [404, 'not-found'])
    }
    const { headers } = await send('/v1/me', 'GET', service)
    assert.equal(headers['www-authenticate'], 'Bearer')
  }
  await without.close()
  await silent.close()
})
