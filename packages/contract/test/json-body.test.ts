// Request bodies over a real connection: the media type, the size, and an absent body.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import test, { after, before } from 'node:test'
import { Problem } from '../src/contract.ts'
import { readJsonBody } from '../src/input/json-body.ts'

let server: Server
let address: string
/** Called when a body is being read that has begun to arrive. */
let onReading: () => void = () => undefined

before(async () => {
  server = createServer(async (request, response) => {
    const isBegun = request.url === '/begun'
    if (isBegun) await once(request, 'readable')
    const reading = readJsonBody(request, { isNeeded: isBegun || request.url === '/needed' })
    if (isBegun) onReading()
    const outcome = await reading.then(
      (value) => ({ value: value === undefined ? 'none' : value }),
      (error) => ({ slug: error instanceof Problem ? error.slug : String(error) }),
    )
    response.setHeader('connection', 'close').end(JSON.stringify(outcome))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => server.close())

async function sent(path: string, body?: string | ReadableStream, type?: string, headers: Record<string, string> = {}) {
  const init = { method: 'POST', headers: { ...(type !== undefined && { 'content-type': type }), ...headers } }
  const answer = await fetch(
    `${address}${path}`,
    body === undefined ? init : ({ ...init, body, duplex: 'half' } as RequestInit),
  )
  return (await answer.json()) as { value?: unknown; slug?: string }
}

const JSON_TYPE = 'application/json'
const pieces = (text: string) => new Blob([text]).stream()

test('JSON in UTF-8 is read, however it arrives', async () => {
  for (const type of [JSON_TYPE, 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"']) {
    assert.deepEqual(await sent('/needed', '{"a":"ש"}', type), { value: { a: 'ש' } }, type)
  }
  assert.deepEqual(await sent('/needed', pieces('{"a":1}'), JSON_TYPE), { value: { a: 1 } })
})

test('a body that has begun to arrive is awaited, and read the same', async () => {
  const body = '{"a":[1,2]}'
  for (const first of [1, 5, body.length]) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    onReading = () => void (first < body.length && socket.write(body.slice(first)))
    const head = `POST /begun HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    socket.write(head + body.slice(0, first))
    assert.match(await text(socket), /\{"value":\{"a":\[1,2\]\}\}$/, String(first))
  }
})

test('another media type, charset or content encoding is refused, even if the body is optional', async () => {
  for (const path of ['/needed', '/optional']) {
    for (const type of ['text/plain', 'application/json; charset=latin1', 'application/jsonx', 'multipart/form-data'])
      assert.deepEqual(await sent(path, '{}', type), { slug: 'unsupported-media-type' }, type)
    assert.deepEqual(await sent(path, '{}', JSON_TYPE, { 'content-encoding': 'gzip' }), {
      slug: 'unsupported-media-type',
    })
  }
})

test('more than a megabyte is refused, announced or in pieces, even if the body is optional', async () => {
  const large = `"${'x'.repeat(1024 * 1024 - 1)}"`
  for (const path of ['/needed', '/optional']) {
    assert.deepEqual(await sent(path, large, JSON_TYPE), { slug: 'content-too-large' })
    assert.deepEqual(await sent(path, pieces(large), JSON_TYPE), { slug: 'content-too-large' })
  }
  assert.equal(
    String((await sent('/needed', `"${'x'.repeat(1024 * 1024 - 2)}"`, JSON_TYPE)).value).length,
    1024 * 1024 - 2,
  )
})

test('an absent body is undefined where it is optional, and a fault where it is required', async () => {
  assert.deepEqual(await sent('/optional'), { value: 'none' })
  assert.deepEqual(await sent('/optional', undefined, JSON_TYPE), { value: 'none' })
  assert.deepEqual(await sent('/optional', '{}', JSON_TYPE), { value: {} })
  assert.deepEqual(await sent('/needed'), { slug: 'unsupported-media-type' })
  assert.deepEqual(await sent('/needed', undefined, JSON_TYPE), { slug: 'invalid-request' })
})
