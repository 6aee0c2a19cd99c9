// Every list, walked page by page while rows come and go: permanent rows are shown once, even without a time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic, Handlers } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask, type Input, walk } from '@clinic-data/testing/grounds/ask'
import { insert, insertAppointment, insertPatient, type Row } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date('2026-07-12T06:30:00Z'), log: failingLog })

const PHONES = ['+972501234567', '+972521111111']
const STAYING = 30

interface List {
  id: keyof Handlers
  input: Input
  table: string
  /** The id of a row begins with the prefix. */
  prefix?: string
  put: (clinic: Clinic, id: string, n: number) => Promise<void>
}

/** Times that several rows share, and for each fifth row none. */
const time = (n: number) => (n % 5 === 0 ? null : `2026-07-0${1 + (n % 3)}T08:00:00Z`)
const put =
  (table: string, row: (n: number) => Row) =>
  (clinic: Clinic, id: string, n: number): Promise<void> =>
    insert(owner, clinic, table, { id, ...row(n) })
const since = { updated_since: '2020-01-01T00:00:00Z' }
const ofPatient = { params: { id: 'p1' } }
const phone = (n: number) => ({ patient_phone: PHONES[n % 2] ?? null, patient_phone_local: '05' })

const patients = (clinic: Clinic, id: string, n: number) =>
  insertPatient(owner, clinic, { id, first_name: `Le${n % 3}`, last_name: 'Levi' })
const appointments = (clinic: Clinic, id: string, n: number) =>
  insertAppointment(owner, clinic, { id, patient_id: 'p1', start: time(n) }, ['r1'])
const treatments = put('treatment', (n) => ({ patient_id: 'p1', performed_at: time(n) }))
const payments = put('payment', (n) => ({ patient_id: 'p1', paid_at: time(n) }))
const calls = put('call', (n) => ({ started_at: time(n), ...phone(n) }))
const conversations = put('chat_conversation', (n) => ({
  last_activity_at: time(n),
  patient_phone: `+9725${n}`,
  patient_phone_local: '05',
}))
const messages = put('chat_message', (n) => ({ created_at: `2026-07-0${1 + (n % 3)}T08:00:00Z`, ...phone(n) }))
const leads = put('lead', (n) => ({
  created_at: `2026-07-0${1 + (n % 3)}T08:00:00Z`,
  phone_normal: PHONES[n % 2] ?? null,
}))
const templates = put('chat_template', (n) => ({ name: `name${n % 4}`, language: `l${n}` }))

const lists: List[] = [
  { id: 'patients.list', input: {}, table: 'patient', put: patients },
  { id: 'patients.list', input: { query: since }, table: 'patient', put: patients },
  { id: 'patients.list', input: { query: { query: 'le' } }, table: 'patient', put: patients },
  { id: 'patients.list', input: { query: { query: 'levi le' } }, table: 'patient', put: patients },
  { id: 'patients.list', input: { query: { has_future_appointment: false } }, table: 'patient', put: patients },
  {
    id: 'patients.list',
    input: { query: { query: 'le', last_visit_before: '2026-07-01' } },
    table: 'patient',
    put: patients,
  },
  { id: 'appointments.list', input: { query: { patient_id: 'p1' } }, table: 'appointment', put: appointments },
  { id: 'appointments.list', input: { query: { provider_id: 'r1' } }, table: 'appointment', put: appointments },
  { id: 'patients.appointments.list', input: { ...ofPatient, query: since }, table: 'appointment', put: appointments },
  { id: 'treatments.list', input: ofPatient, table: 'treatment', put: treatments },
  { id: 'treatments.list', input: { ...ofPatient, query: since }, table: 'treatment', put: treatments },
  { id: 'payments.search', input: {}, table: 'payment', put: payments },
  { id: 'payments.search', input: { query: since }, table: 'payment', put: payments },
  { id: 'payments.list', input: ofPatient, table: 'payment', put: payments },
  { id: 'payments.list', input: { ...ofPatient, query: since }, table: 'payment', put: payments },
  { id: 'calls.list', input: {}, table: 'call', put: calls },
  { id: 'calls.list', input: { query: since }, table: 'call', put: calls },
  { id: 'patients.calls.list', input: ofPatient, table: 'call', put: calls },
  { id: 'leads.list', input: {}, table: 'lead', put: leads },
  { id: 'leads.list', input: { query: { has_been_contacted: false } }, table: 'lead', put: leads },
  { id: 'chat.conversations.list', input: {}, table: 'chat_conversation', put: conversations },
  { id: 'chat.messages.list', input: {}, table: 'chat_message', prefix: 'in_', put: messages },
  { id: 'patients.chat_messages.list', input: ofPatient, table: 'chat_message', prefix: 'in_', put: messages },
  { id: 'chat.templates.list', input: {}, table: 'chat_template', put: templates },
]

for (const { id, input, table, prefix = 'row', put } of lists) {
  test(`${id} ${JSON.stringify(input.query ?? {})} shows each lasting row once, while others are added and removed`, async () => {
    const clinic = await testClinic(owner)
    await insert(owner, clinic, 'provider', { id: 'r1' })
    await insertPatient(owner, clinic, { id: 'p1' }, PHONES)
    // Rows with even numbers stay. Rows with odd numbers are added between the pages, and removed some pages later.
    const staying = Array.from({ length: STAYING }, (_, n) => `${prefix}${1000 + 2 * n}`)
    for (const [n, row] of staying.entries()) await put(clinic, row, n)
    let come = 0
    const rows = await walk(backend, clinic, id, { ...input, limit: 4 }, async () => {
      for (let n = 0; n < 2; n++, come++) await put(clinic, `${prefix}${1001 + 2 * ((come * 7) % 40)}`, STAYING + come)
      const gone = `${prefix}${1001 + 2 * (((come - 6) * 7) % 40)}`
      await owner.query(
        sql`delete from ${sql.identifier(table)} where clinic_id = ${clinic.clinic_id} and id = ${gone}`,
      )
    })
    const shown = rows.map((row) => row.id)
    assert.deepEqual(shown.filter((row) => staying.includes(row)).sort(), staying)
    assert.equal(new Set(shown).size, shown.length)
  })
}

test('a page that is full with the last row is the last one, and a shorter one ends before it', async () => {
  const clinic = await testClinic(owner)
  for (let n = 0; n < 4; n++) await insertAppointment(owner, clinic, { id: `a${n}`, start: time(n + 1) })
  const isLast = async (limit: number) => (await ask(backend, clinic, 'appointments.list', { limit })).next === null
  assert.deepEqual([await isLast(3), await isLast(4), await isLast(5)], [false, true, true])
})
