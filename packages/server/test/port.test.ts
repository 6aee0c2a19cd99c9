// A gateway gets the same from the backend in one process and over HTTP.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { createBackend } from '@clinic-data/backend'
import { portRoutes } from '@clinic-data/backend/port-listener'
import {
  type AnyHandler,
  type AuditRow,
  allOperations,
  allScopes,
  type Backend,
  type ByteRange,
  type Clinic,
  Grant,
  handlerOf,
  handlersMadeBy,
  MAX,
  type OperationId,
  Problem,
} from '@clinic-data/contract'
import { WrittenRows } from '@clinic-data/contract/data-writer'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { sql } from '@clinic-data/database'
import { httpBackend } from '@clinic-data/gateway/http-backend/http-backend'
import { storeFile } from '@clinic-data/records/file-bytes'
import { ask, problem, walk } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import Fastify from 'fastify'

const { owner, app } = await testDatabase()
const now = new Date('2026-07-12T06:30:00Z')
const local = createBackend({ database: app, now: () => now, log: failingLog })

const token = randomBytes(24).toString('hex')
const listener = Fastify()
await listener.register(portRoutes(local, { token, log: failingLog }))
const url = await listener.listen({ port: 0, host: '127.0.0.1' })
const quiet = { warn: () => undefined, info: () => undefined }
const overHttp = httpBackend({ urls: [url], token, log: quiet })
const remote = { ...overHttp, handlers: handlersMadeBy((operation) => readingRows(handlerOf(overHttp, operation))) }
after(async () => {
  await remote.close()
  await listener.close()
})

const backends: readonly [string, Backend][] = [
  ['in one process', local],
  ['over HTTP', remote],
]

/** Reads the rows of a list that the backend has written for the gateway. */
function readingRows(handler: AnyHandler): AnyHandler {
  return async (...asked) => {
    const answer = await handler(...asked)
    if (!(answer?.data instanceof WrittenRows)) return answer
    const { data, audited: _, ...beside } = answer
    return { ...beside, data: JSON.parse(Buffer.from(data.bytes).toString()) }
  }
}

async function clinicWithPatients(count: number): Promise<Clinic> {
  const clinic = await testClinic(owner)
  for (let n = 0; n < count; n++) {
    await insertPatient(owner, clinic, { id: `p${n}`, first_name: `נעה ${n}`, last_name: 'Ben-Levi "d\'"' })
  }
  return clinic
}

