// The requests and results of the client, and that it never shows the key.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { inspect } from 'node:util'
import { allOperations } from '@clinic-data/contract'
import { codeSamples } from '@clinic-data/contract/projections/code-samples'
import { ClinicDataClient, ConnectionError, type ProblemError, UnexpectedAnswerError } from '../src/client.ts'
import { problem, scriptedServer } from './scripted-server.ts'

const server = await scriptedServer()
const elsewhere = await scriptedServer()
const apiKey = `sk_live_${'k'.repeat(20)}`
const client = new ClinicDataClient({ apiKey, baseUrl: server.url, maxRetries: 0 })

beforeEach(() => {
  server.requests.length = 0
  server.script = [{}]
})

test('a method puts ids into the path and the rest into query or body, and omits undefined values', async () => {
  await client.patients.get('p/1 ä', { response_format: 'detailed' })
  await client.webhooks.deliveries.retry('wh1', 'dlv?1')
  await client.leads.create({ first_name: 'דנה', phone: '050', source: 'website' })
  await client.request('patients.list', { query: { query: 'Le vi&', limit: 3, phone: undefined } })
  const requests = server.requests.map(({ method, path, body }) => [method, path, body])
  assert.deepEqual(requests, [
    ['GET', '/v1/patients/p%2F1%20%C3%A4?response_format=detailed', ''],
    ['POST', '/v1/webhooks/wh1/deliveries/dlv%3F1/retry', ''],
    ['POST', '/v1/leads', '{"first_name":"דנה","phone":"050","source":"website"}'],
    ['GET', '/v1/patients?query=Le%20vi%26&limit=3', ''],
  ])
  for (const { headers } of server.requests) {
    assert.equal(headers.authorization, `Bearer ${apiKey}`)
    assert.match(headers['user-agent'] ?? '', /^clinic-data-client\/\d/)
  }
  assert.deepEqual(
    server.requests.map(({ headers }) => headers['content-type']),
    [undefined, undefined, 'application/json', undefined],
  )
})

test('an id that would lead to another path, and an unknown operation, are refused before anything is sent', async () => {
  for (const id of ['', '.', '..', undefined, null, 7, {}]) {
    await assert.rejects(client.patients.get(id as string), TypeError)
  }
  await assert.rejects(client.request('patients.remove'), TypeError)
  await assert.rejects(client.request('constructor'), TypeError)
  assert.throws(() => client.pages('me.get'), TypeError)
  assert.equal(server.requests.length, 0)
})

test('an impossible setting is refused before anything is sent', async () => {
  for (const options of [
    ...[
      { maxRetries: Number.NaN },
      { maxRetries: -1 },
      { maxRetries: 1.5 },
      { timeoutMs: 0 },
      { timeoutMs: Number.NaN },
    ],
    ...[
      { idempotencyKey: '' },
      { idempotencyKey: 'a\nb' },
      { idempotencyKey: 'מפתח' },
      { idempotencyKey: 'x'.repeat(256) },
    ],
  ]) {
    await assert.rejects(client.payments.create('p1', { amount: 1, method_type: 'cash' }, options), TypeError)
  }
  assert.equal(server.requests.length, 0)
  await client.me.get({}, { timeoutMs: Number.POSITIVE_INFINITY })
  assert.equal(server.requests.length, 1)
})

test('a base address may have a path, and one that would expose the key is refused', async () => {
  await new ClinicDataClient({ apiKey, baseUrl: `${server.url}/clinic-api/` }).me.get()
  assert.equal(server.requests[0]?.path, '/clinic-api/v1/me')
  for (const baseUrl of [
    'https://api.clinic.example',
    'http://localhost:8080/',
    'http://[::1]:1',
    'http://127.9.9.9',
  ]) {
    new ClinicDataClient({ apiKey, baseUrl })
  }
  for (const baseUrl of [
    ...['http://api.clinic.example', 'http://127.0.0.1.evil.example', 'http://localhost.example', 'ftp://localhost'],
    ...['https://user:word@api.clinic.example', 'https://api.clinic.example/?a=1', 'https://a.example/#x', 'api', ''],
  ]) {
    assert.throws(() => new ClinicDataClient({ apiKey, baseUrl }), TypeError, baseUrl)
  }
})

