// `clinicd secrets copy`: a backup warns until a copy of the present keys is known. What it says at first: `backup.test.ts`.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { operator } from '@clinic-data/testing/shared/operator'

const folder = await mkdtemp(join(tmpdir(), 'secrets-copy-'))
after(() => rm(folder, { recursive: true, force: true }))
const DATA_DIR = join(folder, 'data')
copyKept(DATA_DIR)
await writeFile(join(DATA_DIR, 'secret-keys'), `${newSecretKeys()}\n`, { mode: 0o600 })

const run = (...argv: string[]) => operator.run(argv, { DATA_DIR })
const copy = (file: string) => run('secrets', 'copy', file)
let backups = 0
const backup = async (...options: string[]) => {
  const { code, out, errors } = await run('backup', join(folder, `${++backups}.backup`), ...options)
  assert.equal(code, 0, errors)
  return out
}

test('a backup no longer warns once a copy of the present keys is known, and warns again after a rotation', async () => {
  const file = join(folder, 'copy')
  const { code, out } = await copy(file)
  assert.equal(code, 0)
  assert.match(out, /^Wrote the secret keys \S+ to .*copy\. /)
  assert.equal(await readFile(file, 'utf8'), await readFile(join(DATA_DIR, 'secret-keys'), 'utf8'))
  if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.match(await backup(), /A restore needs the copy that you made of them\./)

  assert.equal((await run('secrets', 'rotate')).code, 0)
  assert.equal(JSON.parse(await backup('--json')).keys_copied, false)
  const former = await copy(file)
  assert.equal(former.code, 2)
  assert.match(former.errors, /copy is no copy: it lacks .*\. Name a new file to make one$/m)
  // A copy that was made in another way is checked.
  await writeFile(file, await readFile(join(DATA_DIR, 'secret-keys')))
  assert.match((await copy(file)).out, /copy holds the secret keys \S+, \S+\.$/m)
  const { written, ids } = JSON.parse((await run('secrets', 'copy', file, '--json')).out)
  assert.deepEqual([written, ids.length], [false, 2])
  assert.equal(JSON.parse(await backup('--json')).keys_copied, true)
})

test('what is no copy, and where none can outlive the keys, is an error, and no secret stands in it', async () => {
  const text = join(folder, 'text')
  await writeFile(text, 'Dear Dana')
  const other = join(folder, 'other')
  await writeFile(other, newSecretKeys())
  const places = { [text]: /text is no copy: /, [other]: /other is no copy: it lacks / }
  for (const [file, line] of Object.entries({
    ...places,
    '-': /a copy of the secret keys goes into a file/,
    [join(DATA_DIR, '..copy')]: /is in DATA_DIR/,
    [join(DATA_DIR, 'copy')]: /is in DATA_DIR: a copy must outlive that folder/,
    [join(folder, 'nowhere', 'copy')]: /there is no folder .*nowhere for a copy of the secret keys/,
  })) {
    const { code, errors } = await copy(file)
    assert.equal(code, 2, file)
    assert.match(errors, line)
    assert.ok(!errors.includes('Dear Dana'))
  }
  const copied = await operator.run(['secrets', 'copy', text], { DATA_DIR, SECRET_KEYS: newSecretKeys() })
  assert.equal(copied.code, 2)
  assert.match(copied.errors, /keep a copy of the file that sets it/)
})
