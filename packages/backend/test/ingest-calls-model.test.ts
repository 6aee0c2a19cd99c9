// Reports of calls in any order, repeated, in batches and at once, compared with a model: nothing else is stored, emitted or
// answered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect, isDeepStrictEqual } from 'node:util'
import type { Call } from '@clinic-data/contract/resources/call'
import type { Static } from '@clinic-data/contract/schema'
import { sql } from '@clinic-data/database'
import type { Sent } from '@clinic-data/testing/grounds/ingest'
import { sized } from '@clinic-data/testing/run/size'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import fc from 'fast-check'
import { type Answer, applied, type Model, type ModelCall, type ModelEvent, type Request } from './calls-model.ts'
import { clinicWithExchange, ended, segments } from './ingest-calls.ts'

const database = await testDatabase()
const { owner } = database

/** It is set back now and then, as clocks are. */
let clock = new Date('2026-07-12T06:30:00.000Z')
const exchange = await clinicWithExchange(database, () => clock)

/** Requests that are sent at once, at a time of the clock, while the clinic's transcription is on or off. */
interface Step {
  atMs: number
  transcribes: boolean
  requests: readonly Request[]
}

const IDS = ['a', 'b', 'c'] as const
const usually = <T>(value: T, ...others: T[]) =>
  fc.oneof({ arbitrary: fc.constant(value), weight: 8 }, { arbitrary: fc.constantFrom(...others), weight: 1 })
const note = fc.constantFrom('New patient', 'Call back', null)

const report = {
  '/calls': fc.record(
    {
      direction: fc.constant(ended.direction),
      from_phone: fc.constant(ended.from_phone),
      note,
      status: usually('answered', 'missed'),
      duration_seconds: usually(60, 0),
      ring_seconds: usually(5, 6),
      is_recorded: fc.boolean(),
    },
    { requiredKeys: ['direction', 'from_phone', 'status', 'duration_seconds', 'ring_seconds', 'is_recorded'] },
  ),
  '/calls/notes': fc.record({ note }),
  '/calls/recordings': fc.record(
    { file_id: usually('wav', 'other', 'pdf'), duration_seconds: fc.constant(59) },
    { requiredKeys: ['file_id'] },
  ),
  '/calls/transcripts': fc.constantFrom<object>(
    { status: 'completed', language: 'he', summary: 'A greeting.', segments },
    { status: 'completed', language: 'he', summary: 'A greeting.', segments: [] },
    { status: 'failed', language: null, summary: null, segments: null },
  ),
}

const requestTo = (path: Request['path']): fc.Arbitrary<Request> =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'a', ...IDS), report[path]), {
      minLength: 1,
      maxLength: 3,
      selector: ([id]) => id,
    })
    .map((records) => ({ path, records: records.map(([id, record]) => ({ id, ...record })) }))

const anyRequest = fc.oneof(
  requestTo('/calls'),
  requestTo('/calls/notes'),
  requestTo('/calls/recordings'),
  requestTo('/calls/transcripts'),
)

const step = (request: fc.Arbitrary<Request>): fc.Arbitrary<Step> =>
  fc.record({
    atMs: fc.integer({ min: -3, max: 3 }),
    transcribes: usually(true, false),
    requests: fc.oneof(
      { arbitrary: fc.array(request, { minLength: 1, maxLength: 1 }), weight: 2 },
      { arbitrary: fc.array(request, { minLength: 2, maxLength: 3 }), weight: 1 },
    ),
  })

/** Most begin with a call, because other reports need one. */
const steps = fc
  .tuple(
    usually<number>(1, 0),
    step(requestTo('/calls')),
    fc.array(step(anyRequest), { minLength: 1, maxLength: 10, size: 'max' }),
  )
  .map(([calls, first, rest]) => (calls === 1 ? [first, ...rest] : rest))

interface StoredCall {
  call: ModelCall
  updated_at: string
}

