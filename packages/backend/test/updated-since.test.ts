// Each filter of each list that knows `updated_since`, beside it: whoever keeps a copy of some rows gets those, and no others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clinic, type Handlers, operations } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { walk } from '@clinic-data/testing/grounds/ask'
import { insert, insertAppointment, insertPatient, type Row } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const backend = createBackend({ database: app, now: () => new Date('2026-08-02T06:30:00Z'), log: failingLog })

const SINCE = '2026-07-25T00:00:00Z'
const CHANGED = { updated_at: '2026-08-01T08:00:00.000Z' }

/** Messages have such ids. */
const [EARLY, LATE, OLD, WANTED] = ['in_1', 'in_2', 'out_3', 'out_4'] as const

/** One that every filter asks for, another such one that has not changed, and two for which no filter but those of time asks. */
const ROWS = [
  { id: EARLY, fits: false, at: '2026-07-01T08:00:00.000Z', change: CHANGED },
  { id: LATE, fits: false, at: '2026-07-20T08:00:00.000Z', change: CHANGED },
  { id: OLD, fits: true, at: '2026-07-10T08:00:00.000Z', change: {} },
  { id: WANTED, fits: true, at: '2026-07-10T08:00:00.000Z', change: CHANGED },
] as const
const PERIOD = { from: '2026-07-05', to: '2026-07-15' } as const
const [SINCE_FROM, UNTIL_TO] = [
  [LATE, WANTED],
  [EARLY, WANTED],
] as const
/** Times narrow to other rows than the rest. */
const found: Readonly<Record<string, readonly string[]>> = {
  from: SINCE_FROM,
  to: UNTIL_TO,
  last_visit_after: SINCE_FROM,
  last_visit_before: UNTIL_TO,
  last_payment_after: SINCE_FROM,
  last_payment_before: UNTIL_TO,
}

/** Each row's own, and the first two are of the patient `p1`, the others of `p2`. */
const PHONES = { [WANTED]: '+972501234561', [OLD]: '+972501234562', [EARLY]: '+972501234563', [LATE]: '+972501234564' }
const phoneOf = (id: string) => PHONES[id as keyof typeof PHONES]
/** All rows of one patient's list are that patient's. */
const ofWanted = { patient_phone: PHONES[WANTED], patient_phone_local: '0501234561' }
const phoned = (id: string, isNested: boolean): Row =>
  isNested ? ofWanted : { patient_phone: phoneOf(id), patient_phone_local: '05' }

interface Content {
  readonly id: string
  readonly fits: boolean
  readonly at: string
  readonly change: Row
  /** True for a list under a patient or a conversation. */
  readonly isNested: boolean
}

interface List {
  readonly id: keyof Handlers
  readonly under?: string
  readonly filters: Readonly<Record<string, unknown>>
  readonly put: (clinic: Clinic, content: Content) => Promise<void>
}

const patientOf = (fits: boolean, isNested: boolean) => ({ patient_id: fits || isNested ? 'p1' : 'p2' })

const patients: List['put'] = async (clinic, { id, fits, at, change }) => {
  const phone = fits ? '+972529999999' : '+972528888888'
  const birth_date = fits ? '1990-05-10' : null
  await insertPatient(owner, clinic, { id, first_name: fits ? 'Maya' : 'Tal', birth_date, ...change }, [phone])
  await insert(owner, clinic, 'appointment', { id: `past${id}`, patient_id: id, start: at })
  await insert(owner, clinic, 'payment', { id, patient_id: id, paid_at: at, amount_minor: 10_000 })
  if (fits) {
    await insert(owner, clinic, 'appointment', { id: `next${id}`, patient_id: id, start: '2026-09-01T08:00:00Z' })
    await insert(owner, clinic, 'treatment', { id, patient_id: id, price_minor: 30_000 })
  }
  const email = fits ? 'maya@example.com' : 'tal@example.com'
  const contact = { patient_id: id, position: 1, type: 'email', value: email, value_normal: email }
  await insert(owner, clinic, 'patient_contact', contact)
}

