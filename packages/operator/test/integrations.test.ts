// `clinicd integrations`: an operator lists what a clinic has with its partners, stops one, and undoes that.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { sql } from '@clinic-data/database'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { clinicWithoutKeys, testDatabase } from '@clinic-data/testing/run/test-database'
import { operator } from '@clinic-data/testing/shared/operator'

const { owner, ownerUrl } = await testDatabase()

test('an operator stops an integration and undoes it, each with its row, and hears of an id that is none', async () => {
  const { clinic_id } = await clinicWithoutKeys(owner)
  const wanted = { clinic_id, name: 'CRM', scopes: ['patients:read'] as const, expires_at: null, rate_limit: null }
  const { id } = await mintKey(owner, { ...wanted, now: new Date() })
  const environment = { DATABASE_URL: ownerUrl, SECRET_KEYS: newSecretKeys() }
  const run = (...argv: string[]) => operator.run(['integrations', ...argv, '--clinic', clinic_id], environment)
  const listed = JSON.parse((await run('list', '--json')).out)
  assert.deepEqual([listed[0].id, listed[0].name, listed[0].keys], [`int_${id}`, 'CRM', 1])
  const { code, out } = await run('stop', `int_${id}`)
  assert.equal(code, 0)
  assert.match(out, /1 keys, 0 connections and 0 webhooks are refused or paused/)
  const { rows } = await owner.query(
    sql`select id from api_key where clinic_id = ${clinic_id} and stopped_at is not null`,
  )
  assert.deepEqual(rows, [{ id }])
  const { stopped_at, keys } = JSON.parse((await run('resume', `int_${id}`, '--json')).out)
  assert.deepEqual([stopped_at, keys], [null, 1])
  const { rows: audited } = await owner.query<{ operation: string }>(
    sql`select operation from audit where clinic_id = ${clinic_id} and operation like 'operator.integrations.%' order by id`,
  )
  assert.deepEqual(
    audited.map(({ operation }) => operation),
    ['operator.integrations.stop', 'operator.integrations.resume'],
  )
  const unknown = await run('stop', 'int_x')
  assert.deepEqual([unknown.code, /no integration with this id/.test(unknown.errors)], [2, true])
})

test('an operator mints a key for an integration that there is, and for none that is unknown or stopped', async () => {
  const { clinic_id } = await clinicWithoutKeys(owner)
  const environment = { DATABASE_URL: ownerUrl, SECRET_KEYS: newSecretKeys() }
  const run = (...argv: string[]) => operator.run([...argv, '--clinic', clinic_id], environment)
  const mint = (...more: string[]) => run('keys', 'mint', '--scopes', 'reads', '--json', ...more)
  const integration = `int_${JSON.parse((await mint()).out).id}`
  const { id } = JSON.parse((await mint('--integration', integration)).out)
  const stored = sql`select integration_id from api_key where clinic_id = ${clinic_id} and id = ${id}`
  assert.deepEqual((await owner.query(stored)).rows, [{ integration_id: integration }])
  const unknown = await mint('--integration', 'int_x')
  assert.deepEqual([unknown.code, /no integration with this id/.test(unknown.errors)], [2, true])
  await run('integrations', 'stop', integration)
  const stopped = await mint('--integration', integration)
  assert.deepEqual([stopped.code, /is stopped/.test(stopped.errors)], [2, true])
})
