// Importing FHIR R4: what becomes of each resource, what happens to what is broken or missing, and that a second run changes nothing.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test, { after } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { testClinic, testDatabase } from '../../backend/test/test-database.ts'
import { importFhir } from '../src/fhir.ts'
import type { ImportReport } from '../src/import-report.ts'

const { owner, app } = await testDatabase()
const NOW = new Date('2026-07-15T08:00:00Z')
const folders: string[] = []
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

type Resource = { resourceType: string; id: string } & Record<string, unknown>

const urn = (id: string) => ({ reference: `urn:uuid:${id}` })

function bundle(...resources: Resource[]): string {
  const entry = resources.map((resource) => ({
    fullUrl: `urn:uuid:${resource.id}`,
    resource,
    request: { method: 'POST', url: resource.resourceType },
  }))
  return JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry })
}

async function folderWith(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clinic-data-fhir-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return folder
}

const importing = (clinic: Clinic, path: string) => importFhir({ database: app, clinic, path, now: () => NOW })
/** A statement of several tables names the clinic of each: a distributed database joins nothing else. */
const rowsOf = (clinic: Clinic, statement: Statement) => app.read(clinic, statement)
const newClinic = () => testClinic(owner, { time_zone: 'America/New_York', country: 'US', currency: 'USD' })

async function imported(...resources: Resource[]): Promise<{ clinic: Clinic; report: ImportReport }> {
  const clinic = await newClinic()
  return { clinic, report: await importing(clinic, await folderWith({ 'a.json': bundle(...resources) })) }
}

const usd = (value: number) => ({ value, currency: 'USD' })
const concept = (code: string, display: string) => ({ coding: [{ system: 'http://snomed.info/sct', code, display }] })

const organization: Resource = {
  resourceType: 'Organization',
  id: 'org1',
  name: 'Sample Clinic North',
  telecom: [{ system: 'phone', value: '9785550100' }],
  address: [{ line: ['1 Sample Street', 'Floor 2'], city: 'Samplefield', postalCode: '01970', country: 'US' }],
}
const practitioner: Resource = {
  resourceType: 'Practitioner',
  id: 'doc1',
  identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '160' }],
  name: [{ family: 'Specimen', given: ['Sally'], prefix: ['Dr.'] }],
}
const patient: Resource = {
  resourceType: 'Patient',
  id: 'pat1',
  identifier: [
    { system: 'https://example.org/files', value: 'pat1' },
    { type: { coding: [{ code: 'MR' }] }, value: 'MR-7' },
    { system: 'http://hl7.org/fhir/sid/us-ssn', value: '999-00-0001' },
  ],
  name: [
    { use: 'maiden', family: 'Formerly', given: ['Testa'] },
    { use: 'official', family: 'Ünlike', given: ['Testa', 'Q.'] },
  ],
  telecom: [
    { system: 'phone', value: '555-010-0002', use: 'work', rank: 2 },
    { system: 'phone', value: '555-010-0001', use: 'home', rank: 1 },
    { system: 'fax', value: '555-010-0009' },
    { system: 'email', value: 'testa@example.com' },
  ],
  gender: 'female',
  birthDate: '1980-02-29',
  address: [{ line: ['2 Sample Street'], city: 'Samplefield', postalCode: '01970', country: 'US' }],
}
const encounter: Resource = {
  resourceType: 'Encounter',
  id: 'enc1',
  status: 'finished',
  type: [concept('185349003', 'Check-up')],
  subject: urn('pat1'),
  participant: [{ individual: urn('doc1') }],
  period: { start: '2020-01-02T03:30:00+00:00', end: '2020-01-02T03:52:00+00:00' },
  serviceProvider: urn('org1'),
}
const procedure: Resource = {
  resourceType: 'Procedure',
  id: 'proc1',
  status: 'completed',
  code: concept('73761001', 'Sample procedure'),
  subject: urn('pat1'),
  encounter: urn('enc1'),
  performedPeriod: { start: '2020-01-02T03:35:00+00:00', end: '2020-01-02T03:45:00+00:00' },
}
const claim: Resource = {
  resourceType: 'Claim',
  id: 'claim1',
  status: 'active',
  use: 'claim',
  patient: urn('pat1'),
  billablePeriod: { start: '2020-01-02T03:30:00+00:00' },
  created: '2020-01-02T03:52:00+00:00',
  procedure: [{ sequence: 1, procedureReference: urn('proc1') }],
  item: [
    { sequence: 1, productOrService: concept('185349003', 'Check-up'), encounter: [urn('enc1')] },
    { sequence: 2, procedureSequence: [1], productOrService: concept('73761001', 'Sample procedure'), net: usd(500.1) },
    { sequence: 3, informationSequence: [1], productOrService: concept('140', 'Vaccine'), net: usd(140.52) },
  ],
  total: usd(765.62),
}
const benefit: Resource = {
  resourceType: 'ExplanationOfBenefit',
  id: 'eob1',
  status: 'active',
  outcome: 'complete',
  patient: urn('pat1'),
  created: '2020-01-03T10:00:00+00:00',
  insurer: { display: 'Sample Insurance' },
  payment: { amount: usd(112.41600000000001) },
}
// In no useful order: what names stands before what is named.
const everything = [benefit, claim, procedure, encounter, patient, practitioner, organization]