const appointments: List['put'] = (clinic, { id, fits, at: start, change, isNested }) => {
  const side = fits ? 'one' : 'other'
  const row = { id, start, branch_id: side, status_id: side, ...patientOf(fits, isNested), ...change }
  return insertAppointment(owner, clinic, row, [side])
}

const treatments: List['put'] = (clinic, { id, fits, change }) =>
  insert(owner, clinic, 'treatment', { id, patient_id: 'p1', appointment_id: fits ? 'one' : 'other', ...change })

const payments: List['put'] = (clinic, { id, fits, at: paid_at, change, isNested }) => {
  const method_type = fits ? 'check' : 'cash'
  return insert(owner, clinic, 'payment', { id, paid_at, method_type, ...patientOf(fits, isNested), ...change })
}

const calls: List['put'] = (clinic, { id, fits, at: started_at, change, isNested }) =>
  insert(owner, clinic, 'call', {
    id,
    started_at,
    direction: fits ? 'outbound' : 'inbound',
    status: fits ? 'missed' : 'answered',
    branch_id: fits ? 'one' : 'other',
    recording_file_id: fits ? 'file' : null,
    transcript_status: fits ? 'failed' : null,
    ...phoned(id, isNested),
    ...change,
  })

const leads: List['put'] = async (clinic, { id, fits, at: created_at, change }) => {
  const [phone_normal, email_folded] = fits ? ['+972529999999', 'maya@example.com'] : ['+972528888888', null]
  const [source, status] = fits ? ['bot', 'lost'] : ['website', 'new']
  await insert(owner, clinic, 'lead', { id, created_at, source, status, phone_normal, email_folded, ...change })
  const call = { direction: 'outbound', status: 'no_answer', patient_phone: '+972529999999', started_at: '2026-07-30Z' }
  if (fits) await insert(owner, clinic, 'call', { id, ...call })
}

const conversations: List['put'] = (clinic, { id, fits, change }) =>
  insert(owner, clinic, 'chat_conversation', {
    id,
    is_handled: fits,
    free_text_window_expires_at: fits ? '2026-08-02T07:00:00Z' : null,
    ...phoned(id, false),
    ...change,
  })

const messages: List['put'] = (clinic, { id, fits, at: created_at, change, isNested }) =>
  insert(owner, clinic, 'chat_message', {
    id,
    created_at,
    conversation_id: fits ? 'one' : 'other',
    direction: fits ? 'outbound' : 'inbound',
    status: fits ? 'read' : 'received',
    type: fits ? 'image' : 'text',
    ...phoned(id, isNested),
    ...change,
  })

const messagesOfOne: List['put'] = async (clinic, content) => {
  await messages(clinic, content)
  const { clinic_id } = clinic
  await owner.query(sql`update chat_message set conversation_id = 'one' where clinic_id = ${clinic_id}`)
}

const ofFacts = {
  birthday_from: '05-01',
  birthday_to: '06-01',
  last_visit_after: PERIOD.from,
  last_visit_before: '2026-07-16',
  last_payment_after: PERIOD.from,
  last_payment_before: '2026-07-16',
  has_future_appointment: true,
  owes_more_than: 150,
}
const ofStaff = { branch_id: 'one', provider_id: 'one', status_id: 'one' }
const ofPhone = { patient_id: 'p1', phone: '050-1234561' }
const ofCall = {
  direction: 'outbound',
  status: 'missed',
  branch_id: 'one',
  has_recording: true,
  transcript_status: 'failed',
}
const ofLead = {
  status: 'lost',
  source: 'bot',
  phone: '052-9999999',
  email: 'Maya@example.com',
  has_been_contacted: true,
}
const ofMessage = { direction: 'outbound', status: 'read', type: 'image' }

