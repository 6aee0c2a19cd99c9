// WhatsApp's webhook with a database: who is trusted, what a report becomes, and that a repetition changes nothing.
import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { namedIn, storedIds } from '@clinic-data/audit/stored-ids'
import type { Clinic } from '@clinic-data/contract'
import { type Database, DatabaseUnavailable, sql } from '@clinic-data/database'
import { accountHash } from '@clinic-data/messaging/clinic-messaging'
import { WhatsAppPlatform } from '@clinic-data/messaging/whatsapp'
import { WEBHOOK_BODY_BYTES } from '@clinic-data/messaging/whatsapp-webhook'
import { ask } from '@clinic-data/testing/grounds/ask'
import { chatClinic, NOW_MS, queueOf } from '@clinic-data/testing/grounds/chat-ground'
import { silentLog } from '@clinic-data/testing/grounds/chat-sending'
import { eventsOf } from '@clinic-data/testing/grounds/ingest'
import { cloudApiServer } from '@clinic-data/testing/receivers/cloud-api-server'
import { ACCOUNT, inbound, receipt } from '@clinic-data/testing/receivers/webhook-payloads'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import Fastify from 'fastify'
import { createBackend } from '../src/backend.ts'
import { whatsappRoutes } from '../src/intake/whatsapp-routes.ts'

const { owner, app } = await testDatabase()
const now = () => new Date(NOW_MS)
const backend = createBackend({ database: app, now, log: failingLog })