test('each resource becomes the record that the clinic knows it as', async () => {
  const { clinic, report } = await imported(...everything)
  assert.deepEqual(report.failed, [])
  for (const [type, tally] of Object.entries(report.resources)) assert.deepEqual(tally.skipped, {}, type)
  const one = async (statement: Statement) => (await rowsOf(clinic, statement))[0]
  assert.deepEqual(await one(sql`select id, name, phone, street, city, postal_code, country from branch`), {
    ...{ id: 'org1', name: 'Sample Clinic North', phone: '9785550100', street: '1 Sample Street, Floor 2' },
    ...{ city: 'Samplefield', postal_code: '01970', country: 'US' },
  })
  assert.deepEqual(await one(sql`select id, name from provider`), { id: 'doc1', name: 'Dr. Sally Specimen' })
  assert.deepEqual(
    await one(sql`select first_name, last_name, phone, email, gender, birth_date, id_number, street from patient`),
    {
      ...{ first_name: 'Testa Q.', last_name: 'Ünlike', phone: '555-010-0001', email: 'testa@example.com' },
      ...{ gender: 'female', birth_date: '1980-02-29', id_number: '999-00-0001', street: '2 Sample Street' },
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
      ...{ id: 'enc1', patient_id: 'pat1', branch_id: 'org1', type_id: '185349003', status_id: 'finished' },
      ...{ start: '2020-01-01 22:30:00-05', start_date: '2020-01-01', type: 'Check-up', duration_minutes: 20 },
      ...{ kind: 'completed', provider_id: 'doc1' },
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
    ...{ id: 'eob1', patient_id: 'pat1', amount_minor: 11_242, currency: 'USD', is_refund: false },
    description: 'Insurance: Sample Insurance',
  })
})

