// A failed start, a start that a signal interrupts, and a stop each close everything that was opened.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { sql } from '@clinic-data/database'
import { ConfigError, readConfig } from '@clinic-data/installation/config'
import { freePort } from '@clinic-data/testing/free-port'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { until } from '@clinic-data/testing/until'
import pino from 'pino'
import { serve } from '../src/serve.ts'
import type { ServeOptions } from '../src/start.ts'

const { url, owner } = await ownGround(schema)

async function options(t: TestContext, environment: Record<string, string>): Promise<ServeOptions> {
  const folder = await mkdtemp(join(tmpdir(), 'serve-closing-'))
  t.after(() => rm(folder, { recursive: true }))
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: folder,
    PORT: '0',
    ADMIN_PORT: '0',
    BASE_URL: 'http://127.0.0.1:1',
    SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
    ...environment,
  })
  return { config, role: 'all', log: pino({ level: 'silent' }) }
}

async function connections(): Promise<number> {
  const { rows } = await owner.query(sql`select pid from pg_stat_activity where datname = current_database()`)
  return rows.length
}

/** A port that something else already listens on. */
async function takenPort(t: TestContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function assertRefused(port: number): Promise<void> {
  const [error] = await once(connect(port, '127.0.0.1'), 'error').catch((thrown) => [thrown])
  assert.equal(error.code, 'ECONNREFUSED')
}

/** Waits until PostgreSQL has noticed that the clients have left. */
async function assertBackTo(before: number): Promise<void> {
  await until(
    async () => (await connections()) <= before,
    () => 'connections stayed open',
  )
}

test('a start whose last step fails closes everything that earlier steps opened', async (t) => {
  const before = await connections()
  const port = await takenPort(t)
  const adminPort = await freePort()
  const start = serve(await options(t, { PORT: String(port), ADMIN_PORT: String(adminPort) }))
  await assert.rejects(start, (error) => error instanceof ConfigError && error.message.includes(`port ${port}`))
  await assertRefused(adminPort)
  await assertBackTo(before)
})

test('an aborted start rejects with the reason and closes what it opened', async (t) => {
  const before = await connections()
  const controller = new AbortController()
  const reason = new Error('enough')
  const prepare = async () => controller.abort(reason)
  await assert.rejects(serve({ ...(await options(t, {})), prepare, signal: controller.signal }), reason)
  await assertBackTo(before)
})

test('a stopped service has closed its listeners and connections, and may be stopped twice', async (t) => {
  const before = await connections()
  const service = await serve(await options(t, {}))
  assert.ok((await connections()) > before)
  const ports = [service.address, service.adminAddress].map((address) => Number(new URL(address ?? '').port))
  await service.stop()
  await service.stop()
  for (const port of ports) await assertRefused(port)
  await assertBackTo(before)
})
