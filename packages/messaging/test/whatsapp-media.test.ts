// The media of WhatsApp messages: fetched in two steps, only from the platform, up to a size.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Behaviour, cloudApiServer } from '@clinic-data/testing/receivers/cloud-api-server'
import { apiAddress, mediaAddress } from '../src/whatsapp-address.ts'
import { accountOf, answer, BRIEF_MS, never, setUp } from './whatsapp-set-up.ts'

test('media comes in two steps, with its type', async (t) => {
  const { api, platform } = await setUp(t)
  const bytes = randomBytes(300_000)
  api.media.set('5001', { content_type: 'audio/ogg; codecs=opus', bytes })
  const fetched = await platform.fetchMedia(accountOf(api), '5001', { maxBytes: bytes.length }, never)
  assert.deepEqual(
    { ...fetched, bytes: null },
    { content_type: 'audio/ogg; codecs=opus', file_name: null, bytes: null },
  )
  assert.ok(bytes.equals(fetched?.bytes ?? Buffer.alloc(0)))
  assert.equal(api.requests, 2)
})

test('no media is returned when it is unknown, another number’s, deleted between the steps, or the id is not one', async (t) => {
  const { api, platform } = await setUp(t)
  const fetch = (id: string) => platform.fetchMedia(accountOf(api), id, { maxBytes: 1000 }, never)
  api.media.set('5002', { content_type: 'image/jpeg', bytes: randomBytes(10), phone_number_id: '999' })
  assert.equal(await fetch('5001'), null)
  assert.equal(await fetch('5002'), null)
  api.media.set('5003', { content_type: 'image/jpeg', bytes: randomBytes(10), address: `${api.origin}/x?mid=none` })
  assert.equal(await fetch('5003'), null)
  const { requests } = api
  assert.equal(await fetch('../106540352242922'), null)
  assert.equal(api.requests, requests)
})

test('media larger than allowed is not returned, whether the platform gives its size or not', async (t) => {
  const { api, platform } = await setUp(t)
  api.media.set('5001', { content_type: 'video/mp4', bytes: randomBytes(2000) })
  const fetch = () => platform.fetchMedia(accountOf(api), '5001', { maxBytes: 1999 }, never)
  assert.equal(await fetch(), null)
  assert.equal(api.requests, 1)
  const url = `${api.origin}/attachments/?mid=5001`
  api.next.push({ kind: 'answer', status: 200, body: { url, mime_type: 'video/mp4', file_size: '10' } })
  assert.equal(await fetch(), null)
  assert.equal(api.requests, 3)
})

test('the token is sent only to the platform’s own addresses, and no redirect is followed', async (t) => {
  const { api, platform } = await setUp(t)
  const other = await cloudApiServer()
  t.after(() => other.close())
  const fetch = () => platform.fetchMedia(accountOf(api), '5001', { maxBytes: 1000 }, never)
  const addresses = [
    `${other.origin}/x`,
    'https://example.com/x',
    'https://evilfbsbx.com/',
    'file:///etc/passwd',
    'x',
    7,
  ]
  for (const url of addresses) {
    api.next.push({ kind: 'answer', status: 200, body: { url, mime_type: 'image/png' } })
    await assert.rejects(fetch, /an address for media that is not its own/)
  }
  api.media.set('5001', { content_type: 'image/png', bytes: randomBytes(9) })
  api.next.push({ kind: 'answer', status: 302, body: '', headers: { location: `${other.origin}/x` } })
  await assert.rejects(fetch, /the platform answered 302/)
  assert.equal(other.requests, 0)
})

test('media that may be available later is an error: credentials, outages, a truncated answer', async (t) => {
  const { api, platform } = await setUp(t)
  const fetch = () => platform.fetchMedia(accountOf(api), '5001', { maxBytes: 1000 }, never)
  const faults: [Behaviour, RegExp][] = [
    [answer(401, { code: 190, message: 'expired' }), /answered 401 with code 190/],
    [answer(503, undefined), /answered 503/],
    [{ kind: 'reset' }, /the connection failed/],
    [{ kind: 'cut' }, /the connection failed/],
  ]
  for (const [behaviour, reason] of faults) {
    api.next.push(behaviour)
    await assert.rejects(fetch, reason)
    api.next.push({ kind: 'answer', status: 200, body: { url: `${api.origin}/a?mid=5001` } }, behaviour)
    await assert.rejects(fetch, reason)
  }
})

test('media that does not arrive in time is an error, at either step', async (t) => {
  for (const [timeouts, step] of [
    [{ answerMs: BRIEF_MS }, 1],
    [{ downloadMs: BRIEF_MS }, 2],
  ] as const) {
    const { api, platform } = await setUp(t, timeouts)
    const description: Behaviour = { kind: 'answer', status: 200, body: { url: `${api.origin}/a?mid=5001` } }
    api.next.push(...[description, description].slice(0, step - 1), { kind: 'silence' })
    await assert.rejects(
      platform.fetchMedia(accountOf(api), '5001', { maxBytes: 1000 }, never),
      /no whole answer within/,
    )
    await api.read(step)
  }
})

test('media is fetched only from the API or, over TLS, from the platform’s own media hosts', () => {
  const api = apiAddress('https://graph.facebook.com', 'v25.0')
  const allowed = [
    'https://lookaside.fbsbx.com/whatsapp_business/attachments/?mid=1&hash=2',
    'https://scontent.whatsapp.net/v/t61',
    'https://fbcdn.net/x',
    'https://graph.facebook.com/x',
  ]
  for (const address of allowed) assert.equal(mediaAddress(address, api).href, address)
  const others = [
    'https://evilfbsbx.com/',
    'https://lookaside.fbsbx.com.evil.example/',
    'https://lookaside.fbsbx.com:8443/',
    'https://lookaside.fbsbx.com@evil.example/',
    'http://lookaside.fbsbx.com/',
    'ftp://lookaside.fbsbx.com/',
    'https://127.0.0.1/',
    '/relative',
    null,
  ]
  for (const address of others) assert.throws(() => mediaAddress(address, api), /that is not its own/)
  const standIn = apiAddress('http://127.0.0.1:8080', 'v25.0')
  assert.throws(() => mediaAddress(allowed[0], standIn), /that is not its own/)
})
