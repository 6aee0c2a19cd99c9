// Every operation refuses every request without a valid key, in the same words, whatever is wrong with it.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { listKeys, revokeKey } from '@clinic-data/backend/keys'
import { allOperations, KEY_CACHE_MS } from '@clinic-data/contract'
import { makeKey } from '@clinic-data/contract/key'
import { ask, emptyClinic, keyOf, pathOf, startService, type TestService } from '../service.ts'

let service: TestService

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Every address is held off after 60 failures a minute: each request of these tests has one of its own kind. */
const wrongKeys: Record<string, string> = {
  'no key': '',
  'another scheme': 'Basic abc',
  'a malformed key': 'Bearer sk_live_short',
  'a key with a typo': `Bearer ${flipLast(makeKey())}`,
}

function flipLast(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
}

for (const operation of allOperations) {
  test(`${operation.id} answers 401 to a request without a key`, async () => {
    const fresh = await startService()
    try {
      const { status, headers, json } = await ask(fresh, null, pathOf(operation), { method: operation.method })
      assert.equal(status, 401)
      assert.equal(headers['www-authenticate'], 'Bearer')
      assert.match(String(headers['content-type']), /^application\/problem\+json/)
      assert.match(json.type, /\/problems\/unauthorized$/)
    } finally {
      await fresh.close()
    }
  })
}

test('the body of a 401 is the same for every cause', async () => {
  const clinic = await emptyClinic(service.owner)
  const expired = await keyOf(service.owner, clinic, ['patients:read'], new Date(Date.now() - 1000))
  const bodies = new Set<string>()
  for (const authorization of [...Object.values(wrongKeys), `Bearer ${makeKey()}`, `Bearer ${expired}`]) {
    const { status, json } = await ask(service, null, '/v1/me', {
      headers: authorization === '' ? {} : { authorization },
    })
    assert.equal(status, 401)
    bodies.add(JSON.stringify({ ...json, request_id: '' }))
  }
  assert.equal(bodies.size, 1)
})

test('a revoked key is refused by the first request after the revocation was acknowledged', async () => {
  const clinic = await emptyClinic(service.owner)
  const key = await keyOf(service.owner, clinic, ['patients:read'])
  assert.equal((await ask(service, key, '/v1/me')).status, 200)
  const [row] = await listKeys(service.owner, clinic.clinic_id)
  assert.ok(row)
  const startedAt = performance.now()
  await revokeKey(service.owner, { clinic_id: clinic.clinic_id, id: row.id, now: new Date() })
  assert.ok(performance.now() - startedAt >= KEY_CACHE_MS)
  assert.equal((await ask(service, key, '/v1/me')).status, 401)
})

test('an address that fails 60 times in a minute is told to wait, while a valid key from it is served', async () => {
  const fresh = await startService()
  try {
    const clinic = await emptyClinic(fresh.owner)
    const key = await keyOf(fresh.owner, clinic, ['patients:read'])
    for (let i = 0; i < 60; i++) assert.equal((await ask(fresh, null, '/v1/me')).status, 401)
    const refused = await ask(fresh, null, '/v1/me')
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.equal((await ask(fresh, key, '/v1/me')).status, 200)
  } finally {
    await fresh.close()
  }
})
