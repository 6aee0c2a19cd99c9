// The rate limit of ingest tokens: each token has its own rolling window.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOKEN_RATE } from '@clinic-data/backend/intake/admission'
import { MemoryRateLimit } from '@clinic-data/gateway/limits/rate-limit'
import { askIngest, openIngest, tokenOf } from '@clinic-data/testing/grounds/ingest'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'

const database = await testDatabase()

test('a token at its rate limit learns when to retry, and another token is not limited', async () => {
  let now = 0
  const windowMs = TOKEN_RATE.window_seconds * 1000
  const rate = new MemoryRateLimit({ windowMs, monotonic: () => now })
  const ingest = await openIngest(database, { rate })
  const clinic = await testClinic(database.owner)
  const busy = await tokenOf(database.owner, clinic)
  const quiet = await tokenOf(database.owner, clinic)
  const send = ({ token }: { token: string }) => askIngest(ingest, '/patients', { token, body: { id: 'p' } })
  assert.equal((await send(busy)).status, 200)
  for (let n = 1; n < TOKEN_RATE.requests; n++) rate.take(`${clinic.clinic_id} ${busy.id}`, TOKEN_RATE.requests)
  now += 10_000
  const { status, json, headers } = await send(busy)
  assert.deepEqual([status, json.retry_after, headers['retry-after']], [429, 50, '50'])
  assert.equal((await send(quiet)).status, 200)
  now += 50_000
  assert.equal((await send(busy)).status, 200)
})