/** The calls of a run: each run has its own, whose ids begin with its number. */
async function storedCalls(run: string): Promise<Map<string, StoredCall>> {
  const { rows } = await owner.query<ModelCall & Record<'id' | 'updated_at', string> & { outcome: object | null }>(sql`
    select substr(id, ${run.length + 1}) as id, updated_at, status, duration_seconds, ring_seconds, is_recorded, note,
      case when has_recording
        then json_build_object('file_id', recording_file_id, 'duration_seconds', recording_seconds) end as recording,
      case when transcript_status is not null
        then json_build_object('status', transcript_status, 'language', transcript_language, 'summary',
          transcript_summary, 'segments', transcript_segments) end as outcome
    from call where clinic_id = ${exchange.clinic.clinic_id} and starts_with(id, ${run}) order by id`)
  return new Map(
    rows.map(({ id, updated_at, outcome, ...call }) => [
      id,
      { updated_at, call: { ...call, transcript: outcome === null ? null : JSON.stringify(outcome) } },
    ]),
  )
}

interface ToldCall {
  type: string
  data: string
  call: Static<typeof Call>
}

/** The events after a position of the feed. */
async function eventsAfter(position: number): Promise<ToldCall[]> {
  const { rows } = await owner.query<{ type: string; body: string }>(sql`select type, body from event
    where clinic_id = ${exchange.clinic.clinic_id} and position > ${position} order by position`)
  return rows.map(({ type, body }) => {
    const data = body.slice(body.indexOf(',"data":') + ',"data":'.length, -1)
    return { type, data, call: JSON.parse(data) }
  })
}

function send(run: string, { path, records }: Request): Promise<Sent> {
  const sent = records.map(({ id, ...record }) => ({ id: run + id, ...record }))
  return exchange.send(path, sent.length === 1 ? sent[0] : { records: sent })
}

function answerOf({ status, json }: Sent): Answer {
  if (status === 200) return { stored: [json.data].flat().map(({ outcome }) => outcome) }
  assert.equal(status, 422, JSON.stringify(json))
  return {
    faults: json.errors.map(({ pointer, code }: Record<string, string>) => {
      const [, index = '0'] = /^#\/records\/(\d+)\//.exec(pointer ?? '') ?? []
      return `${index} ${code}`
    }),
  }
}

/** A call as everybody reads it. */
function shownCall({ status, duration_seconds, ring_seconds, note, recording, transcript }: ModelCall) {
  const none = { status: null, language: null, summary: null, segments: null }
  return {
    status,
    duration_seconds,
    ring_seconds,
    note,
    recording: { available: recording !== null, duration_seconds: recording?.duration_seconds ?? null },
    transcript: transcript === null ? none : JSON.parse(transcript),
  }
}

function transcriptEvents(run: string, events: readonly ModelEvent[]) {
  return events.map(({ id, type, call }) => ({ id: run + id, type, ...shownCall(call) }))
}

function seen(events: readonly ToldCall[]) {
  return events.map(({ type, call: { id, status, duration_seconds, ring_seconds, note, recording, transcript } }) => ({
    id,
    type,
    status,
    duration_seconds,
    ring_seconds,
    note,
    recording,
    transcript,
  }))
}

/** The model after the requests in one order. For requests at the same time, the named faults depend on the order. */
function inOrder(before: Model, requests: readonly Request[]) {
  let model = before
  const events: ModelEvent[] = []
  const answers = requests.map((one) => {
    const done = applied(model, one)
    model = done.model
    events.push(...done.events)
    return requests.length > 1 && 'faults' in done.answer ? 'refused' : done.answer
  })
  return { model, events, answers }
}

function orders(count: number): number[][] {
  if (count === 1) return [[0]]
  return orders(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => [...order.slice(0, at), count - 1, ...order.slice(at)]),
  )
}

const counts = new Map<string, number>()
let position = 0
let run = 0

