// Tests that nothing is stored after a token's revocation of what a system of the clinic began to send before.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { revokeIngestToken } from '@clinic-data/administration/credentials/ingest-tokens'
import { sql } from '@clinic-data/database'
import { openIngest, tokenOf } from '@clinic-data/testing/grounds/ingest'
import { halfSent } from '@clinic-data/testing/half-sent'
import { asApplication } from '@clinic-data/testing/run/application'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { IntakeThread } from '../src/intake/intake-thread.ts'

const database = await testDatabase()
const { owner } = database
const thread = new IntakeThread({ database: asApplication(database.ownerUrl), log: failingLog })
after(() => thread.close())
const listeners = {
  'in this thread': await openIngest(database),
  'in its own': await openIngest(database, { intake: thread }),
}

const RECORDS = JSON.stringify({ records: [{ id: 'p1', first_name: 'Noa', last_name: 'Levi' }] })

async function clinicWithToken() {
  const clinic = await testClinic(owner)
  const { clinic_id } = clinic
  const { id, token } = await tokenOf(owner, clinic)
  const revoke = () => revokeIngestToken(owner, { clinic_id, id, now: new Date() })
  const count = async (table: 'patient' | 'file') => {
    const { rows } = await owner.query(sql`select id from ${sql.identifier(table)} where clinic_id = ${clinic_id}`)
    return rows.length
  }
  return { clinic, headers: { authorization: `Bearer ${token}` }, revoke, count }
}

test('a batch whose body arrived after the revocation of its token is refused, whichever thread stores it', async () => {
  for (const [where, ingest] of Object.entries(listeners)) {
    const { headers, revoke, count } = await clinicWithToken()
    const late = await halfSent(ingest, { path: '/ingest/v1/patients', headers, body: RECORDS })
    await revoke()
    const { status, text } = await late.rest()
    assert.deepEqual([status, JSON.parse(text).code, await count('patient')], [401, 'unauthorized', 0], where)
  }
})

test('settings and files that arrived after the revocation of their token are not stored', async () => {
  const ingest = listeners['in this thread']
  const { clinic, headers, revoke, count } = await clinicWithToken()
  const body = JSON.stringify({ name: 'Another name' })
  const settings = await halfSent(ingest, { path: '/ingest/v1/settings', headers, body })
  const media = { ...headers, 'content-type': 'audio/wav', 'x-file-name': 'call.wav' }
  const file = await halfSent(ingest, { path: '/ingest/v1/files', headers: media, body: 'x'.repeat(1000) })
  await revoke()
  assert.equal((await settings.rest()).status, 401)
  assert.equal((await file.rest()).status, 401)
  const { rows } = await owner.query<{ name: string }>(
    sql`select name from clinic where clinic_id = ${clinic.clinic_id}`,
  )
  assert.deepEqual([rows[0]?.name, await count('file')], [clinic.name, 0])
})

test('a file is not stored in part when its token is revoked while it arrives', async () => {
  const { headers, revoke, count } = await clinicWithToken()
  const media = { ...headers, 'content-type': 'audio/wav', 'x-file-name': 'call.wav' }
  const body = 'x'.repeat(8 * 1024 * 1024)
  const file = await halfSent(listeners['in this thread'], { path: '/ingest/v1/files', headers: media, body })
  while ((await count('file')) === 0);
  await revoke()
  assert.equal((await file.rest()).status, 401)
  assert.equal(await count('file'), 0)
})

test('nothing that the batches beside a revocation store is stored after its answer', async () => {
  const { headers, revoke, count } = await clinicWithToken()
  const statuses = new Set<number>()
  let n = 0
  const send = async () => {
    const payload = JSON.stringify({ id: `p${n++}`, first_name: 'Noa', last_name: 'Levi' })
    const { statusCode } = await listeners['in its own'].inject({
      method: 'POST',
      url: '/ingest/v1/patients',
      payload,
      headers: { ...headers, 'content-type': 'application/json' },
    })
    statuses.add(statusCode)
    return statusCode
  }
  const begun = Promise.withResolvers<void>()
  const writer = async () => {
    while ((await send()) === 200) if (n > 20) begun.resolve()
  }
  const writers = Array.from({ length: 6 }, writer)
  await begun.promise
  await revoke()
  const stored = await count('patient')
  await Promise.all(writers)
  assert.deepEqual([...statuses].sort(), [200, 401])
  assert.equal(await count('patient'), stored)
})
