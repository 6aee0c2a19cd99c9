// After an erasure the clinic's own systems still have the data and send it again: none of it comes back, and they are told.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { erasePatient } from '@clinic-data/backend/patient-erase/erase-patient'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { ingestOf } from '@clinic-data/testing/grounds/ingest'
import { insert } from '@clinic-data/testing/grounds/rows'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { operator } from '@clinic-data/testing/shared/operator'

const database = await testDatabase()
const { owner, ownerUrl } = database
const folder = await mkdtemp(join(tmpdir(), 'erase-sources-'))
after(() => rm(folder, { recursive: true }))

const PHONE = '050-123-4567'
const patient = { id: 'p1', first_name: 'Noa', last_name: 'Levi', phone: PHONE }
const other = { id: 'p2', first_name: 'Dan', phone: '052-000-0000' }
const call = {
  id: 'c1',
  direction: 'inbound',
  status: 'answered',
  from_phone: PHONE,
  to_phone: '04-812-3456',
  started_at: '2026-07-12T09:20:00+03:00',
  duration_seconds: 120,
  ring_seconds: 8,
  is_recorded: true,
  note: 'Noa asked',
}
const message = { platform_message_id: 'wamid.1', from_phone: PHONE, text: 'Noa here' }
const appointment = { id: 'a1', patient_id: 'p1', start: '2026-07-12T09:20:00+03:00', note: 'for Noa' }
const payment = { id: 'y1', patient_id: 'p1', amount: 10, currency: 'ILS', method_type: 'cash', description: 'by Noa' }

const environment = { DATABASE_URL: ownerUrl, SECRET_KEYS: newSecretKeys() }

async function erasedClinic() {
  const { clinic, send } = await filledClinic()
  await erase(clinic)
  return { clinic, send }
}

async function erase(clinic: Clinic) {
  const parts = { now: () => new Date(), withDoubtful: false, beside: () => undefined }
  assert.notEqual(await erasePatient(owner, clinic, 'p1', parts), null)
}

async function filledClinic() {
  const clinic = await testClinic(owner)
  await owner.query(
    sql`update clinic set ai_transcription = true, messaging_phone = '+97248123456' where clinic_id = ${clinic.clinic_id}`,
  )
  await insert(owner, clinic, 'file', { id: 'wav' })
  const send = await ingestOf(database, clinic)
  for (const [path, body] of SENT) {
    const { status, json } = await send(path, body)
    assert.equal(status, 200, JSON.stringify(json))
  }
  return { clinic, send }
}

const SENT = [
  ['/patients', patient],
  ['/calls', call],
  ['/chat/messages', message],
  ['/appointments', appointment],
  ['/payments', payment],
] as const

