// `clinicd doctor` on the continuous export of the audit log.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { sql, utcSession } from '@clinic-data/database'
import { readConfig } from '@clinic-data/installation/config'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { examine } from '../src/doctor/examine.ts'

const { url, owner } = await ownGround(schema)
const DATA_DIR = tmpdir()
const SECRET_KEYS = newSecretKeys()

/** Returns what it finds of the export, if it looks at it. */
async function found(environment: Record<string, string>): Promise<readonly string[]> {
  const findings = await examine(readConfig({ DATA_DIR, PORT: '0', ADMIN_PORT: '0', ...environment }), 'dispatcher')
  return findings.flatMap(({ check, state, detail }) => (check === 'audit_export' ? [state, detail] : []))
}

test('it says how long seals of the audit log wait for AUDIT_EXPORT_URL, and nothing where that is not set', async () => {
  const clinic = await testClinic(owner)
  const session = utcSession(clinic.clinic_id)
  const sealed_at = new Date(Date.now() - 3_600_000)
  const environment = { DATABASE_URL: url, SECRET_KEYS, AUDIT_EXPORT_URL: `file://${DATA_DIR}/audit` }
  assert.deepEqual(await found(environment), ['ok', 'has all that was sealed, but for the latest minutes'])
  await owner.write(session, async (tx) => {
    await tx.query(sql`insert into audit_export_place values (${clinic.clinic_id}, 0, 'file:///audit', now())`)
    await tx.query(sql`insert into audit_head values (${clinic.clinic_id}, 1, 'k', ${'0'.repeat(64)})`)
  })
  assert.deepEqual(await found(environment), [
    'warning',
    `a seal of ${clinic.clinic_id} is missing: run clinicd audit verify`,
  ])
  await owner.write(session, (tx) =>
    tx.query(sql`insert into audit_seal (clinic_id, number, last_id, day, row_count, rows_hash, hash, sealed_at)
      values (${clinic.clinic_id}, 1, 1, '2026-07-12', 1, ${'0'.repeat(64)}, ${'0'.repeat(64)}, ${sealed_at})`),
  )
  const [state, detail = ''] = await found(environment)
  assert.deepEqual(
    [state, detail.split(':', 1)[0]],
    ['warning', `1 clinics wait since ${sealed_at.toISOString().split(':', 1)[0]}`],
  )
  assert.ok(detail.includes(sealed_at.toISOString()))
  const { AUDIT_EXPORT_URL, ...without } = environment
  assert.deepEqual(await found(without), [], AUDIT_EXPORT_URL)
})
