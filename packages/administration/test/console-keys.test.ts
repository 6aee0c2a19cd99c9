// The keys of a clinic in the console: minting, listing, revoking, and nothing of any other clinic.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { appendAudit } from '@clinic-data/audit/audit'
import { createBackend } from '@clinic-data/backend'
import { KEY_CACHE_MS } from '@clinic-data/contract'
import { hashKey } from '@clinic-data/contract/key'
import { sql } from '@clinic-data/database'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { mintKey } from '../src/credentials/keys.ts'
import { audited, newPassword, openConsole, person, send, signedIn, withPassword } from './console-ground.ts'

const { owner, app } = await testDatabase()
const opened = await openConsole(owner)
const backend = createBackend({ database: app, now: () => new Date(), log: failingLog })

const wanted = { name: 'Web site', scopes: ['leads:write', 'patients:read'] }
const once = () => ({ 'idempotency-key': randomUUID() })
const mint = (cookie: string, body: object = wanted, headers: Record<string, string> = once()) =>
  send(opened, '/keys', { cookie, body, headers })
const list = (cookie: string) => send(opened, '/keys', { method: 'GET', cookie })

test('a minted key opens the clinic of the session, and names who minted it', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const { status, json } = await mint(cookie, { ...wanted, rate_limit: 30 })
  assert.equal(status, 201)
  const { key, ...shown } = json.data
  assert.deepEqual(shown.made_by, { id: noa.id, name: 'Noa Levi' })
  assert.deepEqual([shown.scopes, shown.rate_limit, shown.requests_24h], [['patients:read', 'leads:write'], 30, 0])
  assert.deepEqual((await list(cookie)).json.data, [shown])
  const principal = await backend.authenticate(hashKey(key))
  assert.deepEqual([principal?.clinic.clinic_id, principal?.key_id], [noa.clinic.clinic_id, shown.id])
  assert.deepEqual(
    (await audited(owner, noa.clinic)).slice(1).map(({ operation, key_id, status, resource_ids }) => ({
      operation,
      key_id,
      status,
      resource_ids,
    })),
    [{ operation: 'console.keys.mint', key_id: noa.id, status: 201, resource_ids: [shown.id] }],
  )
})

test('one Idempotency-Key mints one key, also at the same moment', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const headers = once()
  const answers = await Promise.all(Array.from({ length: 5 }, () => mint(cookie, wanted, headers)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
  assert.equal((await mint(cookie, { ...wanted, name: 'Other' }, headers)).status, 409)
  assert.equal((await list(cookie)).json.data.length, 1)
  // It is the clinic's own.
  const dan = await person(owner)
  assert.equal((await mint(await signedIn(opened, owner, dan), wanted, headers)).status, 201)
})

test('all faults of a wanted key are told at once, and nothing is minted', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const body = { name: ' ', scopes: ['everything'], expires_at: 'soon', rate_limit: 0, clinic_id: 'other' }
  const { status, json } = await send(opened, '/keys', { cookie, body })
  assert.equal(status, 400)
  assert.deepEqual(
    json.errors.map((fault: { pointer?: string; header?: string }) => fault.pointer ?? fault.header).sort(),
    ['#/clinic_id', '#/expires_at', '#/name', '#/rate_limit', '#/scopes/0', 'Idempotency-Key'],
  )
  const past = await mint(cookie, { ...wanted, expires_at: '2020-01-01T00:00:00Z' })
  assert.deepEqual([past.status, past.json.errors[0].pointer], [422, '#/expires_at'])
  assert.deepEqual((await list(cookie)).json.data, [])
})

