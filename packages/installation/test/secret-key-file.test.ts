// The file of an installation's secret keys, on which every sealed secret depends.
import assert from 'node:assert/strict'
import { chown, mkdtemp, open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { NO_MOUNT, openCutDisk } from '@clinic-data/testing/programs/power-cut'
import { ConfigError } from '../src/config.ts'
import { keepSecretKeys, secretKeysIn } from '../src/secret-key-file.ts'

const MEGABYTE = 2 ** 20
const NOBODY = 65_534
const NOT_ROOT = { skip: process.getuid?.() === 0 ? false : 'only root may act for another account' }

test('a power cut right after the first start loses no secret key', async (t) => {
  const disk = openCutDisk(16 * MEGABYTE)
  if (disk === null) return t.skip(NO_MOUNT)
  t.after(() => disk.remove())
  const dataDir = join(disk.folder, 'data')
  await secretKeysIn(dataDir)
  const made = await readFile(join(dataDir, 'secret-keys'), 'utf8')
  // The database syncs its own files to the disk, and that syncs the names of all other files too.
  const database = await open(join(dataDir, 'database'), 'w')
  await database.sync()
  await database.close()
  disk.cut()
  assert.equal(await readFile(join(dataDir, 'secret-keys'), 'utf8'), made)
})

test('keys are created once, and nothing else is left in the folder', async (t) => {
  const dataDir = await temporary(t)
  const made = await Promise.all([secretKeysIn(dataDir), secretKeysIn(dataDir)])
  made.push(await secretKeysIn(dataDir))
  for (const [{ key }] of made) assert.ok(key.equals(made[0]?.[0].key ?? assert.fail()))
  assert.deepEqual(await readdir(dataDir), ['secret-keys'])
})

test('keys that are there are read without a write, as on a full disk', async (t) => {
  const dataDir = await temporary(t)
  await secretKeysIn(dataDir)
  await utimes(dataDir, 0, 0)
  await secretKeysIn(dataDir)
  assert.equal((await stat(dataDir)).mtimeMs, 0)
})

test('keys that root makes or replaces are those of the service that has the folder', NOT_ROOT, async (t) => {
  const dataDir = await temporary(t)
  await chown(dataDir, NOBODY, NOBODY)
  const owner = async () => {
    const { uid, gid, mode } = await stat(join(dataDir, 'secret-keys'))
    return [uid, gid, mode & 0o777]
  }
  const keys = await secretKeysIn(dataDir)
  assert.deepEqual(await owner(), [NOBODY, NOBODY, 0o600])
  await keepSecretKeys(dataDir, keys)
  assert.deepEqual(await owner(), [NOBODY, NOBODY, 0o600])
})

test('an empty file is an error: it is neither read as keys nor replaced', async (t) => {
  const dataDir = await temporary(t)
  await writeFile(join(dataDir, 'secret-keys'), '')
  await assert.rejects(
    secretKeysIn(dataDir),
    (error) => error instanceof ConfigError && /secret-keys is empty.*backup/.test(error.message),
  )
  assert.equal(await readFile(join(dataDir, 'secret-keys'), 'utf8'), '')
})

async function temporary(t: { after: (end: () => Promise<void>) => void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-data-keys-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
