// Calls through the ingest API: the stored rows, their events, the refusals, and that an event's bytes are the resource's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call } from '@clinic-data/contract/resources/call'
import type { Static } from '@clinic-data/contract/schema'
import { sql } from '@clinic-data/database'
import { type CallRecord, storeCalls } from '@clinic-data/records/calls'
import { eventsOf } from '@clinic-data/testing/grounds/ingest'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { clinicWithExchange, ended, failure, outcomeText, recording, segments, transcript } from './ingest-calls.ts'

const database = await testDatabase()
const { owner, app } = database

/** The clock does not move, so `updated_at` can rise only by the rule. */
const exchange = () => clinicWithExchange(database, () => new Date('2026-07-12T06:30:00.500Z'))

const callOf = (bytes: string) => JSON.parse(bytes) as Static<typeof Call>

test('each call event of the specification is fired by its report, with the whole call as GET answers it, byte for byte', async () => {
  const { clinic, send, bytesOf } = await exchange()
  const steps = [
    ['/calls', ended, 'created', 'call.completed'],
    ['/calls/notes', { id: 'c1', note: 'Call back' }, 'updated', 'call.updated'],
    ['/calls/recordings', recording, 'updated', 'call.recording.available'],
    ['/calls/transcripts', transcript, 'updated', 'call.transcript.completed'],
    ['/calls', { ...ended, id: 'c2' }, 'created', 'call.completed'],
    ['/calls/recordings', { id: 'c2', file_id: 'other' }, 'updated', 'call.recording.available'],
    ['/calls/transcripts', { ...failure, id: 'c2' }, 'updated', 'call.transcript.failed'],
  ] as const
  for (const [path, record, outcome, type] of steps) {
    assert.deepEqual(await send(path, record), { status: 200, json: { data: { id: record.id, outcome } } })
    const event = (await eventsOf(owner, clinic)).at(-1)
    assert.equal(event?.type, type)
    assert.equal(event?.data, await bytesOf(record.id))
  }
  const events = await eventsOf(owner, clinic)
  assert.equal(events.length, steps.length)
  const [completed, noted, recorded, transcribed] = events.map(({ data }) => callOf(data))
  assert.deepEqual(completed?.patients, [{ id: 'p1', first_name: 'Noa', last_name: 'Levi' }])
  assert.deepEqual(completed?.recording, { available: false, duration_seconds: null })
  assert.deepEqual(completed?.transcript, { status: null, language: null, summary: null, segments: null })
  assert.equal(noted?.note, 'Call back')
  assert.deepEqual(recorded?.recording, { available: true, duration_seconds: 119 })
  assert.deepEqual(transcribed?.transcript, { status: 'completed', language: 'he', summary: 'A greeting.', segments })
  assert.deepEqual(
    [completed, noted, recorded, transcribed].map((call) => call?.updated_at),
    [500, 501, 502, 503].map((ms) => `2026-07-12T09:30:00.${ms}+03:00`),
  )
})

test('a repeated report changes nothing and fires nothing, even after other reports', async () => {
  const { send, bytesOf, typesOf, transcribes } = await exchange()
  const reports = [
    ['/calls', ended],
    ['/calls/notes', { id: 'c1', note: 'Call back' }],
    ['/calls/recordings', recording],
    ['/calls/transcripts', transcript],
  ] as const
  for (const [path, record] of reports) await send(path, record)
  const [bytes, events] = [await bytesOf(), await typesOf()]
  await transcribes(false)
  for (const [path, record] of reports) assert.equal(outcomeText(await send(path, record)), 'unchanged')
  const shuffled = segments.map((segment) => Object.fromEntries(Object.entries(segment).reverse()))
  assert.equal(outcomeText(await send('/calls/transcripts', { ...transcript, segments: shuffled })), 'unchanged')
  assert.deepEqual([await bytesOf(), await typesOf()], [bytes, events])
})

