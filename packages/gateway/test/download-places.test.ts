// The places of downloads belong to one key of one clinic, come back when a client leaves, and are not kept by a trickle.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import test from 'node:test'
import { Downloads, keepingPace } from '../src/files/downloads.ts'

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

test('a reader who takes a little at a time is cut off too', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let passedMs = 0
  t.mock.method(performance, 'now', () => passedMs)
  const sent = keepingPace(Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(100_000))), {
    bytes: 5_000_000,
    withinMs: 1_000,
  })
  await assert.rejects(async () => {
    for await (const _ of sent) {
      await new Promise((resolve) => setImmediate(resolve))
      passedMs += 300
      t.mock.timers.tick(300)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }, /too slowly/)
})
