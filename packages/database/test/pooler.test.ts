// A pooler that takes the settings away from connections is refused when the database is opened, in one line.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { freePort } from '@clinic-data/testing/free-port'
import { startTcpProxy } from '@clinic-data/testing/tcp-proxy'
import { testDatabase } from '@clinic-data/testing/test-database'
import { openDatabase } from '../src/database.ts'

const { ownerUrl } = await testDatabase()
const PROGRAM = 'pgbouncer'
const skip = spawnSync(PROGRAM, ['--version']).error === undefined ? false : 'there is no PgBouncer'

/** @returns the address of the database through a pooler. */
async function pooled(t: TestContext, settings: readonly string[]): Promise<string> {
  // The run's server may listen at a socket that only its owner can open, and the pooler is not its owner.
  const proxy = await startTcpProxy(ownerUrl)
  t.after(() => proxy.close())
  const { hostname, port, username, password, pathname } = new URL(proxy.url)
  const folder = await mkdtemp(join(tmpdir(), 'pooler-'))
  // It runs as nobody where the tests run as root.
  await chmod(folder, 0o755)
  const own = await freePort()
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`
  const place = `host=${hostname} port=${port} user=${username}${secret}`
  const lines = ['[databases]', `pooled = ${place} dbname=${pathname.slice(1)}`, '[pgbouncer]', 'auth_type = any']
  lines.push('listen_addr = 127.0.0.1', `listen_port = ${own}`, 'unix_socket_dir =', ...settings)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  const child: ChildProcess = spawn(PROGRAM, [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(async () => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    await rm(folder, { recursive: true })
  })
  const told: string[] = []
  for await (const line of createInterface({ input: child.stderr ?? assert.fail() })) {
    told.push(line)
    if (/process up/.test(line)) return `postgres://anybody@127.0.0.1:${own}/pooled`
  }
  throw new Error(told.join('\n'))
}

for (const mode of ['session', 'transaction']) {
  test(`a pooler in ${mode} mode that refuses the settings, or drops them, is named`, { skip }, async (t) => {
    const refusing = await pooled(t, [`pool_mode = ${mode}`])
    await assert.rejects(openDatabase({ url: refusing }), /unsupported startup parameter: options: a pooler such as/)
    const dropping = await pooled(t, [`pool_mode = ${mode}`, 'ignore_startup_parameters = options'])
    await assert.rejects(openDatabase({ url: dropping }), {
      message: /^the database drops the settings of connections: a pooler such as PgBouncer stands between/,
    })
  })
}
