// The way back from a packed audit log: released versions, which cannot read it, do not start on it, and say so in one line. Before the first
// day is packed they start, and today's version starts on it afterwards.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { packDays } from '@clinic-data/audit/pack-days'
import { dayBefore, makeDay, now, owner, ownerUrl, sealedClinic } from '@clinic-data/testing/grounds/packed-ground'
import { startClinicd } from '@clinic-data/testing/programs/clinicd-process'
import { formerProgram, NO_HISTORY, RELEASED } from './former-program.ts'

const run = promisify(execFile)
const SECRET_KEYS = `t:${randomBytes(32).toString('base64')}`
const DAY = dayBefore(100)

test('released versions start until a day is packed, and then say in one line that they cannot', async (t) => {
  const environmentOf = (folder: string) => ({ DATABASE_URL: ownerUrl, DATA_DIR: folder, SECRET_KEYS })
  const programs = new Map<string, { folder: string; program: string }>()
  for (const [version, commit] of Object.entries(RELEASED)) {
    const former = await formerProgram(commit)
    if (former === null) return t.skip(NO_HISTORY)
    programs.set(version, former)
    const service = await startClinicd([], environmentOf(former.folder), former.program)
    assert.equal(await service.end('SIGTERM'), 0, version)
  }
  await makeDay(DAY)
  await sealedClinic({ stored_at: `${DAY} 09:00Z` })
  const { packed, failures } = await packDays(owner, now)
  assert.deepEqual([packed.includes(DAY), failures], [true, []])
  for (const [version, { folder, program }] of programs) {
    const env = { PATH: process.env.PATH, PORT: '0', ...environmentOf(folder) }
    await assert.rejects(run(process.execPath, [program, 'serve'], { env }), (error: Error & { stderr?: string }) => {
      const lines = (error.stderr ?? '').trim().split('\n')
      assert.equal(lines.length, 1, `${version}: ${error.stderr}`)
      assert.match(
        lines[0] ?? '',
        /migration 0007_audit was changed after it had been applied to this database/,
        version,
      )
      return true
    })
  }
  const today = await startClinicd([], environmentOf([...programs.values()][0]?.folder ?? assert.fail('no version')))
  assert.equal(await today.end('SIGTERM'), 0)
})
