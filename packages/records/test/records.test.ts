// Storing clinic data in bulk: derived values, what counts as a change, and the limits of one bad record.
import assert from 'node:assert/strict'
import test from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { checkAppointment } from '../src/appointments.ts'
import { billingAccountKind, checkCatalogTreatment } from '../src/catalog.ts'
import { checkPatient, PatientRecord, storePatients } from '../src/patients.ts'
import { PaymentRecord, storePayments } from '../src/payments.ts'
import { complete } from '../src/storing/complete-record.ts'
import type { Finding } from '../src/storing/record-schema.ts'
import { checkTreatment, storeTreatments, type TreatmentRecord } from '../src/treatments.ts'
import { counted } from './counted.ts'
import { app, appointment, CREATED, clinicWithCatalog, rowsOf, storingAppointments, UPDATED } from './records-ground.ts'

function patient(id: string, changes: Partial<PatientRecord> = {}): PatientRecord {
  return complete(PatientRecord, {
    id,
    first_name: 'Testa',
    last_name: 'Probe',
    phone: '050-000 0001',
    email: 'Testa@Example.com',
    birth_date: '1990-02-28',
    address: { street: '1 Sample', city: 'Haifa', postal_code: null, country: 'IL' },
    created_at: CREATED,
    updated_at: UPDATED,
    ...changes,
  })
}

const storingPatients = (clinic: Clinic, records: PatientRecord[]) =>
  counted(app.write(clinic, (tx) => storePatients(tx, clinic, records)))

test('records are stored once, and a repetition changes nothing, not even the version of a row', async () => {
  const clinic = await clinicWithCatalog()
  const patients = Array.from({ length: 250 }, (_, i) =>
    patient(`p${i}`, { phone: `050-000 ${String(i).padStart(4, '0')}` }),
  )
  assert.deepEqual(await storingPatients(clinic, patients), { inserted: 250, updated: 0, unchanged: 0 })
  const tables = ['patient', 'patient_contact', 'patient_name']
  const versions = () =>
    Promise.all(
      tables.map((t) => rowsOf(clinic, sql`select ctid::text, xmin::text from ${sql.identifier(t)} order by 1`)),
    )
  const before = await versions()
  assert.deepEqual(await storingPatients(clinic, patients), { inserted: 0, updated: 0, unchanged: 250 })
  assert.deepEqual(await versions(), before)
})

test('a changed record keeps its creation, and its updated_at rises even if the given one does not', async () => {
  const clinic = await clinicWithCatalog()
  await storingPatients(clinic, [patient('p1')])
  const changed = patient('p1', { first_name: 'Other', created_at: '2026-06-01T00:00:00Z' })
  assert.deepEqual(await storingPatients(clinic, [changed]), { inserted: 0, updated: 1, unchanged: 0 })
  const [row] = await rowsOf(
    clinic,
    sql`select first_name, created_at = ${CREATED} as kept,
    updated_at = ${UPDATED}::timestamptz + interval '1 ms' as raised from patient`,
  )
  assert.deepEqual(row, { first_name: 'Other', kept: true, raised: true })
  await storingPatients(clinic, [patient('p1', { updated_at: '2026-07-01T00:00:00Z' })])
  const [later] = await rowsOf(clinic, sql`select updated_at = '2026-07-01T00:00:00Z' as given from patient`)
  assert.deepEqual(later, { given: true })
})

test('of two records with one id in a call the later one is stored', async () => {
  const clinic = await clinicWithCatalog()
  const stored = await storingPatients(clinic, [patient('p1'), patient('p1', { last_name: 'Second' })])
  assert.deepEqual([stored.inserted, stored.updated, stored.unchanged], [1, 0, 1])
  assert.deepEqual(await rowsOf(clinic, sql`select last_name from patient`), [{ last_name: 'Second' }])
})

test('every phone and email of a patient is found by one normal form, and each kind has one primary', async () => {
  const clinic = await clinicWithCatalog()
  const contacts: PatientRecord['contacts'] = [
    { type: 'phone', value: '+972 50 000 0002', label: 'work', is_primary: false },
    { type: 'phone', value: 'ext. 12', label: null, is_primary: false },
  ]
  await storingPatients(clinic, [patient('p1', { contacts })])
  assert.deepEqual(
    await rowsOf(
      clinic,
      sql`select type, value, value_normal, label, is_primary from patient_contact order by position`,
    ),
    [
      { type: 'phone', value: '050-000 0001', value_normal: '+972500000001', label: null, is_primary: true },
      { type: 'email', value: 'Testa@Example.com', value_normal: 'testa@example.com', label: null, is_primary: true },
      { type: 'phone', value: '+972 50 000 0002', value_normal: '+972500000002', label: 'work', is_primary: false },
      { type: 'phone', value: 'ext. 12', value_normal: null, label: null, is_primary: false },
    ],
  )
})

