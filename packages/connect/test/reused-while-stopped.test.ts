// Codes and tokens that come back while the clinic has stopped their connection: somebody else has them too.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { DEVICE_GRANT } from '@clinic-data/contract/app-request'
import { sql, utcSession } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { allowDevice } from '../src/consent/device-consent.ts'
import { consoleConnect } from '../src/console-connect.ts'
import { GRACE_MS } from '../src/tokens/lifetimes.ts'
import { allowed, type Connect, consenting, newPerson, openConnect, type Person, storeApp } from './connect-ground.ts'

const { owner, app } = await testDatabase()

async function allowedDevice(opened: Connect, person: Person, client_id: string): Promise<Record<string, string>> {
  const { body } = await opened.post('device', { client_id, scope: 'patients:read' })
  const { user_code = '', device_code = '' } = body
  const parts = consoleConnect({ apps: opened.apps, baseUrl: '', database: owner })
  const allowing = { scopes: ['patients:read' as const], days: null, mint_request: randomUUID() }
  await allowDevice(parts, consenting(opened, owner, person), user_code, allowing)
  return { grant_type: DEVICE_GRANT, client_id, device_code }
}

async function recordOf(clinic_id: string) {
  const clinic = utcSession(clinic_id)
  const rows = await owner.read<{ operation: string; status: number; address: string; key_id: string }>(
    clinic,
    sql`select operation, status, address, key_id from audit where clinic_id = ${clinic_id} order by id`,
  )
  const ends = await owner.read<{ id: string; end_reason: string | null }>(
    clinic,
    sql`select id, end_reason from connection where clinic_id = ${clinic_id}`,
  )
  return { rows, ends }
}

for (const kind of ['code', 'device', 'refresh'] as const) {
  test(`a used ${kind} that comes back while its connection is stopped ends that, on record once, also for when Stop is undone`, async () => {
    const opened = openConnect({ owner, app })
    const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
    const { clinic_id } = noa.clinic
    const isDevice = kind === 'device'
    const first = isDevice
      ? await allowedDevice(opened, noa, client_id)
      : await allowed(opened, owner, noa, client_id, { scopes: ['patients:read'] })
    const refreshing = (token = '') => ({ grant_type: 'refresh_token', client_id, refresh_token: token })
    const { body: tokens } = await opened.post('token', first)
    const { body: newest } = await opened.post('token', refreshing(tokens.refresh_token))
    opened.advance(GRACE_MS + 1)
    const { rows: before, ends } = await recordOf(clinic_id)
    await owner.query(sql`update api_key set stopped_at = ${opened.now()} where clinic_id = ${clinic_id}`)
    const used = kind === 'refresh' ? refreshing(tokens.refresh_token) : first
    for (let i = 0; i < 2; i++) {
      const { status, body } = await opened.post('token', used, '198.51.100.7')
      assert.deepEqual([status, body.error], [400, 'invalid_grant'])
    }
    const { id } = ends[0] ?? {}
    const { rows, ends: ended } = await recordOf(clinic_id)
    assert.deepEqual(rows.slice(before.length), [
      { operation: 'connect.reused', status: 400, address: '198.51.100.7', key_id: id },
    ])
    assert.deepEqual(ended, [{ id, end_reason: 'reused' }])
    await owner.query(sql`update api_key set stopped_at = null where clinic_id = ${clinic_id}`)
    assert.equal(await opened.principal(newest.access_token), null)
    assert.equal((await opened.post('token', refreshing(newest.refresh_token))).status, 400)
  })
}