test('a correction of a call is stored and its updated_at rises, and only another note fires', async () => {
  const { clinic, send, bytesOf, typesOf } = await exchange()
  await send('/calls', ended)
  const corrected = { ...ended, branch_id: null, duration_seconds: 121, started_at: '2026-07-12T09:19:59+03:00' }
  assert.equal(outcomeText(await send('/calls', corrected)), 'updated')
  const data = callOf(await bytesOf())
  assert.deepEqual([data.branch, data.duration_seconds], [null, 121])
  assert.equal(data.updated_at, '2026-07-12T09:30:00.501+03:00')
  assert.deepEqual(await typesOf(), ['call.completed'])
  assert.equal(outcomeText(await send('/calls', { ...corrected, note: 'Call back', ring_seconds: 9 })), 'updated')
  assert.deepEqual(await typesOf(), ['call.completed', 'call.updated'])
  assert.equal((await eventsOf(owner, clinic)).at(-1)?.data, await bytesOf())
})

test('a report without a note leaves the staff’s note, and one with null removes it', async () => {
  const { send, bytesOf, typesOf } = await exchange()
  const noteOf = async () => callOf(await bytesOf()).note
  await send('/calls', { ...ended, note: 'New patient' })
  assert.deepEqual([await noteOf(), await typesOf()], ['New patient', ['call.completed']])
  await send('/calls/notes', { id: 'c1', note: 'Call back' })
  assert.equal(outcomeText(await send('/calls', ended)), 'unchanged')
  assert.equal(outcomeText(await send('/calls', { ...ended, ring_seconds: 9 })), 'updated')
  assert.equal(await noteOf(), 'Call back')
  assert.equal(outcomeText(await send('/calls', { ...ended, ring_seconds: 9, note: null })), 'updated')
  assert.equal(await noteOf(), null)
  assert.equal(outcomeText(await send('/calls/notes', { id: 'c1', note: null })), 'unchanged')
  assert.equal(outcomeText(await send('/calls/notes', { id: 'c1' })), '400 #/note required')
  assert.deepEqual(await typesOf(), ['call.completed', 'call.updated', 'call.updated'])
})

test('a note, a recording and a transcript of a call that is not stored are refused, and accepted once it is', async () => {
  const { send, typesOf } = await exchange()
  const early = [
    ['/calls/notes', { id: 'c1', note: 'Call back' }],
    ['/calls/recordings', recording],
    ['/calls/transcripts', transcript],
  ] as const
  for (const [path, record] of early) assert.equal(outcomeText(await send(path, record)), '422 #/id unknown_id')
  assert.deepEqual(await typesOf(), [])
  await send('/calls', ended)
  for (const [path, record] of early) assert.equal(outcomeText(await send(path, record)), 'updated')
  assert.equal((await typesOf()).length, 4)
})

test('a call of another clinic is unknown', async () => {
  const [mine, theirs] = [await exchange(), await exchange()]
  await theirs.send('/calls', ended)
  assert.equal(outcomeText(await mine.send('/calls/notes', { id: 'c1', note: 'x' })), '422 #/id unknown_id')
  assert.deepEqual(await theirs.typesOf(), ['call.completed'])
})

test('a call that the exchange did not record never gets a recording, unless its report is corrected', async () => {
  const { send, typesOf } = await exchange()
  await send('/calls', { ...ended, is_recorded: false })
  assert.equal(outcomeText(await send('/calls/recordings', recording)), '422 #/id not_recorded')
  assert.equal(outcomeText(await send('/calls', ended)), 'updated')
  assert.equal(outcomeText(await send('/calls/recordings', recording)), 'updated')
  assert.deepEqual(await typesOf(), ['call.completed', 'call.recording.available'])
  assert.equal(outcomeText(await send('/calls', { ...ended, is_recorded: false })), 'unchanged')
})

