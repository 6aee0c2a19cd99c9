// `clinicd doctor` with secret keys that are not those of the database.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import * as schema from '@clinic-data/backend/migrations'
import { readConfig } from '@clinic-data/installation/config'
import { faultOfChain } from '@clinic-data/testing/grounds/crash-load'
import { insert } from '@clinic-data/testing/grounds/rows'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { testClinic } from '@clinic-data/testing/run/test-database'
import { examine } from '../src/doctor/examine.ts'

const { url, owner } = await ownGround(schema)
const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`

/** Returns the faults of the keys: with others no webhook is delivered, and nothing is sealed. */
async function faults(SECRET_KEYS: string): Promise<readonly string[]> {
  const settings = { DATA_DIR: tmpdir(), PORT: '0', ADMIN_PORT: '0', DATABASE_URL: url, SECRET_KEYS }
  const findings = await examine(readConfig(settings), 'all')
  return findings.flatMap(({ check, state, detail }) => (check === 'secret_keys' && state === 'fault' ? [detail] : []))
}

test('keys that the database does not know are a fault, by their ids and by what they are', async () => {
  const own = entry('a')
  assert.deepEqual(await faults(own), [])
  const clinic = await testClinic(owner)
  const said = { key_id: 'k', operation: 'me.get', surface: 'rest', resource_ids: [], count: 0, status: 200 }
  const from = { at: '2026-07-12T06:30:00.123Z', request_id: 'r', address: '192.0.2.1' }
  await insert(owner, clinic, 'audit', { ...said, ...from })
  assert.equal(await faultOfChain(owner, clinic.clinic_id, own), null)
  assert.deepEqual(await faults(own), [])
  assert.deepEqual(await faults(`${entry('b')},${own}`), [])
  for (const other of [entry('b'), entry('a')]) {
    const [line = assert.fail(other), ...more] = await faults(other)
    assert.match(line, /^they lack those of this database: a, or have others by these ids\. /)
    assert.deepEqual(more, [])
  }
})
