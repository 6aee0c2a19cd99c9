// The places of downloads belong to one key of one clinic, come back when a client leaves, and are not kept by a trickle.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import test, { type TestContext } from 'node:test'
import { Downloads, keepingPace, type Pace } from '../src/files/downloads.ts'

const KEY_PLACES = 8

test('the downloads of two clinics whose keys have the same id are counted apart', async () => {
  const downloads = new Downloads()
  const entered = (clinic_id: string) =>
    Promise.all(
      Array.from({ length: KEY_PLACES }, (_, n) => downloads.enter({ clinic_id, key_id: 'k', file_id: `f${n}` })),
    )
  await entered('one')
  await entered('other')
})

test('a client that leaves the line of its key gives back its place at the file', async () => {
  const downloads = new Downloads()
  const file = (file_id: string) => ({ clinic_id: 'c', key_id: 'k', file_id })
  const leaves = await Promise.all(Array.from({ length: KEY_PLACES }, (_, n) => downloads.enter(file(`f${n}`))))
  for (let n = 0; n < 4; n++) {
    const gone = new AbortController()
    const waiting = downloads.enter(file('other'), gone.signal)
    await new Promise((resolve) => setImmediate(resolve))
    gone.abort(new Error('gone'))
    await assert.rejects(waiting, /gone/)
  }
  for (const leave of leaves) leave()
  await Promise.all(Array.from({ length: 4 }, () => downloads.enter(file('other'))))
})

const CHUNKS = 100
const CHUNK_BYTES = 100_000

/** Reads a file, with this pause after each chunk, by a clock of its own. @returns the number of bytes read. */
async function readSlowly(t: TestContext, pauseMs: number, pace: Pace): Promise<number> {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let passedMs = 0
  t.mock.method(performance, 'now', () => passedMs)
  let bytes = 0
  for await (const chunk of keepingPace(
    Readable.from(Array.from({ length: CHUNKS }, () => Buffer.alloc(CHUNK_BYTES))),
    pace,
  )) {
    bytes += chunk.length
    await new Promise((resolve) => setImmediate(resolve))
    passedMs += pauseMs
    t.mock.timers.tick(pauseMs)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return bytes
}

test('a reader who takes a little at a time is cut off too', async (t) => {
  await assert.rejects(readSlowly(t, 300, { bytes: 5_000_000, withinMs: 1_000 }), /too slowly/)
})

test('a reader who keeps the pace reads for as long as the file lasts', async (t) => {
  // In all thirty times as long as one window.
  assert.equal(await readSlowly(t, 300, { bytes: 3 * CHUNK_BYTES, withinMs: 1_000 }), CHUNKS * CHUNK_BYTES)
})

test('a reader who goes away while the source is silent ends both', async () => {
  const source = new Readable({ read: () => undefined })
  const sent = keepingPace(source)
  source.push('a')
  await once(sent, 'readable')
  sent.read()
  await new Promise((resolve) => setImmediate(resolve))
  const closed = once(sent, 'close')
  sent.destroy()
  assert.equal(source.destroyed, true)
  await closed
})
