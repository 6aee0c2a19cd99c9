// `clinicd keys`: a key that is bound to networks, and which webhooks of a revoked key go on.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { mintKey } from '@clinic-data/administration/credentials/keys'
import { sql } from '@clinic-data/database'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { operator } from '@clinic-data/testing/shared/operator'

const { owner, ownerUrl } = await testDatabase()

test('revoking a key names the enabled webhooks that it made, with the lines that pause and delete them', async () => {
  const { clinic_id } = await testClinic(owner)
  const made = { clinic_id, name: 'CRM', scopes: ['webhooks:manage'] as const, expires_at: null, rate_limit: null }
  const [key, other] = [
    await mintKey(owner, { ...made, now: new Date() }),
    await mintKey(owner, { ...made, now: new Date() }),
  ]
  for (const [id, made_by, enabled] of [
    ['wh_1', key.id, true],
    ['wh_2', key.id, false],
    ['wh_3', other.id, true],
    ['wh_4', null, true],
  ] as const)
    await owner.query(sql`insert into subscription (clinic_id, id, url, event_types, enabled, secret, secret_last_characters, created_at, made_by)
      values (${clinic_id}, ${id}, ${`https://crm.example.com/${id}`}, '{}', ${enabled}, ${randomBytes(8)}, '', now(), ${made_by})`)
  const environment = { DATABASE_URL: ownerUrl, SECRET_KEYS: newSecretKeys() }
  const revoke = (...argv: string[]) => operator.run(['keys', 'revoke', ...argv, '--clinic', clinic_id], environment)
  const { code, out } = await revoke(key.id)
  assert.equal(code, 0)
  const [first, second = '', ...rest] = out.trim().split('\n')
  assert.deepEqual([first, rest], [`Revoked the key ${key.id}.`, []])
  assert.match(second, /wh_1 .*https:\/\/crm\.example\.com\/wh_1/)
  assert.match(second, /sc webhooks update wh_1 --enabled false.*sc webhooks delete wh_1/)
  const { webhooks } = JSON.parse((await revoke(other.id, '--json')).out)
  assert.deepEqual(webhooks, [{ id: 'wh_3', url: 'https://crm.example.com/wh_3', description: null }])
})

test('a key is minted for networks alone, and a text that is none mints nothing', async () => {
  const { clinic_id } = await testClinic(owner)
  const environment = { DATABASE_URL: ownerUrl, SECRET_KEYS: newSecretKeys() }
  const run = (...argv: string[]) => operator.run(['keys', ...argv, '--clinic', clinic_id], environment)
  for (const networks of ['0.0.0.0/0', '203.0.113.9/24', 'office', '']) {
    const { code, out, errors } = await run('mint', '--scopes', 'reads', '--networks', networks)
    assert.deepEqual([code, out], [1, ''], networks)
    assert.match(errors, /must be an address or a network, for example 203\.0\.113\.9/)
  }
  assert.equal((await run('mint', '--scopes', 'reads', '--networks', '203.0.113.0/24, 2001:DB8::1/128')).code, 0)
  const listed = JSON.parse((await run('list', '--json')).out)
  const minted = listed.filter(({ name }: { name: string }) => name === 'unnamed')
  assert.deepEqual(
    minted.map(({ networks }: { networks: string[] }) => networks),
    [['203.0.113.0/24', '2001:db8::1']],
  )
})
