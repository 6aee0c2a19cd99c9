// `clinicd audit verify` as an operator runs it: its output, expected heads, and rows that the retention has dropped.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { AuditSealer } from '@clinic-data/audit/audit-seal'
import * as schema from '@clinic-data/backend/migrations'
import type { Clinic } from '@clinic-data/contract'
import { parseSecretKeys, signingKeys } from '@clinic-data/contract/secret-keys'
import { sql } from '@clinic-data/database'
import { newClinic } from '@clinic-data/testing/grounds/ground'
import { insert } from '@clinic-data/testing/grounds/rows'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { operator } from '@clinic-data/testing/shared/operator'

const base = await ownGround(schema)
const SECRET_KEYS = `t:${randomBytes(32).toString('base64')}`
const keys = signingKeys(parseSecretKeys(SECRET_KEYS), 'audit-head')
const DAY_MS = 86_400_000
/** The same for the whole file, also around midnight. */
const NOW = Date.now()
const day = (age: number) => new Date(NOW - age * DAY_MS).toISOString().slice(0, 10)

/** @returns the exit code and the output. */
async function verify({ clinic_id }: Clinic, argv: string[] = [], environment: Record<string, string> = {}) {
  const settings = { DATABASE_URL: base.url, SECRET_KEYS, ...environment }
  const { code, out, errors } = await operator.run(['audit', 'verify', '--clinic', clinic_id, ...argv], settings)
  return [code, out + errors] as const
}

let monotonic = 0
const sealer = new AuditSealer({ keys, now: () => new Date(), monotonic: () => monotonic })

async function seal(clinic: Clinic, ...days: string[]): Promise<void> {
  const audited = { at: new Date().toISOString(), key_id: 'k', operation: 'me.get', surface: 'rest', resource_ids: [] }
  const rest = { count: 0, status: 200, request_id: 'r', address: '192.0.2.1' }
  await insert(
    base.owner,
    clinic,
    'audit',
    ...days.map((one) => ({ ...audited, ...rest, stored_at: `${one}T10:00:00Z` })),
  )
  for (let round = 0; round < 2; round++) {
    monotonic += 60_000
    await sealer.seal(base.owner, clinic.clinic_id)
  }
}

test('a printed head can be expected later, and a removed end is found', async () => {
  const clinic = await newClinic(base)
  assert.deepEqual(await verify(clinic), [0, 'Nothing is sealed yet.\n'])
  await seal(clinic, day(2), day(1))
  const [code, out] = await verify(clinic)
  const head = /^Sound: 2 seals over 2 rows\.\nHead: (2\.[0-9a-f]{64})\n$/.exec(out)?.[1] ?? assert.fail(out)
  assert.equal(code, 0)
  await seal(clinic, day(0))
  assert.equal((await verify(clinic, ['--expect', head]))[0], 0)
  assert.deepEqual(await verify(clinic, ['--expect', `2.${'0'.repeat(64)}`]), [
    1,
    'Not sound: seal 4: the expected head is not in the chain: another one is in its place.\n',
  ])
  assert.equal((await verify(clinic, ['--expect', 'x']))[0], 2)
  for (const table of ['audit', 'audit_seal'])
    await base.owner.query(sql`delete from ${sql.identifier(table)} as removed where clinic_id = ${clinic.clinic_id}
      and ${table === 'audit' ? sql`stored_at > ${day(0)}` : sql`number = 3`}`)
  assert.deepEqual(await verify(clinic, ['--expect', head]), [
    1,
    'Not sound: seal 3: the chain went on to seal 3, which was removed.\n',
  ])
})

test('days that AUDIT_RETENTION_DAYS dropped are no fault, and the output says where the rows begin', async () => {
  const clinic = await newClinic(base)
  await seal(clinic, day(40), day(3))
  const { clinic_id } = clinic
  await base.owner.query(sql`delete from audit where clinic_id = ${clinic_id} and stored_at < ${day(30)}`)
  const gone = `Not sound: seal 1: its 1 rows of ${day(40)} are gone.\n`
  assert.deepEqual(await verify(clinic), [1, gone])
  assert.deepEqual(await verify(clinic, [], { AUDIT_RETENTION_DAYS: '60' }), [1, gone])
  for (const verdict of [
    await verify(clinic, [], { AUDIT_RETENTION_DAYS: '30' }),
    await verify(clinic, ['--kept-since', day(30)]),
  ]) {
    assert.equal(verdict[0], 0)
    assert.match(verdict[1], new RegExp(`^Sound: 2 seals over 1 rows, from ${day(3)} on: the rows of earlier days`))
  }
})
