// The two messages that the gateway answers itself: the library would answer each of them byte for byte alike. A message is sent
// twice: as it is, and with a member of the protocol that changes nothing, so that the library answers it.
import assert from 'node:assert/strict'
import test from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { tools } from '@clinic-data/contract/projections/tools'
import type { ContractTool } from '@clinic-data/gateway/mcp/mcp-tool'
import { plainReader } from '@clinic-data/gateway/mcp/plain-message'
import { ask, keyOf, servedClinic } from '@clinic-data/testing/run/test-service'
import { ACCEPT, REVISION } from './messages.ts'

const { service, clinic } = await servedClinic()

type Members = Record<string, unknown>
type Headers = Record<string, string>
interface Message {
  headers: Headers
  body: Members
}

const readPlain = plainReader(tools().map(({ name }) => ({ definition: { name } }) as unknown as ContractTool))
const isPlain = ({ body, headers }: Message) => readPlain(body, headers) !== null

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
/** Members that no answer of ours depends on, and that only the library reads. */
const LIBRARY_ONLY = {
  2025: { 'io.modelcontextprotocol/related-task': { taskId: 't' } },
  2026: { 'io.modelcontextprotocol/logLevel': 'info' },
} as const

type Generation = keyof typeof LIBRARY_ONLY

function messageOf(generation: Generation, method: string, params: Members = {}): Message {
  const message = { jsonrpc: '2.0', id: 1, method }
  if (generation === 2025) return { headers: { accept: ACCEPT }, body: { ...message, params } }
  const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {}
  const headers = { 'mcp-protocol-version': REVISION, 'mcp-method': method, ...name }
  return { headers, body: { ...message, params: { ...params, _meta: ENVELOPE } } }
}

function forLibrary({ headers, body }: Message, generation: Generation): Message {
  const { params = {} } = body as { params?: Members }
  const _meta = { ...(params._meta as Members | undefined), ...LIBRARY_ONLY[generation] }
  return { headers, body: { ...body, params: { ...params, _meta } } }
}

const send = ({ headers, body }: Message, key: string) => ask(service, key, '/mcp', { method: 'POST', headers, body })

/** An answer without the parts that differ between two requests. */
async function answerTo(message: Message, key: string) {
  const { status, headers, text } = await send(message, key)
  const type = headers['content-type']
  return { status, type, length: headers['content-length'], text: text.replaceAll(/req_[0-9a-f]{32}/g, 'req') }
}

async function assertAlike(message: Message, generation: Generation, key = clinic.key): Promise<void> {
  const other = forLibrary(message, generation)
  assert.equal(isPlain(message), true)
  assert.equal(isPlain(other), false)
  assert.deepEqual(await answerTo(message, key), await answerTo(other, key), JSON.stringify(message).slice(0, 500))
}

/** Asserts that some of these messages are plain, each wrong or unusual somewhere: those must be answered as by the library. */
async function assertSomePlain(messages: readonly Message[], generation: Generation): Promise<void> {
  const plain = messages.filter(isPlain)
  assert.ok(plain.length > 0 && plain.length < messages.length / 2, `${plain.length} of ${messages.length} are plain`)
  for (const message of plain) await assertAlike(message, generation)
}

const CALLS: readonly Members[] = [
  { name: 'service_whoami' },
  { name: 'service_whoami', arguments: { no: 1 } },
  { name: 'patients_list', arguments: { limit: 3 } },
  { name: 'patients_list', arguments: { limit: 3, fields: ['id'] } },
  { name: 'patients_list', arguments: { branch_id: 'none', limit: 'x' } },
  { name: 'appointments_list', arguments: { branch_id: 'none' } },
  { name: 'catalog_list', arguments: { kind: 'branches' } },
  { name: 'catalog_list', arguments: { kind: 'planets' } },
  { name: 'patients_get', arguments: { patient_id: 'none' } },
  { name: 'metrics_describe', arguments: {} },
]

const generations = [2025, 2026] as const

for (const generation of generations) {
  test(`a plain call of ${generation} is answered as by the library: results, warnings, cuts and problems`, async () => {
    for (const params of CALLS) {
      const message = messageOf(generation, 'tools/call', params)
      await assertAlike(message, generation)
      const { accept: _, ...headers } = message.headers
      await assertAlike({ ...message, headers }, generation)
      await assertAlike({ ...message, headers: { ...headers, accept: 'application/json' } }, generation)
    }
  })

  test(`the list of tools is the library's for a client of ${generation}, with every set of scopes`, async () => {
    const keys = [clinic.key]
    for (const scopes of [[], ['patients:read'], ['chat:read', 'analytics:read']] as const)
      keys.push(await keyOf(service.owner, clinic.clinic, scopes))
    for (const key of keys) await assertAlike(messageOf(generation, 'tools/list'), generation, key)
    const called = messageOf(generation, 'tools/call', { name: 'patients_list' })
    for (const key of keys) await assertAlike(called, generation, key)
  })

  test(`a message of ${generation} that deviates from the plain form is answered as by the library`, async () => {
    const list = messageOf(generation, 'tools/list')
    const call = messageOf(generation, 'tools/call', { name: 'service_whoami', arguments: {} })
    for (const { headers, body } of [list, call]) {
      const bodies = changed(body, MEMBERS)
      const params = changed(body.params as Members, PARAMS).map((params) => ({ ...body, params }))
      await assertSomePlain(
        [...bodies, ...params]
          .map((body) => ({ headers, body }))
          .concat(changed(headers, HEADERS).map((headers) => ({ headers: headers as Headers, body }))),
        generation,
      )
    }
  })
}

