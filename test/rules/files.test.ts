// Signed file links: whole files, ranges and HEAD; expired and revoked links; ranges outside the file.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import test, { after, before } from 'node:test'
import { listKeys, revokeKey } from '@clinic-data/administration/credentials/keys'
import { namedIn } from '@clinic-data/audit/stored-ids'
import { type Backend, FILE_LINK_SECONDS } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import {
  ask,
  keyOf,
  smallClinic,
  startParts,
  type TestClinic,
  type TestService,
} from '@clinic-data/testing/run/test-service'
import { callTool } from '../mcp/messages.ts'

let service: TestService
let clinic: TestClinic
let now = Date.now()

before(async () => {
  service = await startParts({ now: () => now })
  clinic = await smallClinic(service)
})
after(() => service.close())

/** A fresh link to a recording, requested with this key. */
async function link(key: string): Promise<{ path: string; size: number }> {
  const calls = await ask(service, clinic.key, '/v1/calls?has_recording=true&limit=1')
  const { json } = await ask(service, key, `/v1/calls/${calls.json.data[0].id}/recording`)
  const url = new URL(json.data.url)
  assert.equal(Date.parse(json.data.expires_at), Math.floor(now / 1000) * 1000 + FILE_LINK_SECONDS * 1000)
  return { path: url.pathname + url.search, size: json.data.size_bytes }
}

async function fetchFile(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  return service.send({ method, url: path, headers: { host: 'x', ...headers } })
}

test('a link serves the whole file without a key, and any range of it', async () => {
  const { path, size } = await link(clinic.key)
  const whole = await fetchFile(path)
  assert.deepEqual([whole.status, whole.bytes.length, whole.headers['accept-ranges']], [200, size, 'bytes'])
  assert.match(String(whole.headers['content-disposition']), /^attachment; filename/)
  for (const [range, first, last] of [
    ['bytes=0-0', 0, 0],
    ['bytes=10-99', 10, 99],
    [`bytes=${size - 5}-`, size - 5, size - 1],
    ['bytes=-7', size - 7, size - 1],
    ['bytes=0-999999999', 0, size - 1],
  ] as const) {
    const part = await fetchFile(path, { range })
    assert.deepEqual([part.status, part.headers['content-range']], [206, `bytes ${first}-${last}/${size}`], range)
    assert.ok(part.bytes.equals(whole.bytes.subarray(first, last + 1)), range)
  }
})

for (const { where, disguise } of [
  {
    where: 'stored before',
    disguise: (file_name: string) =>
      service.owner.query(sql`update file set file_name = ${file_name}, content_type = 'image/png'
        where clinic_id = ${clinic.clinic.clinic_id}`),
  },
  { where: "from another system's backend", disguise: null },
])
  test(`a misleading file name ${where} leaves by no door as it is`, async (t) => {
    const sent = { content_type: 'image/png', file_name: 'photo\u202egnp.exe' }
    const safe = 'photognp.exe.png'
    await disguise?.(sent.file_name)
    const wrap = (backend: Backend): Backend => ({
      ...backend,
      handlers: {
        ...backend.handlers,
        'calls.recording.get': async (...args) => {
          const { data, ...answer } = await backend.handlers['calls.recording.get'](...args)
          return { ...answer, data: { ...data, ...sent } }
        },
      },
      openFile: async (...args) => {
        const opened = await backend.openFile(...args)
        return opened.state === 'open' ? { ...opened, ...sent } : opened
      },
    })
    const shown = disguise === null ? await startParts({ now: () => now, wrap }) : service
    if (disguise === null) t.after(() => shown.close())
    const calls = await ask(shown, clinic.key, '/v1/calls?has_recording=true&limit=1')
    const { id } = calls.json.data[0]
    const { json } = await ask(shown, clinic.key, `/v1/calls/${id}/recording`)
    assert.deepEqual([json.data.file_name, json.data.content_type], [safe, 'image/png'])
    const tool = await callTool(shown, clinic.key, 'calls_recording_get', { call_id: id })
    assert.equal(tool.structured.data.file_name, safe)
    const { pathname, search } = new URL(json.data.url)
    for (const method of ['GET', 'HEAD'] as const) {
      const { headers } = await shown.send({ method, url: pathname + search, headers: { host: 'x' } })
      assert.equal(headers['content-disposition'], `attachment; filename*=UTF-8''${safe}`)
    }
  })

/** Returns what the audit says of the clinic's files, the first row first. */
async function servings() {
  const { clinic_id } = clinic.clinic
  const rows = await service.database.read<{ status: number; count: number; resource_ids: string[] }>(
    { clinic_id, time_zone: 'UTC' },
    sql`select status, count, resource_ids from audit
      where clinic_id = ${clinic_id} and operation = 'files.get' order by id`,
  )
  return rows.map(({ status, count, resource_ids }) => ({ status, count, ...namedIn(resource_ids) }))
}

