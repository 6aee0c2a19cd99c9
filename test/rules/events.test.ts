// The specification's event table: each type is fired by its change, through a public operation or the ingest API. The event's data
// equals REST's answer at that moment, byte for byte. The only exceptions are named here.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { namedIn } from '@clinic-data/audit/stored-ids'
import { allScopes, type EventType, eventTypes } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { eventsOf, ingestOf, type StoredEvent } from '@clinic-data/testing/grounds/ingest'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { ask, emptyClinic, keyOf, startService } from '@clinic-data/testing/run/test-service'

const service = await startService()
const { owner, database } = service
const clinic = await emptyClinic(owner)
const key = await keyOf(owner, clinic, allScopes)
const send = await ingestOf({ owner, app: database }, clinic)

before(async () => {
  await owner.query(sql`update clinic set ai_transcription = true where clinic_id = ${clinic.clinic_id}`)
  await insertPatient(owner, clinic, { id: 'p', first_name: 'Noa', last_name: 'לוי' }, ['+972501234567'])
  await insert(owner, clinic, 'branch', { id: 'b' })
  await insert(owner, clinic, 'provider', { id: 'r' })
  await insert(owner, clinic, 'billing_account', { id: 'main' })
  await insert(owner, clinic, 'catalog_treatment', { id: 'cleaning' })
  await insert(owner, clinic, 'appointment_status', { id: 'booked', kind: 'booked' }, { id: 'gone', kind: 'cancelled' })
  await insert(owner, clinic, 'file', { id: 'wav' }, { id: 'wav2' })
})
after(() => service.close())

const appointment = (id: string) => ({ id, patient_id: 'p', branch_id: 'b', status_id: 'booked', provider_ids: ['r'] })
const treatment = (id: string) => ({
  id,
  patient_id: 'p',
  catalog_treatment_id: 'cleaning',
  quantity: 1,
  price: 90.5,
  discount: 0,
})
const call = (id: string) => ({
  id,
  direction: 'inbound',
  status: 'answered',
  from_phone: '050-123-4567',
  to_phone: '04-812-3456',
  duration_seconds: 60,
  ring_seconds: 5,
  is_recorded: true,
})
const segments = [{ speaker: 'agent', start_seconds: 0, end_seconds: 2.5, text: 'שלום "Noa"' }]
const fromStaff = (id: string) => ({
  platform_message_id: id,
  to_phone: '0501234567',
  type: 'text',
  text: 'Until Tuesday',
})

interface Happening {
  /** The requests and their addresses. The last one fires the event. */
  steps: readonly (readonly [path: string, record: object])[]
  /** REST's address of the resource. The id is from the last answer, unless it is given. */
  path: (id: string) => string
  /** The differences between the event's data and REST's answer right after it. */
  exception?: (event: StoredEvent, rest: { status: number; text: string; previous: string }) => void
}

const appointments = (id: string) => `/v1/appointments/${id}`
const treatments = (id: string) => `/v1/treatments/${id}`
const payments = (id: string) => `/v1/payments/${id}`
const calls = (id: string) => `/v1/calls/${id}`
const messages = (id: string) => `/v1/chat/messages/${id}`

