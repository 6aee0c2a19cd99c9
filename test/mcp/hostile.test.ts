// Requests that no well-meaning MCP client sends. Each gets the right refusal and never a 500, and none of its content is logged.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import test from 'node:test'
import { ask, emptyClinic, keyOf, servedClinic, startParts } from '@clinic-data/testing/run/test-service'
import { ACCEPT, callTool, eventsOf, generations, type Params, send2025, send2026 } from './messages.ts'

const { service, clinic } = await servedClinic()

const post = (body: unknown, headers: Record<string, string> = {}) =>
  ask(service, clinic.key, '/mcp', { method: 'POST', headers: { accept: ACCEPT, ...headers }, body })

/** As a 2025 client sends it. */
const call = (id: unknown, name: unknown, toolArguments: unknown = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: toolArguments },
})

test('the protocol refuses an invalid message, and none causes a 500', async () => {
  const bodies: unknown[] = [
    ...[null, 0, 'x', true, [], {}, [[]], [null], { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ...[
      { jsonrpc: '2.0', id: {}, method: 'ping' },
      { jsonrpc: '2.0', id: 1, method: 5 },
      { jsonrpc: '2.0', id: 1 },
    ],
    ...[
      '{',
      '{"a":1}{}',
      `${'['.repeat(50)}${']'.repeat(50)}`,
      '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}',
    ],
    ...[call(1, { toString: 1 }), call(1, 'patients_list', []), call(1, 'patients_list', 'x'), call(1, 5)],
  ]
  for (const body of bodies) {
    const { status, text } = await post(body)
    assert.ok(status < 500, `${status} for ${JSON.stringify(body)}`)
    assert.match(text === '' ? '"error"' : text, /"error"/, JSON.stringify(body))
  }
})

test('params of another form are told by one sentence of what the method takes, in both generations', async () => {
  const ref = { type: 'ref/prompt', name: 'recall_list' }
  const wrong: [method: string, params: object][] = [
    ...[{}, { name: 5 }, { name: 'recall_list', arguments: { date: 7 } }, { name: 'recall_list', arguments: [] }].map(
      (params): [string, object] => ['prompts/get', params],
    ),
    ...[{}, { uri: 5 }, { uri: null }].map((params): [string, object] => ['resources/read', params]),
    ...[
      {},
      { ref },
      { ref: 'recall_list', argument: { name: 'date', value: '2' } },
      { ref, argument: { name: 'date' } },
    ].map((params): [string, object] => ['completion/complete', params]),
    ...[{ name: 5 }, { name: 'patients_list', arguments: 'all' }].map((params): [string, object] => [
      'tools/call',
      params,
    ]),
    ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'].map((method): [string, object] => [
      method,
      { cursor: 5 },
    ]),
  ]
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const greetings = [
    {},
    { ...hello, protocolVersion: 5 },
    { ...hello, capabilities: 'all' },
    { ...hello, clientInfo: {} },
  ]
  const sent = [
    ...Object.values(generations).flatMap((send) => wrong.map(([method, params]) => ({ send, method, params }))),
    ...greetings.map((params) => ({ send: send2025, method: 'initialize', params })),
  ]
  for (const { send, method, params } of sent) {
    const { status, json, text } = await send(service, clinic.key, method, params as Params)
    assert.ok(status < 500, text)
    assert.deepEqual([json.error?.code, /^[A-Za-z][^\n[{]{10,160}\.$/.test(json.error?.message)], [-32602, true], text)
  }
})

test('the names that every JavaScript object has are not tools, arguments or fields', async () => {
  for (const name of [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'patients_list\u0000',
    '',
    'x'.repeat(60_000),
    'צ\u202e',
  ]) {
    const { status, json, text } = await send2026(service, clinic.key, 'tools/call', {
      name: 'patients_list',
      arguments: { [name]: 1 },
    })
    assert.ok(status === 400 || json.result.isError === true, text.slice(0, 200))
    const unknown = await post(call(1, name))
    assert.ok(unknown.status === 400 || eventsOf(unknown.text)[0].error.code === -32602)
    assert.ok(unknown.text.length < 2000, 'a refusal is short')
  }
  for (const fields of [['__proto__'], ['constructor'], [], Array(1000).fill('id'), 'id', [1]]) {
    const { isError, structured } = await callTool(service, clinic.key, 'patients_list', { fields })
    assert.ok(isError || structured.data.every((row: object) => Object.keys(row).length === 0))
  }
})

test("a message's id returns unchanged, even a strange one", async () => {
  for (const id of ['x'.repeat(10_000), 'צ\u202e', '', 0, -1, 1.5, '__proto__', Number.MAX_SAFE_INTEGER]) {
    const { status, text } = await post(call(id, 'service_whoami'))
    if (status === 200) assert.equal(eventsOf(text)[0].id, id)
    else assert.equal(status, 400)
  }
})

test('a batch counts once per message, and holds at most as many messages as a key may run at once', async () => {
  const limited = await startParts({ rate: { requests: 5, seconds: 60 } })
  try {
    const key = await keyOf(limited.owner, await emptyClinic(limited.owner), [])
    const batch = (size: number) =>
      ask(limited, key, '/mcp', {
        method: 'POST',
        headers: { accept: ACCEPT },
        body: Array.from({ length: size }, (_, at) => call(at, 'service_whoami')),
      })
    const served = await batch(3)
    assert.deepEqual(
      eventsOf(served.text)
        .map(({ id }) => id)
        .sort(),
      [0, 1, 2],
    )
    assert.equal((await batch(3)).status, 429)
    assert.equal((await ask(limited, key, '/v1/me')).status, 429)
  } finally {
    await limited.close()
  }
  assert.equal((await post(Array.from({ length: 21 }, (_, at) => call(at, 'service_whoami')))).status, 400)
})

test('two messages of a batch with one id are answered once, and nothing hangs', async () => {
  const { status, text } = await post([call(1, 'service_whoami'), call(1, 'service_whoami')])
  assert.equal(status, 200)
  assert.ok(eventsOf(text).length >= 1)
})

test('a message without an answer is accepted without a body', async () => {
  const { status, text } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  assert.deepEqual([status, text], [202, ''])
})

test('headers of the protocol that contradict the body are refused', async () => {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list', 'mcp-name': 'patients_list' }
  const { status, json } = await post(
    { ...call(1, 'service_whoami'), params: { ...call(1, 'service_whoami').params, _meta: envelope } },
    headers,
  )
  assert.deepEqual([status, json.error.code, json.error.data.status], [400, -32020, 400])
})

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

test('a client that disconnects in the middle of its body, or before its answer, causes no leak', async () => {
  const port = Number(new URL(await service.address()).port)
  const body = JSON.stringify(call(1, 'patients_list'))
  const head = (length: number) =>
    [
      'POST /mcp HTTP/1.1',
      'Host: api.clinic.example',
      `Authorization: Bearer ${clinic.key}`,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      '',
      '',
    ].join('\r\n')
  for (const sent of [head(body.length + 10) + body, head(body.length) + body]) {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(sent)
    socket.destroy()
    await once(socket, 'close')
  }
  assert.equal((await callTool(service, clinic.key, 'service_whoami')).isError, false)
  assert.deepEqual(
    service.logLines.filter((line) => JSON.parse(line).level >= 50),
    [],
  )
})

test('the log holds no content of the requests', () => {
  assert.doesNotMatch(service.logLines.join('\n'), /service_whoami|x{50}|hasOwnProperty/)
})
