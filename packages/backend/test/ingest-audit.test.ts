// Every request with a token is on record: who used which operation, the ids, and the result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedIn } from '@clinic-data/audit/stored-ids'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { type Asking, askIngest, openIngest, tokenOf } from '@clinic-data/testing/grounds/ingest'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { ingestOperations, recordsOperations } from '../src/ingest/operations.ts'
import { exampleFor, prepare } from './ingest-examples.ts'

const database = await testDatabase()
const { owner } = database
const ingest = await openIngest(database)

interface AuditRow {
  key_id: string
  operation: string
  surface: string
  resource_ids: string[]
  count: number
  status: number
  request_id: string
}

const PHONE = '+972501234567'

async function lastIds({ clinic_id }: Clinic): Promise<string[]> {
  const { rows } = await owner.query<AuditRow>(sql`select resource_ids from audit
    where clinic_id = ${clinic_id} order by id desc limit 1`)
  return rows[0]?.resource_ids ?? []
}

async function lastRow({ clinic_id }: Clinic): Promise<AuditRow> {
  const { rows } =
    await owner.query<AuditRow>(sql`select key_id, operation, surface, resource_ids, count, status, request_id
    from audit where clinic_id = ${clinic_id} order by id desc limit 1`)
  const row = rows[0] ?? assert.fail()
  return { ...row, resource_ids: namedIn(row.resource_ids).resource_ids }
}

test('a request with records leaves a row that names the stored ids, and a refused one a row that names none', async () => {
  for (const operation of recordsOperations) {
    const clinic = await testClinic(owner)
    const { id: token_id, token } = await tokenOf(owner, clinic)
    await prepare(owner, clinic, operation, (path, body) => askIngest(ingest, path, { token, body }))
    const expected = { key_id: token_id, operation: `ingest.${operation.id}`, surface: 'ingest' }

    const taken = await askIngest(ingest, operation.path, { token, body: exampleFor(operation, clinic) })
    const ids = [taken.json.data.id]
    const answered = { resource_ids: ids, count: 1, status: 200, request_id: String(taken.headers['x-request-id']) }
    assert.deepEqual(await lastRow(clinic), { ...expected, ...answered })

    const refused = await askIngest(ingest, operation.path, { token, body: { surprise: 1 } })
    const nothing = { resource_ids: [], count: 0, status: 400, request_id: String(refused.headers['x-request-id']) }
    assert.deepEqual(await lastRow(clinic), { ...expected, ...nothing })
  }
})

test('a batch whose row cannot be written is not stored, and the row of its repetition names its patients', async (t) => {
  const clinic = await testClinic(owner)
  const { token } = await tokenOf(owner, clinic)
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const ingest = await openIngest(database, { log })
  const broken = () => Promise.reject(new Error('the log cannot be written'))
  t.mock.method(database.app, 'append', broken, { times: 1 })
  const send = () => askIngest(ingest, '/patients', { token, body: { records: [{ id: 'p1' }] } })
  const rows = async () =>
    (
      await owner.query<{ status: number; resource_ids: string[] }>(
        sql`select status, resource_ids from audit where clinic_id = ${clinic.clinic_id} order by id`,
      )
    ).rows.map(({ status, resource_ids }) => [status, namedIn(resource_ids).patient_ids])
  assert.equal((await send()).status, 500)
  const { rows: stored } = await owner.query(sql`select from patient where clinic_id = ${clinic.clinic_id}`)
  assert.equal(stored.length, 0)
  assert.deepEqual(await rows(), [[500, []]])
  assert.equal((await send()).status, 200)
  assert.deepEqual((await rows())[1], [200, ['p1']])
})

test('the row of a large batch names a hundred ids and counts all', async () => {
  const clinic = await testClinic(owner)
  const { token } = await tokenOf(owner, clinic)
  const records = Array.from({ length: 250 }, (_, i) => ({ id: `p${i}` }))
  await askIngest(ingest, '/patients', { token, body: { records } })
  const { resource_ids, count } = await lastRow(clinic)
  assert.deepEqual([resource_ids.length, count], [100, 250])
})

test('a request to any other operation leaves a row too', async () => {
  const askings: Record<string, Asking & { id?: string }> = {
    'documents.link': { id: 'nowhere' },
    'files.store': { body: Buffer.from('abc'), headers: { 'content-type': 'audio/wav', 'x-file-name': 'call.wav' } },
    'settings.get': {},
    'settings.update': { body: { week_start: 1 } },
  }
  for (const { id, path, method } of ingestOperations) {
    if (recordsOperations.some((operation) => operation.id === id)) continue
    const clinic = await testClinic(owner)
    const { id: token_id, token } = await tokenOf(owner, clinic)
    const { id: named = '', ...asking } = askings[id] ?? assert.fail(id)
    const { status, json, headers } = await askIngest(ingest, path.replace('{id}', named), { ...asking, method, token })
    const row = await lastRow(clinic)
    const files = id === 'files.store' ? [json.data.id] : []
    assert.deepEqual(row, {
      key_id: token_id,
      operation: `ingest.${id}`,
      surface: 'ingest',
      status,
      resource_ids: files,
      count: files.length,
      request_id: String(headers['x-request-id']),
    })
  }
})

test('a request without a valid token has no audit row, because it belongs to no clinic', async () => {
  const { status, headers } = await askIngest(ingest, '/patients', { token: 'x', body: {} })
  const { rows } = await owner.query(sql`select from audit where request_id = ${String(headers['x-request-id'])}`)
  assert.deepEqual([status, rows.length], [401, 0])
})

test('a change that has no event names the patients with the phone', async () => {
  const clinic = await testClinic(owner)
  const { token } = await tokenOf(owner, clinic)
  await insertPatient(owner, clinic, { id: 'p1' }, [PHONE])
  await insertPatient(owner, clinic, { id: 'p2' }, ['+972501234568'])
  const call = {
    id: 'c1',
    direction: 'inbound',
    status: 'answered',
    from_phone: PHONE,
    ring_seconds: 1,
    is_recorded: false,
  }
  await insert(owner, clinic, 'chat_conversation', {
    id: 'v1',
    patient_phone: PHONE,
    patient_phone_local: '0501234567',
  })
  const steps: [path: string, body: object, patients: string[]][] = [
    ['/calls', { ...call, duration_seconds: 10 }, ['p1']],
    ['/calls', { ...call, duration_seconds: 20 }, ['p1']],
    ['/calls', { ...call, duration_seconds: 20 }, []],
    ['/chat/conversations/handled', { conversation_id: 'v1', is_handled: true }, ['p1']],
  ]
  for (const [path, body, patients] of steps) {
    const { status, json } = await askIngest(ingest, path, { token, body })
    assert.equal(status, 200, JSON.stringify(json))
    assert.deepEqual(namedIn(await lastIds(clinic)).patient_ids, patients, path)
  }
})