test('a recording is a stored audio file, and is never replaced', async () => {
  const { send, bytesOf, typesOf } = await exchange()
  await send('/calls', ended)
  assert.equal(
    outcomeText(await send('/calls/recordings', { ...recording, file_id: 'none' })),
    '422 #/file_id unknown_id',
  )
  assert.equal(
    outcomeText(await send('/calls/recordings', { ...recording, file_id: 'pdf' })),
    '422 #/file_id not_audio',
  )
  await send('/calls/recordings', recording)
  const bytes = await bytesOf()
  assert.equal(outcomeText(await send('/calls/recordings', { ...recording, file_id: 'other' })), '422 #/file_id exists')
  const longer = { ...recording, duration_seconds: 120 }
  assert.equal(outcomeText(await send('/calls/recordings', longer)), '422 #/duration_seconds exists')
  assert.equal(await bytesOf(), bytes)
  assert.deepEqual(await typesOf(), ['call.completed', 'call.recording.available'])
})

test('only an answered call with talk is transcribed', async () => {
  const { send, typesOf } = await exchange()
  const silent = [
    { ...ended, id: 'c1', status: 'missed' },
    { ...ended, id: 'c2', status: 'voicemail', is_recorded: false },
    { ...ended, id: 'c3', duration_seconds: 0 },
  ]
  await send('/calls', { records: silent })
  for (const { id } of silent) {
    assert.equal(outcomeText(await send('/calls/transcripts', { ...transcript, id })), '422 #/id no_talk')
    assert.equal(outcomeText(await send('/calls/transcripts', { ...failure, id })), '422 #/id no_talk')
  }
  assert.deepEqual(await typesOf(), Array(3).fill('call.completed'))
})

test('a clinic without AI transcription takes no transcript', async () => {
  const { send, typesOf, transcribes } = await exchange()
  await transcribes(false)
  await send('/calls', ended)
  await send('/calls/recordings', recording)
  assert.equal(outcomeText(await send('/calls/transcripts', transcript)), '422 #/id no_transcription')
  assert.equal(outcomeText(await send('/calls/transcripts', failure)), '422 #/id no_transcription')
  assert.deepEqual(await typesOf(), ['call.completed', 'call.recording.available'])
})

test('a call has one outcome of its transcription, ever', async () => {
  const { send, typesOf } = await exchange()
  await send('/calls', { records: [ended, { ...ended, id: 'c2' }] })
  await send('/calls/recordings', { records: [recording, { id: 'c2', file_id: 'other' }] })
  await send('/calls/transcripts', { records: [transcript, { ...failure, id: 'c2' }] })
  const events = await typesOf()
  assert.deepEqual(events.slice(-2), ['call.transcript.completed', 'call.transcript.failed'])
  const others = [
    failure,
    { ...transcript, id: 'c2' },
    { ...transcript, language: 'en' },
    { ...transcript, summary: null },
    { ...transcript, segments: segments.slice(1) },
  ]
  for (const other of others) assert.equal(outcomeText(await send('/calls/transcripts', other)), '422 #/status exists')
  assert.equal(outcomeText(await send('/calls/transcripts', { ...failure, id: 'c2' })), 'unchanged')
  assert.deepEqual(await typesOf(), events)
})

test('a completed transcript has a list of segments, possibly empty, and a failed one has no content', async () => {
  const { clinic, send, bytesOf } = await exchange()
  await send('/calls', { ...ended, is_recorded: false })
  const without = { id: 'c1', status: 'completed', language: 'he' }
  assert.equal(outcomeText(await send('/calls/transcripts', without)), '422 #/segments required')
  const { status, json } = await send('/calls/transcripts', { ...transcript, status: 'failed' })
  const pointers = json.errors.map(({ pointer }: { pointer: string }) => pointer)
  assert.deepEqual([status, pointers], [422, ['#/language', '#/summary', '#/segments']])
  const longest = { ...segments[0], text: 'x'.repeat(4_001) }
  const long = await send('/calls/transcripts', { ...transcript, segments: [longest] })
  assert.equal(outcomeText(long), '400 #/segments/0/text too_long')
  assert.equal(outcomeText(await send('/calls/transcripts', { ...without, segments: [] })), 'updated')
  assert.equal(outcomeText(await send('/calls/transcripts', { ...without, segments: [] })), 'unchanged')
  assert.equal((await eventsOf(owner, clinic)).at(-1)?.data, await bytesOf())
})