test('without a primary phone it is the first primary contact, or else the first contact', async () => {
  const clinic = await clinicWithCatalog()
  const phone = (value: string, is_primary: boolean) => ({ type: 'phone', value, label: null, is_primary }) as const
  await storingPatients(clinic, [
    patient('p1', { phone: null, contacts: [phone('050-0000001', false), phone('050-0000002', true)] }),
    patient('p2', { phone: null, contacts: [phone('050-0000003', false)] }),
  ])
  assert.deepEqual(await rowsOf(clinic, sql`select phone from patient order by id`), [
    { phone: '050-0000002' },
    { phone: '050-0000003' },
  ])
})

test('a change only of the contacts is a change of the patient', async () => {
  const clinic = await clinicWithCatalog()
  await storingPatients(clinic, [patient('p1')])
  const contacts = [
    { type: 'phone', value: '050-000 0009', label: null, is_primary: false },
  ] satisfies PatientRecord['contacts']
  assert.deepEqual(await storingPatients(clinic, [patient('p1', { contacts })]), {
    inserted: 0,
    updated: 1,
    unchanged: 0,
  })
  const [row] = await rowsOf(clinic, sql`select updated_at > ${UPDATED} as raised from patient`)
  assert.deepEqual(row, { raised: true })
})

test('a renamed patient is found under the new name and no longer under the old one', async () => {
  const clinic = await clinicWithCatalog()
  await storingPatients(clinic, [patient('p1', { first_name: 'Zoë', last_name: 'Old' })])
  await storingPatients(clinic, [patient('p1', { first_name: 'Zoë', last_name: 'New-Name' })])
  const keys = (await rowsOf(clinic, sql`select key from patient_name order by key`)).map(({ key }) => key)
  assert.deepEqual(keys, ['name new', 'name zoe', 'new name', 'new zoe', 'zoe name', 'zoe new'])
})

test('money is stored in whole minor units, a refund beside its payment, and a document never changes', async () => {
  const clinic = await clinicWithCatalog()
  const account = { id: 'main', business_name: 'Sample Ltd', business_id: null, document_type: 'receipt' } as const
  const document = { billing_account_id: 'main', type: 'receipt', issued_at: UPDATED, allocation_number: null } as const
  const payment = (id: string, changes: Partial<PaymentRecord> = {}): PaymentRecord =>
    complete(PaymentRecord, {
      id,
      billing_account_id: 'main',
      amount: 123.45,
      currency: 'ILS',
      method_type: 'cash',
      is_refund: false,
      status: 'recorded',
      paid_at: '2026-03-01T22:30:00Z',
      documents: [{ ...document, id: `${id}-1`, number: Number(id.slice(1)) }],
      created_at: CREATED,
      updated_at: UPDATED,
      ...changes,
    })
  const store = (...records: PaymentRecord[]) => counted(app.write(clinic, (tx) => storePayments(tx, clinic, records)))
  await app.write(clinic, (tx) => billingAccountKind.store(tx, clinic, [account]))
  const refund = payment('x1', { id: 'a-refund', is_refund: true, refunded_payment_id: 'y2', documents: [] })
  assert.equal((await store(refund, payment('y2'))).inserted, 2)
  assert.equal((await store(refund, payment('y2'))).unchanged, 2)
  const [row] = await rowsOf(clinic, sql`select amount_minor, paid_date from payment where id = 'y2'`)
  assert.deepEqual(row, { amount_minor: 12_345, paid_date: '2026-03-02' })
  const rewritten = payment('y2', { documents: [{ ...document, id: 'y2-1', number: 99 }] })
  assert.equal((await store(rewritten)).unchanged, 1)
  const corrected = payment('y2', { documents: [{ ...document, id: 'y2-2', number: 3 }] })
  assert.equal((await store(corrected)).updated, 1)
  assert.deepEqual(await rowsOf(clinic, sql`select number from payment_document order by number`), [
    { number: 2 },
    { number: 3 },
  ])
})