const lists: readonly List[] = [
  {
    id: 'patients.list',
    filters: { phone: '052-9999999', email: 'Maya@example.com', query: 'may', ...ofFacts },
    put: patients,
  },
  { id: 'appointments.list', filters: { ...PERIOD, ...ofStaff, patient_id: 'p1' }, put: appointments },
  { id: 'patients.appointments.list', under: 'p1', filters: { ...PERIOD, ...ofStaff }, put: appointments },
  { id: 'treatments.list', under: 'p1', filters: { appointment_id: 'one' }, put: treatments },
  { id: 'payments.search', filters: { ...PERIOD, method_type: 'check' }, put: payments },
  { id: 'payments.list', under: 'p1', filters: PERIOD, put: payments },
  { id: 'calls.list', filters: { ...PERIOD, ...ofCall, ...ofPhone }, put: calls },
  { id: 'patients.calls.list', under: 'p1', filters: { ...PERIOD, ...ofCall }, put: calls },
  { id: 'leads.list', filters: { ...PERIOD, ...ofLead }, put: leads },
  { id: 'chat.conversations.list', filters: { ...ofPhone, is_handled: true, window_open: true }, put: conversations },
  { id: 'chat.messages.list', filters: { ...PERIOD, ...ofMessage, ...ofPhone, conversation_id: 'one' }, put: messages },
  {
    id: 'patients.chat_messages.list',
    under: 'p1',
    filters: { ...PERIOD, ...ofMessage, conversation_id: 'one' },
    put: messages,
  },
  { id: 'chat.conversations.messages.list', under: 'one', filters: { ...PERIOD, ...ofMessage }, put: messagesOfOne },
]

async function clinicOf({ id, under, put }: List): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1' }, [PHONES[WANTED], PHONES[OLD]])
  await insertPatient(owner, clinic, { id: 'p2' }, [PHONES[EARLY], PHONES[LATE]])
  for (const table of ['branch', 'provider', 'appointment_status'])
    await insert(owner, clinic, table, { id: 'one' }, { id: 'other' })
  await insert(owner, clinic, 'file', { id: 'file' })
  if (id === 'treatments.list') for (const id of ['one', 'other']) await insertAppointment(owner, clinic, { id })
  if (put === messages || put === messagesOfOne)
    await insert(
      owner,
      clinic,
      'chat_conversation',
      ...['one', 'other'].map((id, n) => ({ id, patient_phone: `+97252000000${n}` })),
    )
  for (const row of ROWS) await put(clinic, { ...row, isNested: under !== undefined })
  return clinic
}

const COMMON = ['updated_since', 'limit', 'cursor', 'response_format']
const filtersOf = (id: keyof Handlers) => Object.keys(operations[id].query.properties)

test('every list that knows `updated_since` is asked here, with every filter that it has', () => {
  const known = (Object.keys(operations) as (keyof Handlers)[]).filter((id) => filtersOf(id).includes('updated_since'))
  assert.deepEqual(lists.map(({ id }) => id).sort(), known.sort())
  for (const { id, filters } of lists) {
    const all = filtersOf(id).filter((name) => !COMMON.includes(name))
    assert.deepEqual(Object.keys(filters).sort(), all.sort(), id)
  }
})

for (const list of lists)
  test(`${list.id}: each filter narrows what has changed since an instant`, async () => {
    const clinic = await clinicOf(list)
    const { id, under, filters } = list
    const idsOf = async (query: Record<string, unknown>) => {
      const input = { query: { updated_since: SINCE, ...query }, ...(under !== undefined && { params: { id: under } }) }
      return (await walk(backend, clinic, id, { ...input, limit: 2 })).map((row) => row.id).sort()
    }
    assert.deepEqual(await idsOf({}), [EARLY, LATE, WANTED])
    for (const [name, value] of Object.entries(filters)) {
      assert.deepEqual(await idsOf({ [name]: value }), found[name] ?? [WANTED], name)
    }
    assert.deepEqual(await idsOf(filters), [WANTED])
  })
