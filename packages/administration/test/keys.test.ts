// Keys and clinics as the operator makes them, and what a key gives access to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBackend } from '@clinic-data/backend'
import { KEY_CACHE_MS } from '@clinic-data/contract'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { tablesThatHold } from '@clinic-data/testing/grounds/tables-that-hold'
import { clinicWithoutKeys, failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { createClinic, listClinics } from '../src/clinics.ts'
import { listIngestTokens, mintIngestToken } from '../src/credentials/ingest-tokens.ts'
import { isUsable, listKeys, mintKey, type NewKey, revokeKey } from '../src/credentials/keys.ts'

const { owner, app } = await testDatabase()
let now = new Date('2026-07-12T06:30:00Z')
const backend = createBackend({ database: app, now: () => now, log: failingLog })

const wanted = (clinic_id: string): NewKey => ({
  clinic_id,
  name: 'Till',
  scopes: ['payments:read', 'patients:read'],
  expires_at: null,
  rate_limit: null,
  now: new Date('2026-07-12T06:30:00Z'),
})

test('a minted key opens its clinic with its scopes, and its plaintext is stored nowhere', async () => {
  const clinic = await clinicWithoutKeys(owner, { week_start: 1, min_visit_minutes: 20 })
  const expires_at = new Date('2026-08-01T00:00:00Z')
  const { key, id } = await mintKey(owner, { ...wanted(clinic.clinic_id), expires_at, rate_limit: 7 })
  assert.deepEqual(await backend.authenticate(hashKey(key)), {
    key_id: id,
    clinic,
    scopes: ['patients:read', 'payments:read'],
    rate_limit: 7,
    expires_at: expires_at.getTime(),
  })
  const [listed] = await listKeys(owner, clinic.clinic_id)
  assert.equal(listed?.first_characters, key.slice(0, 12))
  assert.equal(listed?.last_characters, key.slice(-4))
  const { rows } = await owner.query<{ whole: string }>(
    sql`select api_key::text as whole from api_key where id = ${id}`,
  )
  assert.ok(rows[0]?.whole.includes(hashKey(key)))
  assert.deepEqual(await tablesThatHold(owner, clinic.clinic_id, [key.slice(12, -4)]), [])
})

test('a minted ingest token is stored as its hash and the characters that tell it from others', async () => {
  const { clinic_id } = await clinicWithoutKeys(owner)
  const { token, id } = await mintIngestToken(owner, { clinic_id, name: 'Exchange', now })
  const { rows } = await owner.query<{ whole: string }>(
    sql`select ingest_token::text as whole from ingest_token where id = ${id}`,
  )
  assert.ok(rows[0]?.whole.includes(hashKey(token)))
  assert.deepEqual(await tablesThatHold(owner, clinic_id, [token.slice(12, -4)]), [])
  const [listed] = await listIngestTokens(owner, clinic_id)
  assert.deepEqual([listed?.first_characters, listed?.last_characters], [token.slice(0, 12), token.slice(-4)])
})

test('a key is usable in its own clinic alone, until it expires or is revoked', async () => {
  const [clinic, other] = [await clinicWithoutKeys(owner), await clinicWithoutKeys(owner)]
  const at = new Date('2026-07-12T06:30:00Z')
  const expires_at = new Date('2026-07-13T00:00:00Z')
  const { key, id } = await mintKey(owner, {
    ...wanted(clinic.clinic_id),
    scopes: ['leads:write'],
    expires_at,
  })
  const isUsableIn = ({ clinic_id }: { clinic_id: string }, now: Date) => isUsable(owner, { clinic_id, key, now })
  assert.deepEqual([await isUsableIn(clinic, at), await isUsableIn(other, at)], [true, false])
  assert.equal(await isUsableIn(clinic, expires_at), false)
  await revokeKey(owner, { clinic_id: clinic.clinic_id, id, now: at }, async () => undefined)
  assert.equal(await isUsableIn(clinic, at), false)
})

test('no other hash opens a clinic, not even a malformed one', async () => {
  for (const hash of [hashKey(makeKey()), '', 'x', "'", hashKey(makeKey()).toUpperCase()]) {
    assert.equal(await backend.authenticate(hash), null)
  }
})

test('a key opens nothing from its expiry on', async () => {
  const { clinic_id } = await clinicWithoutKeys(owner)
  const { key } = await mintKey(owner, { ...wanted(clinic_id), expires_at: new Date('2026-07-13T00:00:00Z') })
  now = new Date('2026-07-12T23:59:59.999Z')
  assert.notEqual(await backend.authenticate(hashKey(key)), null)
  now = new Date('2026-07-13T00:00:00Z')
  assert.equal(await backend.authenticate(hashKey(key)), null)
})

test('a write whose key expired since it was let in stores nothing', async () => {
  const clinic = await clinicWithoutKeys(owner)
  const expires_at = new Date('2026-07-13T00:00:00Z')
  const { id: key_id } = await mintKey(owner, {
    ...wanted(clinic.clinic_id),
    scopes: ['leads:write'],
    expires_at,
  })
  const input = { body: { first_name: 'Dana', phone: '052-765-4321', source: 'website' }, key_id }
  const leads = async () => (await owner.query(sql`select from lead where clinic_id = ${clinic.clinic_id}`)).rows.length
  now = new Date('2026-07-12T23:59:59.999Z')
  await ask(backend, clinic, 'leads.create', input)
  now = expires_at
  await assert.rejects(ask(backend, clinic, 'leads.create', input), /revoked or has expired/)
  assert.equal(await leads(), 1)
})

test('a revocation is committed before the wait for cached answers, and is final', async () => {
  const { clinic_id } = await clinicWithoutKeys(owner)
  const { key, id } = await mintKey(owner, wanted(clinic_id))
  const other = await mintKey(owner, wanted(clinic_id))
  const waits: number[] = []
  const revoked = await revokeKey(owner, { clinic_id, id, now: new Date('2026-07-12T07:00:00Z') }, async (ms) => {
    waits.push(ms)
    assert.equal(await backend.authenticate(hashKey(key)), null)
  })
  assert.deepEqual(waits, [KEY_CACHE_MS])
  assert.equal(revoked.revoked_at, '2026-07-12T07:00:00.000+00:00')
  const again = await revokeKey(owner, { clinic_id, id, now: new Date('2026-07-13T00:00:00Z') }, async () => undefined)
  assert.equal(again.revoked_at, revoked.revoked_at)
  assert.notEqual(await backend.authenticate(hashKey(other.key)), null)
  const unknown = revokeKey(owner, { clinic_id, id: 'key_0', now: new Date() }, async () => undefined)
  await assert.rejects(unknown, /has no key with the id key_0/)
})

test('the last use of a key is recorded at most once a minute', async () => {
  const { clinic_id } = await clinicWithoutKeys(owner)
  const { key, id } = await mintKey(owner, wanted(clinic_id))
  /** Asks as often as it takes: the note is written beside the request. */
  const notedAs = async (at: string, noted: string) => {
    now = new Date(at)
    for (let tries = 0; tries < 1000; tries++) {
      await backend.authenticate(hashKey(key))
      const [listed] = await listKeys(owner, clinic_id)
      if (listed?.id === id && listed.last_used_at === noted) return
    }
    assert.fail(`never noted as ${noted}`)
  }
  await notedAs('2026-07-12T08:00:00.000Z', '2026-07-12T08:00:00.000+00:00')
  await notedAs('2026-07-12T08:00:59.999Z', '2026-07-12T08:00:00.000+00:00')
  // Had the use before been noted, this one would not be.
  await notedAs('2026-07-12T08:01:00.000Z', '2026-07-12T08:01:00.000+00:00')
})

test('a key that no clinic could use is not minted', async () => {
  const { clinic_id } = await clinicWithoutKeys(owner)
  const refused: [Partial<NewKey>, RegExp][] = [
    [{ name: ' ' }, /name/],
    [{ name: 'x'.repeat(201) }, /200/],
    [{ scopes: ['everything' as never] }, /no scope everything/],
    [{ expires_at: new Date('2026-07-12T06:30:00Z') }, /future/],
    [{ expires_at: new Date(Number.NaN) }, /future/],
    [{ rate_limit: 0 }, /1 to 1000000/],
    [{ rate_limit: 1.5 }, /1 to 1000000/],
    [{ clinic_id: 'no-such-clinic' }, /no clinic with the id no-such-clinic/],
  ]
  for (const [changes, line] of refused)
    await assert.rejects(mintKey(owner, { ...wanted(clinic_id), ...changes }), line)
  assert.deepEqual(await listKeys(owner, clinic_id), [])
})

test('a clinic is made once, with valid settings', async () => {
  const { clinic_id } = await clinicWithoutKeys(owner)
  const fresh = { ...newClinic, clinic_id: `${clinic_id}-new` }
  const made = await createClinic(owner, fresh)
  assert.equal(made.time_zone, 'Asia/Jerusalem')
  const listed = (await listClinics(owner)).find((clinic) => clinic.clinic_id === fresh.clinic_id)
  assert.deepEqual(listed, made)
  await assert.rejects(createClinic(owner, fresh), /there is or was a clinic with the id/)
  const refused: [Partial<typeof fresh>, RegExp][] = [
    [{ clinic_id: 'Upper' }, /lower case/],
    [{ clinic_id: "a'b" }, /lower case/],
    [{ clinic_id: '' }, /lower case/],
    [{ name: '' }, /name/],
    [{ time_zone: 'Mars/Olympus' }, /IANA/],
    [{ time_zone: '+03:00' }, /IANA/],
    [{ currency: 'SHEKEL' }, /ISO 4217/],
    [{ country: 'XX' }, /ISO 3166/],
    [{ week_start: 2 as never }, /week/],
    [{ min_visit_minutes: 0 }, /1 to 1440/],
    [{ slot_step_minutes: 7 }, /one of 1, 2/],
  ]
  for (const [changes, line] of refused) {
    await assert.rejects(createClinic(owner, { ...fresh, clinic_id: `${clinic_id}-other`, ...changes }), line)
  }
})

const newClinic = {
  clinic_id: '',
  name: 'Carmel',
  time_zone: 'Asia/Jerusalem',
  country: 'IL',
  currency: 'ILS',
  week_start: 0 as const,
  min_visit_minutes: 15,
  slot_step_minutes: 5,
}
