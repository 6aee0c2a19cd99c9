// The rules of every ingest operation that takes records: its example, its token, its form, its references.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revokeIngestToken } from '@clinic-data/administration/credentials/ingest-tokens'
import { type Clinic, MAX } from '@clinic-data/contract'
import { makeKey } from '@clinic-data/contract/key'
import { type Asking, askIngest, eventsOf, openIngest, type Send, tokenOf } from '@clinic-data/testing/grounds/ingest'
import { sized } from '@clinic-data/testing/run/size'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { MAX_RECORDS } from '../src/ingest/ingest-operation.ts'
import { ingestOperations, recordsOperations } from '../src/ingest/operations.ts'
import { exampleFor, fingerprint, namedIn, prepare } from './ingest-examples.ts'

const database = await testDatabase()
const { owner } = database
const ingest = await openIngest(database)

interface Sender {
  clinic: Clinic
  token: string
  token_id: string
  send: Send
}

async function sender(): Promise<Sender> {
  const clinic = await testClinic(owner)
  const { id: token_id, token } = await tokenOf(owner, clinic)
  const send: Send = (path, body, headers = {}) => askIngest(ingest, path, { token, body, headers })
  return { clinic, token, token_id, send }
}

/** A clinic for each operation, in which what its example names is there. */
async function ready(operation: (typeof recordsOperations)[number]) {
  const ready = await sender()
  await prepare(owner, ready.clinic, operation, ready.send)
  return { ...ready, example: exampleFor(operation, ready.clinic) }
}

const unchanged = new Map<string, Promise<Awaited<ReturnType<typeof ready>> & { before: string }>>()

/** The clinic of an operation's tests that change nothing, and all of its rows. */
function refusing(operation: (typeof recordsOperations)[number]) {
  const made =
    unchanged.get(operation.id) ??
    ready(operation).then(async (one) => ({ ...one, before: await fingerprint(owner, one.clinic) }))
  unchanged.set(operation.id, made)
  return made
}

const places = (errors: { pointer: string; code: string }[]) => errors.map(({ pointer, code }) => `${pointer} ${code}`)

for (const operation of recordsOperations) {
  const { id, path, key, references } = operation

  test(`${id} takes its example, and a repetition changes nothing and fires nothing`, async () => {
    const { clinic, send, example } = await ready(operation)
    const first = await send(path, example)
    assert.deepEqual([first.status, first.json.data.outcome], [200, operation.becomes], JSON.stringify(first.json))
    const before = await fingerprint(owner, clinic)
    const again = await send(path, { records: [example] })
    assert.deepEqual([again.status, again.json.data[0].outcome], [200, 'unchanged'])
    assert.equal(await fingerprint(owner, clinic), before)
  })

  test(`${id} names each field that does not exist, alone and in a batch`, async () => {
    const { clinic, send, example, before } = await refusing(operation)
    const wrong = { ...example, surprise: 1 }
    const alone = await send(path, wrong)
    assert.deepEqual([alone.status, places(alone.json.errors)], [400, ['#/surprise unknown']])
    const batch = await send(path, { records: [example, wrong] })
    assert.deepEqual([batch.status, places(batch.json.errors)], [400, ['#/records/1/surprise unknown']])
    assert.equal(await fingerprint(owner, clinic), before)
  })

  for (const [field, table] of Object.entries(references)) {
    test(`${id} refuses an unknown ${field} with its place, and stores nothing of the batch`, async () => {
      const { clinic, send, example, before } = await refusing(operation)
      const other = otherName(key)
      const wrong = withUnknown(field, table, { ...structuredClone(example), ...other })
      // Two records of one name would be refused before.
      const records = other === null ? [wrong.record] : [example, wrong.record]
      const place = `#/records/${records.length - 1}${wrong.place}`
      const { status, json } = await send(path, { records })
      assert.equal(status, 422)
      assert.ok(places(json.errors).includes(`${place} unknown_id`), JSON.stringify(json.errors))
      assert.equal(await fingerprint(owner, clinic), before)
    })
  }

  test(`${id} of one clinic neither sees nor changes another's`, async () => {
    const [ours, theirs] = [await sender(), await refusing(operation)]
    const { status, json } = await ours.send(path, exampleFor(operation, ours.clinic))
    const names = Object.keys(references).flatMap((field) => namedIn(theirs.example, field))
    if (names.length > 0) assert.deepEqual([status, json.errors[0].code], [422, 'unknown_id'])
    else assert.ok(status === 200 || json.errors[0].code === 'unknown_id', JSON.stringify(json))
    assert.equal(await fingerprint(owner, theirs.clinic), theirs.before)
  })

  if (key.length > 0) {
    test(`${id} refuses two records of one name in a batch`, async () => {
      const { send, example } = await refusing(operation)
      const { status, json } = await send(path, { records: [example, example] })
      assert.deepEqual([status, places(json.errors)], [400, [`#/records/1/${key[0]} duplicate`]])
    })
  }
}