/** Asks an operation with the input of its documented example. @returns the answer or the problem. */
async function outcome(backend: Backend, clinic: Clinic, id: OperationId) {
  const { example } = allOperations.find((operation) => operation.id === id) ?? assert.fail()
  try {
    return { answer: await ask(backend, clinic, id, { params: example.params ?? {}, query: example.query ?? {} }) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { slug: error.slug, detail: error.message, members: error.members }
  }
}

test('every read gives the same answer, for a clinic with the rows of the examples and for an empty one', async () => {
  const full = await clinicWithPatients(3)
  await insertPatient(owner, full, { id: 'p1042', first_name: 'Noa', last_name: 'Levi' }, ['+972501234567'])
  await insert(owner, full, 'branch', { id: 'main' })
  await insert(owner, full, 'provider', { id: 'd1' })
  await insert(owner, full, 'payment', { id: 'pay9001', patient_id: 'p1042' })
  await insert(owner, full, 'call', { id: 'c7710', patient_phone: '+972501234567' })
  const empty = await testClinic(owner)
  for (const clinic of [full, empty]) {
    for (const { id } of allOperations.filter(({ method }) => method === 'GET')) {
      const [here, there] = await Promise.all(
        backends.map(([, backend]) => outcome(backend, clinic, id as OperationId)),
      )
      assert.deepEqual(there, here, id)
    }
  }
  assert.ok('answer' in (await outcome(remote, full, 'patients.get')))
  assert.ok('slug' in (await outcome(remote, empty, 'patients.get')))
})

for (const [where, backend] of backends) {
  test(`${where}: a key opens its clinic, and an unknown or revoked key opens nothing`, async () => {
    const clinic = await testClinic(owner, { week_start: 1 })
    const expires_at = new Date('2026-08-01T00:00:00Z')
    const { key, id } = await mintKey(owner, {
      clinic_id: clinic.clinic_id,
      name: 'Till',
      scopes: ['patients:read', 'leads:write'],
      expires_at,
      rate_limit: 7,
      now,
    })
    assert.deepEqual(await backend.authenticate(hashKey(key)), {
      key_id: id,
      clinic,
      scopes: ['patients:read', 'leads:write'],
      rate_limit: 7,
      expires_at: expires_at.getTime(),
    })
    assert.equal(await backend.authenticate(hashKey(makeKey())), null)
    await owner.query(sql`update api_key set revoked_at = now() where clinic_id = ${clinic.clinic_id} and id = ${id}`)
    assert.equal(await backend.authenticate(hashKey(key)), null)
  })

  test(`${where}: a key that is bound comes with its networks, asked for alone and with others`, async () => {
    const { clinic_id } = await testClinic(owner)
    const networks = ['203.0.113.0/24']
    const bound = { clinic_id, name: 'Till', scopes: [], expires_at: null, rate_limit: null, networks, now }
    const keys = [await mintKey(owner, bound), await mintKey(owner, bound), await mintKey(owner, bound)]
    const [first, ...others] = keys.map(({ key }) => hashKey(key))
    assert.deepEqual((await backend.authenticate(first ?? assert.fail()))?.networks, networks)
    const found = await Promise.all(others.map((hash) => backend.authenticate(hash)))
    assert.deepEqual(
      found.map((principal) => principal?.networks),
      [networks, networks],
    )
  })

  test(`${where}: the pages of a list have each row once`, async () => {
    const clinic = await clinicWithPatients(7)
    const rows = await walk(backend, clinic, 'patients.list', { limit: 3 })
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'],
    )
    const byName = await walk(backend, clinic, 'patients.list', { limit: 2, query: { query: 'נעה' } })
    assert.deepEqual(byName.map(({ id }) => id).sort(), ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'])
  })

  test(`${where}: a patient of another clinic is not found`, async () => {
    await clinicWithPatients(1)
    const stranger = await testClinic(owner)
    await assert.rejects(ask(backend, stranger, 'patients.get', { params: { id: 'p0' } }), problem('not-found', /p0/))
  })

  test(`${where}: an operation without content answers null and is carried out once`, async () => {
    const clinic = await testClinic(owner)
    await insert(owner, clinic, 'subscription', { id: 'w', url: 'https://crm.example.com/hooks' })
    const remove = () => ask(backend, clinic, 'webhooks.delete', { params: { id: 'w' } })
    assert.equal(await remove(), null)
    await assert.rejects(remove(), problem('not-found', /w/))
  })

  test(`${where}: a call is refused after its deadline`, async () => {
    const clinic = await clinicWithPatients(1)
    const operation = allOperations.find(({ id }) => id === 'patients.get') ?? assert.fail()
    const principal = { key_id: 'key', clinic, scopes: allScopes, rate_limit: null, expires_at: null }
    const input = { params: { id: 'p0' }, query: { limit: 25, after: null }, body: undefined, idempotency_key: null }
    const late = { request_id: 'req_1', deadline: performance.now() - 1 }
    const handler = backend.handlers['patients.get'] as unknown as (...args: unknown[]) => Promise<unknown>
    await assert.rejects(handler(Grant.authorize(principal, operation), input, late), problem('service-unavailable'))
  })

  test(`${where}: audit rows are stored in order, with any ids`, async () => {
    const { clinic_id } = await testClinic(owner)
    const rows = ['req_1', 'req_2', 'req_3'].map(
      (request_id, n): AuditRow => ({
        at: '2026-07-12T06:30:00.123Z',
        clinic_id,
        key_id: 'key_1',
        operation: 'patients.list',
        surface: 'rest',
        resource_ids: ['p1', 'ש'.repeat(MAX.id), '"\\'].slice(0, n + 1),
        count: n,
        status: 200,
        request_id,
        address: '2001:db8::1',
      }),
    )
    await backend.audit(rows)
    const stored = await owner.query<{ request_id: string; resource_ids: string[] }>(
      sql`select request_id, resource_ids from audit where clinic_id = ${clinic_id} order by id`,
    )
    assert.deepEqual(
      stored.rows.map(({ request_id, resource_ids }) => [request_id, resource_ids]),
      rows.map(({ request_id, resource_ids }) => [request_id, resource_ids]),
    )
  })

  test(`${where}: a file opens whole and in ranges, but no longer once its key is revoked`, async () => {
    const clinic = await testClinic(owner)
    const { clinic_id, time_zone } = clinic
    const minted = await mintKey(owner, {
      clinic_id,
      name: 'Links',
      scopes: [],
      expires_at: null,
      rate_limit: null,
      now,
    })
    const content = randomBytes(600_001)
    const { file_id } = await app.write({ clinic_id, time_zone }, (tx) =>
      storeFile(tx, clinic_id, now, { content_type: 'audio/wav', file_name: 'שיחה 1%.wav', content: [content] }),
    )
    const open = async (id: string, range: ByteRange | null) => {
      const opened = await backend.openFile({ clinic_id, key_id: minted.id, file_id: id }, range)
      if (opened.state !== 'open') return opened
      const { stream, ...facts } = opened
      return { ...facts, bytes: await buffer(stream) }
    }
    await insertPatient(owner, clinic, { id: 'p, 1' }, ['+972501234567'])
    await insert(owner, clinic, 'call', { id: 'c1', patient_phone: '+972501234567', recording_file_id: file_id })
    const facts = {
      state: 'open',
      patient_ids: ['p, 1'],
      content_type: 'audio/wav',
      file_name: 'שיחה 1%.wav',
      size_bytes: content.length,
    }
    assert.deepEqual(await open(file_id, null), { ...facts, first: 0, last: 600_000, bytes: content })
    assert.deepEqual(await open(file_id, { first: 262_000, last: 263_000 }), {
      ...facts,
      first: 262_000,
      last: 263_000,
      bytes: content.subarray(262_000, 263_001),
    })
    assert.deepEqual(await open(file_id, { first: null, last: 5 }), {
      ...facts,
      first: 599_996,
      last: 600_000,
      bytes: content.subarray(-5),
    })
    assert.deepEqual(await open(file_id, { first: 600_001, last: null }), {
      state: 'unsatisfiable',
      size_bytes: 600_001,
      patient_ids: ['p, 1'],
    })
    assert.deepEqual(await open('file_none', null), { state: 'missing' })
    await owner.query(sql`update api_key set revoked_at = now() where clinic_id = ${clinic_id} and id = ${minted.id}`)
    assert.deepEqual(await open(file_id, null), { state: 'revoked' })
  })

  test(`${where}: a misleading name of a stored file does not leave, neither with its bytes nor with its link`, async () => {
    const clinic = await testClinic(owner)
    const { clinic_id, time_zone } = clinic
    const wanted = { clinic_id, name: 'Links', scopes: [], expires_at: null, rate_limit: null, now }
    const { id: key_id } = await mintKey(owner, wanted)
    const misleading = { content_type: 'image/png', file_name: 'photo\u202egnp.exe', content: [randomBytes(9)] }
    const { file_id } = await app.write({ clinic_id, time_zone }, (tx) => storeFile(tx, clinic_id, now, misleading))
    await insert(owner, clinic, 'call', { id: 'c1', recording_file_id: file_id })
    const opened = await backend.openFile({ clinic_id, key_id, file_id }, null)
    assert.ok(opened.state === 'open')
    await buffer(opened.stream)
    const { data } = await ask(backend, clinic, 'calls.recording.get', { params: { id: 'c1' } })
    assert.deepEqual([opened.file_name, data.file_name], ['photognp.exe.png', 'photognp.exe.png'])
  })

  test(`${where}: a file of a bound key opens from its networks, and elsewhere or from an unknown address it does not`, async () => {
    const { clinic_id, time_zone } = await testClinic(owner)
    const bound = { clinic_id, name: 'Till', scopes: [], expires_at: null, rate_limit: null, now }
    const { id: key_id } = await mintKey(owner, { ...bound, networks: ['203.0.113.0/24'] })
    const sound = { content_type: 'audio/wav', file_name: 'call.wav', content: [randomBytes(10)] }
    const { file_id } = await app.write({ clinic_id, time_zone }, (tx) => storeFile(tx, clinic_id, now, sound))
    const states: string[] = []
    for (const address of ['203.0.113.9', '198.51.100.7', null]) {
      const opened = await backend.openFile({ clinic_id, key_id, file_id }, null, address)
      if (opened.state === 'open') await buffer(opened.stream)
      states.push(opened.state)
    }
    assert.deepEqual(states, ['open', 'elsewhere', 'revoked'])
  })

  test(`${where}: it is ready`, () => backend.ready())
}

test('a gateway with another token gets nothing', async () => {
  const stranger = httpBackend({ urls: [url], token: randomBytes(24).toString('hex'), log: quiet })
  await assert.rejects(stranger.authenticate(hashKey(makeKey())), problem('upstream-error'))
  await assert.rejects(stranger.ready())
  await stranger.close()
})