test('a base address that ends in /v1 is told', () => {
  for (const baseUrl of ['https://api.clinic.example/v1', 'http://localhost:8080/clinic/v1/'])
    assert.throws(() => new ClinicDataClient({ apiKey, baseUrl }), /leave out \/v1/, baseUrl)
})

test('an error of an answer that is not the service’s names the address, without path and key', async () => {
  server.script = [{ status: 404, body: '<html>', headers: { 'x-request-id': 'req_9' } }]
  await assert.rejects(client.patients.get('p1'), (error) => {
    assert.ok(error instanceof UnexpectedAnswerError)
    assert.ok(error.message.startsWith(`the answer of ${server.url}, of status 404, is not one of the service`))
    assert.ok(error.message.endsWith('(request_id req_9)') && !error.message.includes('p1'))
    return true
  })
})

test('a redirect is refused and the key is sent nowhere else', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    server.script = [{ status, headers: { location: `${elsewhere.url}/v1/me` } }]
    await assert.rejects(client.me.get(), UnexpectedAnswerError)
  }
  assert.equal(elsewhere.requests.length, 0)
})

test('the client, its errors and their causes never show the key, however they are printed', async () => {
  const shown: unknown[] = [client, client.patients.list()]
  const note = (error: unknown) => void shown.push(error)
  server.script = [problem('unauthorized', 401)]
  await client.me.get().catch(note)
  server.script = ['reset']
  await client.me.get().catch(note)
  // A fetch whose errors hold the request, like some libraries' errors.
  const careless = async (_: string, init: RequestInit): Promise<never> => {
    const { authorization } = init.headers as Record<string, string>
    throw Object.assign(new Error(`failed: ${authorization}`, { cause: new Error(authorization) }), { init })
  }
  await new ClinicDataClient({ apiKey, baseUrl: server.url, fetch: careless, maxRetries: 0 }).me.get().catch(note)
  assert.throws(
    () => new ClinicDataClient({ apiKey: `${apiKey}\n`, baseUrl: server.url }),
    (error) => !note(error),
  )
  assert.equal(shown.length, 6)
  for (const one of shown) {
    const texts = [
      inspect(one, { depth: null, showHidden: true, getters: true }),
      JSON.stringify(one),
      String(one),
      (one as Error).stack ?? '',
    ]
    for (const text of texts) assert.ok(!text.includes(apiKey), text)
  }
})

test('a failed connection says why, without the request', async () => {
  const nobody = new ClinicDataClient({ apiKey, baseUrl: 'http://127.0.0.1:9/clinic/', maxRetries: 0 })
  await assert.rejects(nobody.me.get(), (error) => {
    assert.ok(error instanceof ConnectionError)
    assert.match(error.message, /^the connection to the service failed: http:\/\/127\.0\.0\.1:9$/)
    assert.equal(error.request_id, null)
    return true
  })
})

const page = (rows: string[], next_cursor: string | null) => ({
  body: JSON.stringify({ data: rows.map((id) => ({ id })), next_cursor }),
})

test('rows are requested page by page, only while they are walked, and again by each walk', async () => {
  const patients = client.patients.list({ query: 'Levi', limit: 2 })
  assert.equal(server.requests.length, 0)
  server.script = [page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null)]
  const ids: string[] = []
  for await (const { id } of patients) ids.push(id)
  assert.deepEqual(ids, ['a', 'b', 'c'])
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    ['', '&cursor=c1', '&cursor=c2'].map((cursor) => `/v1/patients?query=Levi&limit=2${cursor}`),
  )
  server.script = [page(['a', 'b'], 'c1')]
  for await (const { id } of patients) if (id === 'a') break
  assert.equal(server.requests.length, 4)
})

test("page() requests one page, pages() requests all, from the input's cursor on", async () => {
  server.script = [page(['a'], 'c9')]
  assert.deepEqual(await client.patients.list({ cursor: 'c8' }).page(), { data: [{ id: 'a' }], next_cursor: 'c9' })
  assert.equal(server.requests[0]?.path, '/v1/patients?cursor=c8')
  server.script = [page(['a'], 'c9'), page(['b'], null)]
  const pages: number[] = []
  for await (const { data } of client.patients.list().pages()) pages.push(data.length)
  assert.deepEqual(pages, [1, 1])
})

