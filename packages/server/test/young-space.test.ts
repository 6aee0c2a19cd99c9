// Requests that have been answered leave the memory soon: they do not wait for a full collection.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { startClinicd } from '@clinic-data/testing/clinicd-process'
import { ownGround } from '@clinic-data/testing/own-ground'
import { Pool } from 'undici'

const CONNECTIONS = 8
/** Each makes some 20 KB of objects, so they fill the space for new objects more than once. */
const REQUESTS = 6_000
const MB = 1024 * 1024
/** Compiled code and caches. If each request's objects stayed, there would be three times as much. */
const MOST_GROWTH = 8 * MB

/** Runs in the process: logs the size of the part of the heap that only full collections clean. */
const LOGS_OLD_SPACE = `import { getHeapSpaceStatistics } from 'node:v8'
setInterval(() => {
  const { space_used_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')
  process.stderr.write(JSON.stringify({ msg: 'old space ' + space_used_size }) + '\\n')
}, 20).unref()`

const { url } = await ownGround(schema)
const folder = await mkdtemp(join(tmpdir(), 'young-space-'))
after(() => rm(folder, { recursive: true, force: true }))

test('answered requests do not stay until a full collection', async () => {
  const service = await startClinicd([], {
    DATA_DIR: folder,
    SECRET_KEYS: `t:${randomBytes(32).toString('base64')}`,
    DATABASE_URL: url,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LOGS_OLD_SPACE)}`,
  })
  const sizes = () => service.lines.flatMap((line) => /^old space (\d+)$/.exec(line)?.[1] ?? []).map(Number)
  await ask(service.address, REQUESTS / 4)
  const before = sizes()
  await ask(service.address, REQUESTS)
  const later = sizes().slice(before.length)
  await service.end('SIGTERM')
  assert.ok(before.length > 0 && later.length > 0, 'the process did not tell its sizes')
  const growth = Math.max(...later) - (before.at(-1) ?? Number.NaN)
  assert.ok(growth < MOST_GROWTH, `the old space grew by ${Math.round(growth / MB)} MB`)
})

async function ask(address: string, count: number): Promise<void> {
  const pool = new Pool(address, { connections: CONNECTIONS })
  let left = count
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) await (await pool.request({ path: '/healthz', method: 'GET' })).body.dump()
    }),
  )
  await pool.close()
}