test('a removed treatment stays removed when it is stored again', async () => {
  const clinic = await clinicWithCatalog()
  const treatment: TreatmentRecord = {
    id: 't1',
    patient_id: null,
    catalog_treatment_id: null,
    provider_id: 'd1',
    branch_id: 'b1',
    appointment_id: null,
    plan_id: null,
    quantity: 1,
    price: 1,
    discount: 0.29,
    performed_at: '2026-03-01T22:30:00Z',
    created_at: CREATED,
    updated_at: UPDATED,
  }
  const store = (record: TreatmentRecord) => app.write(clinic, (tx) => storeTreatments(tx, clinic, [record]))
  assert.deepEqual(checkTreatment(treatment), [])
  await store(treatment)
  await app.write(clinic, (tx) => tx.query(sql`update treatment set removed_at = ${UPDATED}`))
  await store({ ...treatment, price: 350.55 })
  const [row] = await rowsOf(
    clinic,
    sql`select effective_date, price_minor, discount_minor,
      removed_at is null as back from treatment`,
  )
  assert.deepEqual(row, { effective_date: '2026-03-02', price_minor: 35_055, discount_minor: 29, back: false })
})

test("a store of one clinic neither sees nor changes another clinic's record of the same id", async () => {
  const [one, two] = [await clinicWithCatalog(), await clinicWithCatalog()]
  await storingPatients(one, [patient('p1')])
  assert.equal((await storingPatients(two, [patient('p1', { first_name: 'Elsewhere' })])).inserted, 1)
  assert.deepEqual(await rowsOf(one, sql`select first_name from patient`), [{ first_name: 'Testa' }])
})

test('a record out of bounds is reported by place and reason, never by its value', () => {
  const placesAndCodes = (findings: readonly Finding[]) => findings.map(({ place, code }) => [place, code])
  const contacts: PatientRecord['contacts'] = [{ type: 'phone', value: '0'.repeat(41), label: null, is_primary: true }]
  const bad = patient('p1', {
    first_name: 'x'.repeat(121),
    birth_date: '2023-02-30',
    updated_at: 'yesterday',
  })
  assert.deepEqual(placesAndCodes(checkPatient(bad)), [
    ['/first_name', 'too_long'],
    ['/birth_date', 'format'],
    ['/updated_at', 'format'],
  ])
  assert.deepEqual(checkPatient(patient('p1', { contacts })), [
    { place: '/contacts/0/value', code: 'too_long', detail: 'must have at most 40 characters' },
  ])
  assert.deepEqual(placesAndCodes(checkPatient(patient('p1', { last_name: 'a\0b', id_number: '\ud800' }))), [
    ['/last_name', 'characters'],
    ['/id_number', 'characters'],
  ])
  assert.deepEqual(checkAppointment(appointment('a1', { end: '2026-02-01T00:00:00Z' })), [
    { place: '/end', code: 'reversed', detail: 'must not be before start' },
  ])
  assert.deepEqual(placesAndCodes(checkAppointment(appointment('a1', { provider_ids: ['d1', 'd1'] }))), [
    ['/provider_ids', 'duplicate'],
  ])
  const item = { id: 'c1', name: 'A', code: null, price: 10.5555, color: null, category_id: null }
  assert.deepEqual(placesAndCodes(checkCatalogTreatment(item)), [['/price', 'decimals']])
  assert.deepEqual(placesAndCodes(checkCatalogTreatment({ ...item, price: 10.55, ...{ cost: 1 } })), [
    ['/cost', 'unknown'],
  ])
})

test('everything that passes the check is accepted by the database, to the last character', async () => {
  const clinic = await clinicWithCatalog()
  const longest = patient('😀'.repeat(128), {
    first_name: '😀'.repeat(120),
    last_name: 'ש'.repeat(120),
    email: `${'e'.repeat(242)}@example.com`,
    birth_date: '1850-01-01',
    created_at: '1900-01-02T00:00:00Z',
    updated_at: '2199-12-30T23:59:59.999Z',
  })
  const nearly = appointment('a1', { start: '1900-01-02', end: '2199-12-30', note: '😀'.repeat(2000) })
  assert.deepEqual([...checkPatient(longest), ...checkAppointment(nearly)], [])
  await storingPatients(clinic, [longest])
  await storingAppointments(clinic, [nearly])
})
