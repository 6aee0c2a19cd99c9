// The start as its user sees it: what cannot work is told before anything is made, the demo clinic's key lasts, and Ctrl-C in a
// terminal leaves no database server behind.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClinic } from '@clinic-data/administration/clinics'
import { isUsable, listKeys, revokeKey } from '@clinic-data/administration/credentials/keys'
import * as schema from '@clinic-data/backend/migrations'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { SAME_SIGNAL_MS } from '@clinic-data/operator/stop-signal'
import { copyKept } from '@clinic-data/testing/run/kept-cluster'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { sized } from '@clinic-data/testing/run/size'
import { clinicdProgram } from '@clinic-data/testing/shared/clinicd-program'
import { operator } from '@clinic-data/testing/shared/operator'
import { until } from '@clinic-data/testing/until'
import { demoKey } from '../src/demo/demo-key.ts'

const PROGRAM = await clinicdProgram()
const hasTerminal = spawnSync('python3', ['-c', 'import pty']).status === 0
const folder = await mkdtemp(join(tmpdir(), 'first-start-'))
const children: ChildProcess[] = []
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const own = { PATH: process.env.PATH, HOME: folder, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'warn' }

function start(command: string, argv: readonly string[], environment: Record<string, string>, cwd = folder) {
  const child = spawn(command, argv, { cwd, env: { ...own, ...environment }, stdio: ['pipe', 'pipe', 'pipe'] })
  children.push(child)
  return child
}

async function untilReady(postmaster: string): Promise<void> {
  while (!(await readFile(postmaster, 'utf8').catch(() => '')).includes('ready')) await delay(20)
}

test('a taken port is told before anything is made, with the line that mends it', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const port = (taken.address() as AddressInfo).port
  const DATA_DIR = join(folder, 'unmade')
  for (const name of ['PORT', 'ADMIN_PORT']) {
    const settings = { [name]: String(port), DATA_DIR, npm_lifecycle_event: 'start' }
    const { code, errors } = await operator.run(['serve', '--demo'], { ...own, ...settings })
    assert.deepEqual([code, existsSync(DATA_DIR)], [2, false])
    assert.match(errors, new RegExp(`^clinicd: port ${port} of 127.0.0.1 is in use; .*: ${name}=\\d+ npm start\n$`))
  }
  taken.close()
})

test('a data folder that cannot be made is told at once, also where the system knows no such folder', {
  skip: process.platform !== 'linux',
}, async () => {
  const { code, errors } = await operator.run(['serve', '--demo'], { ...own, DATA_DIR: '/proc/clinic-data' })
  assert.equal(code, 2)
  assert.match(errors, /^clinicd: DATA_DIR \/proc\/clinic-data cannot be used .*DATA_DIR=\S+ clinicd serve\n$/)
})

test("the demo clinic's key is minted once, kept for its owner only, and minted anew when it is revoked or has expired", async () => {
  const { owner } = await ownGround(schema)
  const { clinic_id } = DEMO_CLINIC
  const now = new Date()
  await createClinic(owner, { ...DEMO_CLINIC, name: 'Demo', now })
  const dataDir = join(folder, 'with-a-key')
  const first = await demoKey(owner, dataDir, now)
  assert.equal((await stat(first.path)).mode & 0o777, 0o600)
  assert.deepEqual(await demoKey(owner, dataDir, now), first)
  const [listed] = await listKeys(owner, clinic_id)
  await revokeKey(owner, { clinic_id, id: listed?.id ?? '', now }, async () => undefined)
  const second = await demoKey(owner, dataDir, now)
  assert.notEqual(second.key, first.key)
  const later = new Date(now.getTime() + 31 * 86_400_000)
  const third = await demoKey(owner, dataDir, later)
  assert.notEqual(third.key, second.key)
  assert.equal(await isUsable(owner, { clinic_id, key: third.key, now: later }), true)
  await writeFile(third.path, `sk_live_${randomBytes(20).toString('hex')}\n`)
  assert.notEqual((await demoKey(owner, dataDir, later)).key, third.key)
})

test('a second signal seconds later forces the end, and takes the database server along', async () => {
  const DATA_DIR = join(folder, 'forced')
  const postmaster = join(DATA_DIR, 'pg', 'postmaster.pid')
  copyKept(DATA_DIR)
  const child = start(process.execPath, [PROGRAM, 'serve'], { DATA_DIR, LOG_LEVEL: 'info' })
  const ended = once(child, 'exit')
  child.stdout.resume()
  for await (const chunk of child.stderr) if (String(chunk).includes('"listening"')) break
  child.kill('SIGTERM')
  await delay(SAME_SIGNAL_MS)
  // The first may have reached a busy process late: then some of these still count as the same one.
  const again = setInterval(() => child.kill('SIGTERM'), SAME_SIGNAL_MS / 10)
  assert.deepEqual(await ended.finally(() => clearInterval(again)), [1, null])
  await until(
    async () => !existsSync(postmaster),
    () => 'the server is still there',
  )
})

test('Ctrl-C in a terminal under npm start ends the database server, time after time', {
  skip: !hasTerminal && 'python3 with its module pty is not installed',
}, async () => {
  const project = join(folder, 'project')
  await mkdir(project)
  const scripts = { start: `exec '${process.execPath}' '${PROGRAM}' serve` }
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, scripts }))
  const DATA_DIR = join(folder, 'in-a-terminal')
  const postmaster = join(DATA_DIR, 'pg', 'postmaster.pid')
  const TIMES = sized({ everyday: 1, long: 5 })
  copyKept(DATA_DIR)
  const inTerminal = ['-c', 'import pty, sys; pty.spawn(sys.argv[1:])', 'npm', 'start']
  for (let time = 1; time <= TIMES; time++) {
    const child = start('python3', inTerminal, { DATA_DIR }, project)
    child.stdout.resume()
    const ended = once(child, 'exit')
    await untilReady(postmaster)
    child.stdin.write('\u0003')
    await ended
    assert.equal(existsSync(postmaster), false, `the server runs on, time ${time}`)
  }
})
