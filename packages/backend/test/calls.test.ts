// Calls: the form of a row, the patients of a phone, the filters, and recordings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { ask, problem, walk } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date('2026-07-12T06:30:00Z'), log: failingLog })

const SHARED = '+972501234567'
const OWN = '+972521111111'

/** `p1` has both phones, `p2` one of them, `p3` none. */
async function phonedClinic(): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await insert(owner, clinic, 'branch', { id: 'north', name: 'North' })
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' }, [SHARED, OWN])
  await insertPatient(owner, clinic, { id: 'p2', first_name: 'Tal', last_name: 'Levi' }, [SHARED, SHARED])
  await insertPatient(owner, clinic, { id: 'p3' })
  return clinic
}

test('a call is answered with everyone who has its phone, and its transcript’s segments only by id', async () => {
  const clinic = await phonedClinic()
  await insert(owner, clinic, 'file', { id: 'f1' })
  const segments = [{ speaker: 'agent', start_seconds: 0.4, end_seconds: 3.1, text: 'Good morning.' }]
  const row = {
    id: 'c1',
    from_phone: SHARED,
    to_phone: '+97248123456',
    patient_phone: SHARED,
    patient_phone_local: '0501234567',
    clinic_phone: '+97248123456',
    handled_by_id: 'agent7',
    handled_by_name: 'Dana',
    branch_id: 'north',
    started_at: '2026-07-12T06:20:00Z',
    answered_at: '2026-07-12T06:20:08Z',
    ended_at: '2026-07-12T06:22:08Z',
    duration_seconds: 120,
    ring_seconds: 8,
    note: 'Call back',
    recording_file_id: 'f1',
    recording_seconds: 119,
    transcript_status: 'completed',
    transcript_language: 'en',
    transcript_summary: 'A check-up is moved.',
    transcript_segments: JSON.stringify(segments),
  }
  await insert(owner, clinic, 'call', row)
  await insert(owner, clinic, 'call', { id: 'c0' })
  const call = {
    id: 'c1',
    direction: 'inbound',
    status: 'answered',
    from_phone: SHARED,
    to_phone: '+97248123456',
    patient_phone: '0501234567',
    clinic_phone: '+97248123456',
    patients: [
      { id: 'p1', first_name: 'Noa', last_name: 'Levi' },
      { id: 'p2', first_name: 'Tal', last_name: 'Levi' },
    ],
    handled_by: { id: 'agent7', name: 'Dana' },
    branch: { id: 'north', name: 'North' },
    started_at: '2026-07-12T09:20:00+03:00',
    answered_at: '2026-07-12T09:20:08+03:00',
    ended_at: '2026-07-12T09:22:08+03:00',
    duration_seconds: 120,
    ring_seconds: 8,
    note: 'Call back',
    recording: { available: true, duration_seconds: 119 },
    transcript: { status: 'completed', language: 'en', summary: 'A check-up is moved.', segments },
    created_at: '2026-01-01T10:00:00.000+02:00',
    updated_at: '2026-01-01T10:00:00.000+02:00',
  }
  assert.deepEqual((await ask(backend, clinic, 'calls.get', { params: { id: 'c1' } })).data, call)
  const [listed, bare] = (await ask(backend, clinic, 'calls.list')).data
  assert.deepEqual(listed, { ...call, transcript: { ...call.transcript, segments: null } })
  assert.deepEqual([bare?.patients, bare?.handled_by, bare?.branch, bare?.started_at], [[], null, null, null])
  assert.deepEqual(bare?.recording, { available: false, duration_seconds: null })
  assert.deepEqual(bare?.transcript, { status: null, language: null, summary: null, segments: null })
})

test('the filters of calls combine, and each order pages over calls without a start', async () => {
  const clinic = await phonedClinic()
  await insert(owner, clinic, 'file', { id: 'f1' })
  const calls = {
    a: { patient_phone: SHARED, started_at: '2026-07-01T08:00:00Z', status: 'missed' },
    b: { patient_phone: OWN, started_at: '2026-07-02T08:00:00Z', recording_file_id: 'f1' },
    c: { patient_phone: SHARED, started_at: null, branch_id: 'north' },
    d: { patient_phone: null, started_at: '2026-07-03T08:00:00Z', direction: 'outbound' },
    e: { patient_phone: OWN, started_at: null, transcript_status: 'failed' },
  }
  for (const [id, row] of Object.entries(calls)) await insert(owner, clinic, 'call', { id, ...row })
  const walked = async (query: Record<string, unknown>) =>
    (await walk(backend, clinic, 'calls.list', { query, limit: 1 })).map(({ id }) => id).join('')
  assert.equal(await walked({}), 'dbaec')
  assert.equal(await walked({ updated_since: '2020-01-01T00:00:00Z' }), 'abcde')
  assert.equal(await walked({ direction: 'outbound' }), 'd')
  assert.equal(await walked({ status: 'missed' }), 'a')
  assert.equal(await walked({ branch_id: 'north' }), 'c')
  assert.equal(await walked({ has_recording: true }), 'b')
  assert.equal(await walked({ has_recording: false }), 'daec')
  assert.equal(await walked({ transcript_status: 'failed' }), 'e')
  assert.equal(await walked({ from: '2026-07-02' }), 'db')
  assert.equal(await walked({ to: '2026-07-02T08:00:00Z' }), 'ba')
  assert.equal(await walked({ phone: '050-1234567' }), 'ac')
  assert.equal(await walked({ patient_id: 'p1' }), 'baec')
  assert.equal(await walked({ patient_id: 'p2' }), 'ac')
  assert.equal(await walked({ patient_id: 'p3' }), '')
  assert.equal(await walked({ patient_id: 'nobody' }), '')
  assert.equal(await walked({ patient_id: 'p1', phone: '0521111111' }), 'be')
  assert.equal(await walked({ patient_id: 'p2', phone: '0521111111' }), '')
  assert.equal(await walked({ patient_id: 'p1', updated_since: '2020-01-01T00:00:00Z' }), 'abce')

  const ofPatient = (id: string) => walk(backend, clinic, 'patients.calls.list', { params: { id }, limit: 1 })
  assert.equal((await ofPatient('p1')).map(({ id }) => id).join(''), 'baec')
  assert.deepEqual(await ofPatient('p3'), [])
  await assert.rejects(ofPatient('nobody'), problem('not-found', /No patient has the id nobody/))
})

test('the recording is a stored file, and 404 while there is none', async () => {
  const clinic = await testClinic(owner)
  await insert(owner, clinic, 'file', { id: 'f1', content_type: 'audio/wav', file_name: 'c1.wav', size_bytes: 48_044 })
  await insert(owner, clinic, 'call', { id: 'c1', recording_file_id: 'f1' })
  await insert(owner, clinic, 'call', { id: 'c2', recording_file_id: null })
  const recording = (id: string) => ask(backend, clinic, 'calls.recording.get', { params: { id } })
  assert.deepEqual(await recording('c1'), {
    data: { file_id: 'f1', content_type: 'audio/wav', file_name: 'c1.wav', size_bytes: 48_044 },
    patient_ids: [],
  })
  await assert.rejects(recording('c2'), problem('not-found', /has no recording/))
  await assert.rejects(recording('c3'), problem('not-found', /No call has the id c3/))
  const get = ask(backend, clinic, 'calls.get', { params: { id: 'c3' } })
  await assert.rejects(get, problem('not-found', /No call has the id c3/))
})
