// The longest life of a clinic's new keys and connections: what is refused beyond it, and who sets it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { connectApp, connecting, once, requestOf, storeApp, storeDevice } from './connecting.ts'
import { audited, openConsole, send } from './console-ground.ts'
import { integrationGround } from './integration-ground.ts'
import { faultOf, inRole } from './people-ground.ts'

const { owner } = await testDatabase()
const { connect, token } = connecting(owner)
const opened = await openConsole(owner, { connect })
const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
const TOO_LONG = [422, '#/expires_at too_long']

test('no key is minted or made to last longer than the clinic allows, and those of before stay', async () => {
  const { clinic, post, read, mint } = await integrationGround(opened, owner)
  const old = await mint('Old', { expires_at: days(365) })
  assert.equal((await read('/session')).longest_life_days, null)
  assert.equal((await post('/longest-life', { days: 90 })).status, 200)
  assert.equal((await read('/session')).longest_life_days, 90)
  const wanted = { name: 'New', scopes: ['patients:read'] }
  for (const more of [{}, { expires_at: null }, { expires_at: days(91) }]) {
    const refused = await post('/keys', { ...wanted, ...more })
    assert.deepEqual(faultOf(refused), TOO_LONG)
    assert.match(refused.json.detail, /within 90 days/)
  }
  const { id } = await mint('New', { expires_at: days(90) })
  assert.deepEqual(faultOf(await post(`/keys/${id}`, { expires_at: days(91) })), TOO_LONG)
  assert.deepEqual(faultOf(await post(`/keys/${id}`, { expires_at: null })), TOO_LONG)
  // Shorter than before, though still longer than a new one may last.
  assert.equal((await post(`/keys/${old.id}`, { expires_at: days(200) })).status, 200)
  assert.deepEqual(
    (await read('/keys')).map(({ name }: { name: string }) => name),
    ['New', 'Old'],
  )
  assert.equal((await post('/longest-life', { days: null })).status, 200)
  await mint('Endless')
  const rows = (await audited(owner, clinic)).filter(({ operation }) => operation === 'console.longest_life.set')
  assert.deepEqual(
    rows.map(({ status, resource_ids }) => [status, resource_ids]),
    Array(2).fill([200, [clinic.clinic_id]]),
  )
})

test('no app is connected for longer, by a browser or a device, and no connection is extended beyond it', async () => {
  const { cookie, post } = await integrationGround(opened, owner)
  const { id } = await connectApp(opened, { owner, cookie, token })
  assert.equal((await post(`/connections/${id}`, { expires_at: days(10) })).status, 200)
  assert.equal((await post('/longest-life', { days: 30 })).status, 200)
  const app = await storeApp(owner)
  const scopes = ['patients:read']
  for (const long of [null, 31]) {
    const granted = { scopes, days: long }
    assert.deepEqual(faultOf(await post('/connect/allow', { request: requestOf(app), ...granted })), [
      422,
      '#/days too_long',
    ])
    const user_code = await storeDevice(owner, app)
    assert.deepEqual(faultOf(await post('/device/allow', { user_code, ...granted })), [422, '#/days too_long'])
  }
  assert.equal((await post('/connect/allow', { request: requestOf(app), scopes, days: 30 })).status, 201)
  for (const expires_at of [days(31), null])
    assert.deepEqual(faultOf(await post(`/connections/${id}`, { expires_at })), TOO_LONG)
  assert.equal((await post(`/connections/${id}`, { expires_at: days(30) })).status, 200)
})

test('it is of one clinic, and within what is meant', async () => {
  const [one, other] = [await integrationGround(opened, owner), await integrationGround(opened, owner)]
  await one.post('/longest-life', { days: 1 })
  assert.equal((await other.read('/session')).longest_life_days, null)
  await other.mint('Endless')
  for (const count of [0, -1, 3_651, 1.5, '30'])
    assert.equal((await one.post('/longest-life', { days: count })).status, 400)
  const auditor = await inRole(opened, owner, 'auditor', one.clinic)
  const refused = await send(opened, '/longest-life', { cookie: auditor.cookie, body: { days: 30 }, headers: once() })
  assert.equal(refused.status, 403)
})
