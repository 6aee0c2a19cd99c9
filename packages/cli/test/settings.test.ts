// Where a key may be kept and sent, and what of an answer must stay whole.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { readEnvironment } from '../src/config.ts'
import { readAddress, readBaseAddress } from '../src/connection/base-address.ts'
import { keyFile } from '../src/connection/stored-key.ts'
import { removeOld } from '../src/output/large-output.ts'
import { UsageError } from '../src/usage-error.ts'
import { fittedWidths } from '../src/views/fit.ts'
import { onePage, tableText } from '../src/views/table.ts'

async function inPipe(rows: Record<string, unknown>[]): Promise<string> {
  let out = ''
  for await (const text of tableText(onePage(rows), Object.keys(rows[0] ?? {}), { columns: null, isColoured: false }))
    out += text
  return out
}

test('a profile is a file in the folder of the profiles, whatever its name', () => {
  const folder = join('/', 'home', 'sc')
  assert.equal(keyFile({ folder, profile: 'north_2-b' }), join(folder, 'profiles', 'north_2-b.json'))
  for (const profile of ['..', '../other', 'a/b', '/a', 'a.b', '.a', '-a', 'A', '', 'a'.repeat(33)])
    assert.throws(() => keyFile({ folder, profile }), UsageError, profile)
})

test('an empty or blank variable counts as unset', () => {
  const { apiKey, baseUrl, profile, folder } = readEnvironment(
    { HOME: '/home/dana', SC_API_KEY: '', SC_BASE_URL: ' ', SC_PROFILE: '', SC_CONFIG_DIR: ' ', XDG_CONFIG_HOME: '' },
    'linux',
  )
  assert.deepEqual([apiKey, baseUrl, profile, folder], [null, null, 'default', join('/home/dana', '.config', 'sc')])
})

test('a key goes over https, or over http to this machine', () => {
  for (const good of ['https://api.example.com', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:1'])
    assert.equal(readBaseAddress(good, 'it'), good)
  assert.equal(readAddress('localhost:8080', 'it'), 'http://localhost:8080')
  const bad = [
    'http://api.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'ftp://localhost',
  ]
  for (const address of [
    ...bad,
    'https://user:word@api.example.com',
    'https://user@api.example.com',
    'https://a.example/#x',
  ])
    assert.throws(() => readBaseAddress(address, 'it'), UsageError, address)
})

test('a folder that holds more than the answer keeps the answer too', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-data-settings-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const mixed = join(folder, 'sc-mixed1')
  await mkdir(mixed, { mode: 0o700 })
  for (const name of ['answer.json', 'notes']) await writeFile(join(mixed, name), name)
  await utimes(join(mixed, 'answer.json'), new Date(0), new Date(0))
  await removeOld(folder, Date.now())
  assert.deepEqual((await readdir(mixed)).sort(), ['answer.json', 'notes'])
})

test('in a pipe an instant has its seconds and its offset', async () => {
  assert.equal(await inPipe([{ start: '2026-07-14T10:00:59+03:00' }]), 'start\n2026-07-14T10:00:59+03:00\n')
})

test('each column of numbers has the decimals of its own', async () => {
  assert.equal(
    await inPipe([
      { count: 3, sum: 1.5 },
      { count: 12, sum: 2 },
    ]),
    'count   sum\n    3  1.50\n   12  2.00\n',
  )
})

test('a column that must stay whole gives no width to the others', () => {
  const widths = fittedWidths({ widths: [30, 30], least: [2, 4], isWhole: [true, false] }, 50)
  assert.deepEqual(widths, [30, 18])
})
