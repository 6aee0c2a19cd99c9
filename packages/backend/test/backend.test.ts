// The backend as a whole: its readiness, and its answer when it cannot work.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allScopes, Grant, type Handlers, operations } from '@clinic-data/contract'
import { openDatabase, sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { asApplication } from '@clinic-data/testing/run/application'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, ownerUrl } = await testDatabase()
const now = () => new Date('2026-07-12T06:30:00Z')
const open = (statementTimeoutMs = 7_000) => openDatabase({ ...asApplication(ownerUrl), statementTimeoutMs })

test('it is ready when the database answers and was migrated', async () => {
  const database = await open()
  const backend = createBackend({ database, now, log: failingLog })
  await backend.ready()
  await database.close()
  await assert.rejects(backend.ready())

  const elsewhere = new URL(ownerUrl)
  elsewhere.pathname = '/template1'
  const empty = await openDatabase(asApplication(elsewhere.href))
  await assert.rejects(createBackend({ database: empty, now, log: failingLog }).ready(), /schema_migration/)
  await empty.close()
})

test('a missing database and a slow statement are answered as temporarily unavailable', async () => {
  const clinic = await testClinic(owner)
  const gone = await open()
  await gone.close()
  const down = createBackend({ database: gone, now, log: failingLog })
  await assert.rejects(ask(down, clinic, 'patients.list'), problem('service-unavailable', /Retry/))

  const hurried = await open(200)
  const slow = createBackend({ database: hurried, now, log: failingLog })
  await owner.maintain(async (tx) => {
    await tx.query(sql`lock table patient_status in access exclusive mode`)
    await assert.rejects(ask(slow, clinic, 'patients.list'), problem('service-unavailable', /Retry/))
  })
  await hurried.close()
})

test('a call is not started after its deadline', async () => {
  const clinic = await testClinic(owner)
  const database = await open()
  const { handlers } = createBackend({ database, now, log: failingLog })
  const principal = { key_id: 'key', clinic, scopes: allScopes, rate_limit: null, expires_at: null }
  const grant = Grant.authorize(principal, operations['me.get'])
  const input = { params: {}, query: { limit: 25, after: null }, body: undefined as never, idempotency_key: null }
  const ask = (deadline: number) => handlers['me.get'](grant, input, { request_id: 'req_1', deadline })
  await assert.rejects(ask(performance.now() - 1), problem('service-unavailable'))
  assert.equal((await ask(performance.now() + 60_000)).data.clinic_id, clinic.clinic_id)
  await database.close()
})

test('every served operation has a handler', async () => {
  const database = await open()
  const { handlers } = createBackend({ database, now, log: failingLog })
  for (const id of Object.keys(handlers) as (keyof Handlers)[]) assert.equal(typeof handlers[id], 'function', id)
  await database.close()
})
