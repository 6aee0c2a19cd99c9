// PgBouncer in front of the database of a test, where the machine has it.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { freePort } from '../free-port.ts'
import { startTcpProxy } from '../receivers/tcp-proxy.ts'

const PROGRAM = 'pgbouncer'

/** Why tests with a pooler are skipped, or false. */
export const noPooler =
  spawnSync(PROGRAM, ['--version']).error === undefined
    ? false
    : 'PgBouncer is not installed: apt-get install pgbouncer'

/**
 * Starts one for a test.
 * @param urls - of the database, one for each login. The pooler asks for no password.
 * @param settings - lines of its file, as `pool_mode = session`.
 * @returns the addresses of these logins through the pooler.
 */
export async function startPooler(
  t: TestContext,
  urls: readonly string[],
  settings: readonly string[],
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pooler-'))
  // It runs as nobody where the tests run as root.
  await chmod(folder, 0o755)
  const port = await freePort()
  const places = await Promise.all(urls.map((url, at) => placeOf(t, url, at)))
  const own = ['auth_type = any', 'listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =']
  const file = join(folder, 'pgbouncer.ini')
  const lines = ['[databases]', ...places, '[pgbouncer]', ...own, ...settings]
  await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o644 })
  const child = spawn(PROGRAM, [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(async () => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
    await rm(folder, { recursive: true })
  })
  const output: string[] = []
  for await (const line of createInterface({ input: child.stderr ?? assert.fail() })) {
    output.push(line)
    if (/process up/.test(line))
      return urls.map((url, at) => `postgres://${new URL(url).username}@127.0.0.1:${port}/pooled_${at}`)
  }
  throw new Error(output.join('\n'))
}

/** The run's server may listen at a socket that only its owner can open, and the pooler is not its owner. */
async function placeOf(t: TestContext, url: string, at: number): Promise<string> {
  const proxy = await startTcpProxy(url)
  t.after(() => proxy.close())
  const { hostname, port, username, password, pathname } = new URL(proxy.url)
  const secret = password === '' ? '' : ` password=${decodeURIComponent(password)}`
  return `pooled_${at} = host=${hostname} port=${port} user=${username}${secret} dbname=${pathname.slice(1)}`
}
