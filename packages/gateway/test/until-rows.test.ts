// Waiting for a feed's next rows: the backend is asked again from where it ended, and never for a client that has gone.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { AnyAnswer } from '@clinic-data/contract'
import { untilRows } from '../src/calls/until-rows.ts'
import type { Input } from '../src/requests/read-input.ts'

const present = {}

/** A backend with scripted answers that records its requests. */
function answering(...answers: AnyAnswer[]) {
  const positions: unknown[] = []
  const ask = async ({ query }: Input) => {
    positions.push(query.after)
    return answers[positions.length - 1] ?? null
  }
  return { ask, positions }
}

const input = (wait?: number) =>
  ({ params: {}, query: { limit: 25, after: null, ...(wait === undefined ? {} : { wait }) } }) as unknown as Input

const nothing = (at: string): AnyAnswer => ({ data: [], next: null, resume: [at] })

test('it is asked again from where each answer ended, until there are rows', async () => {
  const rows = { data: [{ id: 'evt_1' }], next: null, resume: ['3'] }
  const { ask, positions } = answering(nothing('1'), nothing('2'), rows)
  assert.equal(await untilRows(input(5), present, ask), rows)
  assert.deepEqual(positions, [null, ['1'], ['2']])
})

test('an empty page that is not the last is answered unchanged', async () => {
  const sparse = { data: [], next: ['7'], resume: ['7'] }
  const { ask, positions } = answering(sparse)
  assert.equal(await untilRows(input(5), present, ask), sparse)
  assert.equal(positions.length, 1)
})

test('without a wait, for a client that has gone, and for an operation that is not a feed, it is asked once', async () => {
  for (const [wait, client, answer] of [
    [0, present, nothing('1')],
    [undefined, present, nothing('1')],
    [5, { signal: AbortSignal.abort() }, nothing('1')],
    [5, present, { data: [], next: null }],
  ] as const) {
    const { ask, positions } = answering(answer)
    assert.equal(await untilRows(input(wait), client, ask), answer)
    assert.equal(positions.length, 1)
  }
})

test('the time that passes between two looks at the clock makes no wait below zero', async (t) => {
  let now = 0
  t.mock.method(performance, 'now', () => (now += 2_600))
  const { ask, positions } = answering(nothing('1'), nothing('2'))
  // The test process takes the warning of such a wait for a failure.
  assert.deepEqual(await untilRows(input(5), present, ask), nothing('2'))
  assert.equal(positions.length, 2)
})

test('a client that disconnects ends the wait', async () => {
  const gone = new AbortController()
  const { ask, positions } = answering(nothing('1'), nothing('2'))
  const waiting = untilRows(input(5), { signal: gone.signal }, ask)
  gone.abort()
  assert.deepEqual(await waiting, nothing('1'))
  assert.equal(positions.length, 1)
})

test('a key that is no longer valid gets no more events', async () => {
  const { ask, positions } = answering(nothing('1'), { data: [{ id: 'evt_1' }], next: null, resume: ['2'] })
  const checkKey = () => Promise.reject(new Error('revoked'))
  await assert.rejects(untilRows(input(5), { checkKey }, ask), /revoked/)
  assert.equal(positions.length, 1)
})