test('a revocation is answered when no gateway lets the key in any more', async () => {
  const waited = Promise.withResolvers<void>()
  const waits: number[] = []
  const waiting = Promise.withResolvers<void>()
  const wait = (ms: number) => {
    waits.push(ms)
    waiting.resolve()
    return waited.promise
  }
  const slow = await openConsole(owner, { wait })
  const noa = await person(owner)
  const cookie = await signedIn(slow, owner, noa)
  const { key, id } = (await send(slow, '/keys', { cookie, body: wanted, headers: once() })).json.data
  let isAnswered = false
  const revoked = send(slow, `/keys/${id}/revoke`, { cookie }).finally(() => {
    isAnswered = true
  })
  await Promise.race([waiting.promise, revoked])
  assert.deepEqual(waits, [KEY_CACHE_MS])
  assert.equal(await backend.authenticate(hashKey(key)), null)
  assert.equal(isAnswered, false)
  waited.resolve()
  assert.equal((await revoked).status, 200)
})

test('a key is bound to networks in one spelling each, and to fewer once no gateway lets it in from elsewhere', async () => {
  const waits: number[] = []
  const quick = await openConsole(owner, { wait: async (ms) => void waits.push(ms) })
  const noa = await person(owner)
  const cookie = await signedIn(quick, owner, noa)
  const networks = ['203.0.113.9/32', '2001:DB8:0::/32', '203.0.113.9']
  const minted = (await send(quick, '/keys', { cookie, body: { ...wanted, networks }, headers: once() })).json.data
  const spelled = ['203.0.113.9', '2001:db8::/32']
  assert.deepEqual(minted.networks, spelled)
  assert.deepEqual((await backend.authenticate(hashKey(minted.key)))?.networks, spelled)
  const change = async (body: object) => send(quick, `/keys/${minted.id}`, { cookie, body })
  assert.deepEqual((await change({ name: 'Till' })).json.data.networks, spelled)
  assert.deepEqual((await change({ networks: [...spelled, '192.0.2.0/24'] })).json.data.networks.length, 3)
  assert.deepEqual(waits, [])
  assert.deepEqual((await change({ networks: ['203.0.113.9'] })).json.data.networks, ['203.0.113.9'])
  assert.deepEqual(waits, [KEY_CACHE_MS])
  assert.equal((await change({ networks: null })).json.data.networks, null)
  assert.deepEqual(waits, [KEY_CACHE_MS])
  assert.equal((await backend.authenticate(hashKey(minted.key)))?.networks, undefined)
})

test('every network that is none is named at once, and nothing is minted or changed', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const networks = ['0.0.0.0/0', '203.0.113.9', '203.0.113.9/24', 'office']
  const refused = await mint(cookie, { ...wanted, networks })
  const pointers = ['#/networks/0', '#/networks/2', '#/networks/3']
  const pointersOf = ({ json }: typeof refused) => json.errors.map(({ pointer }: { pointer: string }) => pointer)
  assert.deepEqual([refused.status, pointersOf(refused)], [400, pointers])
  const many = Array.from({ length: 21 }, (_, n) => `203.0.113.${n}`)
  for (const none of [[], many])
    assert.deepEqual(pointersOf(await mint(cookie, { ...wanted, networks: none })), ['#/networks'])
  assert.deepEqual((await list(cookie)).json.data, [])
  const { id } = (await mint(cookie)).json.data
  assert.deepEqual(pointersOf(await send(opened, `/keys/${id}`, { cookie, body: { networks } })), pointers)
  assert.equal((await list(cookie)).json.data[0].networks, null)
})

test('a revoked key is refused, and revoking it again changes nothing', async () => {
  const noa = await person(owner)
  const cookie = await signedIn(opened, owner, noa)
  const { key, id } = (await mint(cookie)).json.data
  const { status, json } = await send(opened, `/keys/${id}/revoke`, { cookie })
  assert.equal(status, 200)
  assert.ok(json.data.revoked_at)
  assert.equal(await backend.authenticate(hashKey(key)), null)
  assert.deepEqual((await send(opened, `/keys/${id}/revoke`, { cookie })).json, json)
})

