// Where apps can be connected, 401 and 403 say where tokens are given and which scopes a call needs, and a token opens the one place that it
// is for.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { type Audience, allOperations, allScopes, type Principal, readScopes, type Scope } from '@clinic-data/contract'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { sql } from '@clinic-data/database'
import {
  ask,
  BASE_URL,
  emptyClinic,
  keyOf,
  pathOf,
  startParts,
  type TestParts,
} from '@clinic-data/testing/run/test-service'

const connect = { consoleUrl: 'https://console.clinic.example', mayRegister: false }
const REST = `resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource"`
const MCP = `resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/mcp"`
const READS = `scope="${readScopes.join(' ')}"`

/** What the backend says of a token, by its hash. */
const tokens = new Map<string, Principal>()

let service: TestParts
before(async () => {
  service = await startParts({
    connect,
    wrap: (backend) => ({
      ...backend,
      authenticate: async (hash) => tokens.get(hash) ?? backend.authenticate(hash),
      answerApp: async () => ({ status: 200, body: {} }),
    }),
  })
})
after(() => service.close())

async function tokenOf(scopes: readonly Scope[], audience?: Audience): Promise<string> {
  const clinic = await emptyClinic(service.owner)
  const key = await keyOf(service.owner, clinic, scopes)
  const principal = (await service.backend.authenticate(hashKey(key))) ?? assert.fail()
  const token = makeKey('oat_live_')
  tokens.set(hashKey(token), { ...principal, ...(audience && { audience }) })
  return token
}

const message = (method: string, params = {}) => ({
  method: 'POST',
  body: { jsonrpc: '2.0', id: 1, method, params },
})
const calling = (name: string, toolArguments = {}) => message('tools/call', { name, arguments: toolArguments })
const list = message('tools/list')

async function challenge(key: string | null, path: string, options: Parameters<typeof ask>[3] = {}) {
  const { status, headers, json } = await ask(service, key, path, options)
  return { status, told: headers['www-authenticate'], json }
}

test('every operation tells a stranger where tokens are given, and its scope', async () => {
  for (const operation of allOperations) {
    const { status, told } = await challenge(null, pathOf(operation), { method: operation.method })
    const scope = operation.scope === null ? READS : `scope="${operation.scope}"`
    assert.deepEqual([status, told], [401, `Bearer ${REST}, ${scope}`], operation.id)
  }
})

test('the MCP server names its own document, and the scopes that change nothing', async () => {
  for (const options of [list, { method: 'GET' }])
    assert.deepEqual((await challenge(null, '/mcp', options)).told, `Bearer ${MCP}, ${READS}`)
})

test('a refused token or key is called invalid, and another scheme is not', async () => {
  for (const key of [makeKey('oat_live_'), makeKey(), 'oat_live_short']) {
    const { status, told } = await challenge(key, '/v1/me')
    assert.deepEqual([status, told], [401, `Bearer ${REST}, ${READS}, error="invalid_token"`])
    assert.match(String((await challenge(key, '/mcp', list)).told), /error="invalid_token"$/)
  }
  const { told } = await challenge(null, '/v1/me', { headers: { authorization: 'Basic YTpi' } })
  assert.equal(told, `Bearer ${REST}, ${READS}`)
})

test('an app learns of the end of its token however many others come from its address', async () => {
  for (let n = 0; n < 70; n++) {
    const { status } = await service.gateway.app
      .inject({
        url: '/v1/me',
        remoteAddress: '192.0.2.77',
        headers: { host: 'api.clinic.example', authorization: `Bearer ${makeKey('oat_live_')}` },
      })
      .then(({ statusCode }) => ({ status: statusCode }))
    assert.equal(status, 401)
  }
})

test('a token without the scope of a call is told all that the call needs', async () => {
  const token = await tokenOf(['analytics:read'])
  const listed = await challenge(token, '/v1/patients')
  assert.deepEqual([listed.status, listed.json.required_scope], [403, 'patients:read'])
  assert.equal(listed.told, `Bearer error="insufficient_scope", scope="patients:read", ${REST}`)
  const body = { dataset: 'leads', measures: ['lead_count'], dimensions: ['campaign_name'] }
  const asked = await challenge(token, '/v1/query', { method: 'POST', body })
  assert.equal(asked.status, 403, JSON.stringify(asked.json))
  assert.equal(asked.told, `Bearer error="insufficient_scope", scope="analytics:read leads:read", ${REST}`)
})

test('a tool without its scope is a 403 for a token, and the answer of the tool for a key', async () => {
  const token = await tokenOf(['catalog:read'])
  const call = calling('patients_list', { query: 'levi' })
  const taught = await challenge(token, '/mcp', call)
  assert.equal(taught.status, 403)
  assert.equal(taught.told, `Bearer error="insufficient_scope", scope="patients:read", ${MCP}`)
  assert.equal(taught.json.required_scope, 'patients:read')
  const key = await keyOf(service.owner, await emptyClinic(service.owner), ['catalog:read'])
  const read = await challenge(key, '/mcp', call)
  assert.deepEqual([read.status, read.told, read.json.result.isError], [200, undefined, true])
  const rest = await challenge(key, '/v1/patients')
  assert.deepEqual([rest.status, rest.told], [403, undefined])
})

test('a prompt or a resource without its scope is a 403 for a token too', async () => {
  const token = await tokenOf(['patients:read'])
  for (const [options, scope] of [
    [message('prompts/get', { name: 'unanswered_chats' }), 'chat:read'],
    [message('resources/read', { uri: 'clinic://catalog/branches' }), 'catalog:read'],
    [message('resources/read', { uri: 'clinic://analytics/guide' }), 'analytics:read'],
  ] as const) {
    const { status, told } = await challenge(token, '/mcp', options)
    assert.deepEqual([status, told], [403, `Bearer error="insufficient_scope", scope="${scope}", ${MCP}`])
  }
})

test('the refusal of a tool by its scope is in the audit log, however it is told', async () => {
  const token = await tokenOf(['catalog:read'])
  await challenge(token, '/mcp', calling('patients_list', { query: 'levi' }))
  const { clinic } = tokens.get(hashKey(token)) ?? assert.fail()
  const { rows } = await service.owner.query<{ status: number }>(
    sql`select status from audit where clinic_id = ${clinic.clinic_id}`,
  )
  assert.deepEqual(
    rows.map(({ status }) => status),
    [403],
  )
})

test('a token for the MCP server opens nothing of the REST API', async () => {
  const token = await tokenOf(allScopes, 'mcp')
  assert.equal((await challenge(token, '/mcp', list)).status, 200)
  for (const operation of allOperations) {
    const { status, told, json } = await challenge(token, pathOf(operation), { method: operation.method })
    assert.equal(status, 401, operation.id)
    assert.match(String(told), /error="invalid_token"$/)
    assert.match(json.detail, /for the MCP server alone/)
  }
})

test('a token for the REST API opens nothing of the MCP server', async () => {
  const token = await tokenOf(allScopes, 'api')
  assert.equal((await challenge(token, '/v1/me')).status, 200)
  for (const options of [list, calling('me_get'), message('initialize'), { method: 'GET' }]) {
    const { status, told, json } = await challenge(token, '/mcp', options)
    assert.equal(status, 401)
    assert.match(String(told), /error="invalid_token"$/)
    assert.match(json.detail, /for the REST API alone/)
  }
})

test('a token for both places opens both', async () => {
  const token = await tokenOf(allScopes)
  assert.equal((await challenge(token, '/v1/me')).status, 200)
  assert.equal((await challenge(token, '/mcp', list)).status, 200)
})
