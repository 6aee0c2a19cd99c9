// Uploads through the ingest API: streamed in, whole or not at all, and removed again when nothing refers to them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { type Clinic, MAX } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { askIngest, openIngest, tokenOf } from '@clinic-data/testing/grounds/ingest'
import { insert } from '@clinic-data/testing/grounds/rows'
import { sized } from '@clinic-data/testing/run/size'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { until } from '@clinic-data/testing/until'
import { createBackend } from '../src/backend.ts'
import { removeUnusedFiles } from '../src/unused-files.ts'

const database = await testDatabase()
const { owner, app } = database
const now = new Date()
const backend = createBackend({ database: app, now: () => now, log: failingLog })
const ingest = await openIngest(database, { now: () => now })
await ingest.listen({ host: '127.0.0.1', port: 0 })
const { port } = ingest.server.address() as AddressInfo

const WAV = { 'content-type': 'audio/wav', 'x-file-name': 'call.wav' }

async function sender() {
  const clinic = await testClinic(owner)
  const { id, token } = await tokenOf(owner, clinic)
  const upload = (body: Buffer, headers: Record<string, string> = WAV) =>
    askIngest(ingest, '/files', { token, body, headers })
  /** Over a socket of its own, as much of the body as `send` sends. */
  const stream = (send: (sending: ClientRequest) => void, headers: Record<string, string | number> = WAV) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const sending = request({
        port,
        method: 'POST',
        path: '/ingest/v1/files',
        headers: { ...headers, authorization: `Bearer ${token}` },
      })
      sending.on('error', reject)
      sending.on('response', async (answer: IncomingMessage) => {
        resolve({ status: answer.statusCode, body: await text(answer) })
        sending.destroy()
      })
      send(sending)
    })
  return { clinic, token, key_id: id, upload, stream }
}

const filesOf = ({ clinic_id }: Clinic) =>
  app.read<{ id: string }>(
    { clinic_id, time_zone: 'UTC' },
    sql`select id from file where clinic_id = ${clinic_id} order by id`,
  )

/** Resolves when it is so: what another connection does tells nobody. */
const untilSo = (isSo: () => Promise<boolean>) => until(isSo, () => 'it never came to be so')

test('a file is stored under its name, byte for byte, however it arrives', async () => {
  const { clinic, key_id, upload, stream } = await sender()
  const content = randomBytes(700_001)
  const headers = { 'content-type': 'Audio/OGG; codecs=opus', 'x-file-name': encodeURIComponent('שיחה 7.ogg') }
  const { status, json } = await upload(content, headers)
  assert.deepEqual([status, json.data.size_bytes], [200, content.length])
  const file = await backend.openFile({ clinic_id: clinic.clinic_id, key_id, file_id: json.data.id }, null)
  assert.ok(file.state === 'open')
  assert.deepEqual([file.content_type, file.file_name], ['audio/ogg; codecs=opus', 'שיחה 7.ogg'])
  assert.ok(Buffer.concat(await file.stream.toArray()).equals(content))

  const chunked = await stream((sending) => {
    sending.write(content.subarray(0, 10))
    sending.end(content.subarray(10))
  })
  assert.deepEqual([chunked.status, JSON.parse(chunked.body).data.size_bytes], [200, content.length])
})

test('a file of a kind that a browser would run, of no kind, without a name, or empty is refused', async () => {
  const { clinic, upload } = await sender()
  const types = [
    'text/html',
    'image/svg+xml',
    'application/octet-stream',
    'application/xhtml+xml',
    'audio/',
    'audio/x; a="',
    'x',
    '',
  ]
  for (const type of types) {
    assert.equal((await upload(Buffer.from('x'), { ...WAV, 'content-type': type })).status, 415, type)
  }
  assert.equal((await upload(Buffer.from('x'), { ...WAV, 'content-encoding': 'gzip' })).status, 415)
  const names = ['', '%', '%ff', 'a%00b', 'a%2fb', 'a%5cb', '..', '%0a', 'x'.repeat(256)]
  for (const name of names) {
    const { status, json } = await upload(Buffer.from('x'), { ...WAV, 'x-file-name': name })
    assert.deepEqual([status, json.errors[0].header], [400, 'X-File-Name'], name)
  }
  assert.equal((await upload(Buffer.alloc(0))).status, 400)
  assert.deepEqual(await filesOf(clinic), [])
})

/** The status of a body that does not announce its size, and is longer than a file may be. */
const tooLong = sized({ everyday: cameAtOnce, long: cameInPieces })

/** Through the whole listener, but no socket: its bytes are not copied. */
async function cameAtOnce(token: string): Promise<number | undefined> {
  const payload = Readable.from([Buffer.alloc(3 << 20), Buffer.alloc(MAX.file)])
  const headers = { ...WAV, authorization: `Bearer ${token}` }
  return (await ingest.inject({ method: 'POST', url: '/ingest/v1/files', headers, payload })).statusCode
}

async function cameInPieces(_token: string, stream: Awaited<ReturnType<typeof sender>>['stream']) {
  const piece = Buffer.alloc(1 << 20)
  const { status } = await stream((sending) => {
    let left = MAX.file / piece.length + 8
    const more = () => {
      while (left-- > 0 && sending.write(piece));
      if (left > 0) sending.once('drain', more)
    }
    more()
  })
  return status
}

