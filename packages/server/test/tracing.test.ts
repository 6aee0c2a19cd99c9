// Traces: a request is one tree from the gateway to its statements, also through the port, and no span holds anything of its content.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { clinicToWriteTo } from '@clinic-data/testing/grounds/crash-load'
import { startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { type ReceivedSpan, spanReceiver } from './span-receiver.ts'

const { url, owner } = await ownGround(schema)
const folder = await mkdtemp(join(tmpdir(), 'tracing-'))
after(() => rm(folder, { recursive: true, force: true }))
const { clinic_id, key } = await clinicToWriteTo(owner)
const SECRET_KEYS = `t:${randomBytes(32).toString('base64')}`
const BACKEND_TOKEN = randomBytes(24).toString('hex')
/** In every field of the requests, in forms that the fields take. */
const MARKER = 'canary7263549'
const PHONE = '0507263549'
const CONTENT = [MARKER, PHONE, '507263549', key, clinic_id, BACKEND_TOKEN]

const storage = { DATABASE_URL: url, DATA_DIR: folder, SECRET_KEYS }

/** Requests with the marker wherever a client can write. */
async function askEverything(address: string): Promise<number[]> {
  const bearer = { authorization: `Bearer ${key}` }
  const json = { ...bearer, 'content-type': 'application/json' }
  const tool = { name: 'patients_list', arguments: { query: MARKER } }
  const lead = {
    first_name: MARKER,
    last_name: MARKER,
    phone: PHONE,
    external_id: MARKER,
    source: 'social',
    note: MARKER,
  }
  const trace = { traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01`, tracestate: `x=${MARKER}` }
  const requests: [string, RequestInit][] = [
    [`/v1/patients?query=${MARKER}&limit=2`, { headers: { ...bearer, 'x-canary': MARKER, ...trace } }],
    [`/v1/patients?phone=${PHONE}`, { headers: bearer }],
    [`/v1/patients/${MARKER}`, { headers: bearer }],
    [`/v1/nothing/${MARKER}?q=${MARKER}`, { headers: bearer }],
    [`/files/${MARKER}`, {}],
    ['/v1/me', { headers: { authorization: `Bearer sk_live_${MARKER}` } }],
    ['/v1/leads', { method: 'POST', headers: { ...json, 'idempotency-key': MARKER }, body: JSON.stringify(lead) }],
    ['/v1/leads', { method: 'POST', headers: json, body: `{"${MARKER}":` }],
    [`/v1/leads/${MARKER}`, { method: 'PATCH', headers: json, body: JSON.stringify({ notes: MARKER }) }],
    [
      '/v1/query',
      {
        method: 'POST',
        headers: json,
        body: JSON.stringify({
          dataset: 'treatments',
          measures: ['net_revenue'],
          filters: [
            { field: 'effective_date', op: 'between', value: ['2026-01-01', '2026-06-30'] },
            { field: 'provider', op: 'in', value: [MARKER] },
          ],
        }),
      },
    ],
    [
      '/mcp',
      {
        method: 'POST',
        headers: { ...json, accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }),
      },
    ],
    ['/healthz', {}],
    ['/readyz', {}],
  ]
  const statuses: number[] = []
  for (const [path, init] of requests) {
    const answer = await fetch(address + path, init)
    await answer.text()
    statuses.push(answer.status)
  }
  return statuses
}

function attributeOf(span: ReceivedSpan, name: string): unknown {
  const attribute = span.attributes.find((one) => one.key === name)
  return Object.values(attribute?.value ?? {})[0]
}

/** The names from the first span of a trace down to this one. */
function pathOf(span: ReceivedSpan, all: readonly ReceivedSpan[]): string[] {
  const parent = all.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId)
  return [...(parent ? pathOf(parent, all) : []), span.name]
}

function assertNoContent(bodies: readonly string[]): void {
  const whole = bodies.join('\n')
  for (const content of CONTENT) assert.ok(!whole.includes(content), `a span holds ${content.slice(0, 12)}…`)
}

test('a request through a separate gateway is one trace down to its statements, and no span holds its content', async () => {
  const receiver = await spanReceiver()
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.address }
  const backend = await startClinicd(['--role', 'backend'], { ...storage, ...traced, BACKEND_TOKEN })
  const gateway = await startClinicd(['--role', 'gateway'], {
    SECRET_KEYS,
    DATA_DIR: folder,
    BACKEND_URL: backend.adminAddress,
    BACKEND_TOKEN,
    ...traced,
  })
  const logged: string[] = []
  createInterface({ input: gateway.child.stderr as NodeJS.ReadableStream }).on('line', (line) => logged.push(line))
  const statuses = await askEverything(gateway.address)
  assert.equal(statuses.filter((status) => status >= 500).length, 0, statuses.join(' '))
  assert.deepEqual(statuses, [200, 200, 404, 404, 404, 401, 201, 400, 405, 200, 200, 200, 200])
  assert.ok(statuses.includes(201), `a lead was written: ${statuses.join(' ')}`)
  assert.equal(await gateway.end('SIGINT'), 0)
  assert.equal(await backend.end('SIGINT'), 0)
  const spans = receiver.spans()
  const paths = new Set(spans.map((span) => pathOf(span, spans).join(' > ')))
  const call = [...paths].filter((path) => path.startsWith('GET /v1/patients > patients.list'))
  assert.ok(
    call.some((path) => /^GET \/v1\/patients > patients\.list > POST (\S+) > POST \1 > SELECT patient/.test(path)),
    [...paths].join('\n'),
  )
  assert.ok(
    [...paths].some((path) => /^POST \/v1\/leads > leads\.create > .* lead/.test(path)),
    [...paths].join('\n'),
  )
  assert.ok(
    [...paths].some((path) => path.startsWith('POST /mcp > patients.list')),
    [...paths].join('\n'),
  )
  assert.deepEqual([...new Set(spans.map(({ role }) => role))].sort(), ['backend', 'gateway'])
  const missing = spans.find(({ name }) => name === 'GET /v1/patients/{id}')
  assert.ok(missing && Number(attributeOf(missing, 'http.response.status_code')) === 404)
  assert.ok(!spans.some(({ name }) => /healthz|readyz/.test(name)), 'a probe is no request')
  // A client cannot make the service record into its own trace.
  assert.ok(!spans.some(({ traceId }) => traceId === 'c'.repeat(32)))
  assertNoContent(receiver.bodies)
  const found = logged.map((line) => JSON.parse(line)).find(({ route }) => route === '/v1/patients/{id}')
  assert.equal(found?.trace_id, missing.traceId, 'the line of a traced request names its trace')
  assert.equal(found?.span_id, missing.spanId)
})
