// Tests what the client refuses before it sends anything, and what it sends only once.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ClinicDataClient } from '../src/clinic-data-client.ts'
import { checkedApiKey, checkedIdempotencyKey } from '../src/settings.ts'

function counted(status: number) {
  let requests = 0
  const client = new ClinicDataClient({
    apiKey: 'sk_live_x',
    baseUrl: 'https://api.example.com',
    fetch: async () => {
      requests++
      return new Response('{}', { status })
    },
    pause: async () => undefined,
  })
  return { client, requests: () => requests }
}

test('a key or an Idempotency-Key that would change a header is refused and not quoted', () => {
  for (const text of ['a b', 'a\nb', 'a\r\nX-Other: b', ' a', 'a ', 'ключ', '']) {
    const isUnquoted = (error: unknown) =>
      error instanceof TypeError && (text.length < 4 || !error.message.includes(text))
    assert.throws(() => checkedApiKey(text), isUnquoted, JSON.stringify(text))
    assert.throws(() => checkedIdempotencyKey(text), isUnquoted, JSON.stringify(text))
  }
  assert.throws(() => checkedIdempotencyKey('k'.repeat(256)), TypeError)
  assert.equal(checkedIdempotencyKey('k'.repeat(255)).length, 255)
})

test('a call that was cancelled before it began sends nothing', async () => {
  const { client, requests } = counted(200)
  await assert.rejects(client.send('GET', '/v1/me', { signal: AbortSignal.abort(new Error('enough')) }), /enough/)
  assert.equal(requests(), 0)
})

test('what no operation has is sent once, unless it reads', async () => {
  for (const [method, expected] of [
    ['GET', 4],
    ['PUT', 1],
    ['POST', 1],
    ['DELETE', 1],
  ] as const) {
    const { client, requests } = counted(503)
    await assert.rejects(client.send(method, '/v1/of-a-later-version'))
    assert.equal(requests(), expected, method)
  }
})
