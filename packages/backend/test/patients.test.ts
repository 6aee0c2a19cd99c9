// Patients: the concise and detailed forms, the searches by phone, email and name, and paging in each of the orders.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { ask, problem, walk } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date('2026-07-12T06:30:00Z'), log: failingLog })

const found = async (clinic: Clinic, query: object) => {
  const { data } = await ask(backend, clinic, 'patients.list', { query: { ...query } })
  return data.map(({ id }) => id)
}

const NOA = {
  id: 'p1',
  first_name: 'Noa',
  last_name: 'Levi',
  phone: '050-123-4567',
  email: 'noa@example.com',
  gender: 'female',
  birth_date: '1988-03-14',
  created_at: '2026-01-01T08:00:00.040Z',
  updated_at: '2026-07-12T06:30:00.123Z',
}

test('a patient is answered with status and times, and unknown fields are null', async () => {
  const clinic = await testClinic(owner)
  await insert(owner, clinic, 'patient_status', { id: 'active', name: 'Active', color: null })
  await insertPatient(owner, clinic, { ...NOA, status_id: 'active' })
  await insertPatient(owner, clinic, { id: 'p2' })
  const { data } = await ask(backend, clinic, 'patients.get', { params: { id: 'p1' } })
  assert.deepEqual(data, {
    ...NOA,
    status: { id: 'active', name: 'Active', color: null },
    created_at: '2026-01-01T10:00:00.040+02:00',
    updated_at: '2026-07-12T09:30:00.123+03:00',
  })
  const unknown = (await ask(backend, clinic, 'patients.get', { params: { id: 'p2' } })).data
  const { first_name, last_name, phone, email, gender, birth_date, status } = unknown
  assert.deepEqual(new Set([first_name, last_name, phone, email, gender, birth_date, status]), new Set([null]))
})

test('the detailed form adds address, contacts in order, balance and id number', async () => {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { ...NOA, city: 'Haifa', id_number: '000000018' }, ['+972501234567'])
  const email = { position: 1, type: 'email', value: 'n@example.com', value_normal: 'n@example.com', label: 'work' }
  await insert(owner, clinic, 'patient_contact', { patient_id: 'p1', ...email })
  const treatment = { patient_id: 'p1', price_minor: 35_010 }
  await insert(owner, clinic, 'treatment', { id: 't1', discount_minor: 5, removed_at: null, ...treatment })
  await insert(owner, clinic, 'treatment', { id: 't2', removed_at: '2026-01-02T00:00:00Z', ...treatment })
  const payment = { patient_id: 'p1', amount_minor: 10_004, is_refund: false, status: 'recorded', currency: 'ILS' }
  await insert(owner, clinic, 'payment', { id: 'y1', ...payment })
  await insert(owner, clinic, 'payment', { id: 'y2', ...payment, status: 'cancelled' })
  await insert(owner, clinic, 'payment', { id: 'y3', ...payment, currency: 'EUR' })
  await insert(owner, clinic, 'payment', { id: 'y4', ...payment, is_refund: true, amount_minor: 2_000 })
  await insertPatient(owner, clinic, { id: 'p2' })

  const query = { response_format: 'detailed' }
  const { data } = await ask(backend, clinic, 'patients.list', { query })
  const [noa, other] = data as unknown as Record<string, unknown>[]
  assert.deepEqual(noa?.address, { street: null, city: 'Haifa', postal_code: null, country: null })
  assert.deepEqual(noa?.contacts, [
    { type: 'phone', value: '+972501234567', label: null, is_primary: true },
    { type: 'email', value: 'n@example.com', label: 'work', is_primary: false },
  ])
  assert.deepEqual(noa?.balance, { amount: 270.01, currency: 'ILS' })
  assert.equal(noa?.id_number, '000000018')
  assert.deepEqual(
    [other?.address, other?.contacts, other?.balance, other?.id_number],
    [...[null, [], { amount: 0, currency: 'ILS' }, null]],
  )
  const one = await ask(backend, clinic, 'patients.get', { params: { id: 'p1' }, query })
  assert.deepEqual(one.data, noa)
})

