// The intake in a separate thread: it stores and refuses like in the caller's own thread, and does not block requests.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { IngestPrincipal } from '@clinic-data/administration/credentials/ingest-tokens'
import type { Clinic, Problem } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { problem } from '@clinic-data/testing/grounds/ask'
import { eventsOf, tokenOf } from '@clinic-data/testing/grounds/ingest'
import { insert } from '@clinic-data/testing/grounds/rows'
import { asApplication } from '@clinic-data/testing/run/application'
import { sized } from '@clinic-data/testing/run/size'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import type { Asking } from '../src/intake/admission.ts'
import { IntakeThread } from '../src/intake/intake-thread.ts'
import { INGEST_BODY_BYTES } from '../src/intake/runs.ts'

const { owner, ownerUrl } = await testDatabase()
const database = asApplication(ownerUrl)
const due: string[] = []
const thread = new IntakeThread({ database, log: failingLog, onDeliveriesDue: (clinic_id) => due.push(clinic_id) })
after(() => thread.close())

const RECEIVER = {
  url: 'https://receiver.example',
  secret: new Uint8Array(8),
  secret_last_characters: 'abcd',
  created_at: '2026-01-01T08:00:00Z',
}

/** The long run takes the largest bodies. */
const PART = sized({ everyday: 20, long: 1 })

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))

function patients(count: number, contacts = 0): object[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `p${i}`,
    first_name: 'Noa',
    last_name: 'Levi',
    contacts: Array.from({ length: contacts }, (_, at) => ({
      type: 'email',
      value: `${at}.${'x'.repeat(200)}@clinic.example`,
      is_primary: false,
    })),
  }))
}

/** The most expensive kind of body: an object of names. A million are the maximum of values. */
function manyNames(): Buffer {
  const member = (n: number) => `"${n.toString(36).padStart(6, '0')}":0`
  const count = 1_000_000 / PART - 1
  return Buffer.from(`{${Array.from({ length: count }, (_, n) => member(n)).join(',')}}`)
}

async function newPrincipal(): Promise<IngestPrincipal> {
  const clinic = await testClinic(owner)
  return { token_id: (await tokenOf(owner, clinic)).id, clinic }
}

function asking(operation: string, principal: IngestPrincipal): Asking {
  return { operation, principal, request_id: 'req_1', address: '192.0.2.1', startedAt: process.hrtime.bigint() }
}

async function storedCount({ clinic_id }: Clinic): Promise<number | undefined> {
  const { rows } = await owner.query<{ count: number }>(sql`
    select count(*)::int as count from patient where clinic_id = ${clinic_id}`)
  return rows[0]?.count
}

test('a batch is stored with its events, and one record and a batch are answered in their own forms', async () => {
  const principal = await newPrincipal()
  const { clinic } = principal
  await insert(owner, clinic, 'subscription', { id: 'w', event_types: [], ...RECEIVER })
  const batch = await thread.take(asking('patients.store', principal), bytes({ records: patients(3) }))
  assert.deepEqual(batch.ids, ['p0', 'p1', 'p2'])
  const one = await thread.take(asking('patients.store', principal), bytes(patients(1)[0]))
  assert.deepEqual(one.data, { id: 'p0', outcome: 'unchanged' })
  assert.equal((await eventsOf(owner, clinic)).length, 3)
  assert.deepEqual(due, [clinic.clinic_id])
})

test('a refusal returns complete from the thread: status, texts, places', async () => {
  const principal = await newPrincipal()
  const refused = async (body: unknown) => {
    const error = await thread.take(asking('appointments.store', principal), bytes(body)).then(
      () => assert.fail(),
      (thrown: Problem) => thrown,
    )
    return [error.status, error.members.errors?.map((fault) => 'pointer' in fault && fault.pointer)]
  }
  const appointment = { id: 'a', patient_id: 'nobody', start: '2026-07-12T09:00:00Z' }
  assert.deepEqual(await refused({ records: [appointment, { ...appointment, id: 'b' }] }), [
    422,
    ['#/records/0/patient_id', '#/records/1/patient_id'],
  ])
  assert.deepEqual(await refused({ records: [{ ...appointment, id: 1 }] }), [400, ['#/records/0/id']])
})

test('a large body, stored or refused, does not block requests', async (context) => {
  const principal = await newPrincipal()
  const { clinic } = principal
  await thread.take(asking('patients.store', principal), bytes(patients(1)[0]))
  const bodies = { stored: bytes({ records: patients(1_000 / PART, 48) }), refused: manyNames() }
  for (const [name, body] of Object.entries(bodies)) {
    const largest = INGEST_BODY_BYTES / PART
    assert.ok(body.length > largest / 2 && body.length <= largest, `${name}: ${body.length}`)
    const [here, everywhere] = [process.threadCpuUsage(), process.cpuUsage()]
    await thread.take(asking('patients.store', principal), body).catch(problem('invalid-request'))
    const ms = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
    const [own, all] = [ms(process.threadCpuUsage(here)), ms(process.cpuUsage(everywhere))]
    context.diagnostic(`${name}: ${own.toFixed()} ms of this thread, ${all.toFixed()} ms of all`)
    assert.ok(own < all / 3, `${name}: ${own} ms of ${all} blocked requests`)
  }
  assert.equal(await storedCount(clinic), 1_000 / PART)
})

test('a thread that is prepared and closed at once ends', async () => {
  const prepared = new IntakeThread({ database, log: failingLog, onDeliveriesDue: () => undefined })
  prepared.prepare()
  await prepared.close()
})

test('closing waits for running work, and a thread that has ended is restarted', async () => {
  const principal = await newPrincipal()
  const stored = thread.take(asking('patients.store', principal), bytes({ records: patients(100) }))
  await thread.close()
  assert.equal((await stored).ids.length, 100)
  const { data } = await thread.take(asking('patients.store', principal), bytes(patients(1)[0]))
  assert.deepEqual(data, { id: 'p0', outcome: 'unchanged' })
})
