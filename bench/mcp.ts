// The CPU time that a tool call takes more than the same request over REST, and that listing the tools takes more than `GET /v1/me`. Measures
// the gateway alone, in one process, without sockets, alternating. The backend answers at once from memory, at the same cost for both. A
// simulated request copies what it sends and what it gets. What that alone makes a list dearer, bare routes show.
//
//   node bench/mcp.ts [calls a round]
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Backend, type Principal, readScopes } from '@clinic-data/contract'
import { makeKey } from '@clinic-data/contract/key'
import { Appointment } from '@clinic-data/contract/resources/appointment'
import { exampleOf } from '@clinic-data/contract/schema'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { createGateway } from '@clinic-data/gateway'
import { MemoryRateLimit } from '@clinic-data/gateway/limits/rate-limit'
import { holdYoungSpace, letYoungSpaceGrow } from '@clinic-data/server/young-space'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import Fastify, { type InjectOptions } from 'fastify'
import pino from 'pino'
import { report } from './goal.ts'
import { median } from './wrk.ts'

const ROUNDS = 31
const ROWS = 25
const REVISION = '2026-07-28'
const calls = Number(process.argv[2] ?? 200)
const UNLIMITED = 1_000_000_000

const principal: Principal = {
  key_id: 'k1',
  clinic: DEMO_CLINIC,
  scopes: readScopes,
  rate_limit: null,
  expires_at: null,
}
const rows = Array.from({ length: ROWS }, (_, at) => ({ ...exampleOf(Appointment), id: `a${at}` }))
const backend = {
  authenticate: async () => principal,
  handlers: {
    'appointments.list': async () => ({ data: rows, next: ['2026-07-14T09:00:00.000Z', 'a24'] }),
    'me.get': async () => ({ data: { clinic_id: DEMO_CLINIC.clinic_id, scopes: readScopes } }),
  },
  audit: async () => undefined,
} as unknown as Backend
// As `clinicd serve` does.
holdYoungSpace()
const gateway = await createGateway({
  backend,
  baseUrl: 'http://127.0.0.1:18095',
  secretKeys: parseSecretKeys(`b:${randomBytes(32).toString('base64')}`),
  log: pino({ level: 'info' }, { write: () => undefined }),
  rateLimit: new MemoryRateLimit({ windowMs: 1 }),
  rate: { requests: UNLIMITED, seconds: 60 },
  trustedProxies: [],
  shedAtDelayMs: 0,
})
await gateway.app.ready()
letYoungSpaceGrow()

const headers = { host: '127.0.0.1:18095', authorization: `Bearer ${makeKey()}`, 'content-type': 'application/json' }
const _meta = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

interface Question {
  url: string
  headers: Record<string, string>
  payload?: string
}

const to2025 = (method: string, params: object): Question => ({
  url: '/mcp',
  headers,
  payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})

const to2026 = (method: string, params: { name?: string; arguments?: object }): Question => ({
  ...to2025(method, { ...params, _meta }),
  headers: {
    ...headers,
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(params.name && { 'mcp-name': params.name }),
  },
})

const call = { name: 'appointments_list', arguments: { limit: ROWS } }
const list = to2026('tools/list', {})
const questions = {
  'GET /v1/appointments, 25 rows': { url: `/v1/appointments?limit=${ROWS}`, headers },
  'tools/call, 25 rows': to2026('tools/call', call),
  'tools/call, 25 rows, client of 2025': to2025('tools/call', call),
  'GET /v1/me': { url: '/v1/me', headers },
  'tools/list': list,
  'tools/list, compressed': { ...list, headers: { ...list.headers, 'accept-encoding': 'gzip' } },
  'tools/list, client of 2025': to2025('tools/list', {}),
} satisfies Record<string, Question>
const [rest] = Object.keys(questions)
const ME = 'GET /v1/me'

/** The library's own time for the same message and result. */
const result = JSON.parse(await ask(questions['tools/call, 25 rows'])).result
const library = createMcpHandler(
  () => {
    const server = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/call', () => result)
    return server
  },
  { keepAliveMs: 0 },
)

async function askLibrary(): Promise<void> {
  const { url, headers, payload } = questions['tools/call, 25 rows']
  const accept = 'application/json, text/event-stream'
  const request = new Request(`http://127.0.0.1${url}`, { method: 'POST', headers: { ...headers, accept } })
  const answer = await library.fetch(request, { parsedBody: JSON.parse(payload ?? '') })
  if ((await answer.arrayBuffer()).byteLength < 1000) throw new Error('the library gave no answer')
}

async function ask(question: Question, of = gateway.app): Promise<string> {
  const { payload } = question
  // From a socket each request starts in its own turn of the event loop. Here only one with a body does.
  if (payload === undefined) await setImmediate()
  const asked: InjectOptions = { ...question, method: payload === undefined ? 'GET' : 'POST' }
  const answer = await of.inject(asked)
  const { statusCode, payload: text } = answer
  // A refusal is short, and to search every answer for one would be measured too.
  if (statusCode !== 200 || (text.length < 1000 && /"isError":true|"error":/.test(text))) throw new Error(text)
  return text
}

/** Answers with the same, and does nothing else. */
async function bareRoute(name: keyof typeof questions) {
  const question = questions[name]
  const answer = await ask(question)
  const bare = Fastify()
  bare.addHttpMethod('POST', { hasBody: false, overrideExisting: true })
  bare.all(question.url, (_, reply) => reply.type('application/json').send(Buffer.from(answer)))
  await bare.ready()
  return () => ask(question, bare)
}

/** Microseconds of CPU time. */
async function cpuOf(ask: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let done = 0; done < calls; done++) await ask()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
  ...Object.fromEntries(Object.entries(questions).map(([name, question]) => [name, () => ask(question)])),
  'library alone, for tools/call': askLibrary,
  'a bare route, for GET /v1/me': await bareRoute(ME),
  'a bare route, for tools/list': await bareRoute('tools/list'),
}
const measured = new Map(Object.keys(tasks).map((name) => [name, [] as number[]]))
// The first round warms up.
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, one] of Object.entries(tasks)) {
    const cpu = await cpuOf(one)
    if (round > 0) measured.get(name)?.push(cpu)
  }
}
const of = (name = '') => measured.get(name) ?? []
const above = (name: string, other = '') => median(of(name).map((one, round) => one - (of(other)[round] ?? 0)))
process.stdout.write('| question | CPU (µs) | above REST (µs) |\n|---|---|---|\n')
for (const name of Object.keys(tasks)) {
  const more = name.startsWith('tools/call') ? Math.round(above(name, rest)) : ''
  process.stdout.write(`| ${name} | ${Math.round(median(of(name)))} | ${more} |\n`)
}
const simulated = above('a bare route, for tools/list', 'a bare route, for GET /v1/me')
for (const generation of ['', ', client of 2025']) {
  const list = Math.round(above(`tools/list${generation}`, ME) - simulated)
  const opponent = 'GET /v1/me, and what bare routes of both differ by'
  report({ name: `MCP tools/list${generation}, CPU above`, value: list, unit: 'µs', limit: { atMost: 25 }, opponent })
  const call = Math.round(above(`tools/call, 25 rows${generation}`, rest))
  const name = `MCP tools/call, 25 rows${generation}, CPU above REST`
  report({ name, value: call, unit: 'µs', limit: { atMost: 100 }, opponent: 'the same over REST' })
}
process.stdout.write(`\ntools/list: ${(await ask(questions['tools/list'])).length} characters\n`)
await gateway.close()
