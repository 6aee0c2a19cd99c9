// Importing FHIR R4: the record that each resource becomes, the references between them, and a second run that changes nothing.
import assert from 'node:assert/strict'
import test from 'node:test'
import { type Statement, sql } from '@clinic-data/database'
import { importFhir } from '../src/fhir/import-fhir.ts'
import {
  app,
  benefit,
  bundle,
  claim,
  encounter,
  everything,
  imported,
  importing,
  newClinic,
  organization,
  patient,
  practitioner,
  procedure,
  rowsOf,
  urn,
  usd,
} from './fhir-resources.ts'
import { folderWith } from './folder-with.ts'

test('each resource becomes a record of the clinic', async () => {
  const { clinic, report } = await imported(...everything)
  assert.deepEqual(report.failed, [])
  for (const [type, tally] of Object.entries(report.resources)) assert.deepEqual(tally.skipped, {}, type)
  const one = async (statement: Statement) => (await rowsOf(clinic, statement))[0]
  assert.deepEqual(await one(sql`select id, name, phone, street, city, postal_code, country from branch`), {
    id: 'org1',
    name: 'Sample Clinic North',
    phone: '9785550100',
    street: '1 Sample Street, Floor 2',
    city: 'Samplefield',
    postal_code: '01970',
    country: 'US',
  })
  assert.deepEqual(await one(sql`select id, name from provider`), { id: 'doc1', name: 'Dr. Sally Specimen' })
  assert.deepEqual(
    await one(sql`select first_name, last_name, phone, email, gender, birth_date, id_number, street from patient`),
    {
      first_name: 'Testa Q.',
      last_name: 'Ünlike',
      phone: '555-010-0001',
      email: 'testa@example.com',
      gender: 'female',
      birth_date: '1980-02-29',
      id_number: '999-00-0001',
      street: '2 Sample Street',
    },
  )
  assert.deepEqual(
    await one(sql`select a.id, a.patient_id, a.branch_id, a.type_id, a.status_id, a.start, a.start_date,
        t.name as type, t.duration_minutes, s.kind, p.provider_id
      from appointment a join appointment_type t on t.clinic_id = a.clinic_id and t.id = a.type_id
      join appointment_status s on s.clinic_id = a.clinic_id and s.id = a.status_id
      join appointment_provider p on p.clinic_id = a.clinic_id and p.appointment_id = a.id
      where a.clinic_id = ${clinic.clinic_id}`),
    {
      id: 'enc1',
      patient_id: 'pat1',
      branch_id: 'org1',
      type_id: '185349003',
      status_id: 'finished',
      start: '2020-01-01 22:30:00-05',
      start_date: '2020-01-01',
      type: 'Check-up',
      duration_minutes: 20,
      kind: 'completed',
      provider_id: 'doc1',
    },
  )
  const place = { patient_id: 'pat1', appointment_id: 'enc1', provider_id: 'doc1', branch_id: 'org1' }
  const treatments = await rowsOf(
    clinic,
    sql`select t.id, c.name, t.price_minor, effective_date,
      t.patient_id, t.appointment_id, t.provider_id, t.branch_id
    from treatment t join catalog_treatment c on c.clinic_id = t.clinic_id and c.id = t.catalog_treatment_id
    where t.clinic_id = ${clinic.clinic_id} order by t.id`,
  )
  const effective_date = '2020-01-01'
  assert.deepEqual(treatments, [
    { id: 'claim1-1', name: 'Check-up', price_minor: 12_500, effective_date, ...place },
    { id: 'claim1-3', name: 'Vaccine', price_minor: 14_052, effective_date, ...place },
    { id: 'proc1', name: 'Sample procedure', price_minor: 50_010, effective_date, ...place },
  ])
  assert.deepEqual(await one(sql`select id, patient_id, amount_minor, currency, is_refund, description from payment`), {
    id: 'eob1',
    patient_id: 'pat1',
    amount_minor: 11_242,
    currency: 'USD',
    is_refund: false,
    description: 'Insurance: Sample Insurance',
  })
})

test('a second run changes nothing, even when the resources come in other files', async () => {
  const { clinic } = await imported(...everything)
  const files = Object.fromEntries(everything.map((one, i) => [`deep/${i}/${one.id}.json`, bundle(one, patient)]))
  const report = await importing(clinic, await folderWith(files))
  assert.equal(report.files, everything.length)
  for (const [type, { inserted, updated, unchanged }] of Object.entries(report.resources)) {
    assert.deepEqual([inserted, updated], [0, 0], type)
    assert.ok(unchanged > 0, type)
  }
})