test('a phone in any form finds everyone who has it, and an email in any case', async () => {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1' }, ['+972501234567', '+97248123456'])
  await insertPatient(owner, clinic, { id: 'p2' }, ['+972521111111', '+972501234567'])
  await insertPatient(owner, clinic, { id: 'p3' }, ['+12015550123'])
  const email = { position: 9, type: 'email', value: 'N.L@Example.com', value_normal: 'n.l@example.com' }
  await insert(owner, clinic, 'patient_contact', { patient_id: 'p3', ...email })
  for (const phone of ['0501234567', '050-123 4567', '+972501234567', ' 972501234567', '972-50-1234567']) {
    assert.deepEqual(await found(clinic, { phone }), ['p1', 'p2'], phone)
  }
  assert.deepEqual(await found(clinic, { phone: '04-8123456' }), ['p1'])
  assert.deepEqual(await found(clinic, { phone: '+1 (201) 555-0123' }), ['p3'])
  assert.deepEqual(await found(clinic, { phone: '0509999999' }), [])
  assert.deepEqual(await found(clinic, { email: 'N.L@EXAMPLE.com' }), ['p3'])
  assert.deepEqual(await found(clinic, { email: 'n.l@example.co' }), [])
  assert.deepEqual(await found(clinic, { email: 'n.l@example.com', phone: '0501234567' }), [])
  await assert.rejects(found(clinic, { phone: '12' }), problem('invalid-request', /country code/))
})

const PEOPLE: [id: string, first_name: string | null, last_name: string | null][] = [
  ['david', 'David', 'Ben-Levi'],
  ['noa', 'נֹעָה', 'בן־דוד'],
  ['zoe', 'Zoë', 'Strauß'],
  ['ohara', "Maureen O'Hara", 'Łukasz'],
  ['tzvika', 'צביקה', 'צ׳רנר'],
  ['levi', 'Levi', 'Levi'],
  ['single', null, 'Levinson'],
  ['nameless', null, null],
]

test('each word begins a part of the name, in any order, and case, accents, points and hyphens do not matter', async () => {
  const clinic = await testClinic(owner)
  for (const [id, first_name, last_name] of PEOPLE) await insertPatient(owner, clinic, { id, first_name, last_name })
  const searches: [query: string, ids: string[]][] = [
    ['levi d', ['david']],
    ['DAVID levi', ['david']],
    ['ben lev dav', ['david']],
    ['d b l', ['david']],
    ['levi', ['david', 'levi', 'single']],
    ['levi levi', ['david', 'levi', 'single']],
    ['l', ['david', 'levi', 'ohara', 'single']],
    ['נעה', ['noa']],
    ['דוד בן נ', ['noa']],
    ['בן-דו', ['noa']],
    ['בן-דוד', ['noa', 'david']],
    ['zoe strauss', ['zoe']],
    ['STRAUẞ', ['zoe']],
    ['ohara', ['ohara']],
    ['o’hara luk', ['ohara']],
    ['צרנר', ['tzvika']],
    ["צ'ר צבי", ['tzvika']],
    ['evi', []],
    ['levi x', []],
    ['%', []],
    ['levi_', []],
  ]
  for (const [query, ids] of searches) {
    assert.deepEqual((await found(clinic, { query })).sort(), [...ids].sort(), query)
    const since = { query, updated_since: '2020-01-01T00:00:00Z' }
    assert.deepEqual((await found(clinic, since)).sort(), [...ids].sort(), `${query}, since`)
  }
  await assert.rejects(found(clinic, { query: " -' " }), problem('invalid-request', /beginning of a part/))
})

test('a third word of a search begins a part of the name, like the first two', async () => {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'david', first_name: 'David', last_name: 'Ben-Levi' })
  assert.deepEqual(await found(clinic, { query: 'david ben lev' }), ['david'])
  assert.deepEqual(await found(clinic, { query: 'david ben x' }), [])
  assert.deepEqual(await found(clinic, { query: 'david ben ev' }), [])
})

