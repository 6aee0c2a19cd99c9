// The archive of a backup is unpacked whole, and never outside of its folder.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { unpackArchive } from '../src/embedded/unpack-archive.ts'
import { temporaryFolder } from './embedded.ts'

const END = Buffer.alloc(1024)

/** One entry, in the form of POSIX `ustar`. */
function entry(name: string, content: string, type = '0'): Buffer {
  const header = Buffer.alloc(512)
  const size = Buffer.byteLength(content)
  header.write(name, 0)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write(type, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (size % 512)) % 512)])
}

/** In parts that end anywhere. */
const streamOf = (archive: Buffer, length = 100) =>
  Readable.from(
    Array.from({ length: Math.ceil(archive.length / length) }, (_, n) =>
      archive.subarray(n * length, (n + 1) * length),
    ),
  )

test('files and folders arrive whole, wherever the parts of the stream end', async (t) => {
  const { path, remove } = await temporaryFolder()
  t.after(remove)
  const files = [entry('base/1', 'a'.repeat(700)), entry('base/2', 'b'.repeat(512)), entry('empty', '')]
  const archive = Buffer.concat([entry('base/', '', '5'), ...files, END])
  await unpackArchive(streamOf(archive), path)
  assert.equal(await readFile(join(path, 'base/1'), 'utf8'), 'a'.repeat(700))
  assert.equal(await readFile(join(path, 'base/2'), 'utf8'), 'b'.repeat(512))
  assert.equal(await readFile(join(path, 'empty'), 'utf8'), '')
})

test('an archive that leads elsewhere, holds a link or ends too early is refused', async (t) => {
  const { path, remove } = await temporaryFolder()
  t.after(remove)
  const inner = join(path, 'inner')
  await mkdir(inner)
  const whole = entry('file', 'content')
  for (const archive of [
    Buffer.concat([entry('../outside', 'x'), END]),
    Buffer.concat([entry('/outside', 'x'), END]),
    Buffer.concat([entry('link', '', '2'), END]),
    whole.subarray(0, 515),
  ])
    await assert.rejects(unpackArchive(streamOf(archive), inner), /archive of the backup/)
  assert.equal(existsSync(join(path, 'outside')), false)
})
