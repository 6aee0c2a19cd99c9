// `clinicd restore --without-keys` that is ended in its middle, and one whose file a later key has authenticated; and one that stops every
// integration.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { sql } from '@clinic-data/database'
import { isAlive } from '@clinic-data/database/embedded/is-alive'
import { goneWithin, readPostmaster } from '@clinic-data/database/embedded/postmaster'
import { until } from '@clinic-data/testing/until'
import { metrics } from '@opentelemetry/api'
import { type LostInstallation, loseKeys, ownerOf, program, run, serving, succeed } from './lost-keys.ts'

let lost: LostInstallation
before(async () => {
  lost = await loseKeys()
})

const begun = async (dataDir: string) => (await readdir(dataDir)).filter((name) => name.startsWith('pg'))

const ENDS = [
  ['SIGTERM', 130],
  ['SIGKILL', null],
] as const

/** @returns the servers that worked on it. */
async function endRestores(target: string): Promise<number[]> {
  const pids: number[] = []
  for (const [signal, code] of ENDS) {
    await rm(join(target, 'postgres.log'), { force: true })
    const child = spawn(process.execPath, [program, 'restore', lost.file, '--without-keys', '--unauthenticated'], {
      env: { PATH: process.env.PATH, DATA_DIR: target },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    // The server that is started for the changes has a log.
    await until(
      async () => existsSync(join(target, 'postgres.log')) || null,
      () => 'no server was started',
    )
    child.kill(signal)
    assert.equal((await ended)[0], code)
    const [left = '', ...others] = await begun(target)
    assert.deepEqual([/^pg\.new-/.test(left), others], [true, []])
    pids.push((await readPostmaster(join(target, left)))?.pid ?? 0)
    if (signal === 'SIGTERM') assert.equal(await goneWithin(join(target, left), 10_000), true)
  }
  return pids
}

test('a restore that was ended is repeated, and leaves one database with the patients and no server', async () => {
  const { folder, file, patients, storedPatients } = lost
  const restored = join(folder, 'restored')
  const pids = await endRestores(restored)
  const { code, errors } = await run(['restore', file, '--without-keys', '--unauthenticated'], restored)
  assert.equal(code, 0, errors)
  assert.deepEqual([await begun(restored), pids.filter((pid) => pid > 0 && isAlive(pid))], [['pg'], []])
  const service = await serving(restored)
  const owner = await ownerOf(restored)
  assert.deepEqual(await storedPatients(owner), patients)
  await owner.close()
  await service.stop()
})

test('a restore can stop every integration: no key, token or webhook of before is open until it is let go on', async () => {
  const { file, folder, lostFrom, ways, webhooks } = lost
  const target = join(folder, 'stopped')
  await mkdir(target, { mode: 0o700 })
  await copyFile(join(lostFrom, 'secret-keys'), join(target, 'secret-keys'))
  const { stopped_integrations } = JSON.parse(await succeed(['restore', file, '--stop-integrations', '--json'], target))
  metrics.disable()
  const service = await serving(target)
  const statusOf = async (secret: string) =>
    (await fetch(`${service.address}/v1/me`, { headers: { authorization: `Bearer ${secret}` } })).status
  const both = async () => [await statusOf(ways.key), await statusOf(ways.token)]
  assert.deepEqual(await both(), [401, 401])
  const owner = await ownerOf(target)
  const { rows } = await owner.query(sql`select id from subscription where enabled`)
  assert.deepEqual(rows, [])
  for (const { clinic_id, id } of stopped_integrations)
    await succeed(['integrations', 'resume', id, '--clinic', clinic_id], target)
  assert.deepEqual(await both(), [200, 200])
  const { rows: enabled } = await owner.query(sql`select id from subscription where enabled`)
  assert.deepEqual(enabled, [{ id: webhooks.enabled }])
  await owner.close()
  await service.stop()
})

test('a file that another key has authenticated is restored without the lost one, as proven', async () => {
  const { folder, lostFrom } = lost
  const rotated = join(folder, 'rotated.backup')
  const former = (await readFile(join(lostFrom, 'secret-keys'), 'utf8')).trim()
  const later = `later:${randomBytes(32).toString('base64')}`
  await writeFile(join(lostFrom, 'secret-keys'), `${later},${former}\n`)
  await succeed(['backup', rotated], lostFrom)
  const target = join(folder, 'proven')
  await mkdir(target, { mode: 0o700 })
  await writeFile(join(target, 'secret-keys'), `${later}\n`, { mode: 0o600 })
  const { code, errors, out } = await run(['restore', rotated, '--without-keys', '--json'], target)
  assert.deepEqual([code, errors], [0, ''])
  assert.deepEqual([JSON.parse(out).lost_keys, JSON.parse(out).paused_webhooks.length], [['a'], 2])
  assert.equal(await readFile(join(target, 'secret-keys'), 'utf8'), `${later}\n`)
})