test('a name, a phone and an email narrow one another', async () => {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' }, [
    '+972501234567',
    '+972501234567',
  ])
  await insertPatient(owner, clinic, { id: 'p2', first_name: 'Tal', last_name: 'Levi' }, ['+972501234567'])
  await insertPatient(owner, clinic, { id: 'p3', first_name: 'Noa', last_name: 'Levi' })
  const email = { position: 9, type: 'email', value: 'noa@example.com', value_normal: 'noa@example.com' }
  for (const patient_id of ['p1', 'p3']) await insert(owner, clinic, 'patient_contact', { patient_id, ...email })
  const phone = '0501234567'
  assert.deepEqual(await found(clinic, { query: 'levi', phone }), ['p1', 'p2'])
  assert.deepEqual(await found(clinic, { query: 'levi n', phone }), ['p1'])
  assert.deepEqual(await found(clinic, { query: 'noa', email: 'noa@example.com' }), ['p1', 'p3'])
  assert.deepEqual(await found(clinic, { query: 'noa', email: 'noa@example.com', phone }), ['p1'])
  assert.deepEqual(await found(clinic, { query: 'tal', email: 'noa@example.com', phone }), [])
  const walked = await walk(backend, clinic, 'patients.list', { query: { query: 'le', phone }, limit: 1 })
  assert.deepEqual(
    walked.map(({ id }) => id),
    ['p1', 'p2'],
  )
})

test('a name search returns the order of names, each patient once, page after page', async () => {
  const clinic = await testClinic(owner)
  for (let n = 0; n < 30; n++) {
    const last_name = ['Levi', 'Levin', 'Levi Levitan'][n % 3] ?? ''
    await insertPatient(owner, clinic, { id: `p${n}`, first_name: `Le${n % 4}`, last_name })
  }
  const counts = { le: 30, levi: 30, 'le levit': 10, 'le levit levi': 10, 'levi le1': 8 }
  for (const [query, count] of Object.entries(counts)) {
    const all = await walk(backend, clinic, 'patients.list', { query: { query }, limit: 4 })
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
    assert.equal(all.length, count)
    assert.deepEqual(all, (await ask(backend, clinic, 'patients.list', { query: { query }, limit: 100 })).data)
  }
})

test('a word longer than a key holds is compared whole', async () => {
  const clinic = await testClinic(owner)
  const long = 'a'.repeat(70)
  await insertPatient(owner, clinic, { id: 'p1', first_name: long, last_name: 'Levi' })
  await insertPatient(owner, clinic, { id: 'p2', first_name: `${long}b`, last_name: 'Levi' })
  assert.deepEqual(await found(clinic, { query: `${long}b` }), ['p2'])
  assert.deepEqual(await found(clinic, { query: `levi ${long}` }), ['p1', 'p2'])
  assert.deepEqual(await found(clinic, { query: `${long}c` }), [])
})

test('patients come by id, and by change under updated_since', async () => {
  const clinic = await testClinic(owner)
  for (const [n, id] of ['b', 'a', 'Z', 'ä', '10', '9'].entries()) {
    await insertPatient(owner, clinic, { id, updated_at: `2026-07-0${(n % 3) + 1}T08:00:00.000Z` })
  }
  const byId = ['10', '9', 'Z', 'a', 'b', 'ä']
  assert.deepEqual(await found(clinic, {}), byId)
  for (const limit of [1, 2, 5, 6, 7]) {
    const rows = await walk(backend, clinic, 'patients.list', { limit })
    assert.deepEqual(
      rows.map(({ id }) => id),
      byId,
    )
  }
  assert.deepEqual(await found(clinic, { updated_since: '2026-07-02T08:00:00.000Z' }), ['10', 'a', '9', 'Z'])
})

test('a patient of another clinic with the same id is another patient', async () => {
  const [one, other] = [await testClinic(owner), await testClinic(owner)]
  await insertPatient(owner, one, { id: 'p1', first_name: 'Noa' }, ['+972501234567'])
  await insertPatient(owner, other, { id: 'p1', first_name: 'Tal' }, ['+972501234567'])
  await insertPatient(owner, other, { id: 'p2', first_name: 'Noa' }, ['+972501234567'])
  assert.equal((await ask(backend, one, 'patients.get', { params: { id: 'p1' } })).data.first_name, 'Noa')
  const foreign = ask(backend, one, 'patients.get', { params: { id: 'p2' } })
  await assert.rejects(foreign, problem('not-found', /No patient has the id p2/))
  assert.deepEqual(await found(one, { phone: '0501234567' }), ['p1'])
  assert.deepEqual(await found(one, { query: 'noa' }), ['p1'])
})