test('every serving of a file leaves its audit row, including ranges and refusals', async () => {
  const { path, size } = await link(clinic.key)
  const before = (await servings()).length
  await fetchFile(path)
  await fetchFile(path, { range: 'bytes=0-0' })
  await fetchFile(path, { range: 'bytes=1-' })
  await fetchFile(path, { range: `bytes=${size}-` })
  await fetchFile(path, {}, 'HEAD')
  const rows = (await servings()).slice(before)
  assert.deepEqual(
    rows.map(({ status, count }) => [status, count]),
    [
      [200, 1],
      [206, 1],
      [206, 1],
      [416, 0],
      [200, 1],
    ],
  )
  assert.equal(new Set(rows.map(({ resource_ids }) => resource_ids.join())).size, 1)
})

test('HEAD returns the length without the bytes', async () => {
  const { path, size } = await link(clinic.key)
  const head = await fetchFile(path, {}, 'HEAD')
  assert.deepEqual([head.status, head.headers['content-length'], head.bytes.length], [200, String(size), 0])
})

test('HEAD heeds no range, which RFC 9110 defines for GET alone', async () => {
  const { path, size } = await link(clinic.key)
  for (const range of ['bytes=0-0', 'bytes=-7', `bytes=${size}-`]) {
    const { status, headers, bytes } = await fetchFile(path, { range }, 'HEAD')
    const facts = [status, headers['content-length'], headers['content-range'], bytes.length]
    assert.deepEqual(facts, [200, String(size), undefined, 0], range)
  }
})

test('a range outside the file is a 416 with the size, and several ranges get the whole file', async () => {
  const { path, size } = await link(clinic.key)
  const outside = await fetchFile(path, { range: `bytes=${size}-` })
  assert.deepEqual([outside.status, outside.headers['content-range']], [416, `bytes */${size}`])
  const several = await fetchFile(path, { range: 'bytes=0-1,5-6' })
  assert.deepEqual([several.status, several.bytes.length], [200, size])
})

test('a range that ends before it begins gets the whole file', async () => {
  const { path, size } = await link(clinic.key)
  const backward = await fetchFile(path, { range: 'bytes=5-2' })
  assert.deepEqual([backward.status, backward.bytes.length], [200, size])
})

test('no byte of a file leaves when its audit row cannot be stored', async (t) => {
  let isFull = false
  const other = await startParts({
    now: () => now,
    wrap: (backend) => ({
      ...backend,
      audit: (rows) => (isFull ? Promise.reject(new Error('disk full')) : backend.audit(rows)),
    }),
  })
  t.after(() => other.close())
  const calls = await ask(other, clinic.key, '/v1/calls?has_recording=true&limit=1')
  const { json } = await ask(other, clinic.key, `/v1/calls/${calls.json.data[0].id}/recording`)
  const { pathname, search } = new URL(json.data.url)
  const served = () => other.send({ url: pathname + search, headers: { host: 'x' } })
  assert.equal((await served()).bytes.length, json.data.size_bytes)
  isFull = true
  const refused = await served()
  assert.ok(refused.status >= 500 && refused.bytes.length < json.data.size_bytes, String(refused.status))
  assert.equal(JSON.parse(refused.bytes.toString()).status, refused.status)
})

/** Revokes a key that `keyOf` has made. */
async function revoke(key: string): Promise<void> {
  const { clinic_id } = clinic.clinic
  const made = (await listKeys(service.owner, clinic_id)).find(
    (one) => key.startsWith(one.first_characters) && key.endsWith(one.last_characters),
  )
  assert.ok(made)
  await revokeKey(service.owner, { clinic_id, id: made.id, now: new Date() })
}

test('a client that goes away in the middle of a file gives back its place', async (t) => {
  const other = await startParts({
    now: () => now,
    wrap: (backend) => ({
      ...backend,
      openFile: async (...args) => {
        const opened = await backend.openFile(...args)
        if (opened.state !== 'open') return opened
        opened.stream.destroy()
        // The first byte comes, and no other one.
        const stream = new Readable({ read: () => undefined })
        stream.push('a')
        return { ...opened, stream }
      },
    }),
  })
  t.after(() => other.close())
  const calls = await ask(other, clinic.key, '/v1/calls?has_recording=true&limit=1')
  const { json } = await ask(other, clinic.key, `/v1/calls/${calls.json.data[0].id}/recording`)
  const { pathname, search } = new URL(json.data.url)
  const address = `${await other.address()}${pathname}${search}`
  // One key may have four downloads of a file at once.
  for (let download = 0; download < 10; download++) {
    const gone = new AbortController()
    const { status, body } = await fetch(address, { signal: gone.signal })
    assert.equal(status, 200)
    await body?.getReader().read()
    gone.abort()
  }
})

test('a link is 410 after 15 minutes, and at once when its key is revoked, and the audit says so too', async () => {
  const key = await keyOf(service.owner, clinic.clinic, ['calls:read'])
  const { path } = await link(key)
  assert.equal((await fetchFile(path)).status, 200)
  await revoke(key)
  const before = (await servings()).length
  const { status } = await fetchFile(path)
  const rows = (await servings()).slice(before).map((row) => [row.status, row.problem, row.count])
  assert.deepEqual([status, ...rows], [410, [410, 'link-expired', 0]])

  const other = await link(clinic.key)
  now += FILE_LINK_SECONDS * 1000
  const expired = await ask(service, null, other.path)
  assert.equal(expired.status, 410)
  assert.match(expired.json.type, /\/problems\/link-expired$/)
  now = Date.now()
})
