// A clinic is closed before it is deleted: nothing opens it any more, and nothing that was under way stays open.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { ingestPrincipal, mintIngestToken } from '@clinic-data/administration/credentials/ingest-tokens'
import { closeClinic } from '@clinic-data/backend/offboarding/close-clinic'
import { sql, type Transaction, utcSession } from '@clinic-data/database'
import { lockOf, reportsStillValid, sharedLock } from '@clinic-data/surface/still-valid'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { ask, keyOf, smallClinic, startParts } from '@clinic-data/testing/run/test-service'
import { until } from '@clinic-data/testing/until'
import { filledClinic } from './filled-clinic.ts'

const { owner } = await testDatabase()
const service = await startParts()
after(() => service.close())

const close = (clinic_id: string) =>
  closeClinic(owner, clinic_id, { now: new Date(), beside: () => undefined }, async () => undefined)
const insertKey = (tx: Transaction, clinic_id: string) =>
  tx.query(sql`insert into api_key (clinic_id, id, key_hash, first_characters, last_characters, name, scopes, created_at)
    values (${clinic_id}, 'late', ${randomBytes(32).toString('hex')}, '', '', 'late', '{}', now())`)

test('what was being made when a clinic was closed ends with it: a key, a webhook, an account, an attempt to deliver', async () => {
  const { clinic } = await filledClinic(service)
  const { clinic_id } = clinic
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const minted = owner.write(utcSession(clinic_id), async (tx) => {
    await tx.query(sharedLock({ clinic_id, id: 'adm_1' }))
    begun.resolve()
    await gate.promise
    await insertKey(tx, clinic_id)
    await tx.query(sql`insert into subscription (clinic_id, id, url, event_types, secret, secret_last_characters, created_at)
      values (${clinic_id}, 'late', 'https://crm.example.com/late', '{}', ${randomBytes(8)}, '', now())`)
    await tx.query(sql`update clinic set messaging_account_id = 'a', messaging_account_hash = ${randomBytes(32).toString('hex')}
      where clinic_id = ${clinic_id}`)
  })
  await begun.promise
  const closed = close(clinic_id)
  await until(
    async () => {
      const sessions = sql`select id from administrator where clinic_id = ${clinic_id} and disabled_at is null`
      return (await owner.query(sessions)).rows.length === 0 || null
    },
    () => 'the administrator was not disabled',
  )
  gate.resolve()
  await minted
  await closed
  const { rows } = await owner.query(sql`
    select 'key' as open from api_key where clinic_id = ${clinic_id} and revoked_at is null
    union all select 'webhook' from subscription where clinic_id = ${clinic_id} and enabled
    union all select 'account' from clinic where clinic_id = ${clinic_id} and messaging_account_hash is not null
    union all select 'delivery' from delivery where clinic_id = ${clinic_id} and status = 'pending'`)
  assert.deepEqual(rows, [])
})

test('closing a clinic again waits for what the first call, which was killed, was waiting for', async () => {
  const { clinic } = await smallClinic(service)
  const { clinic_id } = clinic
  const { rows } = await owner.query<{ id: string }>(sql`select id from api_key where clinic_id = ${clinic_id}`)
  const holder = { clinic_id, id: rows[0]?.id ?? assert.fail('the clinic has no key') }
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const minted = owner.write(utcSession(clinic_id), async (tx) => {
    await tx.query(sharedLock(holder))
    begun.resolve()
    await gate.promise
    await insertKey(tx, clinic_id)
  })
  await begun.promise
  await owner.query(sql`update clinic set closed_at = now() where clinic_id = ${clinic_id}`)
  await owner.query(sql`update api_key set revoked_at = now() - interval '1 minute' where clinic_id = ${clinic_id}`)
  let isClosed = false
  const closed = close(clinic_id).finally(() => {
    isClosed = true
  })
  const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted
    and (classid::bigint << 32 | objid::bigint) = ${lockOf(holder)}`
  await until(
    async () => isClosed || (await owner.query(waiting)).rows.length > 0,
    () => 'nobody waited for the key',
  )
  const hasWaited = !isClosed
  gate.resolve()
  await Promise.all([minted, closed])
  assert.equal(hasWaited, true)
  const { rows: open } = await owner.query(
    sql`select id from api_key where clinic_id = ${clinic_id} and revoked_at is null`,
  )
  assert.deepEqual(open, [])
})

test('a closed clinic is opened by no key and no token that is there all the same, and takes no report', async () => {
  const { clinic } = await smallClinic(service)
  const { clinic_id } = clinic
  await close(clinic_id)
  const key = await keyOf(owner, clinic, ['patients:read'])
  assert.equal((await ask(service, key, '/v1/patients')).status, 401)
  const { token } = await mintIngestToken(owner, { clinic_id, name: 'PMS', now: new Date() })
  assert.equal(await ingestPrincipal(service.database, token), null)
  const reported = owner.write(utcSession(clinic_id), async (tx) => {
    reportsStillValid(tx, clinic_id)
    await tx.query(sql`select 1`)
  })
  await assert.rejects(reported, /was revoked or has expired/)
})
