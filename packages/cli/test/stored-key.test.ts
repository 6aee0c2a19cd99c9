// The stored key: only this user can read it, and no reader gets half of it.
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { readEnvironment } from '@clinic-data/cli/config'
import { keyFile, readStoredKey, removeStoredKey, storeKey } from '@clinic-data/cli/connection/stored-key'
import { UsageError } from '@clinic-data/cli/usage-error'

let home: string
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'sc-test-'))
})
after(() => rm(home, { recursive: true }))

const isPosix = process.platform !== 'win32'
const modeOf = async (path: string) => (await stat(path)).mode & 0o777
const stored = { base_url: 'https://api.clinic-data.example', api_key: 'not a real one' }

test('the folder comes from SC_CONFIG_DIR, then XDG_CONFIG_HOME, then the home folder, and on Windows from APPDATA', () => {
  const folder = (variables: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
    readEnvironment({ HOME: '/home/dana', ...variables }, platform).folder
  assert.equal(folder({ SC_CONFIG_DIR: '/a', XDG_CONFIG_HOME: '/b' }), '/a')
  assert.equal(folder({ XDG_CONFIG_HOME: '/b' }), join('/b', 'sc'))
  assert.equal(folder({}), join('/home/dana', '.config', 'sc'))
  assert.equal(folder({ APPDATA: '/roaming' }, 'win32'), join('/roaming', 'sc'))
})

test('the key is stored with 0600 in a folder with 0700, whatever was there before, and nothing else is left', async () => {
  const environment = readEnvironment({ HOME: home }, 'linux')
  await mkdir(environment.folder, { recursive: true, mode: 0o755 })
  await chmod(environment.folder, 0o755)
  await writeFile(keyFile(environment), 'something else', { mode: 0o644 })
  await storeKey(environment, stored)
  if (isPosix) assert.deepEqual([await modeOf(keyFile(environment)), await modeOf(environment.folder)], [0o600, 0o700])
  assert.deepEqual(await readStoredKey(environment), stored)
  assert.deepEqual(await readdir(environment.folder), ['config.json'])
})

test('a folder that the user named keeps its mode, and a new one gets 0700', async () => {
  const named = join(home, 'named')
  await mkdir(named, { mode: 0o755 })
  await chmod(named, 0o755)
  const environment = readEnvironment({ SC_CONFIG_DIR: named }, 'linux')
  await storeKey(environment, stored)
  const made = readEnvironment({ SC_CONFIG_DIR: join(home, 'made', 'here') }, 'linux')
  await storeKey(made, stored)
  if (isPosix) assert.deepEqual([await modeOf(named), await modeOf(made.folder)], [0o755, 0o700])
})

test('a link is replaced by the file, and its target stays as it was', async () => {
  const environment = readEnvironment({ SC_CONFIG_DIR: join(home, 'linked') }, 'linux')
  await mkdir(environment.folder)
  const elsewhere = join(home, 'elsewhere.txt')
  await writeFile(elsewhere, 'untouched', { mode: 0o644 })
  await symlink(elsewhere, keyFile(environment))
  await storeKey(environment, stored)
  assert.equal((await stat(elsewhere)).size, 'untouched'.length)
  if (isPosix) assert.equal(await modeOf(keyFile(environment)), 0o600)
})

test('without a file there is no key, and a file without one is reported but not quoted', async () => {
  const environment = readEnvironment({ SC_CONFIG_DIR: join(home, 'broken') }, 'linux')
  assert.equal(await readStoredKey(environment), null)
  assert.equal(await removeStoredKey(environment), false)
  await mkdir(environment.folder)
  for (const content of ['{"api_key":"secret-one"', '{"api_key":"secret-one"}', 'null', '[]']) {
    await writeFile(keyFile(environment), content)
    await assert.rejects(
      readStoredKey(environment),
      (error) => error instanceof UsageError && !error.message.includes('secret'),
    )
  }
  assert.equal(await removeStoredKey(environment), true)
})