/** One for each row of the specification's table. A new type needs an entry here to compile. */
const happenings: Record<Exclude<EventType, 'payment.recorded'>, Happening> = {
  'appointment.created': { steps: [['/appointments', appointment('a1')]], path: appointments },
  'appointment.updated': {
    steps: [
      ['/appointments', appointment('a2')],
      ['/appointments', { ...appointment('a2'), start: '2026-07-12T09:30:00+03:00' }],
    ],
    path: appointments,
  },
  'appointment.cancelled': {
    steps: [
      ['/appointments', appointment('a3')],
      ['/appointments/cancel', { id: 'a3' }],
    ],
    path: appointments,
  },
  'patient.created': {
    steps: [['/patients', { id: 'p1', first_name: 'Zoë "Z"' }]],
    path: (id) => `/v1/patients/${id}`,
  },
  'patient.updated': {
    steps: [
      ['/patients', { id: 'p2', first_name: 'Dan' }],
      ['/patients', { id: 'p2', first_name: 'Dan', id_number: '123456782' }],
    ],
    path: (id) => `/v1/patients/${id}`,
  },
  'treatment.created': { steps: [['/treatments', treatment('t1')]], path: treatments },
  'treatment.updated': {
    steps: [
      ['/treatments', treatment('t2')],
      ['/treatments', { ...treatment('t2'), price: 100 }],
    ],
    path: treatments,
  },
  'treatment.cancelled': {
    steps: [
      ['/treatments', treatment('t3')],
      ['/treatments/remove', { id: 't3' }],
    ],
    path: treatments,
    // GET answers 404: the data is the last state, with the time of the removal.
    exception: ({ data }, { status, previous }) => {
      assert.equal(status, 404)
      const { updated_at: removed, ...last } = JSON.parse(data)
      const { updated_at: before, ...state } = JSON.parse(previous)
      assert.deepEqual(last, state)
      assert.ok(Date.parse(removed) > Date.parse(before))
    },
  },
  'payment.cancelled': {
    steps: [
      [
        '/payments',
        {
          id: 'y1',
          patient_id: 'p',
          amount: 90,
          currency: 'ILS',
          method_type: 'cash',
          is_refund: false,
          status: 'recorded',
        },
      ],
      ['/refunds', { id: 'y1-back', refunded_payment_id: 'y1', amount: 40.5 }],
    ],
    // The refunded payment shows the refund.
    path: () => payments('y1'),
  },
  'call.completed': { steps: [['/calls', call('c1')]], path: calls },
  'call.updated': {
    steps: [
      ['/calls', call('c2')],
      ['/calls/notes', { id: 'c2', note: 'לחזור אליה' }],
    ],
    path: calls,
  },
  'call.recording.available': {
    steps: [
      ['/calls', call('c3')],
      ['/calls/recordings', { id: 'c3', file_id: 'wav', duration_seconds: 60 }],
    ],
    path: calls,
  },
  'call.transcript.completed': {
    steps: [
      ['/calls', call('c4')],
      ['/calls/recordings', { id: 'c4', file_id: 'wav2', duration_seconds: 60 }],
      ['/calls/transcripts', { id: 'c4', status: 'completed', language: 'he', summary: 'A greeting.', segments }],
    ],
    path: calls,
  },
  'call.transcript.failed': {
    steps: [
      ['/calls', { ...call('c5'), is_recorded: false }],
      ['/calls/transcripts', { id: 'c5', status: 'failed' }],
    ],
    path: calls,
  },
  'chat.message.received': {
    steps: [['/chat/messages', { platform_message_id: 'm1', from_phone: '050-1234567', type: 'text', text: 'היי 👋' }]],
    path: messages,
  },
  'chat.message.sent': { steps: [['/chat/staff-messages', fromStaff('m2')]], path: messages },
  'chat.message.delivered': {
    steps: [
      ['/chat/staff-messages', fromStaff('m3')],
      ['/chat/receipts', { platform_message_id: 'm3', status: 'delivered' }],
    ],
    path: messages,
  },
  'chat.message.read': {
    steps: [
      ['/chat/staff-messages', fromStaff('m4')],
      ['/chat/receipts', { platform_message_id: 'm4', status: 'delivered' }],
      ['/chat/receipts', { platform_message_id: 'm4', status: 'read' }],
    ],
    path: messages,
  },
  'chat.message.failed': {
    steps: [
      ['/chat/staff-messages', fromStaff('m5')],
      ['/chat/receipts', { platform_message_id: 'm5', status: 'failed', reason: 'Undeliverable' }],
    ],
    path: messages,
    // The reason is null in the event and read a moment later, with an `updated_at` one millisecond later.
    exception: ({ data }, { status, text }) => {
      assert.equal(status, 200)
      const resource = JSON.parse(data)
      const { failure_reason, updated_at, ...rest } = JSON.parse(text).data
      assert.deepEqual([resource.failure_reason, failure_reason], [null, 'Undeliverable'])
      assert.equal(Date.parse(updated_at) - Date.parse(resource.updated_at), 1)
      assert.equal(
        data,
        JSON.stringify({ ...JSON.parse(text).data, failure_reason: null, updated_at: resource.updated_at }),
      )
      assert.deepEqual(rest.status, 'failed')
    },
  },
}