test('another clinic’s keys are neither shown nor revoked, and answer like unknown ones', async () => {
  const [noa, dan] = [await person(owner), await person(owner)]
  const cookie = await signedIn(opened, owner, noa)
  const theirs = (await mint(await signedIn(opened, owner, dan))).json.data
  assert.deepEqual((await list(cookie)).json.data, [])
  for (const id of [theirs.id, 'key_none', 'x'.repeat(200), '%00', "' or true"]) {
    const { status } = await send(opened, `/keys/${encodeURIComponent(id)}/revoke`, { cookie })
    assert.equal(status, 404, id)
  }
  assert.ok(await backend.authenticate(hashKey(theirs.key)))
  const rows = (await audited(owner, noa.clinic)).slice(1)
  assert.deepEqual(
    rows.map(({ operation, status }) => [operation, status]),
    Array.from({ length: 5 }, () => ['console.keys.revoke', 404]),
  )
})

test('the list is newest first, names operators’ keys too, and counts each key’s requests of a day', async () => {
  const noa = await person(owner)
  const { clinic_id } = noa.clinic
  const cookie = await signedIn(opened, owner, noa)
  const wanted = { name: 'Till', scopes: ['payments:read'] as const, expires_at: null, rate_limit: null }
  const { id: first } = await mintKey(owner, { ...wanted, clinic_id, now: new Date(Date.now() - 60_000) })
  const second = (await mint(cookie)).json.data.id
  const row = { clinic_id, at: new Date().toISOString(), operation: 'me.get', resource_ids: [], count: 0, status: 200 }
  const rows = [first, first, second].map((key_id, n) => ({
    ...row,
    key_id,
    request_id: `r${n}`,
    address: '192.0.2.1',
  }))
  await appendAudit(
    owner,
    rows.map((one) => ({ ...one, surface: 'rest' as const })),
  )
  const { data } = (await list(cookie)).json
  assert.deepEqual(
    data.map(({ id, made_by, requests_24h }: Record<string, unknown>) => [id, made_by, requests_24h]),
    [
      [second, { id: noa.id, name: 'Noa Levi' }, 1],
      [first, null, 2],
    ],
  )
  assert.match(data[0].created_at, /[+]0[23]:00$/)
})

test('the login of requests can neither read nor write administrators, sessions and links, nor mint', async () => {
  const noa = await person(owner)
  for (const table of ['administrator', 'administrator_session', 'sign_in_link', 'sign_in_attempt']) {
    const name = sql.identifier(table)
    const clinic_id = noa.clinic.clinic_id
    for (const statement of [
      sql`select clinic_id from ${name} where clinic_id = ${clinic_id}`,
      sql`delete from ${name} where clinic_id = ${clinic_id}`,
    ]) {
      await assert.rejects(
        app.write(noa.clinic, (tx) => tx.query(statement)),
        /permission denied/,
      )
    }
  }
})

test('no line of the log holds a password, a token, a cookie or a key, also when the database fails', async () => {
  const lines: string[] = []
  const keep = (fields: Record<string, unknown>, line: string) => {
    const { err } = fields as { err?: Error & { cause?: unknown } }
    lines.push([line, JSON.stringify(fields), err?.message, err?.stack, String(err?.cause)].join('\n'))
  }
  const failing = {
    ...owner,
    read: () => {
      throw new Error('the disk is full')
    },
  }
  const broken = await openConsole(
    new Proxy(owner, { get: (whole, name) => (name === 'read' ? failing.read : Reflect.get(whole, name).bind(whole)) }),
    { log: { warn: keep, error: keep } },
  )
  const noa = await person(owner)
  const { cookie, password } = await withPassword(opened, owner, noa)
  const secrets = [password, newPassword(), cookie, cookie.split('=')[1] ?? '']
  const [, wrong = ''] = secrets
  const body = { clinic_id: noa.clinic.clinic_id, email: noa.email, password }
  const answers = [
    await send(broken, '/sign-in', { body }),
    await send(broken, '/password', { cookie, body: { current_password: password, password: wrong } }),
    await send(broken, '/keys', { method: 'GET', cookie }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [500, 500, 500],
  )
  assert.equal(lines.length, 3)
  for (const text of [...lines, ...answers.map(({ payload }) => payload)]) {
    for (const secret of secrets) assert.ok(!text.includes(secret))
    assert.ok(text.includes('disk') === lines.includes(text), 'only the log tells the cause')
  }
})
