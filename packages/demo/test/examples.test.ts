// The demo clinic holds what the documentation's examples name.
import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import test from 'node:test'
import { createClinic } from '@clinic-data/administration/clinics'
import { exampleIds, type IdKind } from '@clinic-data/contract/operation'
import { signingKeys } from '@clinic-data/contract/secret-keys'
import { sql } from '@clinic-data/database'
import { PatientRecord, storePatients } from '@clinic-data/records/patients'
import { complete } from '@clinic-data/records/storing/complete-record'
import { ownDatabase } from '@clinic-data/testing/run/test-database'
import { DEMO_CLINIC, ensureDemoClinic } from '../src/demo-clinic.ts'
import { EXAMPLE_PICTURE_MESSAGE } from '../src/examples/story.ts'
import { EXAMPLE_SUBSCRIPTIONS } from '../src/examples/subscriptions.ts'

// A demo has the statistics of all tables taken, which is more work where other tests' rows are.
const { owner, app } = await ownDatabase()
const webhookKeys = signingKeys([{ id: 'a', key: createSecretKey(randomBytes(32)) }], 'webhook-secret')

/** The table of each kind. A delivery's id passes with time, so no example names one. */
const tables: Readonly<Record<Exclude<IdKind, 'delivery'>, string>> = {
  patient: 'patient',
  appointment: 'appointment',
  treatment: 'treatment',
  payment: 'payment',
  call: 'call',
  conversation: 'chat_conversation',
  message: 'chat_message',
  branch: 'branch',
  provider: 'provider',
  status: 'appointment_status',
  lead: 'lead',
  webhook: 'subscription',
}

async function madeAt(now: Date) {
  const clinic = { ...DEMO_CLINIC, clinic_id: `demo-${randomBytes(6).toString('hex')}` }
  const start = (at: Date) => ensureDemoClinic({ owner, database: app, clinic, patients: 45, now: at, webhookKeys })
  await start(now)
  const idsOf = async (table: string) => {
    const rows = await app.read<{ id: string }>(clinic, sql`select id from ${sql.identifier(table)} order by id`)
    return rows.map(({ id }) => id)
  }
  return { clinic, start, idsOf }
}

/** For the tests that find it as they leave it. */
const madeInJuly = await madeAt(new Date('2026-07-15T08:20:30.123Z'))

test('whatever the day of the first start, every id of an example is one of the demo', async () => {
  // On the Tuesday before the last of these days the visit's provider was on holiday.
  for (const now of [null, '2026-11-21T23:30:00Z', '2026-11-04T12:00:00Z']) {
    const { clinic, idsOf } = now === null ? madeInJuly : await madeAt(new Date(now))
    for (const [kind, table] of Object.entries(tables)) {
      assert.ok((await idsOf(table)).includes(exampleIds[kind as IdKind]), `${now}: ${kind}`)
    }
    assert.ok((await idsOf('chat_message')).includes(EXAMPLE_PICTURE_MESSAGE))
    assert.deepEqual(await idsOf('subscription'), [...EXAMPLE_SUBSCRIPTIONS])
    assert.deepEqual(await app.read(clinic, sql`select type from event`), [{ type: 'appointment.created' }])
    const phone = sql`select patient_id from patient_contact where value_normal = '+972501234567' order by 1`
    assert.deepEqual(await app.read(clinic, phone), [{ patient_id: exampleIds.patient }])
  }
})

test('a deleted subscription is there again after the next start, and nothing is told twice', async () => {
  const { clinic, start, idsOf } = madeInJuly
  const { clinic_id } = clinic
  await app.write(clinic, (tx) =>
    tx.query(sql`delete from subscription where clinic_id = ${clinic_id} and id = 'wh32'`),
  )
  await start(new Date('2026-07-15T09:00:00Z'))
  assert.deepEqual(await idsOf('subscription'), [...EXAMPLE_SUBSCRIPTIONS])
  assert.equal((await idsOf('event')).length, 1)
})

test('a demo of an earlier version, whose branches have other ids, stays as it is', async () => {
  const at = '2026-07-15T08:20:30.123Z'
  const now = new Date(at)
  const clinic = { ...DEMO_CLINIC, clinic_id: `demo-${randomBytes(6).toString('hex')}` }
  await createClinic(owner, { ...clinic, name: 'Demo', ai_transcription: true, now })
  await app.write(clinic, (tx) =>
    storePatients(tx, clinic, [
      complete(PatientRecord, { id: exampleIds.patient, contacts: [], created_at: at, updated_at: at }),
    ]),
  )
  assert.equal(await ensureDemoClinic({ owner, database: app, clinic, now, webhookKeys }), 'present')
  assert.deepEqual(await app.read(clinic, sql`select id from subscription`), [])
})