test('a list of tools is the same however it is compressed, whatever the id of its message', async () => {
  const { headers, body } = messageOf(2026, 'tools/list')
  const keys = [clinic.key, await keyOf(service.owner, clinic.clinic, ['catalog:read'])]
  const plain = await Promise.all(keys.map(async (key) => (await send({ headers, body }, key)).json.result))
  const opened = { gzip: gunzipSync, br: brotliDecompressSync, identity: (bytes: Buffer) => bytes }
  for (const [accepted, expected] of [
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['identity', 'identity'],
  ] as const)
    for (const id of [0, 1, 7, 1, 10, -1, 'x', '1'])
      for (const [at, key] of keys.entries()) {
        const answer = await service.send({
          method: 'POST',
          url: '/mcp',
          headers: {
            ...headers,
            host: 'api.clinic.example',
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'accept-encoding': accepted,
          },
          payload: JSON.stringify({ ...body, id }),
        })
        const { 'content-encoding': encoding = 'identity' } = answer.headers
        assert.equal(encoding, expected)
        const json = JSON.parse(opened[expected](answer.bytes).toString())
        assert.deepEqual([json.id, json.result], [id, plain[at]])
      }
})

test('what a client tells of itself in a message of 2026 is read as by the library', async () => {
  const { headers, body } = messageOf(2026, 'tools/call', { name: 'service_whoami' })
  const metas = changed(ENVELOPE, META)
  const messages = metas.map((_meta) => ({ headers, body: { ...body, params: { name: 'service_whoami', _meta } } }))
  await assertSomePlain(messages, 2026)
})

test('a batch, a notification and anything that is no message are not plain', () => {
  const { headers, body } = messageOf(2025, 'tools/list')
  const { id: _, ...notification } = body
  for (const other of [[], [body], notification, null, 'x', 5, true, undefined])
    assert.equal(readPlain(other, headers), null)
})

/** Values of every kind, most of which are wrong somewhere. */
const VALUES = [null, 0, -1, 1.5, 1e300, true, '', 'x', 'צ"\\\u2028', '=?base64?eA==?=', [], ['x'], {}, { x: 1 }]
const MEMBERS = { jsonrpc: ['1.0', ...VALUES], id: VALUES, method: ['ping', 'tools/lists', ...VALUES], params: VALUES }
const PARAMS = { name: ['patients_delete', 'constructor', ...VALUES], arguments: VALUES, cursor: VALUES, task: VALUES }
const HEADERS = {
  'mcp-protocol-version': ['2025-11-25', '2025-06-18', '2024-10-07', '2026-07-29', '2199-01-01', 'x', REVISION],
  'mcp-method': ['tools/list', 'tools/call', 'ping'],
  'mcp-name': ['service_whoami', 'patients_list', '=?base64?c2VydmljZV93aG9hbWk=?=', '=?base64?%?='],
  'mcp-session-id': ['x'],
}
const CLIENTS = [{ name: 'x' }, { name: 'x', version: 1 }, { name: 'x', version: '1', title: 5 }, { version: '1' }]
const META = {
  'io.modelcontextprotocol/protocolVersion': ['2025-11-25', '2199-01-01', ...VALUES],
  'io.modelcontextprotocol/clientInfo': [...CLIENTS, { name: 'x', version: '1', title: 't', icons: 5 }, ...VALUES],
  'io.modelcontextprotocol/clientCapabilities': [
    ...['sampling', 'roots', 'elicitation', 'extensions', 'experimental', 'x'].flatMap((name) =>
      VALUES.map((value) => ({ [name]: value })),
    ),
    ...VALUES,
  ],
  'io.modelcontextprotocol/x': VALUES,
  progressToken: VALUES,
  'client.example/trace': VALUES,
}

/** Each value in place of a member, the object without it, and with a member too many. */
function changed(object: Readonly<Members>, values: Readonly<Record<string, readonly unknown[]>>): Members[] {
  return Object.entries(values).flatMap(([name, others]) => {
    const { [name]: _, ...rest } = object
    return [rest, { ...object, another: 'x' }, ...others.map((value) => ({ ...object, [name]: value }))]
  })
}
