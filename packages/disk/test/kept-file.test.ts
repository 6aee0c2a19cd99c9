// A kept file is whole, private and durable.
import assert from 'node:assert/strict'
import { chown, mkdtemp, open, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keepFile, keepFolder, keepLine, keepNewFile } from '@clinic-data/disk/kept-file'
import { NO_MOUNT, openCutDisk } from '@clinic-data/testing/programs/power-cut'

const MEGABYTE = 2 ** 20
const NOBODY = 65_534
const NOT_ROOT = { skip: process.getuid?.() === 0 ? false : 'only root may act for another account' }

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clinic-data-kept-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('a power cut loses no kept folder, no new file, no replaced file and no line', (t) => {
  const disk = openCutDisk(16 * MEGABYTE)
  if (disk === null) return t.skip(NO_MOUNT)
  t.after(() => disk.remove())
  return (async () => {
    const [made, replaced] = [join(disk.folder, 'a/b/made'), join(disk.folder, 'replaced')]
    await keepFolder(join(disk.folder, 'a/b'))
    await keepNewFile(made, 'made')
    await keepFile(replaced, 'before')
    await keepFile(replaced, 'after')
    const lines = join(disk.folder, 'lines')
    await keepLine(lines, 'first')
    await keepLine(lines, 'second')
    await writeFile(join(disk.folder, 'careless'), 'lost')
    disk.cut()
    assert.deepEqual([await readFile(made, 'utf8'), await readFile(replaced, 'utf8')], ['made', 'after'])
    assert.equal(await readFile(lines, 'utf8'), '\nfirst\n\nsecond\n')
    // Proves that the cut works: what was not forced to the disk is gone.
    assert.equal(await readFile(join(disk.folder, 'careless'), 'utf8').catch(() => ''), '')
  })()
})

test('a new file does not replace another', async () => {
  const path = join(folder, 'new')
  assert.deepEqual([await keepNewFile(path, 'first'), await keepNewFile(path, 'second')], [true, false])
  assert.equal(await readFile(path, 'utf8'), 'first')
  assert.equal((await stat(path)).mode & 0o777, 0o600)
})

test('when many make the same file at once, one succeeds and all read the same content', async () => {
  const path = join(folder, 'raced')
  const made = await Promise.all(Array.from({ length: 20 }, (_, i) => keepNewFile(path, String(i))))
  assert.equal(made.filter(Boolean).length, 1)
  assert.equal(await readFile(path, 'utf8'), String(made.indexOf(true)))
})

test('a link is replaced by the file, and its target stays as it was', async () => {
  const [path, elsewhere] = [join(folder, 'linked'), join(folder, 'elsewhere')]
  await writeFile(elsewhere, 'untouched')
  await symlink(elsewhere, path)
  await keepFile(path, 'kept')
  assert.deepEqual([await readFile(elsewhere, 'utf8'), await readFile(path, 'utf8')], ['untouched', 'kept'])
})

test('a file that root makes in a service’s folder is the service’s before it has its name', NOT_ROOT, async () => {
  const place = join(folder, 'service')
  await keepFolder(place)
  await chown(place, NOBODY, NOBODY)
  const owners: number[][] = []
  async function* content() {
    for (const name of await readdir(place)) {
      const { uid, gid, mode } = await stat(join(place, name))
      owners.push([uid, gid, mode & 0o777])
    }
    yield Buffer.from('kept')
  }
  await keepFile(join(place, 'kept'), content(), 'folder')
  assert.deepEqual(owners, [[NOBODY, NOBODY, 0o600]])
  await keepNewFile(join(place, 'new'), 'new', 'folder')
  await keepFile(join(place, 'own'), 'own')
  const made = await Promise.all(['kept', 'new', 'own'].map(async (name) => (await stat(join(place, name))).uid))
  assert.deepEqual(made, [NOBODY, NOBODY, 0])
})

test('a failed write leaves no file', async () => {
  const place = join(folder, 'place')
  await keepFolder(place)
  // A folder has this name, so no file can take it.
  await keepFolder(join(place, 'taken'))
  await (await open(join(place, 'taken', 'held'), 'w')).close()
  await assert.rejects(keepFile(join(place, 'taken'), 'x'))
  assert.deepEqual(await readdir(place), ['taken'])
})