async function lastEvent(): Promise<StoredEvent> {
  return (await eventsOf(owner, clinic)).at(-1) ?? assert.fail('no event was fired')
}

/** The text between `{"data":` and `}` of an answer. */
function dataOf(text: string): string {
  return text.slice('{"data":'.length, -1)
}

/** The patients that the latest audit row names. */
async function auditedPatients(): Promise<string[] | null> {
  const { rows } = await owner.query<{ resource_ids: string[] }>(sql`
    select resource_ids from audit where clinic_id = ${clinic.clinic_id} order by id desc limit 1`)
  return namedIn(rows[0]?.resource_ids ?? []).patient_ids
}

test('every type of the specification has a change that fires it', () => {
  assert.deepEqual([...Object.keys(happenings), 'payment.recorded'].sort(), [...eventTypes].sort())
})

for (const [type, { steps, path, exception }] of Object.entries(happenings)) {
  test(`${type} is fired by the change that the specification names, and its data equals REST's answer`, async () => {
    let previous = ''
    let id = ''
    for (const [i, [sentTo, record]] of steps.entries()) {
      const fired = (await eventsOf(owner, clinic)).length
      const { status, json } = await send(sentTo, record)
      assert.equal(status, 200, JSON.stringify(json))
      id = json.data.id
      assert.deepEqual(await auditedPatients(), [sentTo === '/patients' ? id : 'p'], `${sentTo} names its patient`)
      assert.equal((await eventsOf(owner, clinic)).length, fired + 1, `${sentTo} fires one event`)
      if (i < steps.length - 1) previous = (await lastEvent()).data
    }
    const event = await lastEvent()
    assert.equal(event.type, type)
    const { status, text } = await ask(service, key, path(id))
    if (exception) exception(event, { status, text, previous })
    else assert.equal(event.data, dataOf(text))
  })
}

test("the public operation fires payment.recorded, and its data is the operation's own answer", async () => {
  const body = { amount: 350.5, method_type: 'cash', description: 'ניקוי' }
  const answer = await ask(service, key, '/v1/patients/p/payments', { method: 'POST', body })
  assert.equal(answer.status, 201)
  const event = await lastEvent()
  assert.equal(event.type, 'payment.recorded')
  assert.equal(event.data, dataOf(answer.text))
  const { text } = await ask(service, key, `/v1/payments/${answer.json.data.id}`)
  assert.equal(event.data, dataOf(text))
})

test("an envelope has its id, its type and its time in the clinic's zone, and then the data", async () => {
  const { rows } = await owner.query<{ id: string; type: string; body: string }>(sql`
    select id, type, body from event where clinic_id = ${clinic.clinic_id}`)
  assert.ok(rows.length > 20)
  for (const { id, type, body } of rows) {
    const head = new RegExp(
      `^{"id":"${id}","type":"${type}","created_at":"\\d{4}-\\d\\d-\\d\\dT[\\d:]{8}\\.\\d{3}\\+0[23]:00","data":{"id":`,
    )
    assert.match(body, head)
  }
})

test('the places of events in the feed have no gaps', async () => {
  const { rows } = await owner.query<{ positions: number[] }>(sql`
    select array_agg(position::int order by position) as positions from event where clinic_id = ${clinic.clinic_id}`)
  const [{ positions } = { positions: [] }] = rows
  assert.deepEqual(
    positions,
    positions.map((_, i) => i + 1),
  )
})
