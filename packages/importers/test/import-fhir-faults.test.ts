// Importing broken FHIR R4 files: each fault is reported with its place, and everything else is imported.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import test from 'node:test'
import { sql } from '@clinic-data/database'
import {
  bundle,
  encounter,
  everything,
  imported,
  importing,
  newClinic,
  patient,
  type Resource,
  rowsOf,
} from './fhir-resources.ts'
import { folderWith } from './folder-with.ts'

test('a broken file is reported with its fault and its place, nothing of it is imported, and the others are', async () => {
  const clinic = await newClinic()
  const whole = bundle({ ...patient, id: 'lost' })
  const folder = await folderWith({
    'a-cut.json': whole.slice(0, -20),
    'b-comma.json': whole.replace('"id":"lost"', '"id":"lost",,').replace('"entry":[', '"entry":[\n\n'),
    'c-patient.json': JSON.stringify(patient),
    'd-list.json': '[]',
    'e-bytes.json': Buffer.concat([
      Buffer.from(whole.slice(0, 140)),
      Buffer.from([0xff]),
      Buffer.from(whole.slice(140)),
    ]),
    'f-history.json': JSON.stringify({ resourceType: 'Bundle', type: 'history', entry: [] }),
    'g-good.json': bundle(patient),
    'h-none.txt': 'not looked at',
  })
  const report = await importing(clinic, folder)
  const faults = report.failed.map(({ path, fault }) => `${path.slice(folder.length + 1)}: ${fault}`)
  assert.deepEqual(faults, [
    'a-cut.json: ends in the middle of the entry that begins at byte 56, line 1',
    'b-comma.json: has an entry that is not JSON: it begins at byte 58, line 3',
    'c-patient.json: is not a FHIR bundle',
    'd-list.json: is not a FHIR bundle',
    'e-bytes.json: has an entry that is not UTF-8: it begins at byte 56, line 1',
    'f-history.json: is a bundle of none of the types transaction, batch, collection, searchset',
  ])
  assert.equal(report.files, 7)
  assert.deepEqual(await rowsOf(clinic, sql`select id from patient`), [{ id: 'pat1' }])
})

test('an empty bundle is reported as a fault, not as imported', async () => {
  const clinic = await newClinic()
  const empty = (entry?: unknown) => JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry })
  const folder = await folderWith({
    'a-missing.json': empty(),
    'b-object.json': empty({ resource: patient }),
    'c-null.json': empty(null),
    'd-none.json': empty([]),
  })
  const report = await importing(clinic, folder)
  assert.deepEqual(
    report.failed.map(({ path, fault }) => `${path.slice(folder.length + 1)}: ${fault}`),
    [
      'a-missing.json: holds no entries: nothing was in it',
      'b-object.json: has an entry that is not a list of objects: nothing was read',
      'c-null.json: has an entry that is not a list of objects: nothing was read',
      'd-none.json: holds no entries: nothing was in it',
    ],
  )
  assert.deepEqual(report.resources, {})
})

test('a pipe, which could be read only once, is refused without waiting for its content', {
  skip: process.platform === 'win32',
}, async () => {
  const folder = await folderWith({})
  const path = join(folder, 'pipe.json')
  execFileSync('mkfifo', [path])
  for (const source of [path, folder, '/dev/zero']) {
    const { failed } = await importing(await newClinic(), source)
    assert.deepEqual(
      failed.map(({ fault }) => fault),
      ['is not a regular file'],
    )
  }
})

test('nothing at the path is an error', async () => {
  const clinic = await newClinic()
  const folder = await folderWith({ 'a.txt': '' })
  await assert.rejects(importing(clinic, join(folder, 'missing')), /there is no file or folder/)
  await assert.rejects(importing(clinic, folder), /there is no \*\.json file/)
})

test('one resource that is malformed or out of bounds is left out with the reason, and the others are stored', async () => {
  const { clinic, report } = await imported(
    { ...patient, id: 'long', name: [{ family: 'x'.repeat(121) }] },
    { ...patient, id: 'shape', name: 'not a list' },
    { ...patient, id: 'nul', name: [{ family: 'a\u0000b' }] },
    { ...patient, id: 'x'.repeat(129) },
    { ...patient, id: 'year', birthDate: '1980' },
    patient,
    { ...encounter, id: 'wrong', status: 'entered-in-error' },
    { ...encounter, id: 'backwards', period: { start: '2020-01-02T00:00:00Z', end: '2020-01-01T00:00:00Z' } },
    { ...encounter, id: 'vague', period: { start: '2020' }, status: 'unknown' },
  )
  assert.deepEqual(await rowsOf(clinic, sql`select id, birth_date from patient order by id`), [
    { id: 'pat1', birth_date: '1980-02-29' },
    { id: 'year', birth_date: null },
  ])
  assert.deepEqual(report.resources.Patient?.skipped, {
    'last_name must have at most 120 characters': 1,
    'is not formed as FHIR R4 says': 1,
    'last_name must not hold the NUL character': 1,
    'id must have at most 128 characters': 1,
  })
  assert.deepEqual(report.resources.Encounter?.skipped, {
    'was entered in error': 1,
    'end must not be before start': 1,
  })
  assert.deepEqual(await rowsOf(clinic, sql`select id, start, status_id from appointment`), [
    { id: 'vague', start: null, status_id: null },
  ])
})

/** Copies of the value, each with the value at one place replaced. */
function* spoilt(value: unknown, by: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const put = (changed: unknown) =>
      Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }
    if (key !== 'resourceType') yield put(by)
    for (const inner of spoilt((value as Record<string, unknown>)[key], by)) yield put(inner)
  }
}

test('the import goes on when any value is replaced by another kind of value', async () => {
  const values = [null, 5, 'text', [], {}, [null], true, '__proto__']
  const variants = values.flatMap((by) =>
    everything.flatMap((one) =>
      [...spoilt(one, by)].map((variant, i) => {
        const { id } = variant as Resource
        return { ...(variant as Resource), id: id === one.id ? `${one.id}-${i}-${JSON.stringify(by)}` : id }
      }),
    ),
  )
  const odd = [null, 5, 'text', [], {}].map((resource) => ({ resource, fullUrl: 7, request: 'GET' }))
  const clinic = await newClinic()
  const path = await folderWith({
    'a.json': bundle(...everything),
    'b.json': bundle(...variants),
    'c.json': JSON.stringify({ resourceType: 'Bundle', type: 'batch', entry: odd }),
  })
  const report = await importing(clinic, path)
  assert.deepEqual(report.failed, [])
  for (const [type, { read, inserted, updated, unchanged, skipped }] of Object.entries(report.resources)) {
    const left = Object.values(skipped).reduce((sum, times) => sum + times, 0)
    // A claim may be several rows.
    if (type !== 'Claim') assert.equal(inserted + updated + unchanged + left, read, type)
    assert.ok(!Object.keys(skipped).some((reason) => reason.startsWith('was refused by the database')), type)
  }
  const [row] = await rowsOf(clinic, sql`select count(*)::int as patients from patient`)
  assert.ok(Number(row?.patients) > 100)
})
