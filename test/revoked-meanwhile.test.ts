// Tests that nothing is stored, once a key's revocation is answered, of what it began before and would write after it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listKeys, revokeKey } from '@clinic-data/administration/credentials/keys'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { halfSent } from '@clinic-data/testing/half-sent'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { ask, BASE_URL, emptyClinic, keyOf, startParts } from '@clinic-data/testing/run/test-service'

const service = await startParts()
after(() => service.close())
const { owner } = await testDatabase()

/** Answers at once, while gateways still use what they know of the key. */
const atOnce = async () => undefined

async function clinicWithKey() {
  const clinic = await emptyClinic(owner)
  const key = await keyOf(owner, clinic, ['leads:write', 'webhooks:manage'])
  const [listed] = await listKeys(owner, clinic.clinic_id)
  const revoke = () => revokeKey(owner, { clinic_id: clinic.clinic_id, id: listed?.id ?? '', now: new Date() }, atOnce)
  return { clinic, key, revoke }
}

async function leads({ clinic_id }: Clinic): Promise<number> {
  const { rows } = await owner.query(sql`select id from lead where clinic_id = ${clinic_id}`)
  return rows.length
}

const lead = (n: number) => ({
  first_name: 'Noa',
  last_name: 'Levi',
  phone: `+97250${String(1_000_000 + n)}`,
  source: 'website',
})

test('a write whose body arrived after the revocation of its key is refused, and stores nothing', async () => {
  const { clinic, key, revoke } = await clinicWithKey()
  for (const headers of [{}, { 'idempotency-key': 'once' }]) {
    const late = await halfSent(service.gateway.app, {
      path: '/v1/leads',
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: JSON.stringify(lead(1)),
    })
    await revoke()
    const { status, text } = await late.rest()
    assert.deepEqual([status, JSON.parse(text).code], [401, 'unauthorized'])
  }
  assert.equal(await leads(clinic), 0)
})

test('a question whose body arrived after the revocation of its key was answered gets nothing, over REST and MCP', async () => {
  const clinic = await emptyClinic(owner)
  const query = {
    dataset: 'patients',
    measures: ['patient_count'],
    filters: [{ field: 'created_date', op: 'gte', value: '2020-01-01' }],
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'patients_list', arguments: {} } }
  const requests = [
    ['/v1/query', query],
    ['/mcp', call],
  ] as const
  for (const [path, body] of requests) {
    const key = await keyOf(owner, clinic, ['analytics:read', 'patients:read'])
    const send = () =>
      halfSent(service.gateway.app, {
        path,
        headers: {
          authorization: `Bearer ${key}`,
          host: new URL(BASE_URL).host,
          'mcp-protocol-version': '2025-11-25',
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      })
    assert.equal((await (await send()).rest()).status, 200, path)
    const late = await send()
    const id = (await listKeys(owner, clinic.clinic_id)).find(({ revoked_at }) => revoked_at === null)?.id ?? ''
    await revokeKey(owner, { clinic_id: clinic.clinic_id, id, now: new Date() })
    assert.equal((await late.rest()).status, 401, path)
  }
})

test('nothing that the writes beside a revocation store is stored after its answer', async () => {
  const { clinic, key, revoke } = await clinicWithKey()
  const statuses = new Set<number>()
  let isOver = false
  let n = 0
  const begun = Promise.withResolvers<void>()
  const writer = async () => {
    while (!isOver) {
      const { status } = await ask(service, key, '/v1/leads', { method: 'POST', body: lead(n++) })
      statuses.add(status)
      if (n > 30) begun.resolve()
    }
  }
  const writers = Array.from({ length: 8 }, writer)
  await begun.promise
  await revoke()
  const stored = await leads(clinic)
  const sent = n
  // Each writer has a request under way, and sends some more that a gateway lets in.
  while (n < sent + 40) await ask(service, key, '/v1/leads', { method: 'POST', body: lead(n++) })
  isOver = true
  await Promise.all(writers)
  assert.deepEqual([...statuses].sort(), [201, 401])
  assert.equal(await leads(clinic), stored)
})

test('a revocation is answered after the writes that it met', async () => {
  const { clinic, key, revoke } = await clinicWithKey()
  const { clinic_id } = clinic
  const [name, body] = [`${clinic_id} lead external_id one`, { ...lead(1), external_id: 'one' }]
  let write: Promise<unknown> = Promise.resolve()
  let storedWhenAnswered: Promise<number> = Promise.resolve(0)
  await owner.write({ clinic_id, time_zone: 'UTC' }, async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
    write = ask(service, key, '/v1/leads', { method: 'POST', body }).then(({ status }) => status)
    await doneOrWaiting(owner, tx, write, '%from unnest%as name%')
    storedWhenAnswered = revoke().then(() => leads(clinic))
    await doneOrWaiting(owner, tx, storedWhenAnswered, 'select pg_advisory_xact_lock(hashtextextended($1%')
  })
  assert.deepEqual([await storedWhenAnswered, await write], [1, 201])
})

test('a key that expired while its body arrived writes nothing', async (t) => {
  let now = Date.now()
  const timed = await startParts({ now: () => now })
  t.after(() => timed.close())
  const clinic = await emptyClinic(owner)
  const key = await keyOf(owner, clinic, ['leads:write'], new Date(now + 60_000))
  const late = await halfSent(timed.gateway.app, {
    path: '/v1/leads',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(lead(1)),
  })
  now += 60_000
  assert.equal((await late.rest()).status, 401)
  assert.equal(await leads(clinic), 0)
})