test('a second run changes nothing, not even when it is told in other files', async () => {
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

test('what is missing leaves a gap, and what belongs to an unknown patient is left out with the reason', async () => {
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

test('a broken file is named with its fault and its place, nothing of it is imported, and the others go on', async () => {
  const clinic = await newClinic()
  const whole = bundle({ ...patient, id: 'lost' })
  const folder = await folderWith({
    'a-cut.json': whole.slice(0, -20),
    'b-comma.json': whole.replace('"id":"lost"', '"id":"lost",,').replace('"entry":[', '"entry":[\n\n'),
    'c-patient.json': JSON.stringify(patient),
    'd-list.json': '[]',
    'e-bytes.json': Buffer.concat([
      Buffer.from(whole.slice(0, 140)),
      Buffer.from([0xff]),
      Buffer.from(whole.slice(140)),
    ]),
    'f-history.json': JSON.stringify({ resourceType: 'Bundle', type: 'history', entry: [] }),
    'g-good.json': bundle(patient),
    'h-none.txt': 'not looked at',
  })
  const report = await importing(clinic, folder)
  const faults = report.failed.map(({ path, fault }) => `${path.slice(folder.length + 1)}: ${fault}`)
  assert.deepEqual(faults, [
    'a-cut.json: ends in the middle of the entry that begins at byte 56, line 1',
    'b-comma.json: has an entry that is not JSON: it begins at byte 58, line 3',
    'c-patient.json: is not a FHIR bundle',
    'd-list.json: is not a FHIR bundle',
    'e-bytes.json: has an entry that is not UTF-8: it begins at byte 56, line 1',
    'f-history.json: is a bundle of none of the types transaction, batch, collection, searchset',
  ])
  assert.equal(report.files, 7)
  assert.deepEqual(await rowsOf(clinic, sql`select id from patient`), [{ id: 'pat1' }])
})

test('a bundle in which nothing is does not pass for one that was imported', async () => {
  const clinic = await newClinic()
  const empty = (entry?: unknown) => JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry })
  const folder = await folderWith({
    'a-missing.json': empty(),
    'b-object.json': empty({ resource: patient }),
    'c-null.json': empty(null),
    'd-none.json': empty([]),
  })
  const report = await importing(clinic, folder)
  assert.deepEqual(
    report.failed.map(({ path, fault }) => `${path.slice(folder.length + 1)}: ${fault}`),
    [
      'a-missing.json: holds no entries: nothing was in it',
      'b-object.json: has an entry that is not a list of objects: nothing was read',
      'c-null.json: has an entry that is not a list of objects: nothing was read',
      'd-none.json: holds no entries: nothing was in it',
    ],
  )
  assert.deepEqual(report.resources, {})
})

test('a pipe, which could be read once, is refused without waiting for what comes through it', {
  skip: process.platform === 'win32',
}, async () => {
  const folder = await folderWith({})
  const path = join(folder, 'pipe.json')
  execFileSync('mkfifo', [path])
  for (const given of [path, folder, '/dev/zero']) {
    const { failed } = await importing(await newClinic(), given)
    assert.deepEqual(
      failed.map(({ fault }) => fault),
      ['is not a regular file'],
    )
  }
})

test('nothing at the path is an error', async () => {
  const clinic = await newClinic()
  const folder = await folderWith({ 'a.txt': '' })
  await assert.rejects(importing(clinic, join(folder, 'missing')), /there is no file or folder/)
  await assert.rejects(importing(clinic, folder), /there is no \*\.json file/)
})

test('amounts are rounded half up by their digits, and another currency is never taken for the clinic’s', async () => {
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

test('one resource that is malformed or out of bounds is left out with the reason, and the others are stored', async () => {
  const { clinic, report } = await imported(
    { ...patient, id: 'long', name: [{ family: 'x'.repeat(121) }] },
    { ...patient, id: 'shape', name: 'not a list' },
    { ...patient, id: 'nul', name: [{ family: 'a\u0000b' }] },
    { ...patient, id: 'x'.repeat(129) },
    { ...patient, id: 'year', birthDate: '1980' },
    patient,
    { ...encounter, id: 'wrong', status: 'entered-in-error' },
    { ...encounter, id: 'backwards', period: { start: '2020-01-02T00:00:00Z', end: '2020-01-01T00:00:00Z' } },
    { ...encounter, id: 'vague', period: { start: '2020' }, status: 'unknown' },
  )
  assert.deepEqual(await rowsOf(clinic, sql`select id, birth_date from patient order by id`), [
    { id: 'pat1', birth_date: '1980-02-29' },
    { id: 'year', birth_date: null },
  ])
  assert.deepEqual(report.resources.Patient?.skipped, {
    'last_name must have at most 120 characters': 1,
    'is not formed as FHIR R4 says': 1,
    'last_name must not hold the NUL character': 1,
    'id must have at most 128 characters': 1,
  })
  assert.deepEqual(report.resources.Encounter?.skipped, {
    'was entered in error': 1,
    'end must not be before start': 1,
  })
  assert.deepEqual(await rowsOf(clinic, sql`select id, start, status_id from appointment`), [
    { id: 'vague', start: null, status_id: null },
  ])
})

/** The same with one value inside replaced, for every place that there is. */
function* spoilt(value: unknown, by: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const put = (changed: unknown) =>
      Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed }
    if (key !== 'resourceType') yield put(by)
    for (const inner of spoilt((value as Record<string, unknown>)[key], by)) yield put(inner)
  }
}

test('whatever stands where something else should be, the import goes on', async () => {
  const values = [null, 5, 'text', [], {}, [null], true, '__proto__']
  const variants = values.flatMap((by) =>
    everything.flatMap((one) =>
      [...spoilt(one, by)].map((variant, i) => {
        const { id } = variant as Resource
        return { ...(variant as Resource), id: id === one.id ? `${one.id}-${i}-${JSON.stringify(by)}` : id }
      }),
    ),
  )
  const odd = [null, 5, 'text', [], {}].map((resource) => ({ resource, fullUrl: 7, request: 'GET' }))
  const clinic = await newClinic()
  const path = await folderWith({
    'a.json': bundle(...everything),
    'b.json': bundle(...variants),
    'c.json': JSON.stringify({ resourceType: 'Bundle', type: 'batch', entry: odd }),
  })
  const report = await importing(clinic, path)
  assert.deepEqual(report.failed, [])
  for (const [type, { read, inserted, updated, unchanged, skipped }] of Object.entries(report.resources)) {
    const left = Object.values(skipped).reduce((sum, times) => sum + times, 0)
    // A claim may be several rows.
    if (type !== 'Claim') assert.equal(inserted + updated + unchanged + left, read, type)
    assert.ok(!Object.keys(skipped).some((reason) => reason.startsWith('was refused by the database')), type)
  }
  const [row] = await rowsOf(clinic, sql`select count(*)::int as patients from patient`)
  assert.ok(Number(row?.patients) > 100)
})

test('what the clinic has made of an imported status, type or treatment stays when the import runs again', async () => {
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

test('the import tells of its progress without naming files', async () => {
  const clinic = await newClinic()
  const path = await folderWith({ 'a.json': bundle(patient), 'b.json': bundle(encounter) })
  const told: unknown[] = []
  await importFhir({ database: app, clinic, path, onProgress: (progress) => told.push(progress) })
  assert.deepEqual(told.at(0), { step: 'reading', files: 1, of: 2 })
  assert.deepEqual(told.at(-1), { step: 'importing', files: 6, of: 6 })
})

const SYNTHEA = join(import.meta.dirname, '../../../../shared/data/synthea-fhir-r4')
const absent = existsSync(SYNTHEA) ? false : `there are no Synthea bundles at ${SYNTHEA}`

test('bundles of Synthea are imported whole, to the cent, and only once', { skip: absent }, async () => {
  const clinic = await newClinic()
  const first = await importing(clinic, SYNTHEA)
  assert.deepEqual(first.failed, [])
  const reasons = Object.values(first.resources).flatMap(({ skipped }) => Object.keys(skipped))
  assert.deepEqual([...new Set(reasons)].sort(), ['is of a type that is not imported', 'nothing was paid'])
  type Entry = { resource: { resourceType: string; total?: { value: number } } }
  const entries = globSync(join(SYNTHEA, '*.json')).flatMap(
    (path) => (JSON.parse(readFileSync(path, 'utf8')) as { entry: Entry[] }).entry,
  )
  const claims = entries.filter(({ resource }) => resource.resourceType === 'Claim')
  const charged = claims.reduce((sum, { resource }) => sum + Math.round((resource.total?.value ?? 0) * 100), 0)
  const [row] = await rowsOf(clinic, sql`select sum(price_minor)::int as charged from treatment`)
  assert.equal(row?.charged, charged)
  const second = await importing(clinic, SYNTHEA)
  for (const { inserted, updated } of Object.values(second.resources)) assert.deepEqual([inserted, updated], [0, 0])
})
