// The MCP server: both generations of the protocol from one endpoint, with REST's key, limits and problems.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ask, emptyClinic, keyOf, servedClinic, startParts } from '@clinic-data/testing/run/test-service'
import { callTool, generations, send2025, send2026 } from './messages.ts'

const { service, clinic } = await servedClinic()

for (const [generation, send] of Object.entries(generations)) {
  test(`a client of ${generation} lists the tools and calls one, and gets REST's body as structure and as text`, async () => {
    const listed = await send(service, clinic.key, 'tools/list')
    assert.equal(listed.status, 200, listed.text)
    assert.ok(listed.json.result.tools.some(({ name }: { name: string }) => name === 'patients_list'))
    const rest = await ask(service, clinic.key, '/v1/patients?limit=3')
    const called = await callTool(service, clinic.key, 'patients_list', { limit: 3 }, send)
    assert.deepEqual(called, { isError: false, text: rest.text, structured: rest.json })
  })

  test(`a client of ${generation} that names an unknown tool gets the protocol's error`, async () => {
    const { json } = await send(service, clinic.key, 'tools/call', { name: 'patients_delete', arguments: {} })
    assert.equal(json.error.code, -32602)
  })
}

test('a 2025 client initializes without a session, and a 2026 client discovers', async () => {
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const shaken = await send2025(service, clinic.key, 'initialize', hello)
  assert.equal(shaken.json.result.protocolVersion, '2025-06-18')
  assert.equal(shaken.headers['mcp-session-id'], undefined)
  const discovered = await send2026(service, clinic.key, 'server/discover')
  assert.deepEqual(discovered.json.result.supportedVersions, ['2026-07-28'])
  for (const { json } of [shaken, discovered]) {
    assert.ok(json.result.instructions.split(/\s+/).length <= 150)
    assert.deepEqual(json.result.capabilities, { tools: {}, prompts: {}, resources: {}, completions: {} })
  }
})

test('a client that names an unknown revision is told all of both generations', async () => {
  const spoken = '2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07'
  const method = 'tools/list'
  const refused = async (headers: Record<string, string>, params: object) => {
    const body = { jsonrpc: '2.0', id: 1, method, params }
    const { status, json } = await ask(service, clinic.key, '/mcp', { method: 'POST', headers, body })
    assert.equal(status, 400)
    assert.ok(json.error.message.endsWith(` (supported versions: ${spoken})`), json.error.message)
    assert.equal(json.error.data.detail, json.error.message)
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2030-01-01',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  await refused({ 'mcp-protocol-version': '2025-01-01' }, {})
  await refused({ 'mcp-protocol-version': '2030-01-01' }, {})
  await refused({ 'mcp-protocol-version': '2030-01-01', 'mcp-method': method }, { _meta })
  await refused({}, { _meta })
  const known = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
  const body = { jsonrpc: '2.0', id: 1, method, params: {} }
  const { json } = await ask(service, clinic.key, '/mcp', { method: 'POST', headers: known, body })
  assert.match(json.error.message, /_meta$/)
})

test('a client of 2025 gets no member that only 2026 has, whether it reads streams or not, and after a client of 2026', async () => {
  const members = { 'tools/list': ['tools'], 'tools/call': ['content', 'structuredContent'] }
  const added = { 'tools/list': ['resultType', 'ttlMs', 'cacheScope', '_meta'], 'tools/call': ['resultType', '_meta'] }
  for (const method of ['tools/list', 'tools/call'] as const) {
    const params = method === 'tools/call' ? { name: 'service_whoami' } : {}
    const body = { jsonrpc: '2.0', id: 1, method, params }
    const withoutStreams = { method: 'POST', headers: { accept: 'application/json' }, body } as const
    const newer = await send2026(service, clinic.key, method, params)
    assert.deepEqual(Object.keys(newer.json.result), [...members[method], ...added[method]])
    const older = [
      await send2025(service, clinic.key, method, params),
      await ask(service, clinic.key, '/mcp', withoutStreams),
    ]
    for (const { json } of older) assert.deepEqual(Object.keys(json.result), members[method])
  }
})

test('a session begins with the icon of the server, which is served without a key', async () => {
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const shaken = await send2025(service, clinic.key, 'initialize', hello)
  const [icon] = shaken.json.result.serverInfo.icons
  const { pathname } = new URL(icon.src)
  const { status, headers } = await ask(service, null, pathname)
  assert.deepEqual([status, headers['content-type']], [200, icon.mimeType])
})

test('a client that reads no streams gets JSON, for one message or several', async () => {
  const message = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'service_whoami' } })
  const headers = { accept: '*/*' }
  const one = await ask(service, clinic.key, '/mcp', { method: 'POST', headers, body: message(7) })
  assert.equal(one.json.id, 7)
  const both = await ask(service, clinic.key, '/mcp', { method: 'POST', headers, body: [message(1), message(2)] })
  assert.deepEqual(both.json.map(({ id }: { id: number }) => id).sort(), [1, 2])
})

