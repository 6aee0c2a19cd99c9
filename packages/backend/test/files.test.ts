// Stored files: kept in pieces, read in ranges, and open only to links of valid keys.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { mintKey, revokeKey } from '@clinic-data/administration/credentials/keys'
import { type ByteRange, type Clinic, MAX } from '@clinic-data/contract'
import { fileHead, patientIdsHeader } from '@clinic-data/contract/port-file-answer'
import { sql } from '@clinic-data/database'
import { storeFile } from '@clinic-data/records/file-bytes'
import { sized } from '@clinic-data/testing/run/size'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import fc from 'fast-check'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
let now = new Date('2026-07-12T06:30:00Z')
const backend = createBackend({ database: app, now: () => now, log: failingLog })

const store = ({ clinic_id, time_zone }: Clinic, content: Iterable<Uint8Array>) =>
  app.write({ clinic_id, time_zone }, (tx) =>
    storeFile(tx, clinic_id, now, { content_type: 'audio/wav', file_name: 'call.wav', content }),
  )

const mint = ({ clinic_id }: Clinic, expires_at: Date | null = null) =>
  mintKey(owner, { clinic_id, name: 'Links', scopes: [], expires_at, rate_limit: null, now })

async function opened(clinic: Clinic, key_id: string, file_id: string, range: ByteRange | null) {
  const file = await backend.openFile({ clinic_id: clinic.clinic_id, key_id, file_id }, range)
  if (file.state !== 'open') return file
  const { stream, ...rest } = file
  return { ...rest, bytes: Buffer.concat(await stream.toArray()) }
}

test('the file of a bound key is opened from its networks, elsewhere refused, and not at all where nobody says from where', async () => {
  const clinic = await testClinic(owner)
  const { clinic_id } = clinic
  const wanted = { clinic_id, name: 'Links', scopes: [], expires_at: null, rate_limit: null, now }
  const { id: key_id } = await mintKey(owner, { ...wanted, networks: ['203.0.113.0/24'] })
  const { file_id } = await store(clinic, [Buffer.from('RIFF')])
  const stateFrom = async (address?: string) =>
    (await backend.openFile({ clinic_id, key_id, file_id }, null, address)).state
  assert.deepEqual(
    [await stateFrom('203.0.113.9'), await stateFrom('198.51.100.7'), await stateFrom()],
    ['open', 'elsewhere', 'revoked'],
  )
})

test('a stored file is read back, whole and in any range', async () => {
  const clinic = await testClinic(owner)
  const { id } = await mint(clinic)
  const content = randomBytes(700_001)
  const chunks = [content.subarray(0, 1), content.subarray(1, 600_000), new Uint8Array(0), content.subarray(600_000)]
  const { file_id, size_bytes } = await store(clinic, chunks)
  assert.equal(size_bytes, content.length)
  const whole = await opened(clinic, id, file_id, null)
  assert.ok('bytes' in whole && whole.bytes.equals(content))
  assert.deepEqual([whole.first, whole.last, whole.size_bytes], [0, 700_000, 700_001])
  assert.deepEqual([whole.content_type, whole.file_name], ['audio/wav', 'call.wav'])

  const edge = fc.oneof(fc.nat(800_000), fc.constantFrom(0, 262_143, 262_144, 524_288, 700_000, 700_001))
  await fc.assert(
    fc.asyncProperty(edge, edge, async (first, last) => {
      const part = await opened(clinic, id, file_id, { first, last })
      const expected = first > last ? Buffer.alloc(0) : content.subarray(first, last + 1)
      if (expected.length === 0) return assert.deepEqual(part, { state: 'unsatisfiable', size_bytes, patient_ids: [] })
      assert.ok('bytes' in part && part.bytes.equals(expected))
      assert.deepEqual([part.first, part.last], [first, Math.min(last, 700_000)])
    }),
    { numRuns: sized({ everyday: 15, long: 40 }) },
  )
  const suffix = await opened(clinic, id, file_id, { first: null, last: 5 })
  assert.ok('bytes' in suffix && suffix.bytes.equals(content.subarray(-5)))
  const more = await opened(clinic, id, file_id, { first: null, last: 800_000 })
  assert.ok('bytes' in more && more.bytes.equals(content))
  const rest = await opened(clinic, id, file_id, { first: 699_999, last: null })
  assert.ok('bytes' in rest && rest.bytes.equals(content.subarray(-2)))
  assert.deepEqual(await opened(clinic, id, file_id, { first: null, last: 0 }), {
    state: 'unsatisfiable',
    size_bytes,
    patient_ids: [],
  })
})

