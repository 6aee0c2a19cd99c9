// Files of earlier large answers: a day-old file of this user is removed, everything else stays.
import assert from 'node:assert/strict'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { removeOld } from '@clinic-data/cli/output/large-output'

const HOUR_MS = 3_600_000
const now = Date.now()

test("only the user's own old files are removed, and no link is followed", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-data-large-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const made = async (name: string, hours: number, file = 'answer.json') => {
    await mkdir(join(folder, name), { mode: 0o700 })
    await writeFile(join(folder, name, file), name)
    await aged(join(folder, name, file), hours)
  }
  await made('sc-old001', 25)
  await made('sc-young1', 23)
  await made('sc-other1', 25, 'other.json')
  await made('sc-mixed1', 25)
  await writeFile(join(folder, 'sc-mixed1', 'notes'), '')
  await made('sc-longername', 25)
  await made('elsewhere', 25)
  await symlink(join(folder, 'elsewhere'), join(folder, 'sc-link01'))
  await mkdir(join(folder, 'sc-inner1'), { mode: 0o700 })
  await symlink(join(folder, 'elsewhere', 'answer.json'), join(folder, 'sc-inner1', 'answer.json'))
  await made('sc-open01', 25)
  await chmod(join(folder, 'sc-open01'), 0o755)
  const kept = [
    'elsewhere',
    'sc-inner1',
    'sc-link01',
    'sc-longername',
    'sc-mixed1',
    'sc-open01',
    'sc-other1',
    'sc-young1',
  ]
  if (process.getuid?.() === 0) {
    await made('sc-theirs', 25)
    await chown(join(folder, 'sc-theirs'), 65_534, 65_534)
    kept.push('sc-theirs')
  }
  await removeOld(folder, now - 24 * HOUR_MS)
  assert.deepEqual((await readdir(folder)).sort(), kept.sort())
  assert.equal(await readFile(join(folder, 'elsewhere', 'answer.json'), 'utf8'), 'elsewhere')
  await removeOld(join(folder, 'nowhere'), now)
})

async function aged(path: string, hours: number): Promise<void> {
  const at = new Date(now - hours * HOUR_MS)
  await utimes(path, at, at)
}