/** Does a step and finds the order of its requests that explains everything seen. */
async function taken(prefix: string, before: Model, { atMs, transcribes, requests }: Step) {
  clock = new Date(Date.UTC(2026, 6, 12, 6, 30) + atMs)
  if (transcribes !== before.transcribes) await exchange.transcribes(transcribes)
  const earlier = await storedCalls(prefix)
  const sent = await Promise.all(requests.map((one) => send(prefix, one)))
  const answers = sent.map(answerOf)
  const events = await eventsAfter(position)
  position += events.length
  const later = await storedCalls(prefix)

  const shown = answers.map((answer) => (requests.length > 1 && 'faults' in answer ? 'refused' : answer))
  const calls = [...later].map(([id, { call }]) => [id, call])
  const possible = orders(requests.length).map((order) => {
    const { model, ...made } = inOrder(
      { ...before, transcribes },
      order.map((i) => requests[i] as Request),
    )
    const reordered = order.map((_, i) => made.answers[order.indexOf(i)])
    const sorted = [...model.calls].sort(([a], [b]) => (a < b ? -1 : 1))
    return { model, seen: { answers: reordered, events: transcriptEvents(prefix, made.events), calls: sorted } }
  })
  const actual = { answers: shown, events: seen(events), calls }
  const found = possible.find((one) => isDeepStrictEqual(one.seen, actual))
  assert.ok(
    found,
    `no order of the requests gives ${inspect(actual, { depth: 6 })}, the first ${inspect(possible[0]?.seen, { depth: 6 })}`,
  )
  return { model: found.model, events, answers, earlier, later }
}

const EVENT_TYPES = [
  'call.completed',
  'call.recording.available',
  'call.transcript.completed',
  'call.transcript.failed',
  'call.updated',
]
const MOST_ROUNDS = 5

test('reports in any order, repeated, in batches or at once, act by the rules, and each event comes once and in order', async () => {
  const property = fc.asyncProperty(steps, async (taking) => {
    const prefix = `${++run}-`
    const feed: ToldCall[] = []
    let model: Model = { calls: new Map(), transcribes: true }
    await exchange.transcribes(true)
    for (const one of taking) {
      const { events, answers, earlier, later, ...done } = await taken(prefix, model, one)
      model = done.model
      feed.push(...events)
      assertRisen(one.requests, answers, earlier, later)
      // If requests ran at the same time, an event may show a call that has changed again.
      if (one.requests.length > 1) continue
      for (const { data, call } of events) assert.equal(data, await exchange.bytesOf(call.id))
    }
    for (const id of IDS) assertOrdered(feed.filter(({ call }) => call.id === prefix + id))
    for (const { type } of feed) counts.set(type, (counts.get(type) ?? 0) + 1)
  })
  // Chance may leave out an event. Then there are more runs, until each has been seen.
  for (let round = 0; round === 0 || (counts.size < EVENT_TYPES.length && round < MOST_ROUNDS); round++)
    await fc.assert(property, { numRuns: sized({ everyday: 16, long: 400 }) })
  assert.deepEqual([...counts.keys()].sort(), EVENT_TYPES)
})

/** The specification's ordering rules, and the rule that the later of two payloads is the newer. */
function assertOrdered(events: readonly ToldCall[]): void {
  const types = events.map(({ type }) => type).filter((type) => type !== 'call.updated')
  assert.match(
    types.join(' '),
    /^(call\.completed( call\.recording\.available)?( call\.transcript\.(completed|failed))?)?$/,
  )
  assert.ok(events.length === 0 || events[0]?.type === 'call.completed')
  const instants = events.map(({ call }) => call.updated_at ?? '')
  assert.deepEqual(instants, [...new Set(instants)].sort())
}

/** `updated_at` rises with every change, even if the clock does not, and at no other time. */
function assertRisen(
  requests: readonly Request[],
  answers: readonly Answer[],
  earlier: ReadonlyMap<string, StoredCall>,
  later: ReadonlyMap<string, StoredCall>,
): void {
  const changed = requests.flatMap(({ records }, i) => {
    const answer = answers[i]
    if (answer === undefined || 'faults' in answer) return []
    return records.filter((_, at) => answer.stored[at] !== 'unchanged').map(({ id }) => id)
  })
  for (const [id, { updated_at }] of later) {
    const before = earlier.get(id)?.updated_at ?? ''
    assert.ok(changed.includes(id) ? updated_at > before : updated_at === before)
  }
}
