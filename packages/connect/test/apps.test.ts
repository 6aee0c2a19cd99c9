// Which apps may be connected.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '@clinic-data/database'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import type { AppPolicy } from '../src/connect-parts.ts'
import { openedApps, storeApp } from './apps-ground.ts'

const { owner } = await testDatabase()

test('a registered app, one that registered itself and the built-in one are found, and only what the operator knows is verified', async () => {
  const { apps } = openedApps(owner)
  const registered = await storeApp(owner)
  const own = await storeApp(owner, { kind: 'self_registered' })
  assert.deepEqual(await apps.find(registered), {
    id: registered,
    kind: 'registered',
    name: 'Test CRM',
    host: null,
    isVerified: true,
    redirect_uris: ['https://crm.example.com/back'],
    authentication: 'none',
  })
  assert.equal((await apps.find(own))?.isVerified, false)
  assert.deepEqual((await apps.find('sc'))?.redirect_uris, ['http://127.0.0.1/callback'])
})

test('the policy holds at each look-up, and registered apps are found under every one', async () => {
  const registered = await storeApp(owner)
  const own = await storeApp(owner, { kind: 'self_registered' })
  const policies: readonly [AppPolicy, boolean][] = [
    ['any', true],
    ['registered', false],
    [['agent.example.com'], false],
  ]
  for (const [policy, mayOwn] of policies) {
    const { apps } = openedApps(owner, policy)
    assert.notEqual(await apps.find(registered), null)
    assert.notEqual(await apps.find('sc'), null)
    assert.equal((await apps.find(own)) !== null, mayOwn)
    assert.equal(
      await apps.find('https://other.example.com/app.json').catch(() => 'read'),
      policy === 'any' ? 'read' : null,
    )
  }
})

test('a disabled app is gone at once', async () => {
  const { apps } = openedApps(owner)
  const id = await storeApp(owner)
  assert.notEqual(await apps.find(id), null)
  await owner.query(sql`update app set disabled_at = now() where id = ${id}`)
  assert.equal(await apps.find(id), null)
})

test('an id that no app can have is not looked up', async () => {
  const { apps } = openedApps(owner)
  for (const id of ['', 'a b', 'ש', 'a\u0000b', 'a'.repeat(501), 'http://crm.example.com/x', 'https://crm.example.com'])
    assert.equal(await apps.find(id), null, id)
})
