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

test('a power cut loses no kept folder, no new file, no replaced file and no line', async (t) => {
  // Each on a disk of its own: what one forces to the disk may take along what another has left.
  const cutAfter = async (work: (folder: string) => Promise<void>) => {
    const disk = openCutDisk(16 * MEGABYTE)
    if (disk === null) return null
    t.after(() => disk.remove())
    await work(disk.folder)
    disk.cut()
    return (name: string) => readFile(join(disk.folder, name), 'utf8').catch(() => '')
  }
  const afterNew = await cutAfter(async (disk) => {
    await keepFolder(join(disk, 'a/b'))
    await keepNewFile(join(disk, 'a/b/made'), 'made')
    await writeFile(join(disk, 'careless'), 'written')
  })
  if (afterNew === null) return t.skip(NO_MOUNT)
  // The careless file proves that the cut works.
  assert.deepEqual([await afterNew('a/b/made'), await afterNew('careless')], ['made', ''])
  const afterReplaced = await cutAfter(async (disk) => {
    await keepFile(join(disk, 'replaced'), 'before')
    await keepFile(join(disk, 'replaced'), 'after')
  })
  assert.equal(await afterReplaced?.('replaced'), 'after')
  const afterLines = await cutAfter(async (disk) => {
    await keepLine(join(disk, 'lines'), 'first')
    await keepLine(join(disk, 'lines'), 'second')
  })
  assert.equal(await afterLines?.('lines'), '\nfirst\n\nsecond\n')
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