async function setUp(t: TestContext, { database = app, log = failingLog } = {}) {
  const clinic = await chatClinic(owner)
  const account_id = `${BigInt(`0x${clinic.clinic_id.slice(1)}`)}`
  await owner.query(sql`update clinic set messaging_platform = 'whatsapp', messaging_account_id = ${account_id},
    messaging_account_hash = ${accountHash('whatsapp', account_id)} where clinic_id = ${clinic.clinic_id}`)
  const api = await cloudApiServer(undefined, account_id)
  const platform = new WhatsAppPlatform({ accessToken: () => api.token, baseUrl: api.origin })
  const [appSecret, verifyToken] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
  const listener = Fastify({ logger: false })
  await listener.register(
    whatsappRoutes({ database, now, log, platform, appSecret, verifyToken, addressOf: () => '192.0.2.1' }),
    {
      prefix: '/ingest',
    },
  )
  t.after(async () => {
    await listener.close()
    await platform.close()
    await api.close()
  })
  const sign = (body: string) => `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
  const post = async (body: string, headers: Record<string, string>) => {
    const answer = await listener.inject({
      method: 'POST',
      url: '/ingest/whatsapp',
      payload: body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    return answer.statusCode
  }
  /** As Meta does: the payload of this clinic's account, signed. */
  const report = (payload: object) => {
    const body = JSON.stringify(payload).replaceAll(ACCOUNT, account_id)
    return post(body, { 'x-hub-signature-256': sign(body) })
  }
  const get = (query: string) => listener.inject({ method: 'GET', url: `/ingest/whatsapp?${query}` })
  return { clinic, account_id, api, listener, sign, post, report, get, verifyToken }
}

const messagesOf = async (clinic: Clinic) => (await ask(backend, clinic, 'chat.messages.list')).data
const types = async (clinic: Clinic) => (await eventsOf(owner, clinic)).map(({ type }) => type)
const text = inbound({ type: 'text', text: { body: 'Hello 🦷' } })

test('the webhook can be set up only with the verify token', async (t) => {
  const { get, verifyToken } = await setUp(t)
  const query = (token: string) => `hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158201444`
  const answer = await get(query(verifyToken))
  assert.deepEqual([answer.statusCode, answer.payload], [200, '1158201444'])
  assert.match(String(answer.headers['content-type']), /^text\/plain/)
  assert.equal((await get(query('wrong'))).statusCode, 403)
  assert.equal((await get('')).statusCode, 403)
})

test('an unsigned request is not trusted', async (t) => {
  const { clinic, account_id, sign, post } = await setUp(t)
  const body = JSON.stringify(text).replaceAll(ACCOUNT, account_id)
  assert.equal(await post(body, {}), 401)
  assert.equal(await post(body, { 'x-hub-signature-256': sign(`${body} `) }), 401)
  assert.equal(await post(body, { 'x-hub-signature-256': 'sha256=' }), 401)
  assert.deepEqual([await messagesOf(clinic), await types(clinic)], [[], []])
  const long = 'x'.repeat(WEBHOOK_BODY_BYTES + 1)
  assert.equal(await post(long, { 'x-hub-signature-256': sign(long) }), 413)
  assert.equal(await post('not JSON', { 'x-hub-signature-256': sign('not JSON') }), 200)
})

test('a request refused by its headers is answered before its body arrives', async (t) => {
  const { listener, sign } = await setUp(t)
  await listener.listen({ port: 0, host: '127.0.0.1' })
  const { port } = listener.server.address() as AddressInfo
  const signature = sign('{}')
  for (const [length, header, status] of [
    [WEBHOOK_BODY_BYTES, 'sha256=none', 401],
    [WEBHOOK_BODY_BYTES, signature.slice(0, -1), 401],
    [WEBHOOK_BODY_BYTES, `${signature}, ${signature}`, 401],
    [WEBHOOK_BODY_BYTES + 1, signature, 413],
  ] as const) {
    const client = connect(port, '127.0.0.1')
    client.write(
      `POST /ingest/whatsapp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nX-Hub-Signature-256: ${header}\r\n\r\n{`,
    )
    const [answer] = await once(client, 'data')
    client.destroy()
    assert.match(String(answer), new RegExp(`^HTTP/1\\.1 ${status} `), header)
  }
})

test('a patient’s message is stored, emitted and audited, and a repetition changes nothing', async (t) => {
  const { clinic, report } = await setUp(t)
  assert.deepEqual([await report(text), await report(text)], [200, 200])
  const [message, ...others] = await messagesOf(clinic)
  assert.deepEqual([message?.text, message?.conversation_id, others], ['Hello 🦷', 'v1', []])
  assert.deepEqual(await types(clinic), ['chat.message.received'])
  const conversation = (await ask(backend, clinic, 'chat.conversations.get', { params: { id: 'v1' } })).data
  assert.equal(conversation.display_name, 'Noa L.')
  const { rows } = await owner.query(sql`select operation, surface, resource_ids, count from audit
    where clinic_id = ${clinic.clinic_id} order by at, count desc`)
  const row = { operation: 'ingest.whatsapp', surface: 'ingest' }
  assert.deepEqual(rows, [
    { ...row, resource_ids: storedIds({ resource_ids: [String(message?.id)], patient_ids: ['p1'] }), count: 1 },
    { ...row, resource_ids: storedIds({ resource_ids: [], patient_ids: [] }), count: 0 },
  ])
})

test('a report whose row cannot be written is not stored, and the row of its repetition names the patient', async (t) => {
  const { clinic, report } = await setUp(t, { log: silentLog })
  const broken = () => Promise.reject(new Error('the log cannot be written'))
  t.mock.method(app, 'append', broken, { times: 1 })
  assert.equal(await report(text), 500)
  assert.deepEqual([await messagesOf(clinic), await types(clinic)], [[], []])
  assert.equal(await report(text), 200)
  const { rows } = await owner.query<{ resource_ids: string[] }>(
    sql`select resource_ids from audit where clinic_id = ${clinic.clinic_id} and operation = 'ingest.whatsapp'`,
  )
  assert.deepEqual(
    rows.map(({ resource_ids }) => namedIn(resource_ids).patient_ids),
    [['p1']],
  )
})

test('receipts update their message, by our id or the platform’s, and leave the queue empty', async (t) => {
  const { clinic, report } = await setUp(t)
  const { data } = await ask(backend, clinic, 'chat.messages.create', {
    body: { conversation_id: 'v1', text: 'Hello' },
  })
  const of = (status: string, more = {}) =>
    report(receipt({ id: 'wamid.1', status, biz_opaque_callback_data: data.id, ...more }))
  assert.equal(await of('sent'), 200)
  assert.deepEqual(await queueOf(owner, clinic), [])
  assert.equal(await of('read', { biz_opaque_callback_data: undefined }), 200)
  assert.equal(await of('delivered'), 200)
  assert.equal(await of('sent', { biz_opaque_callback_data: 'out_1', id: 'wamid.elsewhere' }), 200)
  assert.deepEqual(await types(clinic), ['chat.message.sent', 'chat.message.delivered', 'chat.message.read'])
  assert.equal((await messagesOf(clinic))[0]?.status, 'read')
})

test('media is fetched and served with its message, and a message without it is still stored', async (t) => {
  const { clinic, api, report } = await setUp(t, { log: silentLog })
  const bytes = randomBytes(300_000)
  api.media.set('2754859441498128', { content_type: 'image/jpeg', bytes })
  const image = (id: string, media: object) =>
    inbound({ id, type: 'image', image: { mime_type: 'image/jpeg', ...media } })
  assert.equal(await report(image('wamid.a', { id: '2754859441498128', caption: 'My tooth' })), 200)
  const [withMedia] = await messagesOf(clinic)
  assert.deepEqual([withMedia?.text, withMedia?.media], ['My tooth', { available: true, type: 'image/jpeg' }])
  const link = await ask(backend, clinic, 'chat.messages.media.get', { params: { id: withMedia?.id ?? '' } })
  assert.deepEqual(
    { ...link.data, file_id: '' },
    { file_id: '', content_type: 'image/jpeg', file_name: 'image.jpg', size_bytes: bytes.length },
  )
  const { rows } = await owner.query<{ content: Buffer }>(sql`select content from file_piece
    where clinic_id = ${clinic.clinic_id} and file_id = ${link.data.file_id} order by position`)
  assert.deepEqual(Buffer.concat(rows.map(({ content }) => content)), bytes)

  assert.equal(await report(image('wamid.b', { id: '111' })), 200)
  api.next.push({ kind: 'answer', status: 500, body: {} })
  assert.equal(await report(image('wamid.c', { id: '2754859441498128' })), 200)
  assert.deepEqual((await messagesOf(clinic)).map(({ media }) => media.available).sort(), [false, false, true])
  const requests = api.requests
  assert.equal(await report(image('wamid.a', { id: '2754859441498128' })), 200)
  assert.equal(api.requests, requests)
})

test('of several messages in one report each is stored once, with its media, whatever becomes of the others’', async (t) => {
  const { clinic, api, report } = await setUp(t, { log: silentLog })
  for (const id of ['1', '2']) api.media.set(id, { content_type: 'image/jpeg', bytes: randomBytes(10) })
  const image = (id: string, media: string) =>
    inbound({ id, type: 'image', image: { mime_type: 'image/jpeg', id: media } })
  const together = (...reports: ReturnType<typeof inbound>[]) => ({
    ...reports[0],
    entry: reports.flatMap(({ entry }) => entry),
  })
  const asking = async (payload: object) => {
    const before = api.requests
    assert.equal(await report(payload), 200)
    return api.requests - before
  }
  const alone = await asking(image('wamid.0', '1'))
  const twice = image('wamid.1', '1')
  assert.deepEqual([await asking(together(twice, twice)), await asking(twice)], [alone, 0])
  assert.deepEqual(await types(clinic), ['chat.message.received', 'chat.message.received'])
  api.next.push({ kind: 'answer', status: 500, body: {} })
  const lost = [image('wamid.2', '2'), image('wamid.3', 'gone'), image('wamid.4', '2')]
  assert.equal(await report(together(...lost)), 200)
  const media = (await messagesOf(clinic)).map((message) => message.media.available).sort()
  assert.deepEqual(media, [false, false, true, true, true])
})

test('a report about an unknown account is answered and dropped', async (t) => {
  const lines: string[] = []
  const { clinic, sign, post } = await setUp(t, { log: { ...failingLog, warn: (_, line) => lines.push(line) } })
  const body = JSON.stringify(text).replaceAll(ACCOUNT, '1')
  assert.equal(await post(body, { 'x-hub-signature-256': sign(body) }), 200)
  assert.deepEqual(await messagesOf(clinic), [])
  assert.equal(lines.length, 1)
})

test('while the database cannot be reached, reports are refused and the platform repeats them', async (t) => {
  const away = { readByKeyHash: () => Promise.reject(new DatabaseUnavailable('away')) } as unknown as Database
  const { clinic, report } = await setUp(t, { database: away })
  assert.equal(await report(text), 503)
  assert.deepEqual(await messagesOf(clinic), [])
})
