// A remote backend's files: streamed, with ranges, and refused when their headers do not describe them.
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type OpenedFile, Problem } from '@clinic-data/contract'
import { faultProxy } from '@clinic-data/testing/receivers/fault-proxy'
import { httpBackend } from '../src/http-backend/http-backend.ts'
import { type Answer, vendorBackend } from './vendor-backend.ts'

const file = { clinic_id: 'north', key_id: 'key_1', file_id: 'f1' }

async function setUp(t: TestContext) {
  const vendor = await vendorBackend()
  const proxy = await faultProxy(vendor.port)
  const log = { warn: () => undefined, info: () => undefined }
  const backend = httpBackend({ urls: [`http://127.0.0.1:${proxy.port}`], token: 'x'.repeat(32), log })
  t.after(async () => {
    await proxy.close()
    await vendor.close()
    await backend.close()
  })
  return { vendor, proxy, backend }
}

function answered(status: number, bytes: Buffer, headers: Record<string, string>): Answer {
  return (response) => {
    response.writeHead(status, {
      'content-type': 'audio/wav',
      'content-length': String(bytes.length),
      'x-file-name': encodeURIComponent('שיחה 1.wav'),
      ...headers,
    })
    response.end(bytes)
  }
}

/** A file whose bytes have not all come. */
const arriving: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': '2', 'x-file-name': 'call.wav' })
  response.write('a')
}

function open(opened: OpenedFile) {
  assert.equal(opened.state, 'open')
  return opened as Extract<OpenedFile, { state: 'open' }>
}

test('a whole file passes unchanged, larger than any other answer may be', async (t) => {
  const { vendor, backend } = await setUp(t)
  const bytes = Buffer.alloc(20 * 1024 * 1024, 7)
  vendor.answer = () => answered(200, bytes, {})
  const { stream, ...facts } = open(await backend.openFile(file, null))
  assert.deepEqual(facts, {
    state: 'open',
    content_type: 'audio/wav',
    file_name: 'שיחה 1.wav',
    first: 0,
    last: bytes.length - 1,
    size_bytes: bytes.length,
  })
  assert.ok((await buffer(stream)).equals(bytes))
  assert.deepEqual(vendor.received[0]?.body, { file, range: null })
})

test('a part of a file says which part it is', async (t) => {
  const { vendor, backend } = await setUp(t)
  vendor.answer = () => answered(206, Buffer.from('cd'), { 'content-range': 'bytes 2-3/10' })
  const { stream, first, last, size_bytes } = open(await backend.openFile(file, { first: 2, last: 3 }))
  assert.deepEqual([first, last, size_bytes, String(await buffer(stream))], [2, 3, 10, 'cd'])
  assert.deepEqual(vendor.received[0]?.body, { file, range: { first: 2, last: 3 } })
})

test('an empty file is a file', async (t) => {
  const { vendor, backend } = await setUp(t)
  vendor.answer = () => answered(200, Buffer.alloc(0), {})
  const { stream, size_bytes } = open(await backend.openFile(file, null))
  assert.deepEqual([size_bytes, (await buffer(stream)).length], [0, 0])
})

test('a missing file, a revoked key and a range outside of the file are reported as such', async (t) => {
  const { vendor, backend } = await setUp(t)
  for (const [status, body] of [
    [403, { state: 'elsewhere' }],
    [404, { state: 'missing' }],
    [410, { state: 'revoked' }],
    [416, { state: 'unsatisfiable', size_bytes: 10 }],
    [416, { state: 'unsatisfiable', size_bytes: 10, patient_ids: ['p, 1'] }],
  ] as const) {
    vendor.answer = () => ({ status, body })
    assert.deepEqual(await backend.openFile(file, null, '198.51.100.7'), body)
    assert.equal(vendor.received.at(-1)?.headers['x-client-address'], '198.51.100.7')
  }
})

test('a file with incomplete headers, or a refusal in another form, is 502', async (t) => {
  const { vendor, backend } = await setUp(t)
  const bytes = Buffer.from('ab')
  const wrong: Answer[] = [
    answered(206, bytes, {}),
    answered(206, bytes, { 'content-range': 'bytes 0-2/10' }),
    answered(206, bytes, { 'content-range': 'bytes 9-10/10' }),
    answered(206, bytes, { 'content-range': 'bytes 0-1/999999999999' }),
    answered(200, bytes, { 'x-file-name': '%' }),
    answered(200, bytes, { 'x-file-name': 'a'.repeat(300) }),
    (response) => response.writeHead(200, { 'content-type': 'audio/wav', 'x-file-name': 'a' }).end('chunked'),
    { status: 404, body: 'no such route' },
    { status: 404, body: { state: 'revoked' } },
    { status: 416, body: { state: 'unsatisfiable' } },
    { status: 401, body: {} },
  ]
  for (const answer of wrong) {
    vendor.answer = () => answer
    await assert.rejects(
      backend.openFile(file, null),
      (error) => error instanceof Problem && error.slug === 'upstream-error',
    )
  }
})

test('a file that breaks off is an error of its stream, never a shorter file, and never a crash before the reader listens', async (t) => {
  const { vendor, proxy, backend } = await setUp(t)
  vendor.answer = () => answered(200, Buffer.alloc(1024 * 1024), {})
  proxy.fault = { kind: 'truncate', bytes: 100_000 }
  const { stream } = open(await backend.openFile(file, null))
  await assert.rejects(buffer(stream))
  const second = open(await backend.openFile(file, null))
  await new Promise((closed) => second.stream.resume().on('close', closed))
  assert.notEqual(second.stream.errored, null)
})

test('at most 64 files are open, and one that is given up makes room', async (t) => {
  const { vendor, backend } = await setUp(t)
  vendor.answer = () => arriving
  // A few at a time: each has a deadline, and a busy machine needs longer for all of them.
  const opened: OpenedFile[] = []
  while (opened.length < 64) {
    opened.push(...(await Promise.all(Array.from({ length: 8 }, () => backend.openFile(file, null)))))
  }
  const calls = vendor.received.length
  const refused = assert.rejects(
    backend.openFile(file, null),
    (error) => error instanceof Problem && error.slug === 'service-unavailable',
  )
  assert.equal(await Promise.race([refused.then(() => 'at once'), setImmediate('late')]), 'at once')
  await refused
  assert.equal(vendor.received.length, calls)
  const [first = assert.fail()] = opened.map(open)
  await new Promise((closed) => first.stream.on('close', closed).destroy())
  open(await backend.openFile(file, null)).stream.destroy()
})

test('closing does not wait for files without a reader', async (t) => {
  const { vendor, backend } = await setUp(t)
  vendor.answer = () => arriving
  const { stream } = open(await backend.openFile(file, null))
  await backend.close()
  await assert.rejects(buffer(stream))
})
