// Every operation refuses every request without a valid key. The answer tells the forms of a header apart, but not the refused keys.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { listKeys, revokeKey } from '@clinic-data/administration/credentials/keys'
import { allOperations, KEY_CACHE_MS } from '@clinic-data/contract'
import { makeKey } from '@clinic-data/contract/key'
import {
  ask,
  emptyClinic,
  keyOf,
  pathOf,
  startParts,
  startService,
  type TestService,
} from '@clinic-data/testing/run/test-service'

let service: TestService

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Every address is slowed down after 60 failures a minute, so each request here uses its own. */
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
    const { status, headers, json } = await ask(service, null, pathOf(operation), { method: operation.method })
    assert.equal(status, 401)
    assert.equal(headers['www-authenticate'], 'Bearer')
    assert.match(String(headers['content-type']), /^application\/problem\+json/)
    assert.match(json.type, /\/problems\/unauthorized$/)
    assert.equal(json.code, 'unauthorized')
  })
}

async function revokedKey(): Promise<string> {
  const clinic = await emptyClinic(service.owner)
  const key = await keyOf(service.owner, clinic, ['patients:read'])
  const [row] = await listKeys(service.owner, clinic.clinic_id)
  // It was never used, so nobody holds an answer about it.
  const none = async () => undefined
  await revokeKey(service.owner, { clinic_id: clinic.clinic_id, id: row?.id ?? '', now: new Date() }, none)
  return key
}

/** The 401 of a request with this header, without what differs between any two answers. */
async function refusal(authorization: string, path = '/v1/me', options: { method?: string; body?: unknown } = {}) {
  const headers = authorization === '' ? {} : { authorization }
  const answer = await ask(service, null, path, { headers, ...options })
  assert.equal(answer.status, 401)
  const { date: _, 'x-request-id': requestId, ...rest } = answer.headers
  return { text: answer.text.replace(String(requestId), ''), headers: rest, detail: answer.json.detail as string }
}

test('a 401 is the same, byte for byte, for every well-formed key that is not valid', async () => {
  const clinic = await emptyClinic(service.owner)
  const expired = await keyOf(service.owner, clinic, ['patients:read'], new Date(Date.now() - 1000))
  const refused = [expired, await revokedKey()]
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  for (const [path, options] of [
    ['/v1/me', {}],
    ['/mcp', { method: 'POST', body: message }],
  ] as const) {
    const unknown = await refusal(`Bearer ${makeKey()}`, path, options)
    for (const key of refused) assert.deepEqual(await refusal(`Bearer ${key}`, path, options), unknown)
  }
})

test('a 401 says what is wrong with the header, without its value', async () => {
  const facts = {
    '': /^The header Authorization is missing/,
    'Basic abc': /^Authorization must be the word Bearer/,
    Bearer: /^Authorization must be the word Bearer/,
    [makeKey()]: /^Authorization must be the word Bearer/,
    'Bearer sk_live_short': /^Authorization holds no whole key/,
    [`Bearer ${flipLast(makeKey())}`]: /^Authorization holds no whole key/,
    [`Bearer ${makeKey('it_live_')}`]: /^Authorization holds no whole key/,
    [`Bearer ${makeKey()}`]: /^The key is refused/,
  }
  for (const [authorization, detail] of Object.entries(facts)) {
    const refused = await refusal(authorization)
    assert.match(refused.detail, detail, authorization)
    const [value = ''] = authorization.split(' ').slice(-1)
    if (value.length > 8) assert.ok(!refused.text.includes(value))
  }
})

test('the first request after a revocation was acknowledged is refused', async () => {
  const clinic = await emptyClinic(service.owner)
  const key = await keyOf(service.owner, clinic, ['patients:read'])
  assert.equal((await ask(service, key, '/v1/me')).status, 200)
  const [row] = await listKeys(service.owner, clinic.clinic_id)
  assert.ok(row)
  const startedAt = performance.now()
  await revokeKey(service.owner, { clinic_id: clinic.clinic_id, id: row.id, now: new Date() })
  // A timer may end a part of a millisecond early.
  assert.ok(performance.now() - startedAt >= KEY_CACHE_MS - 1)
  assert.equal((await ask(service, key, '/v1/me')).status, 401)
})

