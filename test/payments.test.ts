// A payment through the whole gateway: status, Location, replays, and the event's bytes compared with those of GET.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allScopes } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { billingAccountKind } from '@clinic-data/records/catalog'
import {
  ask,
  BASE_URL,
  emptyClinic,
  keyOf,
  startService,
  type TestService,
} from '@clinic-data/testing/run/test-service'

let service: TestService
before(async () => {
  service = await startService()
})
after(() => service.close())

async function payingClinic() {
  const clinic = await emptyClinic(service.owner)
  const account = { id: 'main', business_name: 'Carmel', business_id: null, document_type: 'receipt' as const }
  await service.database.write(clinic, async (tx) => {
    await billingAccountKind.store(tx, clinic, [account])
    await tx.query(sql`insert into patient (clinic_id, id, name_folded, created_at, updated_at, created_date)
      values (${clinic.clinic_id}, 'p1', '', now(), now(), now()::date)`)
  })
  return { clinic, key: await keyOf(service.owner, clinic, allScopes) }
}

const record = (key: string, body: object, headers: Record<string, string> = {}) =>
  ask(service, key, '/v1/patients/p1/payments', { method: 'POST', body, headers })

test('the bytes of the answer, of GET at its Location and of the event are the same', async () => {
  const { clinic, key } = await payingClinic()
  const made = await record(key, { amount: 0.29, method_type: 'cash', description: 'בדיקה "1"' })
  assert.equal(made.status, 201)
  const location = new URL(String(made.headers.location), BASE_URL)
  assert.equal(location.href, `${BASE_URL}/v1/payments/${made.json.data.id}`)
  const got = await ask(service, key, location.pathname)
  assert.equal(got.text, made.text)
  const { rows } = await service.owner.query<{ body: string }>(
    sql`select body from event where clinic_id = ${clinic.clinic_id}`,
  )
  assert.equal(rows.length, 1)
  assert.ok(rows[0]?.body.endsWith(`,${made.text.slice(1)}`), rows[0]?.body)
})

test('a repeated external_id is 200, a repeated Idempotency-Key is 201 and marked, and both answer the first payment', async () => {
  const { key } = await payingClinic()
  const body = { amount: 10, method_type: 'cash', external_id: 'till-1' }
  const made = await record(key, body, { 'idempotency-key': 'a' })
  const byName = await record(key, body)
  assert.deepEqual([byName.status, byName.text, byName.headers.location], [200, made.text, undefined])
  const byKey = await record(key, body, { 'idempotency-key': 'a' })
  assert.deepEqual([byKey.status, byKey.text], [201, made.text])
  assert.deepEqual([made.headers['idempotent-replayed'], byKey.headers['idempotent-replayed']], [undefined, 'true'])
  assert.equal((await record(key, { ...body, amount: 11 })).status, 409)
})

test('card, check and bank fields are refused as unknown, and so are fractions of the currency', async () => {
  const { key } = await payingClinic()
  const body = { amount: 10, method_type: 'credit_card' }
  for (const extra of [
    { card_number: '1' },
    { check: {} },
    { bank: 1 },
    { amount: 0.0001 },
    { amount: 1e-9 },
    { amount: 0 },
  ]) {
    assert.equal((await record(key, { ...body, ...extra })).status, 400, JSON.stringify(extra))
  }
  const refused = await record(key, { ...body, amount: 10.005, currency: 'USD' })
  assert.equal(refused.status, 422)
  assert.deepEqual(
    refused.json.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['#/currency', '#/amount'],
  )
})
