// Archives in the form of ZIP: read by another implementation, written as fast as they are read, and no archive when they break off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unzipSync } from 'fflate'
import { type ZippedFile, zipOf } from '../src/zip.ts'

const MTIME = new Date('2026-03-01T08:00:00Z')
const MEGABYTE = 2 ** 20

async function* filesOf(...files: ZippedFile[]): AsyncGenerator<ZippedFile> {
  yield* files
}

async function written(files: AsyncIterable<ZippedFile>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of zipOf(files, MTIME)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

test('another implementation reads each file as it was, texts compressed and others as they are', async () => {
  const [long, sound] = ['same '.repeat(10_000), Buffer.from('same '.repeat(10_000))]
  const archive = await written(
    filesOf(
      { name: 'README.txt', content: [Buffer.from(long)] },
      { name: 'recordings/1.wav', size: sound.length, content: [sound.subarray(0, 7), sound.subarray(7)] },
      { name: 'empty.json', content: [] },
    ),
  )
  const files = unzipSync(archive)
  assert.deepEqual(Object.keys(files), ['README.txt', 'recordings/1.wav', 'empty.json'])
  assert.equal(Buffer.from(files['README.txt'] ?? []).toString(), long)
  assert.deepEqual(Buffer.from(files['recordings/1.wav'] ?? []), sound)
  assert.equal(files['empty.json']?.length, 0)
  assert.ok(archive.length > sound.length && archive.length < sound.length + 2_000)
})

test('a file is read no faster than the archive is, and the next one not before it', async () => {
  let [read, begun] = [0, 0]
  async function* endless(): AsyncGenerator<Uint8Array> {
    begun++
    for (let n = 0; n < 200; n++) {
      read++
      yield Buffer.alloc(MEGABYTE)
    }
  }
  const content = endless()
  const archive = zipOf(filesOf({ name: '1.wav', content }, { name: '2.wav', content: endless() }), MTIME)
  let bytes = 0
  for await (const chunk of archive) {
    bytes += chunk.length
    // What lies between: a few buffers of streams.
    assert.ok(read * MEGABYTE <= bytes + 8 * MEGABYTE, `${read} megabytes were read for ${bytes} bytes`)
    if (bytes > 50 * MEGABYTE) break
  }
  assert.equal(begun, 1)
  assert.deepEqual(await content.next(), { value: undefined, done: true }, 'the file is closed with the archive')
})

test('an archive of a file that fails, or has other bytes than its size says, fails and cannot be opened', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('begun')
    throw new Error('the disk is gone')
  }
  async function* failingList(): AsyncGenerator<ZippedFile> {
    yield { name: 'a.txt', content: [Buffer.from('a')] }
    throw new Error('the list is gone')
  }
  const cases: [AsyncIterable<ZippedFile>, RegExp][] = [
    [filesOf({ name: 'a.wav', content: failing() }), /the disk is gone/],
    [filesOf({ name: 'a.wav', size: 4, content: [Buffer.from('abc')] }), /unexpected number of bytes/],
    [failingList(), /the list is gone/],
  ]
  for (const [files, message] of cases) {
    const chunks: Uint8Array[] = []
    const reading = (async () => {
      for await (const chunk of zipOf(files, MTIME)) chunks.push(chunk)
    })()
    await assert.rejects(reading, message)
    assert.throws(() => unzipSync(Buffer.concat(chunks)))
  }
})
