// Downloads: a few at once for each key and file, and a reader that falls behind is ended.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import test from 'node:test'
import { Problem } from '@clinic-data/contract'
import { Downloads, keepingPace } from '../src/downloads.ts'

const file = (key_id: string, file_id: string) => ({ clinic_id: 'c', key_id, file_id })
const busy = (error: unknown) => error instanceof Problem && error.slug === 'service-unavailable'

test('a file has four readers and a key eight; other keys are not hindered, and one that ends makes room', () => {
  const downloads = new Downloads()
  const leaves = Array.from({ length: 4 }, () => downloads.enter(file('k', 'f')))
  assert.throws(() => downloads.enter(file('k', 'f')), busy)
  for (let n = 0; n < 4; n++) leaves.push(downloads.enter(file('k', `g${n}`)))
  assert.throws(() => downloads.enter(file('k', 'h')), busy)
  downloads.enter(file('other', 'f'))
  leaves[0]?.()
  downloads.enter(file('k', 'f'))
  assert.throws(() => downloads.enter(file('k', 'f')), busy)
})

test('a reader that stops is ended, and the source with it', async () => {
  const source = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(100_000)))
  const sent = keepingPace(source, { bytes: 100_000, withinMs: 50 })
  sent.once('readable', () => sent.read(1))
  const [error] = await once(sent, 'error')
  assert.match(error.message, /too slowly/)
  if (!source.closed) await once(source, 'close')
})

test('a reader that reads gets every byte, however long the source takes', async () => {
  const content = Array.from({ length: 20 }, (_, n) => Buffer.alloc(50_000, n))
  async function* slowly() {
    for (const chunk of content) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      yield chunk
    }
  }
  const sent = keepingPace(Readable.from(slowly()), { bytes: 2_000_000, withinMs: 100 })
  assert.ok(Buffer.concat(await sent.toArray()).equals(Buffer.concat(content)))
})

test('a reader that has gone before the first byte ends the source too', async () => {
  const source = Readable.from([Buffer.alloc(10)])
  const closed = once(source, 'close')
  keepingPace(source).destroy()
  await closed
})