/** All that the clinic has, but its log. */
async function held({ clinic_id }: Clinic): Promise<string> {
  const texts: string[] = []
  for (const table of [
    'patient',
    'patient_contact',
    'patient_name',
    'call',
    'chat_conversation',
    'chat_message',
    'appointment',
    'treatment_plan',
    'payment',
    'event',
    'lead',
  ]) {
    const { rows } = await owner.query<{ row: string }>(
      sql`select to_jsonb(t)::text as row from ${sql.identifier(table)} t where clinic_id = ${clinic_id}`,
    )
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

const TRACE = /Noa|Levi|501234567|50-123/

test('what the clinic’s systems send again of an erased patient is not stored, and the answer says so', async () => {
  const { clinic, send } = await erasedClinic()
  assert.doesNotMatch(await held(clinic), TRACE)
  const outcomes = async (path: string, body: object) => (await send(path, body)).json.data
  assert.deepEqual(await outcomes('/patients', { records: [patient, other] }), [
    { id: 'p1', outcome: 'erased' },
    { id: 'p2', outcome: 'created' },
  ])
  assert.equal((await outcomes('/calls', { ...call, note: 'Noa once more' })).outcome, 'erased')
  assert.equal((await outcomes('/calls/notes', { id: 'c1', note: 'Noa' })).outcome, 'erased')
  assert.equal(
    (await outcomes('/calls/recordings', { id: 'c1', file_id: 'wav', duration_seconds: 3 })).outcome,
    'erased',
  )
  const transcript = { id: 'c1', status: 'completed', language: 'en', summary: 'Noa', segments: [] }
  assert.equal((await outcomes('/calls/transcripts', transcript)).outcome, 'erased')
  assert.equal((await outcomes('/chat/messages', message)).outcome, 'erased')
  assert.doesNotMatch(await held(clinic), TRACE)
})

test('appointments and payments of an erased patient are still stored, without free text', async () => {
  const { clinic, send } = await erasedClinic()
  const moved = await send('/appointments', { ...appointment, start: '2026-07-13T09:20:00+03:00' })
  assert.equal(moved.json.data.outcome, 'updated')
  assert.equal((await send('/payments', { ...payment, id: 'y2' })).json.data.outcome, 'created')
  assert.doesNotMatch(await held(clinic), TRACE)
})

test('what names its erased patient no longer is still theirs, and is stored without free text', async () => {
  const { clinic, send } = await filledClinic()
  assert.equal((await send('/refunds', { id: 'r1', refunded_payment_id: 'y1', amount: 4 })).status, 200)
  await erase(clinic)
  const unnamed = { patient_id: null, external_id: 'Noa-1' }
  const { status, json } = await send('/payments', { ...payment, ...unnamed })
  assert.equal(status, 200, JSON.stringify(json))
  assert.equal((await send('/appointments', { ...appointment, patient_id: null })).status, 200)
  assert.doesNotMatch(await held(clinic), TRACE)
  const { rows } = await owner.query(sql`select id, patient_id from payment where clinic_id = ${clinic.clinic_id}
    union all select id, patient_id from appointment where clinic_id = ${clinic.clinic_id} order by id`)
  assert.deepEqual(
    rows,
    ['a1', 'r1', 'y1'].map((id) => ({ id, patient_id: 'p1' })),
  )
})

test('an import of files leaves out what was erased, stores no text of the patient, and knows its payments', async () => {
  const { clinic, send } = await filledClinic()
  await send('/calls/recordings', { id: 'c1', file_id: 'wav', duration_seconds: 3 })
  await send('/payments', { ...payment, external_id: 'Noa-1' })
  await erase(clinic)
  const files = {
    'patients.csv': 'id,first_name,phone\np1,Noa,050-123-4567\n',
    'treatment_plans.csv': 'id,name\nplan1,For Noa\n',
    'treatments.csv': 'id,patient_id,plan_id,quantity,discount\nt1,p1,plan1,1,0\n',
    'payments.csv':
      'id,patient_id,amount,currency,method_type,is_refund,status,description,external_id\ny1,p1,10,ILS,cash,false,recorded,by Noa,Noa-1\n',
    'calls.csv': `id,direction,status,from_phone,to_phone,duration_seconds,ring_seconds,is_recorded,recording_file_id
c1,inbound,answered,${PHONE},048123456,120,8,true,wav\n`,
  }
  const run = async (all: Record<string, string>) => {
    for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text)
    return operator.run(['import', 'csv', folder, '--clinic', clinic.clinic_id], environment)
  }
  for (const _ of ['once', 'again']) {
    const { code, out, errors } = await run(files)
    assert.equal(code, 0, errors + out)
    assert.match(out, /skipped 1 .*: erased in this clinic, so not stored again/)
    assert.doesNotMatch(await held(clinic), TRACE)
  }
  const other = await run({ 'payments.csv': files['payments.csv'].replace('y1,p1', 'y2,') })
  assert.match(other.out + other.errors, /external_id.*is that of another payment/)
})

test('calls, chats and leads of a former phone or e-mail go along once it is among the contacts, and the look before says that they stay otherwise', async () => {
  const { clinic, send } = await filledClinic()
  const moved = { ...patient, phone: '050-765-4321' }
  await send('/patients', moved)
  const email = 'levi@old.example'
  const lead = { id: 'l1', first_name: 'Noa', email, email_folded: email, source: 'website', status: 'new' }
  await insert(owner, clinic, 'lead', { ...lead, created_at: call.started_at, updated_at: call.started_at })
  const clinicd = (...more: string[]) =>
    operator.run(['patients', 'erase', 'p1', '--clinic', clinic.clinic_id, ...more], environment)
  const before = await clinicd()
  assert.doesNotMatch(before.out, /\b1 (call|lead)\b/)
  assert.match(
    before.out,
    /Would stay, uncounted: calls, chats and leads of a phone or e-mail that the patient no longer has\./,
  )
  const contacts = [moved.phone, PHONE, email].map((value, at) => {
    return { type: value === email ? 'email' : 'phone', value, is_primary: at === 0 }
  })
  await send('/patients', { ...moved, contacts })
  const { code, out, errors } = await clinicd('--yes')
  assert.equal(code, 0, errors)
  assert.match(out, /\b1 call\b.*\b1 lead\b/)
  assert.doesNotMatch(await held(clinic), TRACE)
})