test('no operation stores a record with the id `.` or `..`, which clients fold away in a path', async () => {
  const { clinic, send } = await sender()
  const storing = recordsOperations.filter(({ key, becomes }) => key[0] === 'id' && becomes === 'created')
  assert.ok(storing.length > 10)
  for (const operation of storing) {
    for (const id of ['.', '..']) {
      const { status, json } = await send(operation.path, { ...exampleFor(operation, clinic), id })
      assert.deepEqual([status, places(json.errors)], [400, ['#/id format']], operation.id)
      assert.match(json.errors[0].detail, /cannot stand in a path/)
    }
  }
})

/** A name for a second record of a batch, where it may be any. */
function otherName([field]: readonly string[]): object | null {
  return field === 'id' || field === 'platform_message_id' ? { [field]: 'another' } : null
}

/** The record with one reference that leads nowhere, and the place of it. */
function withUnknown(field: string, table: string, record: Record<string, unknown>) {
  const names = field.split('.')
  const inner = names.pop() ?? ''
  let place = ''
  let at: Record<string, unknown> = record
  for (const name of names) {
    place += `/${name}`
    const value = at[name] ?? (name === 'media' ? { type: 'image/png' } : {})
    at[name] = value
    at = (Array.isArray(value) ? value[0] : value) as Record<string, unknown>
    if (Array.isArray(value)) place += '/0'
  }
  const isList = Array.isArray(at[inner])
  at[inner] = isList ? ['nowhere'] : 'nowhere'
  if (table === 'file' && 'type' in record) record.type = 'image'
  return { record, place: `${place}/${inner}${isList ? '/0' : ''}` }
}

const [first = assert.fail()] = recordsOperations

test('no operation works without a valid token of a clinic, and the answer says no more than that', async () => {
  const { clinic, token, token_id } = await sender()
  await revokeIngestToken(owner, { clinic_id: clinic.clinic_id, id: token_id, now: new Date() })
  const refused = [null, token, makeKey('it_live_'), makeKey(), 'x', token.slice(0, -1)]
  const bodies = new Set<string>()
  for (const { id, path, method } of ingestOperations) {
    for (const other of refused) {
      // Any body will do: the token is checked first.
      const { status, json, headers } = await askIngest(ingest, path, {
        method,
        token: other,
        ...(method === 'POST' && { body: 1 }),
      })
      assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer'], id)
      const { request_id, ...rest } = json
      assert.equal(headers['x-request-id'], request_id)
      bodies.add(JSON.stringify(rest))
    }
  }
  assert.equal(bodies.size, 1)
})

/** One code reads all bodies, so each operation has its turn with some of the lies. */
const LIES_EACH = sized({ everyday: 1, long: 9 })

