// The archive of a clinic whose past days are packed holds the same rows of its audit log as before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packDays } from '@clinic-data/audit/pack-days'
import type { Clinic } from '@clinic-data/contract'
import { sql, utcSession } from '@clinic-data/database'
import { dayBefore, makeDay, now, owner, sealedClinic } from '@clinic-data/testing/grounds/packed-ground'
import { exportClinic } from '../src/offboarding/export-clinic.ts'

async function archivedLog({ clinic_id }: Clinic): Promise<unknown[]> {
  const rows: unknown[] = []
  const audit = async () => undefined
  for await (const { name, content } of exportClinic(owner, clinic_id, { version: '1', now, audit })) {
    if (!name.startsWith('tables/audit/')) continue
    const parts: Uint8Array[] = []
    for await (const part of content) parts.push(part)
    const lines = Buffer.concat(parts).toString().trimEnd().split('\n')
    rows.push(...lines.map((line): unknown => JSON.parse(line)))
  }
  return rows
}

test('an archive holds the rows of packed days beside those of other days, each once and as it was stored', async () => {
  const [packed, stays] = [dayBefore(951), dayBefore(950)]
  await makeDay(packed)
  const clinic = await sealedClinic(
    ...Array.from({ length: 450 }, (_, n) => ({ stored_at: `${packed} 09:00:00.${1000 + n}Z`, request_id: `r${n}` })),
    { stored_at: `${stays} 09:00:00.123456Z`, duration_ms: null, resource_ids: [] },
  )
  const { clinic_id } = clinic
  const stored = await owner.read<{ row: unknown }>(
    utcSession(clinic_id),
    sql`select to_jsonb(audit) as row from audit where clinic_id = ${clinic_id} order by id`,
  )
  const before = await archivedLog(clinic)
  assert.equal(before.length, 451)
  assert.deepEqual(
    before,
    stored.map(({ row }) => row),
  )
  await packDays(owner, now)
  const left = await owner.read(utcSession(clinic_id), sql`select from audit where clinic_id = ${clinic_id}`)
  assert.equal(left.length, 1)
  assert.deepEqual(await archivedLog(clinic), before)
})