test('a reference is followed into any other file, by address or by identifier', async () => {
  const clinic = await newClinic()
  const visit = {
    ...encounter,
    subject: { reference: 'Patient/pat1/_history/2' },
    participant: [{ individual: { reference: 'Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|160' } }],
    serviceProvider: { reference: 'https://example.org/fhir/Organization/as-sent' },
  }
  const renamed = {
    resourceType: 'Bundle',
    type: 'collection',
    entry: [{ fullUrl: 'https://example.org/fhir/Organization/as-sent', resource: organization }],
  }
  await importing(
    clinic,
    await folderWith({
      '1.json': bundle(visit),
      '2.json': bundle(patient, practitioner),
      '3.json': JSON.stringify(renamed),
    }),
  )
  assert.deepEqual(
    await rowsOf(
      clinic,
      sql`select patient_id, branch_id, p.provider_id
      from appointment a join appointment_provider p on p.clinic_id = a.clinic_id and p.appointment_id = a.id
      where a.clinic_id = ${clinic.clinic_id}`,
    ),
    [{ patient_id: 'pat1', branch_id: 'org1', provider_id: 'doc1' }],
  )
})

test('a missing reference leaves a gap, and a record of an unknown patient is left out with the reason', async () => {
  const { clinic, report } = await imported(
    patient,
    encounter,
    { ...encounter, id: 'enc2', subject: urn('nobody') },
    { ...procedure, encounter: urn('nowhere') },
    { ...benefit, patient: undefined },
  )
  assert.deepEqual(
    await rowsOf(
      clinic,
      sql`select id, branch_id, (select count(*)::int from appointment_provider p where p.clinic_id = a.clinic_id)
      as providers from appointment a where a.clinic_id = ${clinic.clinic_id}`,
    ),
    [{ id: 'enc1', branch_id: null, providers: 0 }],
  )
  assert.deepEqual(await rowsOf(clinic, sql`select appointment_id, provider_id from treatment`), [
    { appointment_id: null, provider_id: null },
  ])
  assert.deepEqual(report.resources.Encounter?.skipped, { 'is of a patient who is not known': 1 })
  assert.deepEqual(report.resources.ExplanationOfBenefit?.skipped, { 'is of a patient who is not known': 1 })
})

test('what did not happen becomes no record, and nothing is recorded later than the import', async () => {
  const { clinic, report } = await imported(
    { ...organization, id: 'payer', type: [{ coding: [{ code: 'ins' }] }] },
    { ...patient, meta: { lastUpdated: '2030-01-01T00:00:00Z' } },
    { ...procedure, status: 'not-done' },
    { ...claim, use: 'preauthorization' },
    { ...benefit, id: 'draft', status: 'draft' },
    { ...benefit, id: 'error', outcome: 'error' },
    { ...benefit, id: 'none', payment: { amount: usd(0) } },
  )
  const skipped = Object.values(report.resources).map((tally) => tally.skipped)
  assert.deepEqual(Object.assign({}, ...skipped), {
    'is no place of care': 1,
    'is not completed': 1,
    'is an estimate, not a claim': 1,
    'is not active': 1,
    'has no outcome': 1,
    'nothing was paid': 1,
  })
  for (const table of ['branch', 'treatment', 'payment'])
    assert.deepEqual(await rowsOf(clinic, sql`select id from ${sql.identifier(table)}`), [], table)
  const late = sql`select id from patient where clinic_id = ${clinic.clinic_id} and created_at > '2026-07-15T08:00:00Z'`
  assert.deepEqual(await rowsOf(clinic, late), [])
})

test('an estimate charges nothing, is no price of its procedure, and no payment', async () => {
  for (const use of ['preauthorization', 'predetermination']) {
    const { clinic, report } = await imported({ ...benefit, use }, { ...claim, use }, procedure, encounter, patient)
    const treatments = await rowsOf(clinic, sql`select id, price_minor from treatment`)
    assert.deepEqual(treatments, [{ id: 'proc1', price_minor: null }], use)
    assert.deepEqual(await rowsOf(clinic, sql`select id from payment`), [], use)
    for (const type of ['Claim', 'ExplanationOfBenefit'] as const)
      assert.deepEqual(report.resources[type]?.skipped, { 'is an estimate, not a claim': 1 }, `${type} ${use}`)
  }
})

