// The archive of a backup is unpacked whole, and never outside of its folder.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { TAR_END as END } from '@clinic-data/disk/tar'
import { tarEntry as entry } from '@clinic-data/testing/tar-entry'
import { unpackArchive } from '../src/embedded/unpack-archive.ts'
import { temporaryFolder } from './embedded.ts'

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
  const files = [entry('base/1', 'a'.repeat(700)), entry('base/2', 'b'.repeat(512)), entry('base/empty', '')]
  const archive = Buffer.concat([entry('base/', '', '5'), ...files, END])
  await unpackArchive(streamOf(archive), path)
  assert.equal(await readFile(join(path, 'base/1'), 'utf8'), 'a'.repeat(700))
  assert.equal(await readFile(join(path, 'base/2'), 'utf8'), 'b'.repeat(512))
  assert.equal(await readFile(join(path, 'base/empty'), 'utf8'), '')
})

test('only data arrive: nothing that configures the server, by whatever name, and nothing beside its folders', async (t) => {
  const { path, remove } = await temporaryFolder()
  t.after(remove)
  const others = [
    ...[
      'postgresql.conf',
      'postgresql.auto.conf',
      './postgresql.auto.conf',
      'pg_hba.conf',
      'pg_ident.conf',
      'server.key',
    ],
    ...['standby.signal', 'recovery.signal', 'tablespace_map', 'pg_tblspc/16999', 'conf.d/own.conf', 'BASE/1'],
  ]
  const archive = [...others.map((name) => entry(name, 'x')), entry('pg_tblspc/', '', '5'), entry('PG_VERSION', '18')]
  await unpackArchive(streamOf(Buffer.concat([...archive, END])), path)
  assert.deepEqual((await readdir(path, { recursive: true })).toSorted(), ['PG_VERSION', 'pg_tblspc'])
})

test('an archive that leads elsewhere, holds a link or ends too early is refused', async (t) => {
  const { path, remove } = await temporaryFolder()
  t.after(remove)
  const inner = join(path, 'inner')
  await mkdir(join(inner, 'base'), { recursive: true })
  const whole = entry('base/1', 'content')
  for (const archive of [
    Buffer.concat([entry('../outside', 'x'), END]),
    Buffer.concat([entry('base/..\\standby.signal', 'x'), END]),
    Buffer.concat([entry('base/1:stream', 'x'), END]),
    Buffer.concat([entry('/outside', 'x'), END]),
    Buffer.concat([entry('base/./1', 'x'), END]),
    Buffer.concat([entry('link', '', '2'), END]),
    whole.subarray(0, 515),
  ])
    await assert.rejects(unpackArchive(streamOf(archive), inner), /archive of the backup/)
  assert.equal(existsSync(join(path, 'outside')), false)
})
