// The questions that an owner asks of the clinic's patients: the filters of the public list under the console's login, with their audit rows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBackend } from '@clinic-data/backend'
import { PATIENTS_PAGE } from '@clinic-data/console-contract/patient-questions'
import { ask } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, ownDatabase } from '@clinic-data/testing/run/test-database'
import { audited, openConsole, send } from './console-ground.ts'
import { faultOf, inRole, type SignedPerson } from './people-ground.ts'

const { owner, app, openForConsole } = await ownDatabase()
const opened = await openConsole(await openForConsole())
const backend = createBackend({ database: app, now: opened.clock.now, log: failingLog })

const DAY_MS = 86_400_000
const dayOf = (days: number) => new Date(opened.clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10)
/** The same day in the clinic's zone. */
const daysAgo = (days: number) => `${dayOf(days)}T09:00:00Z`

interface Stored {
  id: string
  name: string
  birth_date?: string
  owes?: number
  visit?: number
  paid?: number
  isAhead?: boolean
}

async function store({ clinic }: SignedPerson, { id, name, birth_date, owes, visit, paid, isAhead }: Stored) {
  const [first_name = '', last_name = ''] = name.split(' ')
  await insertPatient(owner, clinic, { id, first_name, last_name, birth_date: birth_date ?? null }, [`+97250222${id}`])
  if (owes !== undefined) await insert(owner, clinic, 'treatment', { id, patient_id: id, price_minor: owes * 100 })
  if (visit !== undefined) await insert(owner, clinic, 'appointment', { id, patient_id: id, start: daysAgo(visit) })
  if (isAhead) await insert(owner, clinic, 'appointment', { id: `${id}a`, patient_id: id, start: daysAgo(-9) })
  if (paid !== undefined)
    await insert(owner, clinic, 'payment', { id, patient_id: id, amount_minor: 100, paid_at: daysAgo(paid) })
}

async function askingClinic(): Promise<SignedPerson> {
  const noa = await inRole(opened, owner, 'owner')
  const stored: Stored[] = [
    { id: '1001', name: 'Dana Cohen', birth_date: '1990-03-02', owes: 500, visit: 200, paid: 150 },
    { id: '1002', name: 'דנה כהן', birth_date: '1985-12-30', owes: 90, visit: 10, isAhead: true },
    { id: '1003', name: 'Noa Levi', birth_date: '2001-01-02', visit: 400, paid: 20 },
    { id: '1004', name: 'Gil Amar' },
  ]
  for (const one of stored) await store(noa, one)
  return noa
}

const list = (one: SignedPerson, body: object) => send(opened, '/patients/list', { cookie: one.cookie, body })

async function found(one: SignedPerson, body: object): Promise<string[]> {
  const { status, json, payload } = await list(one, body)
  assert.equal(status, 200, payload)
  return json.data.map(({ id }: { id: string }) => id)
}

test('each question finds whom the public list finds by the same filter, alone and together with a name', async () => {
  const noa = await askingClinic()
  const questions = [
    { owes_more_than: 0 },
    { owes_more_than: 100.5 },
    { last_visit_before: dayOf(100) },
    { last_visit_after: dayOf(30) },
    { last_payment_before: dayOf(100) },
    { birthday_from: '12-28', birthday_to: '01-03' },
    { has_future_appointment: false },
    { has_future_appointment: false, owes_more_than: 0, last_payment_before: dayOf(100) },
  ]
  for (const question of questions) {
    const { data } = await ask(backend, noa.clinic, 'patients.list', { query: question })
    assert.ok(data.length > 0)
    assert.deepEqual(
      await found(noa, question),
      data.map(({ id }) => id),
    )
  }
  assert.deepEqual(await found(noa, { words: 'Cohen' }), ['1001', '1002'])
  assert.deepEqual(await found(noa, { words: 'כהן', owes_more_than: 100 }), ['1001'])
  assert.deepEqual(await found(noa, { words: '050-222-1003' }), ['1003'])
  assert.deepEqual(await found(noa, { words: 'Cohen', last_visit_before: dayOf(500) }), [])
})

test('a row shows what the questions ask about, and nothing else of the patient', async () => {
  const noa = await askingClinic()
  const { json } = await list(noa, { owes_more_than: 100 })
  assert.deepEqual(json.data, [
    {
      id: '1001',
      first_name: 'Dana',
      last_name: 'Cohen',
      phone: null,
      birth_date: '1990-03-02',
      last_visit_on: dayOf(200),
      last_payment_on: dayOf(150),
      balance: 499,
    },
  ])
  const { json: ahead } = await list(noa, { last_visit_after: dayOf(30) })
  assert.deepEqual([ahead.data[0].id, ahead.data[0].last_visit_on], ['1002', dayOf(10)])
  const { json: never } = await list(noa, { words: 'Gil' })
  assert.deepEqual([never.data[0].last_visit_on, never.data[0].last_payment_on, never.data[0].balance], [null, null, 0])
})

test('pages follow one another, by id and by name, and the row of each names the patients that it showed', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const ids = Array.from({ length: PATIENTS_PAGE + 3 }, (_, n) => `${2000 + n}`)
  for (const id of ids) await store(noa, { id, name: 'Tal Peretz' })
  for (const question of [{ has_future_appointment: false }, { words: 'peretz' }]) {
    const { json: first } = await list(noa, question)
    const { json: second } = await list(noa, { ...question, after: first.meta.after })
    const pages = [first, second].map(({ data }) => data.map(({ id }: { id: string }) => id))
    assert.deepEqual(pages, [ids.slice(0, PATIENTS_PAGE), ids.slice(PATIENTS_PAGE)])
    assert.equal(second.meta.after, null)
    const rows = (await audited(owner, noa.clinic)).filter(({ operation }) => operation === 'console.patients.list')
    assert.deepEqual(
      rows.slice(-2).map(({ patient_ids }) => patient_ids),
      pages,
    )
  }
})

test('all faults of a question are told at once, and what is asked stands in no address', async () => {
  const noa = await inRole(opened, owner, 'owner')
  const faulty = {
    words: '!?',
    owes_more_than: -1,
    last_visit_before: '2026-02-30',
    birthday_from: '02-30',
    has_future_appointment: 'no',
    phone: '050',
  }
  const [status, ...faults] = faultOf(await list(noa, faulty))
  assert.equal(status, 400)
  assert.deepEqual(
    faults.map((fault) => String(fault).split(' ')[0]).sort(),
    Object.keys(faulty)
      .map((name) => `#/${name}`)
      .sort(),
  )
  const asked = await send(opened, '/patients/list?words=Cohen', { cookie: noa.cookie, body: {} })
  assert.equal(asked.status, 400)
})

test('nobody but an owner asks, and another clinic’s patients are never found', async () => {
  const noa = await askingClinic()
  for (const role of ['administrator', 'developer', 'auditor', 'member'] as const) {
    const other = await inRole(opened, owner, role, noa.clinic)
    assert.equal((await list(other, { owes_more_than: 0 })).status, 403)
  }
  assert.deepEqual(await found(await inRole(opened, owner, 'owner'), { words: 'Cohen' }), [])
})
