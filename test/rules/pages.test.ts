// The pages that need no key: their encodings, what leads to them, and what stands at an address without a page.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { allOperations } from '@clinic-data/contract'
import { ask, startService, type TestService } from '@clinic-data/testing/run/test-service'

let service: TestService

before(async () => {
  service = await startService()
})
after(() => service.close())

test('a browser at a page of the reference that does not exist gets a page, other clients and other paths the problem', async () => {
  const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'
  for (const path of ['/docs/nothing', '/docs/webhooks/signing', '/docs/..%2f']) {
    const { status, headers, text } = await ask(service, null, path, { headers: { accept } })
    assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=utf-8'], path)
    assert.match(text, /<h1>Page not found<\/h1>/)
    assert.doesNotMatch(text, /nothing|signing/)
    assert.equal((await ask(service, null, path)).json.code, 'not-found')
  }
  assert.equal((await ask(service, null, '/v1/nothing', { headers: { accept } })).json.code, 'not-found')
})

test('the OpenAPI document and the reference need no key and name no other host', async () => {
  const document = await ask(service, null, '/v1/openapi.json')
  assert.equal(document.json.openapi.slice(0, 3), '3.1')
  assert.deepEqual(Object.keys(document.json.paths).sort(), [...new Set(allOperations.map(({ path }) => path))].sort())
  const page = await ask(service, null, '/docs')
  assert.equal(page.status, 200)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  for (const operation of allOperations)
    assert.match(page.text, new RegExp(`id="${operation.id.replaceAll(/[._]/g, '-')}"`))
  assert.doesNotMatch(page.text, /<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//)
})

test('the service itself and a slash at the end lead to the reference', async () => {
  for (const path of ['/', '/docs/']) {
    const { status, headers } = await ask(service, null, path)
    assert.deepEqual([status, headers.location], [302, '/docs'], path)
  }
})

test('the pages are sent in the shortest encoding that the client accepts, and an unchanged page is not sent again', async () => {
  const plain = await ask(service, null, '/docs')
  assert.equal(plain.headers['content-encoding'], undefined)
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['BR', 'br'],
    ['br;q=0, gzip;q=0.0, *', undefined],
    ['nonsense;;;,', undefined],
  ] as const) {
    const { headers, bytes } = await service.send({
      url: '/docs',
      headers: { host: 'a', 'accept-encoding': accepted },
    })
    assert.equal(headers['content-encoding'], encoding, accepted)
    assert.equal(headers.vary, 'Accept-Encoding')
    const text = { br: brotliDecompressSync, gzip: gunzipSync, none: (plain: Buffer) => plain }[encoding ?? 'none'](
      bytes,
    )
    assert.equal(text.toString(), plain.text)
    const again = await ask(service, null, '/docs', { headers: { 'if-none-match': String(headers.etag) } })
    assert.deepEqual([again.status, again.text], [304, ''])
  }
})
