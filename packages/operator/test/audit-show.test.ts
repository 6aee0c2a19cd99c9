// `clinicd audit show` as an operator runs it: who did what to a patient, by name, and nothing of a patient but ids.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { storedIds } from '@clinic-data/audit/stored-ids'
import * as schema from '@clinic-data/backend/migrations'
import { newClinic } from '@clinic-data/testing/grounds/ground'
import { insert } from '@clinic-data/testing/grounds/rows'
import { ownGround, secretKeysText } from '@clinic-data/testing/run/own-ground'
import { operator } from '@clinic-data/testing/shared/operator'

const base = await ownGround(schema)

async function show(...argv: string[]) {
  const environment = { DATABASE_URL: base.url, SECRET_KEYS: secretKeysText }
  return operator.run(['audit', 'show', ...argv], environment)
}

/** The operations that were shown. */
async function shown(...argv: string[]): Promise<string[]> {
  const { code, out, errors } = await show('--json', ...argv)
  assert.equal(code, 0, errors)
  return JSON.parse(out).data.map(({ operation }: { operation: string }) => operation)
}

test('the rows of a clinic are found by patient, key and time, and bear the name of the key', async () => {
  const [clinic, other] = [await newClinic(base), await newClinic(base)]
  const now = new Date()
  const { id } = await mintKey(base.owner, {
    clinic_id: clinic.clinic_id,
    scopes: [],
    name: 'Front desk',
    expires_at: null,
    rate_limit: null,
    now,
  })
  const row = (operation: string, key_id: string, resource_ids: string[], daysAgo: number) => {
    const stored_at = new Date(now.getTime() - daysAgo * 86_400_000).toISOString()
    const rest = { surface: 'rest', count: 1, status: 200, request_id: 'r', address: '192.0.2.1' }
    return { at: stored_at, stored_at, key_id, operation, resource_ids, ...rest }
  }
  const many = Array.from({ length: 5 }, (_, n) => `x${n}`)
  await insert(base.owner, clinic, 'audit', row('patients.get', id, ['p1'], 3))
  await insert(base.owner, clinic, 'audit', row('patients.list', 'gone', ['p1', ...many], 2))
  await insert(base.owner, clinic, 'audit', row('leads.create', id, ['l1'], 1))
  await insert(base.owner, other, 'audit', row('me.get', id, ['p1'], 1))
  const read = storedIds({ resource_ids: ['a1'], patient_ids: ['p1', 'p2'] })
  const refused = storedIds({
    resource_ids: ['p1'],
    patient_ids: ['p1'],
    problem: 'forbidden',
    required_scope: 'calls:read',
  })
  await insert(base.owner, clinic, 'audit', row('appointments.get', id, [...read], 0.5))
  await insert(base.owner, clinic, 'audit', { ...row('patients.calls.list', id, [...refused], 0.4), status: 403 })

  const of = ['--clinic', clinic.clinic_id]
  const latest = ['patients.calls.list', 'appointments.get']
  assert.deepEqual(await shown(...of), [...latest, 'leads.create', 'patients.list', 'patients.get'])
  assert.deepEqual(await shown(...of, '--patient', 'p1'), [...latest, 'patients.list', 'patients.get'])
  assert.deepEqual(await shown(...of, '--patient', 'a1'), [])
  assert.deepEqual(await shown(...of, '--record', 'a1'), ['appointments.get'])
  assert.match((await show(...of, '--patient', 'p1')).errors, /Rows up to \S+ name only the ids of records/)
  assert.deepEqual(await shown(...of, '--key', id), [...latest, 'leads.create', 'patients.get'])
  const day = (ago: number) => new Date(now.getTime() - ago * 86_400_000).toISOString()
  assert.deepEqual(await shown(...of, '--since', day(2.5), '--until', day(1.5)), ['patients.list'])
  assert.deepEqual(await shown(...of, '--limit', '1'), ['patients.calls.list'])

  const table = await show(...of)
  const [head, refusal, appointment, first, second] = table.out.split('\n')
  assert.match(head ?? '', /^at +who +operation/)
  assert.match(refusal ?? '', / 403 +forbidden calls:read .* p1 +p1 /)
  assert.match(appointment ?? '', / a1 +p1,p2 /)
  assert.ok(first?.includes(`Front desk (${id})  leads.create`), first)
  assert.match(second ?? '', / gone +patients\.list .*p1,x0,x1,\+3 /)
  assert.match((await show(...of, '--limit', '2')).errors, /There may be earlier rows/)
})

test('a wrong moment, limit or clinic is told', async () => {
  const { clinic_id } = await newClinic(base)
  for (const wrong of [
    ['--since', '2026-13-40'],
    ['--until', 'yesterday'],
    ['--limit', '0'],
    ['--limit', '10001'],
  ])
    assert.equal((await show('--clinic', clinic_id, ...wrong)).code, 2, wrong.join(' '))
  assert.match((await show('--clinic', 'nobody')).errors, /there is no clinic/)
})