test('the recording’s event never comes after the transcript’s', async () => {
  const { send, typesOf } = await exchange()
  await send('/calls', ended)
  assert.equal(outcomeText(await send('/calls/transcripts', transcript)), '422 #/id recording_first')
  await send('/calls', { ...ended, is_recorded: false })
  assert.equal(outcomeText(await send('/calls/transcripts', transcript)), 'updated')
  await send('/calls', ended)
  assert.equal(outcomeText(await send('/calls/recordings', recording)), '422 #/id transcribed')
  assert.deepEqual(await typesOf(), ['call.completed', 'call.transcript.completed'])
})

test('no correction takes the talk from a call that has a transcript', async () => {
  const { send, bytesOf } = await exchange()
  await send('/calls', { ...ended, is_recorded: false })
  await send('/calls/transcripts', failure)
  const bytes = await bytesOf()
  assert.equal(outcomeText(await send('/calls', { ...ended, status: 'missed' })), '422 #/status transcribed')
  assert.equal(
    outcomeText(await send('/calls', { ...ended, duration_seconds: 0 })),
    '422 #/duration_seconds transcribed',
  )
  assert.equal(await bytesOf(), bytes)
})

test('a batch with a refused report stores nothing and names every fault', async () => {
  const { send, typesOf } = await exchange()
  await send('/calls', { records: [ended, { ...ended, id: 'c2', is_recorded: false }, { ...ended, id: 'c3' }] })
  const ofCalls = (...ids: string[]) => ids.map((id) => ({ ...recording, id }))
  const { status, json } = await send('/calls/recordings', { records: ofCalls('c1', 'c2', 'c3', 'c4') })
  assert.equal(status, 422)
  assert.deepEqual(
    json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
    [
      ['#/records/1/id', 'not_recorded'],
      ['#/records/3/id', 'unknown_id'],
    ],
  )
  assert.deepEqual(await typesOf(), Array(3).fill('call.completed'))
  const twice = await send('/calls/recordings', { records: ofCalls('c1', 'c1') })
  assert.equal(outcomeText(twice), '400 #/records/1/id duplicate')
  const both = await send('/calls/recordings', { records: ofCalls('c3', 'c1') })
  assert.deepEqual(both.json.data, [
    { id: 'c3', outcome: 'updated' },
    { id: 'c1', outcome: 'updated' },
  ])
})

test('a crowd that reports one call at once makes each of its events once', async () => {
  const { send, typesOf } = await exchange()
  const crowd = (path: string, record: (i: number) => object) =>
    Promise.all(Array.from({ length: 12 }, async (_, i) => outcomeText(await send(path, record(i)))))
  const first = await crowd('/calls', (i) => ({ ...ended, ring_seconds: i }))
  assert.deepEqual(first.sort(), ['created', ...Array(11).fill('updated')])
  await crowd('/calls/recordings', (i) => ({ ...recording, file_id: i % 2 === 0 ? 'wav' : 'other' }))
  await crowd('/calls/transcripts', (i) => (i % 2 === 0 ? transcript : failure))
  const types = await typesOf()
  assert.deepEqual(types.slice(0, 2), ['call.completed', 'call.recording.available'])
  assert.match(types.slice(2).join(), /^call\.transcript\.(completed|failed)$/)
})

test('a stored call with a recording counts as recorded', async () => {
  const { clinic } = await exchange()
  const times = { created_at: '2026-07-12T06:23:00Z', updated_at: '2026-07-12T06:23:00Z' }
  const bare = { ...ended, ...times, note: null, recording_seconds: null, is_recorded: false } as const
  const none = {
    transcript_status: null,
    transcript_language: null,
    transcript_summary: null,
    transcript_segments: null,
  }
  const stored = [
    { ...bare, ...none, recording_file_id: 'wav' },
    { ...bare, ...none, id: 'c2', recording_file_id: null },
  ] as CallRecord[]
  await app.write(clinic, (tx) => storeCalls(tx, clinic, stored))
  const { rows } = await owner.query<{ is_recorded: boolean }>(sql`
    select is_recorded from call where clinic_id = ${clinic.clinic_id} order by id`)
  assert.deepEqual(
    rows.map(({ is_recorded }) => is_recorded),
    [true, false],
  )
})