test('the list of tools depends only on the key, and says how long it is valid', async () => {
  const { json } = await send2026(service, clinic.key, 'tools/list')
  assert.equal(json.result.cacheScope, 'private')
  assert.ok(json.result.ttlMs > 0)
  // It is one page, so a cursor of another list does not fit.
  const paged = await send2026(service, clinic.key, 'tools/list', { cursor: 'x' })
  assert.equal(paged.json.error.code, -32602)
})

test('without a valid key the answer is always 401', async () => {
  // Also before a wrong media type is refused.
  const wrong = { 'content-type': 'no type' }
  for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
    const { status, headers } = await ask(service, null, '/mcp', { method, headers: wrong })
    assert.equal(status, 401, method)
    assert.match(String(headers['content-type']), /^application\/problem\+json/)
  }
})

test('a web page of another origin, and a foreign host name, are refused', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const refused: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://api.clinic.example.evil.example' },
    { host: 'evil.example' },
    { host: 'api.clinic.example@evil.example' },
    { host: '127.0.0.1' },
  ]
  for (const headers of refused) {
    const { status, json } = await ask(service, clinic.key, '/mcp', { method: 'POST', headers, body })
    assert.equal(status, 403, JSON.stringify(headers))
    assert.equal(json.status, 403)
  }
  const headers = { origin: 'https://api.clinic.example', host: 'API.clinic.example:443' }
  assert.equal((await ask(service, clinic.key, '/mcp', { method: 'POST', headers, body })).status, 200)
})

test('an installation may allow the web pages of other origins', async () => {
  const open = await startParts({ mcp: { allowedOrigins: ['https://agent.example'] } })
  try {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const key = await keyOf(open.owner, await emptyClinic(open.owner), [])
    const from = (origin: string) => ask(open, key, '/mcp', { method: 'POST', headers: { origin }, body })
    assert.equal((await from('https://agent.example')).status, 200)
    assert.equal((await from('https://agent.example:8443')).status, 403)
  } finally {
    await open.close()
  }
})

test('a refusal of the protocol itself has its own body, with the problem in its data', async () => {
  const got = await ask(service, clinic.key, '/mcp', { method: 'GET' })
  assert.equal(got.status, 405)
  assert.equal(got.headers.allow, 'POST')
  const unknown = await send2026(service, clinic.key, 'patients/list')
  const future = await ask(service, clinic.key, '/mcp', {
    method: 'POST',
    headers: { 'mcp-protocol-version': '2199-01-01' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  const broken = await ask(service, clinic.key, '/mcp', { method: 'POST', body: '{"jsonrpc":' })
  for (const { status, json } of [got, unknown, future, broken]) {
    assert.ok(status >= 400)
    assert.equal(json.jsonrpc, '2.0')
    assert.equal(json.error.data.status, status)
    assert.equal(json.error.data.type.endsWith(`/problems/${json.error.data.code}`), true)
    assert.match(json.error.data.request_id, /^req_/)
  }
})

test('media type, size and rate are refused as HTTP problems', async () => {
  const typed = await ask(service, clinic.key, '/mcp', {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: '{}',
  })
  assert.equal(typed.status, 415)
  const large = await ask(service, clinic.key, '/mcp', { method: 'POST', body: `"${'x'.repeat(64 * 1024)}"` })
  assert.equal(large.status, 413)
  assert.match(String(large.headers['content-type']), /^application\/problem\+json/)
})

test('REST and MCP share the rate limit of a key', async () => {
  const limited = await startParts({ rate: { requests: 2, seconds: 60 } })
  try {
    const key = await keyOf(limited.owner, await emptyClinic(limited.owner), [])
    assert.equal((await ask(limited, key, '/v1/me')).status, 200)
    assert.equal((await send2025(limited, key, 'tools/list')).status, 200)
    const refused = await send2026(limited, key, 'tools/list')
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) > 0)
    assert.match(refused.json.detail, /\d+ seconds/)
  } finally {
    await limited.close()
  }
})
