// The clock of the service jumps by an hour: nobody is let in who should not be, and who should be comes back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { allowed, type Connect, connected, newPerson, openConnect, storeApp } from './connect-ground.ts'

const { owner, app } = await testDatabase()
const HOUR_MS = 3_610_000

const renewed = async ({ post }: Connect, client_id: string, refresh_token = '') =>
  (await post('token', { grant_type: 'refresh_token', client_id, refresh_token })).body

test('an hour ahead, tokens and codes have ended and are renewed, and the app renews them again when the clock is right', async () => {
  const opened = openConnect({ owner, app })
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const first = await connected(opened, owner, noa, client_id)
  const code = await allowed(opened, owner, noa, client_id)
  opened.advance(HOUR_MS)
  assert.equal(await opened.principal(first.access_token), null)
  assert.equal((await opened.post('token', code)).body.error, 'invalid_grant')
  const next = await renewed(opened, client_id, first.refresh_token)
  assert.ok(await opened.principal(next.access_token))
  opened.advance(-HOUR_MS)
  // It would last for two hours.
  assert.equal(await opened.principal(next.access_token), null)
  // Two programs of one person: the use lies ahead, and is none of long ago.
  assert.ok((await renewed(opened, client_id, first.refresh_token)).access_token)
  assert.ok(await opened.principal((await renewed(opened, client_id, next.refresh_token)).access_token))
})

test('an hour behind, an ended connection stays ended, one that ends then has ended, and a used code stays used', async () => {
  const opened = openConnect({ owner, app })
  const [noa, client_id] = [await newPerson(owner), await storeApp(owner)]
  const used = await allowed(opened, owner, noa, client_id)
  const reused = (await opened.post('token', used)).body
  // Each of an app of its own: a site's newer consent takes the place of the older one.
  const [first, second] = [await storeApp(owner), await storeApp(owner)]
  const ended = await connected(opened, owner, noa, first)
  const later = await connected(opened, owner, noa, second)
  const end = (id: string, token = '') => opened.post('revoke', { client_id: id, token })
  await end(first, ended.refresh_token)
  opened.advance(-HOUR_MS)
  assert.equal(await opened.principal(ended.access_token), null)
  assert.equal((await renewed(opened, first, ended.refresh_token)).error, 'invalid_grant')
  const { access_token, refresh_token } = await renewed(opened, second, later.refresh_token)
  assert.ok(await opened.principal(access_token))
  await end(second, refresh_token)
  assert.equal(await opened.principal(access_token), null)
  const { access_token: open } = await renewed(opened, client_id, reused.refresh_token)
  assert.ok(await opened.principal(open))
  assert.equal((await opened.post('token', used)).body.error, 'invalid_grant')
  assert.equal(await opened.principal(open), null)
})
