// Archives are read by every `tar`, byte for byte.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { type TarFile, tarHeader, tarOf } from '../src/tar.ts'

async function* inTurn(files: readonly TarFile[]) {
  yield* files
}

const fileOf = (name: string, ...content: Buffer[]): TarFile => ({
  name,
  content,
  size: content.reduce((total, { length }) => total + length, 0),
})

test('files of every length around a block come out as they were, in folders', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tar-'))
  t.after(() => rm(folder, { recursive: true }))
  const files = [0, 1, 511, 512, 513, 1_024, 70_000].map((length) => fileOf(`a/${length}`, randomBytes(length)))
  files.push(fileOf(`b/${'n'.repeat(98)}`, randomBytes(3), randomBytes(700)))
  await writeFile(join(folder, 'archive.tar'), await buffer(tarOf(inTurn(files), 0)))
  const unpacked = spawnSync('tar', ['-xf', 'archive.tar'], { cwd: folder })
  assert.equal(String(unpacked.stderr), '')
  for (const { name, content } of files)
    assert.deepEqual(await readFile(join(folder, name)), Buffer.concat([...(content as Buffer[])]))
})

test('a file with other bytes than its size says is no archive', async () => {
  for (const size of [2, 4]) {
    const wrong = { ...fileOf('a', Buffer.from('abc')), size }
    await assert.rejects(buffer(tarOf(inTurn([wrong]), 0)), /other bytes than its size/)
  }
})

test('a name or a size that the format cannot hold is refused', () => {
  assert.throws(() => tarHeader('n'.repeat(101), 0), RangeError)
  assert.throws(() => tarHeader('n', 8 ** 11), RangeError)
})