test('an address that sends 60 unknown keys in a minute has to wait, while a valid key from it is served', async () => {
  const fresh = await startParts()
  try {
    const clinic = await emptyClinic(fresh.owner)
    const key = await keyOf(fresh.owner, clinic, ['patients:read'])
    for (let i = 0; i < 60; i++) assert.equal((await ask(fresh, makeKey(), '/v1/me')).status, 401)
    const refused = await ask(fresh, makeKey(), '/v1/me')
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) >= 1)
    assert.equal((await ask(fresh, key, '/v1/me')).status, 200)
  } finally {
    await fresh.close()
  }
})

test('a malformed key is always 401 and does not count against its address', async () => {
  const fresh = await startParts()
  try {
    for (let i = 0; i < 30; i++) {
      for (const authorization of Object.values(wrongKeys)) {
        const headers: Record<string, string> = authorization === '' ? {} : { authorization }
        assert.equal((await ask(fresh, null, '/v1/me', { headers })).status, 401)
      }
    }
    assert.equal((await ask(fresh, makeKey(), '/v1/me')).status, 401)
    for (let i = 0; i < 60; i++) await ask(fresh, makeKey(), '/v1/me')
    assert.equal((await ask(fresh, makeKey(), '/v1/me')).status, 429)
    assert.equal((await ask(fresh, null, '/v1/me')).status, 401)
  } finally {
    await fresh.close()
  }
})

test('unknown keys of an address that sent too many are looked up a few at once, while others are looked up normally', async () => {
  const held: (() => void)[] = []
  let isHeld = false
  const hold = () => (isHeld ? new Promise<void>((release) => held.push(release)) : undefined)
  const fresh = await startParts({
    wrap: (backend) => ({
      ...backend,
      authenticate: async (hash) => {
        const found = await backend.authenticate(hash)
        // A backend whose negative answers are slow.
        if (found === null) await hold()
        return found
      },
    }),
  })
  try {
    const clinic = await emptyClinic(fresh.owner)
    const key = await keyOf(fresh.owner, clinic, ['patients:read'])
    isHeld = true
    const flood = Array.from({ length: 200 }, () => ask(fresh, makeKey(), '/v1/me'))
    // 60 look-ups that the address may have running, and two of the separate line. The rest waits for these or is refused.
    await until(() => held.length === 62)
    const elsewhere = await fresh.gateway.app.inject({
      url: '/v1/me',
      remoteAddress: '192.0.2.7',
      headers: { host: 'api.clinic.example', authorization: `Bearer ${key}` },
    })
    assert.equal(elsewhere.statusCode, 200)
    // Now the key is known to be valid, so it need not wait, from any address.
    assert.equal((await ask(fresh, key, '/v1/me')).status, 200)
    assert.equal(held.length, 62)
    isHeld = false
    for (const release of held) release()
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    assert.deepEqual([...new Set(statuses)].sort(), [401, 429, 503])
    assert.equal(statuses.filter((status) => status === 401).length, 60)
    assert.ok(!fresh.logLines.some((line) => line.includes('stack')), 'no stack for what is refused')
    const fromThere = await keyOf(fresh.owner, clinic, ['patients:read'])
    assert.equal((await ask(fresh, fromThere, '/v1/me')).status, 200, 'a valid key is never refused for its address')
  } finally {
    await fresh.close()
  }
})

test('many simultaneous requests with a few new keys are all answered', async () => {
  const clinic = await emptyClinic(service.owner)
  const keys = await Promise.all(Array.from({ length: 10 }, () => keyOf(service.owner, clinic, ['patients:read'])))
  const answers = await Promise.all(
    keys.flatMap((key) => Array.from({ length: 20 }, () => ask(service, key, '/v1/me'))),
  )
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200).map(({ json }) => json),
    [],
  )
})

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 1000) assert.fail('it never came to that')
    await setTimeout(5)
  }
}
