// `clinicd` in a data folder of another account, as whoever forgets `sudo -u` runs it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { NOBODY, type Seen } from './as-nobody.ts'

const CHILD = join(import.meta.dirname, 'as-nobody.ts')
const skip = process.getuid?.() === 0 ? false : 'only root can run a program as another account'

test('in a folder of another account, the doctor and other commands say whose it is and what to do', {
  skip,
}, async (t) => {
  const above = await mkdtemp(join(tmpdir(), 'foreign-'))
  t.after(() => rm(above, { recursive: true }))
  await chmod(above, 0o755)
  const [whole, cluster, none] = ['whole', 'cluster', 'none'].map((name) => join(above, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [whole, cluster]) await mkdir(join(folder, 'pg'), { recursive: true, mode: 0o700 })
  await chown(cluster, NOBODY, NOBODY)
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, whole, cluster, none])
  const seen: Seen[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const foreign = [whole, join(cluster, 'pg'), above]
  for (const [n, folder] of [whole, cluster, none].entries()) {
    const { findings, refused } = seen[n] ?? assert.fail(stdout)
    const said = `DATA_DIR ${folder} cannot be used: ${foreign[n]} belongs to the account root, and this is nobody. Run the command as root, with the service's settings.`
    const told = findings.filter(({ check }) => /folder|keys|database/.test(check))
    assert.deepEqual(told, [{ check: 'data_folder', state: 'fault', detail: said }])
    assert.ok(refused.endsWith(said), refused)
  }
})
