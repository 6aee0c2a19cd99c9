// Recording a payment: its document's number, its event, replays, and the rules that refuse one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeChanges } from '@clinic-data/changes/writing/write-changes'
import { type Clinic, eventTypes } from '@clinic-data/contract'
import { Payment } from '@clinic-data/contract/resources/payment'
import { serializerOf } from '@clinic-data/contract/serializer'
import { type Database, sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { sized } from '@clinic-data/testing/run/size'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'
import { recordPayment } from '../src/operations/record-payment.ts'

const { owner, app } = await testDatabase()
const now = () => new Date('2026-07-12T06:30:00.700Z')
const backend = createBackend({ database: app, now, log: failingLog })

const till = { amount: 350.99, method_type: 'credit_card', description: 'Cleaning', external_id: 'till-1' }

/** A clinic with one patient, one billing account and one branch. */
async function tillClinic(): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi', id_number: '000000018' })
  await insert(owner, clinic, 'billing_account', { id: 'main', business_name: 'Carmel Dental', business_id: '514' })
  await insert(owner, clinic, 'branch', {
    id: 'b1',
    phone: '04-555',
    street: 'HaNassi 1',
    city: 'Haifa',
    postal_code: '34',
  })
  return clinic
}

const record = (clinic: Clinic, body: object, idempotency_key?: string, patient_id = 'p1') =>
  ask(backend, clinic, 'payments.create', {
    params: { id: patient_id },
    body,
    ...(idempotency_key ? { idempotency_key } : {}),
  })

async function rowsOf<R extends object>(database: Database, table: string, { clinic_id }: Clinic): Promise<R[]> {
  const { rows } = await database.query<R>(sql`select * from ${sql.identifier(table)} where clinic_id = ${clinic_id}`)
  return rows
}

test('a payment is stored to the cent with its numbered receipt, and read back as it was answered', async () => {
  const clinic = await tillClinic()
  const { data, status } = await record(clinic, till)
  assert.equal(status, undefined)
  const { id, documents, ...rest } = data
  assert.deepEqual(rest, {
    patient: { id: 'p1', first_name: 'Noa', last_name: 'Levi' },
    billing_account: { id: 'main', business_name: 'Carmel Dental' },
    amount: 350.99,
    currency: 'ILS',
    method_type: 'credit_card',
    is_refund: false,
    refunded_payment_id: null,
    refunds: [],
    status: 'recorded',
    description: 'Cleaning',
    external_id: 'till-1',
    paid_at: '2026-07-12T09:30:00+03:00',
    created_at: '2026-07-12T09:30:00.700+03:00',
    updated_at: '2026-07-12T09:30:00.700+03:00',
  })
  const issued_at = '2026-07-12T09:30:00+03:00'
  const [document] = documents
  assert.deepEqual(documents, [{ id: document?.id, type: 'receipt', number: '1', issued_at, allocation_number: null }])
  assert.deepEqual((await ask(backend, clinic, 'payments.get', { params: { id } })).data, data)
  const [stored] = await rowsOf<{ content: object }>(owner, 'payment_document', clinic)
  assert.deepEqual(stored?.content, {
    version: 1,
    type: 'receipt',
    number: 1,
    issued_at,
    allocation_number: null,
    business: { name: 'Carmel Dental', business_id: '514', address: 'HaNassi 1, 34 Haifa', phone: '04-555' },
    customer: { name: 'Noa Levi', id_number: '000000018' },
    amount_minor: 35_099,
    currency: 'ILS',
    method_type: 'credit_card',
    paid_at: issued_at,
    description: 'Cleaning',
    refunded: null,
    language: 'he',
  })
})

test('amounts arrive exactly, however a float would print them', async () => {
  const clinic = await tillClinic()
  for (const amount of [0.01, 0.29, 1.1, 2.01, 8.12, 4.35, 1_000_000, 999_999.99]) {
    assert.equal((await record(clinic, { amount, method_type: 'cash' })).data.amount, amount)
  }
})

const AT_ONCE = sized({ everyday: 64, long: 200 })