test('further pages are as large as allowed, unless the call says otherwise', async () => {
  server.script = [page(['a'], 'c1'), page(['b'], null)]
  for await (const { id } of client.patients.list({ query: 'Levi' })) assert.ok(id)
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    ['/v1/patients?query=Levi', '/v1/patients?query=Levi&limit=100&cursor=c1'],
  )
})

test('awaiting a list requests its page once, and walks begin with the page that came', async () => {
  const patients = client.patients.list({ limit: 1 })
  server.script = [page(['a'], 'c1'), page(['b'], null)]
  const [first, again] = await Promise.all([patients, patients])
  assert.deepEqual([first, await patients, again], Array(3).fill({ data: [{ id: 'a' }], next_cursor: 'c1' }))
  assert.equal(server.requests.length, 1)
  const ids: string[] = []
  for await (const { id } of patients) ids.push(id)
  assert.deepEqual(ids, ['a', 'b'])
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    ['/v1/patients?limit=1', '/v1/patients?limit=1&cursor=c1'],
  )
})

test('a walk and an await at once request the first page once, whichever begins', async () => {
  server.script = [page(['a'], null)]
  const walked = async (rows: AsyncIterable<{ id: string }>) => {
    for await (const { id } of rows) return id
    return undefined
  }
  const [one, other] = [client.patients.list(), client.patients.list()]
  assert.deepEqual(await Promise.all([walked(one), one.then(({ data }) => data[0]?.id)]), ['a', 'a'])
  assert.deepEqual(await Promise.all([other.then(({ data }) => data[0]?.id), walked(other)]), ['a', 'a'])
  assert.equal(server.requests.length, 2)
})

test('a list that fails rejects whoever awaits or walks it, and asks again when it is awaited again', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  const patients = client.patients.list()
  server.script = [problem('forbidden', 403)]
  const walk = async () => {
    for await (const row of patients) void row
  }
  const outcomes = await Promise.allSettled([patients, walk(), patients.finally(), patients])
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code),
    Array(4).fill('forbidden'),
  )
  assert.equal(server.requests.length, 1)
  assert.equal(await patients.catch((error) => (error as ProblemError).status), 403)
  server.script = [page(['a'], null)]
  assert.deepEqual((await patients).data, [{ id: 'a' }])
  // Rejections are reported once all microtasks have run.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  assert.deepEqual(unhandled, [])
})

test('a deletion returns nothing', async () => {
  server.script = [{ status: 204 }]
  assert.equal(await client.webhooks.delete('wh1'), undefined)
  assert.deepEqual(await client.request('webhooks.delete', { params: { id: 'wh1' } }).then(({ status }) => status), 204)
})

test("the reference's example call of each operation is a program that sends the same request as its curl", async () => {
  const AsyncFunction = (async () => undefined).constructor as new (...parts: string[]) => (c: unknown) => Promise<void>
  for (const operation of allOperations) {
    const samples = Object.fromEntries(codeSamples(operation).map(({ label, source }) => [label, source]))
    server.requests.length = 0
    const rows = operation.ids.delivery_id === undefined ? [] : ['$DELIVERY_ID']
    server.script = [operation.shape === 'none' ? { status: 204 } : page(rows, null), page([], null)]
    await new AsyncFunction('client', samples.client ?? '')(client)
    const [, method = 'GET', address = ''] =
      /^curl (?:-X (\w+) )?"\$SC_BASE_URL([^"]*)"/m.exec(samples.curl ?? '') ?? []
    const request = server.requests.at(-1)
    const [shown, sent] = [new URL(address, server.url), new URL(request?.path ?? '', server.url)]
    assert.deepEqual(
      [
        request?.method,
        decodeURIComponent(sent.pathname),
        [...sent.searchParams],
        request?.body && JSON.parse(request.body),
      ],
      [method, shown.pathname, [...shown.searchParams], operation.example.body ?? ''],
      operation.id,
    )
  }
})