for (const { sharers, named } of [
  { sharers: MAX.patients, named: MAX.patients },
  { sharers: MAX.patients + 1, named: 0 },
]) {
  test(`a recording of ${sharers} patients is opened for ${named} of them, and its head is one that a gateway reads`, async () => {
    const clinic = await testClinic(owner)
    const { clinic_id } = clinic
    const { id } = await mint(clinic)
    const { file_id } = await store(clinic, [randomBytes(9)])
    // Each alone: a cluster copies what a statement selects, once in a transaction.
    await owner.query(sql`insert into patient (clinic_id, id, name_folded, created_at, updated_at, created_date)
      select ${clinic_id}, 'p' || n, '', ${now}, ${now}, ${now}::timestamptz::date from generate_series(1, ${sharers}) n`)
    await owner.query(sql`insert into patient_contact (clinic_id, patient_id, position, type, value, value_normal, is_primary)
      select ${clinic_id}, 'p' || n, 0, 'phone', '+972' || n, '+972' || n, true from generate_series(1, ${sharers}) n`)
    await owner.query(sql`insert into call (clinic_id, id, direction, status, patient_phone, duration_seconds, ring_seconds,
          recording_file_id, created_at, updated_at)
      select ${clinic_id}, 'c' || n, 'inbound', 'answered', '+972' || n, 1, 1, ${file_id}, ${now}, ${now}
      from generate_series(1, ${sharers}) n`)
    const file = await opened(clinic, id, file_id, null)
    assert.ok('bytes' in file)
    assert.equal(file.patient_ids?.length, named)
    const head = fileHead(200, {
      'content-length': String(file.size_bytes),
      'content-type': file.content_type,
      'x-file-name': encodeURIComponent(file.file_name),
      'x-patient-ids': patientIdsHeader(file.patient_ids ?? []),
    })
    assert.deepEqual(head.patient_ids, file.patient_ids)
  })
}

test('an empty file is whole without a byte and has no range', async () => {
  const clinic = await testClinic(owner)
  const { id } = await mint(clinic)
  const { file_id } = await store(clinic, [])
  const whole = await opened(clinic, id, file_id, null)
  assert.ok('bytes' in whole && whole.bytes.length === 0)
  assert.deepEqual(await opened(clinic, id, file_id, { first: 0, last: 0 }), {
    state: 'unsatisfiable',
    size_bytes: 0,
    patient_ids: [],
  })
})

test('a file over the limit is refused, and nothing of it stays', async () => {
  const clinic = await testClinic(owner)
  const { clinic_id } = clinic
  let storedBefore = 0
  // Some of it is stored before the rest arrives.
  const refused = app.write(clinic, (tx) => {
    async function* content() {
      yield new Uint8Array(1 << 21)
      storedBefore = (await tx.query(sql`select from file_piece where clinic_id = ${clinic_id}`)).rows.length
      yield new Uint8Array(MAX.file)
    }
    return storeFile(tx, clinic_id, now, { content_type: 'audio/wav', file_name: 'call.wav', content: content() })
  })
  await assert.rejects(refused, RangeError)
  assert.equal(storedBefore, 8)
  assert.deepEqual(await app.read(clinic, sql`select from file where clinic_id = ${clinic_id}`), [])
  assert.deepEqual(await app.read(clinic, sql`select from file_piece where clinic_id = ${clinic_id} limit 1`), [])
})

test('a link opens only its own clinic’s file, and only while its key is valid', async () => {
  const [clinic, other] = [await testClinic(owner), await testClinic(owner)]
  const { file_id } = await store(clinic, [randomBytes(3)])
  const [ours, theirs] = [await mint(clinic), await mint(other)]
  const expiring = await mint(clinic, new Date('2026-07-12T07:00:00Z'))
  assert.equal((await opened(clinic, ours.id, file_id, null)).state, 'open')
  assert.equal((await opened(clinic, ours.id, 'file_none', null)).state, 'missing')
  assert.equal((await opened(other, theirs.id, file_id, null)).state, 'missing')
  assert.equal((await opened(clinic, theirs.id, file_id, null)).state, 'revoked')
  assert.equal((await opened(clinic, expiring.id, file_id, null)).state, 'open')
  now = new Date('2026-07-12T07:00:00Z')
  assert.equal((await opened(clinic, expiring.id, file_id, null)).state, 'revoked')
  await revokeKey(owner, { clinic_id: clinic.clinic_id, id: ours.id, now }, async () => undefined)
  assert.equal((await opened(clinic, ours.id, file_id, null)).state, 'revoked')
})

test('a file that loses its bytes while it is read breaks the stream instead of ending it short', async () => {
  const clinic = await testClinic(owner)
  const { id } = await mint(clinic)
  const { file_id } = await store(clinic, [randomBytes(600_000)])
  const file = await backend.openFile({ clinic_id: clinic.clinic_id, key_id: id, file_id }, null)
  assert.ok(file.state === 'open')
  await owner.query(sql`delete from file_piece where clinic_id = ${clinic.clinic_id} and position = 2`)
  await assert.rejects(file.stream.toArray(), /piece 2 of a file is missing/)
})