test('numbers have no gaps and no duplicates under simultaneous payments, many of which fail at their end', async () => {
  const clinic = await tillClinic()
  const body = { amount: 10, method_type: 'cash' as const }
  const failures: Record<number, 'thrown' | 'failed' | 'killed'> = { 1: 'thrown', 3: 'failed', 6: 'killed' }
  const work = Array.from({ length: AT_ONCE }, (_, i) =>
    writeChanges({ database: app, now }, clinic, async (tx, at) => {
      const changed = await recordPayment(tx, { clinic, patient_id: 'p1', body, at, now: at })
      const failure = failures[i % 8]
      if (failure === 'thrown') throw new Error('a fault after the document was issued')
      if (failure === 'failed') await tx.query(sql`select 1 / (${i}::integer - ${i}::integer)`)
      if (failure === 'killed') await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`)
      return changed
    }),
  )
  const done = (await Promise.allSettled(work)).filter(({ status }) => status === 'fulfilled')
  const stored = (AT_ONCE * 5) / 8
  assert.equal(done.length, stored)
  const numbers = (await rowsOf<{ number: number }>(owner, 'payment_document', clinic)).map(({ number }) => number)
  assert.deepEqual(
    numbers.sort((a, b) => a - b),
    Array.from({ length: stored }, (_, i) => i + 1),
  )
  assert.equal((await rowsOf(owner, 'payment', clinic)).length, stored)
  assert.equal((await rowsOf(owner, 'event', clinic)).length, stored)
})

test('numbers continue after the highest one from another system, separately for each account and type', async () => {
  const clinic = await tillClinic()
  await insert(owner, clinic, 'billing_account', { id: 'lab', document_type: 'tax_invoice_receipt' })
  await insert(owner, clinic, 'payment', { id: 'y1', patient_id: 'p1' })
  const elsewhere = { payment_id: 'y1', billing_account_id: 'main', type: 'receipt', issued_at: '2026-01-01T08:00:00Z' }
  await insert(owner, clinic, 'payment_document', { ...elsewhere, id: 'd1', number: 41 })
  const numberOf = async (body: object) => {
    const { data } = await record(clinic, { amount: 10, method_type: 'cash', ...body })
    return data.documents.map(({ type, number }) => `${type} ${number}`)
  }
  assert.deepEqual(await numberOf({ billing_account_id: 'main' }), ['receipt 42'])
  assert.deepEqual(await numberOf({ billing_account_id: 'main' }), ['receipt 43'])
  assert.deepEqual(await numberOf({ billing_account_id: 'lab' }), ['tax_invoice_receipt 1'])
  assert.deepEqual(await numberOf({ billing_account_id: 'lab', document_type: 'receipt' }), ['receipt 1'])
  await insert(owner, clinic, 'payment_document', { ...elsewhere, id: 'd2', number: 60 })
  assert.deepEqual(await numberOf({ billing_account_id: 'main' }), ['receipt 61'])
})

test('a number that is taken from elsewhere at the same moment is skipped', async () => {
  const clinic = await tillClinic()
  await insert(owner, clinic, 'payment', { id: 'y1', patient_id: 'p1' })
  const { clinic_id } = clinic
  let answer: ReturnType<typeof record> | undefined
  await owner.write(clinic, async (tx) => {
    await tx.query(sql`insert into payment_document (clinic_id, id, payment_id, billing_account_id, type, number, issued_at)
      values (${clinic_id}, 'd1', 'y1', 'main', 'receipt', 1, now())`)
    answer = record(clinic, { amount: 10, method_type: 'cash' })
    await doneOrWaiting(owner, tx, answer, '%into payment_document%')
  })
  assert.equal((await answer)?.data.documents[0]?.number, '2')
})

test('the event has the bytes of GET, with one delivery for each enabled subscription that wants it', async () => {
  const clinic = await tillClinic()
  const subscription = (id: string, event_types: string[], enabled = true) => ({ id, event_types, enabled })
  const some = subscription('some', ['payment.cancelled', 'payment.recorded'])
  const others = subscription('others', ['payment.cancelled'])
  const off = subscription('off', [...eventTypes], false)
  await insert(owner, clinic, 'subscription', subscription('all', []), some, others, off)
  const { data } = await record(clinic, till)
  const got = await ask(backend, clinic, 'payments.get', { params: { id: data.id } })
  const events = await rowsOf<{ id: string; type: string; body: string }>(owner, 'event', clinic)
  const [event] = events
  assert.ok(event !== undefined && events.length === 1)
  const created_at = '2026-07-12T09:30:00.700+03:00'
  assert.equal(
    event.body,
    `{"id":"${event.id}","type":"payment.recorded","created_at":"${created_at}","data":${serializerOf(Payment)(got.data)}}`,
  )
  const deliveries = await rowsOf<{ subscription_id: string; event_id: string }>(owner, 'delivery', clinic)
  assert.deepEqual(deliveries.map(({ subscription_id }) => subscription_id).sort(), ['all', 'some'])
  assert.ok(deliveries.every(({ event_id }) => event_id === event.id))
})

test('of 50 equal requests at once one records the payment and all answer it', async () => {
  const clinic = await tillClinic()
  const answers = await Promise.all(Array.from({ length: 50 }, () => record(clinic, till)))
  assert.equal(new Set(answers.map(({ data }) => JSON.stringify(data))).size, 1)
  assert.equal(answers.filter(({ status }) => status === undefined).length, 1)
  assert.equal(answers.filter(({ status }) => status === 200).length, 49)
  for (const table of ['payment', 'payment_document', 'event']) {
    assert.equal((await rowsOf(owner, table, clinic)).length, 1, table)
  }
})

test('an external_id with different content is refused, for a difference in any field', async () => {
  const clinic = await tillClinic()
  await insertPatient(owner, clinic, { id: 'p2' })
  const whole = { ...till, billing_account_id: 'main', currency: 'ILS', document_type: 'receipt' }
  const paid_at = '2026-07-12T09:00:00.4+03:00'
  const { data } = await record(clinic, { ...whole, paid_at })
  const others = [
    { ...whole, paid_at, amount: 351 },
    { ...whole, paid_at, method_type: 'cash' },
    { ...whole, paid_at, description: 'Other' },
    { ...whole, paid_at, document_type: 'tax_invoice_receipt' },
    { ...whole, paid_at: '2026-07-12T09:00:01+03:00' },
    { amount: 350.99, method_type: 'credit_card', external_id: 'till-1' },
  ]
  for (const body of others) await assert.rejects(record(clinic, body), problem('conflict', /external_id/))
  const elsewhere = ask(backend, clinic, 'payments.create', { params: { id: 'p2' }, body: whole })
  await assert.rejects(elsewhere, problem('conflict'))
  for (const body of [{ ...whole, paid_at: '2026-07-12T06:00:00Z' }, whole, till]) {
    assert.deepEqual(await record(clinic, body), { data, status: 200 })
  }
})

test('an external_id with another billing account or currency is refused', async () => {
  const clinic = await tillClinic()
  await insert(owner, clinic, 'billing_account', { id: 'second' })
  const { data } = await record(clinic, { ...till, billing_account_id: 'main' })
  for (const other of [{ billing_account_id: 'second' }, { billing_account_id: 'main', currency: 'USD' }]) {
    await assert.rejects(record(clinic, { ...till, ...other }), problem('conflict', /external_id/))
  }
  assert.deepEqual(await record(clinic, till), { data, status: 200 })
})

test('a document is in Hebrew where the clinic is in Israel, and else in English, whatever its currency', async () => {
  for (const [country, currency, language] of [
    ['IL', 'USD', 'he'],
    ['US', 'ILS', 'en'],
  ] as const) {
    const clinic = { ...(await tillClinic()), country, currency }
    await record(clinic, { amount: 10, method_type: 'cash' })
    const [document] = await rowsOf<{ content: { language: string } }>(owner, 'payment_document', clinic)
    assert.equal(document?.content.language, language)
  }
})

test('an external_id is one clinic’s own', async () => {
  const [first, second] = [await tillClinic(), await tillClinic()]
  const { data } = await record(first, till)
  const other = await record(second, till)
  assert.equal(other.status, undefined)
  assert.notEqual(other.data.id, data.id)
})

test('the same Idempotency-Key gives the first answer again and records nothing', async () => {
  const clinic = await tillClinic()
  const body = { amount: 10, method_type: 'cash' }
  const first = await record(clinic, body, 'key-1')
  assert.deepEqual(await record(clinic, body, 'key-1'), { ...first, replayed: true })
  await assert.rejects(record(clinic, { ...body, amount: 11 }, 'key-1'), problem('idempotency-key-reused'))
  assert.equal((await rowsOf(owner, 'payment', clinic)).length, 1)
  assert.equal((await rowsOf(owner, 'event', clinic)).length, 1)
})

test('the same Idempotency-Key and content for another patient record that patient’s payment', async () => {
  const clinic = await tillClinic()
  await insertPatient(owner, clinic, { id: 'p2', first_name: 'Avi', last_name: 'Cohen' })
  const body = { amount: 10, method_type: 'cash' }
  const patients = []
  for (const id of ['p1', 'p2']) patients.push((await record(clinic, body, 'key-1', id)).data.patient?.id)
  assert.deepEqual(patients, ['p1', 'p2'])
})

test('of 50 equal requests at once with one Idempotency-Key one records, and the others get its answer or a 409', async () => {
  const clinic = await tillClinic()
  const body = { amount: 10, method_type: 'cash' }
  const answers = await Promise.allSettled(Array.from({ length: 50 }, () => record(clinic, body, 'key-1')))
  const ids = new Set<string>()
  for (const answer of answers) {
    if (answer.status === 'fulfilled') ids.add(answer.value.data.id)
    else problem('conflict', /under way/)(answer.reason)
  }
  assert.equal(ids.size, 1)
  assert.equal((await rowsOf(owner, 'payment', clinic)).length, 1)
})

const refused =
  (...pointers: string[]) =>
  (error: Error) => {
    problem('unprocessable')(error)
    const { members } = error as unknown as { members: { errors: { pointer: string }[] } }
    assert.deepEqual(
      members.errors.map(({ pointer }) => pointer),
      pointers,
    )
    return true
  }

test('a billing account must be named where there are several, and must be one of the clinic’s', async () => {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1' })
  const body = { amount: 10, method_type: 'cash' }
  await assert.rejects(record(clinic, body), refused('#/billing_account_id'))
  await insert(owner, clinic, 'billing_account', { id: 'main' }, { id: 'lab' })
  await assert.rejects(record(clinic, body), refused('#/billing_account_id'))
  await assert.rejects(record(clinic, { ...body, billing_account_id: 'other' }), refused('#/billing_account_id'))
  const { data } = await record(clinic, { ...body, billing_account_id: 'lab' })
  assert.equal(data.billing_account?.id, 'lab')
})

test('another currency than the clinic’s and a future time are refused, each by name', async () => {
  const clinic = await tillClinic()
  const body = { amount: 10, method_type: 'cash' }
  await assert.rejects(record(clinic, { ...body, currency: 'USD' }), refused('#/currency'))
  await assert.rejects(record(clinic, { ...body, paid_at: '2026-07-12T06:30:00.701Z' }), refused('#/paid_at'))
  const all = { ...body, billing_account_id: 'x', currency: 'USD', paid_at: '2199-01-01T00:00:00Z' }
  await assert.rejects(record(clinic, all), refused('#/billing_account_id', '#/currency', '#/paid_at'))
  assert.equal((await rowsOf(owner, 'payment', clinic)).length, 0)
  const { data } = await record(clinic, { ...body, currency: 'ILS', paid_at: '1999-12-31T23:59:59.9+02:00' })
  assert.equal(data.paid_at, '1999-12-31T23:59:59+02:00')
})

test('a payment of an unknown patient is not found, before any rule is checked', async () => {
  const clinic = await tillClinic()
  const body = { amount: 10, method_type: 'cash', currency: 'USD' }
  const nobody = ask(backend, clinic, 'payments.create', { params: { id: 'nobody' }, body })
  await assert.rejects(nobody, problem('not-found', /No patient has the id nobody/))
})