test('a file above the bound is refused by its announced size, and by its real one', async () => {
  const { clinic, token, stream } = await sender()
  const announced = await stream((sending) => sending.write('x'), { ...WAV, 'content-length': MAX.file + 1 })
  assert.equal(announced.status, 413)
  assert.equal(await tooLong(token, stream), 413)
  assert.deepEqual(await filesOf(clinic), [])
})

test('an upload that breaks off stores nothing and frees its connection', async () => {
  const { clinic, stream, upload } = await sender()
  for (let i = 0; i < 4; i++) {
    await assert.rejects(
      stream((sending) => {
        sending.write(Buffer.alloc(600_000))
        sending.on('socket', (socket) => socket.on('drain', () => sending.destroy()))
      }),
    )
  }
  assert.equal((await upload(Buffer.from('abc'))).status, 200)
  await untilSo(async () => (await filesOf(clinic)).length === 1)
})

/** Each clinic sends so many: more than run at once. */
const UPLOADS = sized({ everyday: 5, long: 20 })

test('stalled uploads hold no connection of the database, and another clinic can upload', async () => {
  const stalled: { clinic: Clinic; sending: ClientRequest }[] = []
  for (let i = 0; i < 3; i++) {
    const { clinic, stream } = await sender()
    for (let upload = 0; upload < UPLOADS; upload++) {
      void stream((sending) => {
        sending.write(Buffer.alloc(1_100_000))
        stalled.push({ clinic, sending })
      }).catch(() => undefined)
    }
  }
  const clinics = [...new Set(stalled.map(({ clinic }) => clinic))]
  const count = async () => (await Promise.all(clinics.map(filesOf))).flat().length
  await untilSo(async () => (await count()) >= clinics.length * 4)
  // The last pieces may still be committing. A connection that waits for a stalled body would never be given back.
  const held = async () => {
    const { rows } = await owner.query<{ held: number }>(
      sql`select count(*)::int as held from pg_stat_activity where state like 'idle in transaction%'
        and datname = current_database() and pid <> pg_backend_pid()`,
    )
    return rows[0]?.held
  }
  await untilSo(async () => (await held()) === 0)
  const { upload, clinic } = await sender()
  assert.equal((await upload(Buffer.alloc(1_100_000))).status, 200)
  assert.equal((await filesOf(clinic)).length, 1)
  for (const { sending } of stalled) sending.destroy()
  await untilSo(async () => (await count()) === 0)
})

/** As if the clinic's files had been stored so many hours ago. */
const storedAgo = ({ clinic_id }: Clinic, hours: number) =>
  owner.query(sql`update file set stored_at = now() - ${hours} * interval '1 hour' where clinic_id = ${clinic_id}`)

test('an unused file is removed after a day, and a used one never', async () => {
  const { clinic, upload } = await sender()
  const ids: string[] = []
  for (let i = 0; i < 9; i++) ids.push((await upload(Buffer.from('abc'))).json.data.id)
  const [recording = '', media = '', page = ''] = ids
  await insert(owner, clinic, 'call', { id: 'c', recording_file_id: recording })
  await insert(owner, clinic, 'chat_message', { id: 'in_1', media_file_id: media })
  await insert(owner, clinic, 'billing_account', { id: 'main' })
  await insert(owner, clinic, 'payment', { id: 'y' })
  await insert(owner, clinic, 'payment_document', {
    id: 'd',
    payment_id: 'y',
    billing_account_id: 'main',
    type: 'receipt',
    number: 1,
    issued_at: '2026-07-01T00:00:00Z',
    file_id: page,
  })
  await storedAgo(clinic, 23)
  assert.equal(await removeUnusedFiles(app, clinic), 0)
  await storedAgo(clinic, 25)
  assert.equal(await removeUnusedFiles(app, clinic), 6)
  assert.deepEqual(
    (await filesOf(clinic)).map(({ id }) => id),
    [recording, media, page].sort(),
  )
  const { clinic_id } = clinic
  const pieces = await owner.query(sql`select from file_piece where clinic_id = ${clinic_id}`)
  assert.equal(pieces.rows.length, 3)
  assert.equal(await removeUnusedFiles(app, clinic), 0)
})

test('a file of long ago waits a day for its call like a new one', async () => {
  const { clinic } = await sender()
  await insert(owner, clinic, 'file', { id: 'f', created_at: '2020-01-01T00:00:00Z' })
  assert.equal(await removeUnusedFiles(app, clinic), 0)
  await storedAgo(clinic, 25)
  assert.equal(await removeUnusedFiles(app, clinic), 1)
})

test('more files than one statement checks are all checked', async () => {
  const { clinic } = await sender()
  const ids = Array.from({ length: 2_003 }, (_, i) => ({ id: `f${i}` }))
  await insert(owner, clinic, 'file', ...ids)
  await insert(owner, clinic, 'call', ...ids.slice(0, 1_990).map(({ id }) => ({ id, recording_file_id: id })))
  await storedAgo(clinic, 25)
  assert.equal(await removeUnusedFiles(app, clinic), 13)
  assert.equal((await filesOf(clinic)).length, 1_990)
})

test('every column that holds the id of a file is asked before a file is removed', async () => {
  const { rows } = await owner.query<{ place: string }>(sql`
    select c.relname || '.' || a.attname as place from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname like '%file_id' order by 1`)
  assert.deepEqual(
    rows.map(({ place }) => place),
    ['call.recording_file_id', 'chat_message.media_file_id', 'file_piece.file_id', 'payment_document.file_id'],
  )
})