test('amounts are rounded to the decimals of the clinic’s currency', async () => {
  for (const [currency, amount, stored] of [
    ['KWD', 1.2345, { amount_minor: 123, amount_thousandths: 1_235 }],
    ['KWD', 0.004, { amount_minor: 0, amount_thousandths: 4 }],
    ['JPY', 99.5, { amount_minor: 10_000, amount_thousandths: null }],
  ] as const) {
    const clinic = await newClinic(currency)
    const paid = { ...benefit, payment: { amount: { value: amount, currency } } }
    await importing(clinic, await folderWith({ 'a.json': bundle(patient, paid) }))
    assert.deepEqual(await rowsOf(clinic, sql`select amount_minor, amount_thousandths from payment`), [stored])
  }
})

test('amounts are rounded half up by their digits, and another currency is never read as the clinic’s', async () => {
  const amounts = [112.41600000000001, 1.005, 4.35, 0.004, 1e21, 100]
  const { clinic, report } = await imported(
    patient,
    ...amounts.map((value, i) => ({ ...benefit, id: `eob${i}`, payment: { amount: usd(value) } })),
    { ...benefit, id: 'euro', payment: { amount: { value: 5, currency: 'EUR' } } },
    { ...benefit, id: 'text', payment: { amount: { value: '5', currency: 'USD' } } },
    { ...benefit, id: 'none', payment: { amount: usd(0) } },
  )
  const stored = await rowsOf(clinic, sql`select amount_minor from payment order by id`)
  assert.deepEqual(
    stored.map(({ amount_minor }) => amount_minor),
    [11_242, 101, 435, 10_000],
  )
  assert.deepEqual(report.resources.ExplanationOfBenefit?.skipped, {
    'nothing was paid': 2,
    'has an amount out of range': 1,
    "is in another currency than the clinic's (USD)": 1,
    'has an amount that is not a number': 1,
  })
})

test('the clinic’s changes of an imported status, type or treatment stay when the import runs again', async () => {
  const { clinic } = await imported(...everything)
  const { clinic_id } = clinic
  await app.write(clinic, async (tx) => {
    await tx.query(sql`update appointment_status set name = 'Done' where clinic_id = ${clinic_id}`)
    await tx.query(sql`update appointment_type set duration_minutes = 40 where clinic_id = ${clinic_id}`)
    await tx.query(sql`update catalog_treatment set price_minor = 1 where clinic_id = ${clinic_id}`)
  })
  await importing(clinic, await folderWith({ 'a.json': bundle(...everything) }))
  assert.deepEqual(
    await rowsOf(
      clinic,
      sql`select s.name, t.duration_minutes, max(c.price_minor) as price
    from appointment_status s join appointment_type t on t.clinic_id = s.clinic_id
    join catalog_treatment c on c.clinic_id = s.clinic_id where s.clinic_id = ${clinic_id} group by 1, 2`,
    ),
    [{ name: 'Done', duration_minutes: 40, price: 1 }],
  )
})

test('each encounter status has its kind, and a cancelled one takes no time', async () => {
  const statuses = ['planned', 'arrived', 'in-progress', 'finished', 'cancelled']
  const { clinic } = await imported(
    patient,
    practitioner,
    ...statuses.map((status, i) => ({ ...encounter, id: `enc${i}`, status })),
  )
  const rows = await rowsOf(
    clinic,
    sql`select s.kind, p.busy from appointment a
    join appointment_status s on s.clinic_id = a.clinic_id and s.id = a.status_id
    join appointment_provider p on p.clinic_id = a.clinic_id and p.appointment_id = a.id
    where a.clinic_id = ${clinic.clinic_id} order by a.id`,
  )
  assert.deepEqual(
    rows.map(({ kind, busy }) => `${kind} ${busy}`),
    ['booked true', 'arrived true', 'arrived true', 'completed true', 'cancelled false'],
  )
})

test('the import reports its progress without naming files', async () => {
  const clinic = await newClinic()
  const path = await folderWith({ 'a.json': bundle(patient), 'b.json': bundle(encounter) })
  const reports: unknown[] = []
  await importFhir({ database: app, clinic, path, onProgress: (progress) => reports.push(progress) })
  assert.deepEqual(reports.at(0), { step: 'reading', files: 1, of: 2 })
  assert.deepEqual(reports.at(-1), { step: 'importing', files: 6, of: 6 })
})

test('more resources of a kind than one batch are all stored, each once', async () => {
  const many = Array.from({ length: 501 }, (_, i) => ({ ...patient, id: `pat${i}` }))
  const { clinic, report } = await imported(...many)
  assert.deepEqual(report.resources.Patient, { read: 501, inserted: 501, updated: 0, unchanged: 0, skipped: {} })
  const [row] = await rowsOf(clinic, sql`select count(*)::int as patients from patient`)
  assert.deepEqual(row, { patients: 501 })
})
