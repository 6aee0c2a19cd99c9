// A database that cannot be reached is not an internal error: callers get 503 and may retry.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '@clinic-data/contract'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { openDatabase } from '@clinic-data/database'
import { startTcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'
import { asApplication } from '@clinic-data/testing/run/application'
import { failingLog } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

test('while the database cannot be reached callers get 503 with Retry-After, and afterwards they are served', async () => {
  const proxy = await startTcpProxy(process.env.TEST_DATABASE_URL ?? assert.fail('run the tests with npm test'))
  const database = await openDatabase({ ...asApplication(proxy.url), onError: () => undefined })
  const backend = createBackend({ database, now: () => new Date(), log: failingLog })
  const hash = hashKey(makeKey())
  try {
    assert.equal(await backend.authenticate(hash), null)
    proxy.cut()
    const comeBack = (error: unknown) =>
      error instanceof Problem && error.slug === 'service-unavailable' && error.members.retry_after === 1
    await assert.rejects(backend.authenticate(hash), comeBack)
    await assert.rejects(backend.openFile({ clinic_id: 'a', key_id: 'b', file_id: 'c' }, null), comeBack)
    proxy.restore()
    assert.equal(await backend.authenticate(hash), null)
  } finally {
    await database.close()
    await proxy.close()
  }
})