test('a body must be JSON in UTF-8, of its media type, within its size and its depth', async () => {
  const { token } = await sender()
  const status = async (asking: Asking, path: string) => (await askIngest(ingest, path, { token, ...asking })).status
  const forms = ingestOperations.filter((operation) => 'record' in operation || operation.body)
  const types = ['text/plain', 'application/json; charset=latin1', 'application/x-www-form-urlencoded', 'x', '/', '']
  const bodies = ['', '{', '[]', 'null', '"x"', '1', '{"records":{}}', '{"records":[]}', '{"records":[null]}']
  const hostile = ['"\\u0000"', '"\\ud800"', '"\\udc00x"', `${'['.repeat(40)}${']'.repeat(40)}`, '{"__proto__":1}']
  for (const [turn, { path, id }] of forms.entries()) {
    const some = (lies: readonly string[]) =>
      Array.from({ length: Math.min(LIES_EACH, lies.length) }, (_, n) => lies[(turn + n) % lies.length] ?? '')
    for (const type of some(types)) {
      assert.equal(await status({ body: {}, headers: { 'content-type': type } }, path), 415, `${id} ${type}`)
    }
    assert.equal(await status({ body: {}, headers: { 'content-encoding': 'gzip' } }, path), 415, id)
    assert.equal(await status({ body: {}, headers: { 'content-length': `${64 * 1024 * 1024}` } }, path), 413, id)
    for (const body of some(bodies)) {
      if (path === '/settings' && body.includes('records')) continue
      assert.equal(await status({ body: Buffer.from(body) }, path), 400, `${id} ${body}`)
    }
    for (const value of some(hostile)) {
      assert.equal(await status({ body: Buffer.from(`{"id":${value}}`) }, path), 400, `${id} ${value}`)
    }
    assert.equal(await status({ body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }, path), 400, id)
  }
})

test('a batch holds at most 1,000 records', async () => {
  const { send } = await sender()
  const records = Array.from({ length: MAX_RECORDS + 1 }, (_, i) => ({ ...first.example, id: `r${i}` }))
  const { status, json } = await send(first.path, { records })
  assert.deepEqual([status, places(json.errors)], [400, ['#/records too_many']])
  assert.equal((await send(first.path, { records: records.slice(1) })).json.data.length, MAX_RECORDS)
})

test('of many faults fifty are reported, with their number', async () => {
  const { send } = await sender()
  const records = Array.from({ length: 80 }, (_, i) => ({ ...first.example, id: `r${i}`, surprise: i }))
  const { status, json } = await send(first.path, { records })
  assert.deepEqual([status, json.errors.length], [400, MAX.errors])
  assert.match(
    json.detail,
    /^`records\[0\]\.surprise` is not known here, but these are: id, .* \(and at least 79 more faults\)\. Nothing was stored\.$/,
  )
})

test('an unknown path is 404, and a wrong method is 405 with the allowed ones', async () => {
  const { token } = await sender()
  assert.equal((await askIngest(ingest, '/nothing', { token, body: {} })).status, 404)
  for (const [path, ofPath] of Map.groupBy(ingestOperations, (operation) => operation.path)) {
    const { status, headers } = await askIngest(ingest, path, { method: 'PUT', token, body: {} })
    const allowed = ofPath.map(({ method }) => method).join(', ')
    assert.deepEqual([status, headers.allow], [405, allowed], path)
  }
})

test('twenty who send one batch at once store it once, and each of its changes is one event', async () => {
  const operation = recordsOperations.find(({ id }) => id === 'patients.store') ?? assert.fail()
  const { clinic, send } = await ready(operation)
  const records = Array.from({ length: 50 }, (_, i) => ({ ...operation.example, id: `p${i}`, status_id: null }))
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(operation.path, { records })))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const made = answers
    .flatMap(({ json }) => json.data)
    .filter(({ outcome }: { outcome: string }) => outcome === 'created')
  assert.deepEqual([made.length, (await eventsOf(owner, clinic)).length], [50, 50])
})
