// Whose data each key has read: every patient once a key and day of the clinic, before and after rows are sealed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, utcSession } from '@clinic-data/database'
import { clinicWithoutKeys, testDatabase } from '@clinic-data/testing/run/test-database'
import { appendAudit } from '../src/audit.ts'
import { addToHours, forgetHours, hoursBefore, readKeyUse } from '../src/audit-hours.ts'

const { owner } = await testDatabase()

async function ground() {
  const clinic = await clinicWithoutKeys(owner)
  const { clinic_id } = clinic
  const now = new Date()
  const row = { at: now.toISOString(), clinic_id, surface: 'rest' as const, resource_ids: [], count: 1, status: 200 }
  const read = (key_id: string, patient_ids: string[], more: object = {}) =>
    appendAudit(owner, [
      { ...row, operation: 'patients.list', request_id: 'r', address: 'a', key_id, patient_ids, ...more },
    ])
  /** What a seal of all rows adds to the sums. */
  const seal = async (after = 0) => {
    const { rows } = await owner.query<{ id: number }>(
      sql`select max(id) as id from audit where clinic_id = ${clinic_id}`,
    )
    const upTo = rows[0]?.id ?? 0
    await owner.write(utcSession(clinic_id), (tx) => addToHours(tx, clinic_id, { after, upTo }))
    return upTo
  }
  const counts = async (countsPatients = false) => {
    const since = hoursBefore(now, 23)
    const uses = await readKeyUse(owner, clinic, { since, step: 'day', countsPatients })
    const sums: Record<string, number> = {}
    for (const { key_id, patients } of uses) sums[key_id] = (sums[key_id] ?? 0) + patients
    return sums
  }
  return { clinic, clinic_id, now, read, seal, counts }
}

test('each patient is counted once a key, whatever is read and sealed when, and refusals and changes count nobody', async () => {
  const { read, seal, counts, clinic_id } = await ground()
  await read('one', ['p1', 'p2'])
  await read('one', ['p2', 'p3'])
  await read('two', ['p1'])
  await read('one', ['p8'], { status: 404, operation: 'patients.get' })
  await read('one', ['p9'], { operation: 'payments.create' })
  await read('wh', ['p1'], { surface: 'webhook', operation: 'webhooks.deliver' })
  await read('two', ['p5'], { surface: 'file', operation: 'files.get' })
  assert.deepEqual(await counts(true), { one: 3, two: 2 })
  const sealed = await seal()
  // Nobody has stored a seal, so the rows are counted as unsealed ones too. Their pairs are known.
  const { rows } = await owner.query<{ key_id: string; patients: number; changes: number }>(
    sql`select key_id, sum(patients)::integer as patients, sum(changes)::integer as changes from audit_hour
      where clinic_id = ${clinic_id} group by 1 order by 1`,
  )
  assert.deepEqual(rows, [
    { key_id: 'one', patients: 3, changes: 1 },
    { key_id: 'two', patients: 2, changes: 0 },
  ])
  await read('one', ['p3', 'p4'])
  await seal(sealed)
  assert.equal((await counts()).one, 4)
})

test('each lead that was read is counted as a person, once a key, and no patient or other record with its id is taken for it', async () => {
  const { read, seal, counts, clinic_id } = await ground()
  const long = 'l'.repeat(128)
  await read('one', [], { operation: 'leads.list', resource_ids: ['l1', 'l2', 'p1', long] })
  await read('one', [], { operation: 'leads.get', resource_ids: ['l2'], surface: 'mcp' })
  await read('one', ['p1'])
  await read('one', [], { operation: 'calls.list', resource_ids: ['c1'] })
  await read('one', [], { operation: 'leads.get', resource_ids: ['l8'], status: 404 })
  await read('two', [], { operation: 'leads.create', resource_ids: ['l9'] })
  assert.deepEqual(await counts(true), { one: 5, two: 0 })
  await seal()
  assert.deepEqual(await counts(), { one: 5, two: 0 })
  const { rows } = await owner.query(sql`select from patient_read where clinic_id = ${clinic_id}`)
  assert.equal(rows.length, 5)
})

test('whose data a key read is forgotten after three days', async () => {
  const { clinic, clinic_id, now, read, seal } = await ground()
  await read('one', ['p1'])
  await seal()
  const pairs = async () =>
    (await owner.query(sql`select from patient_read where clinic_id = ${clinic_id}`)).rows.length
  const days = (count: number) => new Date(now.getTime() + count * 24 * 60 * 60 * 1000)
  await forgetHours(owner, clinic, days(2))
  assert.equal(await pairs(), 1)
  await forgetHours(owner, clinic, days(3))
  assert.equal(await pairs(), 0)
})
