// Downloads: a few at once for each key and file, and a reader that falls behind is cut off.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import test from 'node:test'
import { stoppedTime } from '@clinic-data/testing/stopped-time'
import { Downloads, keepingPace } from '../src/files/downloads.ts'

const file = (key_id: string, file_id: string) => ({ clinic_id: 'c', key_id, file_id })

test('a file has four readers and a key eight, the next waits for one to end, and other keys are not delayed', async () => {
  const downloads = new Downloads()
  const leaves = await Promise.all(Array.from({ length: 4 }, () => downloads.enter(file('k', 'f'))))
  const entered: string[] = []
  const fifth = downloads.enter(file('k', 'f')).then(() => entered.push('fifth of the file'))
  for (let n = 0; n < 4; n++) await downloads.enter(file('k', `g${n}`))
  const ninth = downloads.enter(file('k', 'h')).then(() => entered.push('ninth of the key'))
  await downloads.enter(file('other', 'f'))
  assert.deepEqual(entered, [])
  leaves[0]?.()
  await ninth
  assert.deepEqual(entered, ['ninth of the key'])
  leaves[1]?.()
  await fifth
})

test('a client that leaves while it waits for a download gives up its place in line', async () => {
  const downloads = new Downloads()
  const leaves = await Promise.all(Array.from({ length: 4 }, () => downloads.enter(file('k', 'f'))))
  const gone = new AbortController()
  const waiting = downloads.enter(file('k', 'f'), gone.signal)
  gone.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  for (const leave of leaves) leave()
  await Promise.all(Array.from({ length: 4 }, () => downloads.enter(file('k', 'f'))))
})

test('a stalled reader is cut off, and the source with it', async () => {
  const source = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(100_000)))
  const sent = keepingPace(source, { bytes: 100_000, withinMs: 50 })
  sent.once('readable', () => sent.read(1))
  const [error] = await once(sent, 'error')
  assert.match(error.message, /too slowly/)
  if (!source.closed) await once(source, 'close')
})

test('an active reader gets every byte, however long the source takes', async (t) => {
  const time = stoppedTime(t, 'setTimeout')
  const content = Array.from({ length: 20 }, (_, n) => Buffer.alloc(50_000, n))
  async function* slowly() {
    for (const chunk of content) {
      time.pass(1_000)
      yield chunk
    }
  }
  const sent = keepingPace(Readable.from(slowly()), { bytes: 2_000_000, withinMs: 100 })
  assert.ok(Buffer.concat(await sent.toArray()).equals(Buffer.concat(content)))
})

test('a reader that has gone before the first byte ends the source too', () => {
  const source = Readable.from([Buffer.alloc(10)])
  keepingPace(source).destroy()
  assert.equal(source.destroyed, true)
})
