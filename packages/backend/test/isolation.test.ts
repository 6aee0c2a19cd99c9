// The second wall between clinics: with the clinic removed from every statement, row level security alone gives the same answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allOperations, type Clinic, type Handlers } from '@clinic-data/contract'
import { type ClinicSession, Database, sql, type Transaction, type WriteOptions } from '@clinic-data/database'
import { Statement } from '@clinic-data/database/sql'
import { catalogKinds } from '@clinic-data/records/catalog'
import { ask, type Input } from '@clinic-data/testing/grounds/ask'
import { insert, insertAppointment, insertPatient } from '@clinic-data/testing/grounds/rows'
import { asApplication } from '@clinic-data/testing/run/application'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'
import { clinicTables } from '../src/clinic-tables.ts'

const { owner, app, ownerUrl } = await testDatabase()
const now = () => new Date('2026-07-01T06:30:00Z')
const { rows: citus } = await owner.query(sql`select 1 from pg_extension where extname = 'citus'`)

const CLINIC_CONDITION = /([\w"]+\.)?clinic_id = $/

/** Forgets whom a statement asks for: each comparison with the session's clinic becomes `true`. */
class CarelessDatabase extends Database {
  forgotten = 0

  override read<R extends object>(session: ClinicSession, statement: Statement): Promise<R[]> {
    return super.read<R>(session, this.#forgetful(session, statement))
  }

  override scan<R extends object>(session: ClinicSession, statement: Statement, timeoutMs: number) {
    return super.scan<R>(session, this.#forgetful(session, statement), timeoutMs)
  }

  override write<T>(session: ClinicSession, work: (tx: Transaction) => Promise<T>, options?: WriteOptions): Promise<T> {
    return super.write(session, (tx) => work(this.#forgetfulWriter(session, tx)), options)
  }

  #forgetfulWriter(session: ClinicSession, tx: Transaction): Transaction {
    const forget = (args: unknown) => (args instanceof Statement ? this.#forgetful(session, args) : args)
    return new Proxy(tx, {
      get: (target, name) => {
        const member = Reflect.get(target, name)
        return typeof member === 'function' ? (...args: unknown[]) => member.apply(target, args.map(forget)) : member
      },
    })
  }

  #forgetful(session: ClinicSession, { chunks, values }: Statement): Statement {
    const kept = [chunks[0] ?? '']
    const others = values.filter((value, i) => {
      const last = kept.at(-1) ?? ''
      const isClinic = value === session.clinic_id && CLINIC_CONDITION.test(last)
      const next = chunks[i + 1] ?? ''
      if (isClinic) kept[kept.length - 1] = last.replace(CLINIC_CONDITION, 'true') + next
      else kept.push(next)
      if (isClinic) this.forgotten += 1
      return !isClinic
    })
    return new Statement(kept, others)
  }
}

const phone = '+972501234567'
const time = '2026-07-14T07:00:00Z'

/** Everything once, under the same ids in each clinic, and each text the clinic's own. */
async function filled(mark: string): Promise<Clinic> {
  const clinic = await testClinic(owner)
  const name = mark
  for (const { table, record } of catalogKinds)
    await insert(owner, clinic, table, { id: table, ['name' in record.properties ? 'name' : 'business_name']: mark })
  await insert(owner, clinic, 'working_hours', {
    provider_id: 'provider',
    branch_id: 'branch',
    weekday: 2,
    starts_at: mark === 'ours' ? '09:00' : '06:00',
    ends_at: '18:00',
  })
  await insert(owner, clinic, 'time_off', {
    id: 'o',
    start: mark === 'ours' ? '2026-07-14T08:00:00Z' : time,
    end: '2026-07-14T09:00:00Z',
  })
  await insert(owner, clinic, 'treatment_plan', { id: 'l', name })
  await insertPatient(owner, clinic, { id: 'p', first_name: 'Noa', last_name: mark, status_id: 'patient_status' }, [
    phone,
  ])
  if (mark === 'theirs') await insertPatient(owner, clinic, { id: 'p2', first_name: 'Noa', last_name: mark }, [phone])
  const a = {
    id: 'a',
    patient_id: 'p',
    branch_id: 'branch',
    type_id: 'appointment_type',
    status_id: 'appointment_status',
    start: time,
    end: '2026-07-14T07:30:00Z',
  }
  await insertAppointment(owner, clinic, { ...a, start_date: '2026-07-14' }, ['provider'])
  const treatment = {
    id: 't',
    patient_id: 'p',
    provider_id: 'provider',
    catalog_treatment_id: 'catalog_treatment',
    plan_id: 'l',
    appointment_id: 'a',
    effective_date: '2026-07-14',
  }
  await insert(owner, clinic, 'treatment', { ...treatment, performed_at: time, price_minor: mark.length })
  await insert(owner, clinic, 'payment', {
    id: 'y',
    patient_id: 'p',
    billing_account_id: 'billing_account',
    description: mark,
    paid_date: '2026-07-14',
  })
  const document = {
    id: 'd',
    payment_id: 'y',
    billing_account_id: 'billing_account',
    type: 'receipt',
    number: mark.length,
  }
  await insert(owner, clinic, 'payment_document', { ...document, issued_at: time })
  await insert(owner, clinic, 'file', { id: 'f', file_name: mark })
  const side = { patient_phone: phone, patient_phone_local: '0501234567' }
  await insert(owner, clinic, 'call', {
    id: 'c',
    ...side,
    branch_id: 'branch',
    note: mark,
    recording_file_id: 'f',
    started_at: time,
    started_date: '2026-07-14',
    handled_by_id: 'h',
    handled_by_name: mark,
  })
  await insert(owner, clinic, 'chat_conversation', { id: 'v', ...side, display_name: mark, last_activity_at: time })
  await insert(owner, clinic, 'chat_message', {
    id: 'in_1',
    ...side,
    conversation_id: 'v',
    text: mark,
    media_file_id: 'f',
  })
  await insert(owner, clinic, 'chat_template', { id: 'e', name })
  await insert(owner, clinic, 'lead', { id: 'l', first_name: mark, phone_normal: phone, created_at: '2026-06-01Z' })
  await insert(owner, clinic, 'lead_activity', { id: 'n', lead_id: 'l', kind: 'note', note: mark, created_at: time })
  await insert(owner, clinic, 'subscription', { id: 'w', url: `https://${mark}.example` })
  await insert(owner, clinic, 'event_counter', { last_position: 1 })
  const body = JSON.stringify({ id: 'evt_1', type: 'patient.created', created_at: time, data: { id: mark } })
  await insert(owner, clinic, 'event', { id: 'evt_1', position: 1, type: 'patient.created', body, created_at: time })
  const delivery = { subscription_id: 'w', event_id: 'evt_1', error: mark, created_at: time }
  await insert(owner, clinic, 'delivery', { ...delivery, id: 'dlv_1_w', event_type: 'patient.created' })
  await insert(owner, clinic, 'attempt', {
    ...delivery,
    number: 1,
    trigger: 'manual',
    attempted_at: time,
    duration_ms: 1,
  })
  return clinic
}

const params = (id: string): Input => ({ params: { id } })
const query = (query: Record<string, unknown>): Input => ({ query })
const aggregation = (dataset: string, measure: string, date: string, dimensions: string[]): Input => {
  const filters = [{ field: date, op: 'between', value: ['2026-01-01', '2026-07-14'] }]
  return { body: { dataset, measures: [measure], dimensions, filters } }
}
type ReadId = Exclude<
  keyof Handlers,
  | 'leads.create'
  | 'payments.create'
  | 'chat.messages.create'
  | `webhooks.${'create' | 'update' | 'secret.rotate' | 'delete' | 'deliveries.retry' | 'test' | 'replay'}`
>
type CatalogId = Extract<ReadId, `catalog.${string}`>
const questions: { [Id in Exclude<ReadId, CatalogId>]: Input[] } & { [Id in CatalogId]?: Input[] } = {
  ...Object.fromEntries(allOperations.filter(({ tag }) => tag === 'Catalog').map(({ id }) => [id, [{}]])),
  'me.get': [{}],
  'patients.list': [
    {},
    query({ query: 'noa' }),
    query({ phone }),
    query({ query: 'noa', phone }),
    query({ response_format: 'detailed' }),
    query({ query: 'noa', updated_since: '2020-01-01Z' }),
  ],
  'patients.get': [params('p'), { ...params('p'), ...query({ response_format: 'detailed' }) }, params('p2')],
  'patients.appointments.list': [params('p'), params('p2')],
  'patients.calls.list': [params('p'), params('p2')],
  'patients.chat_messages.list': [params('p'), params('p2')],
  'appointments.list': [
    {},
    query({ provider_id: 'provider' }),
    query({ patient_id: 'p' }),
    query({ provider_id: 'provider', updated_since: '2020-01-01Z' }),
  ],
  'appointments.get': [params('a'), { ...params('a'), ...query({ response_format: 'detailed' }) }],
  'availability.list': [query({ branch_id: 'branch', from: '2026-07-14', to: '2026-07-14' })],
  'treatments.list': [params('p'), params('p2')],
  'treatments.get': [params('t')],
  'payments.search': [{}],
  'payments.list': [params('p'), params('p2')],
  'payments.get': [params('y')],
  'leads.list': [{}, query({ phone }), query({ has_been_contacted: true }), query({ updated_since: '2020-01-01Z' })],
  'leads.get': [params('l')],
  'calls.list': [{}, query({ patient_id: 'p' }), query({ phone })],
  'calls.get': [params('c')],
  'calls.recording.get': [params('c')],
  'chat.conversations.list': [{}, query({ patient_id: 'p' })],
  'chat.conversations.get': [params('v')],
  'chat.conversations.messages.list': [params('v')],
  'chat.messages.list': [{}, query({ patient_id: 'p' }), query({ phone })],
  'chat.messages.get': [params('in_1')],
  'chat.messages.media.get': [params('in_1')],
  'chat.templates.list': [{}],
  'metrics.describe': [{}],
  'query.run': [
    aggregation('treatments', 'treatment_count', 'effective_date', ['provider']),
    aggregation('production', 'patient_count', 'effective_date', ['treatment', 'plan', 'patient_gender']),
    aggregation('appointments', 'new_patient_count', 'start_date', ['provider', 'branch', 'type', 'status']),
    aggregation('payments', 'paying_patient_count', 'payment_date', ['billing_account']),
    aggregation('patients', 'with_phone_count', 'created_date', ['status']),
    aggregation('calls', 'caller_count', 'started_date', ['branch', 'agent']),
    aggregation('utilization', 'booked_minutes', 'work_date', ['provider', 'branch']),
  ],
  'events.list': [query({ since: time }), query({ since: time, event_types: 'patient.created' })],
  'webhooks.list': [{}],
  'webhooks.get': [params('w')],
  'webhooks.deliveries.list': [params('w'), { ...params('w'), ...query({ event_type: 'patient.created' }) }],
}

test('a statement that forgets the clinic still reads only its own clinic', async (t) => {
  const [ours] = [await filled('ours'), await filled('theirs')]
  // A cluster finds a clinic's machine by the very conditions that are taken out here.
  const careless = citus.length > 0 ? app : await new CarelessDatabase(asApplication(ownerUrl)).open()
  t.after(() => (careless === app ? undefined : careless.close()))
  const careful = createBackend({ database: app, now, log: failingLog })
  const without = createBackend({ database: careless, now, log: failingLog })
  for (const [id, inputs] of Object.entries(questions) as [ReadId, Input[]][]) {
    for (const question of inputs) {
      const answer = await ask(careful, ours, id, question).catch(String)
      assert.deepEqual(
        await ask(without, ours, id, question).catch(String),
        answer,
        `${id} ${JSON.stringify(question)}`,
      )
      assert.ok(!JSON.stringify(answer).includes('theirs'), id)
      if (question.params?.id !== 'p2' && !['me.get', 'metrics.describe'].includes(id))
        assert.match(JSON.stringify(answer), /ours|"provider"/, id)
    }
  }
  if (careless instanceof CarelessDatabase) assert.ok(careless.forgotten > 100)
})

const writes: readonly [id: Exclude<keyof Handlers, ReadId>, input: Input][] = [
  ['leads.create', { body: { first_name: 'Dana', phone: '052-765-4321', source: 'website' } }],
  ['payments.create', { ...params('p'), body: { amount: 350, method_type: 'cash' } }],
  ['chat.messages.create', { body: { conversation_id: 'v', text: 'Hello' } }],
  ['webhooks.update', { ...params('w'), body: { description: 'changed' } }],
  ['webhooks.replay', { ...params('w'), body: { since: '2026-06-20T00:00:00Z', only: 'all' } }],
]

test('a write that forgets the clinic changes only its own clinic', async (t) => {
  if (citus.length > 0)
    return t.skip('a cluster finds a clinic’s machine by the very conditions that are taken out here')
  const [ours, theirs] = [await filled('ours'), await filled('theirs')]
  for (const { clinic_id } of [ours, theirs]) {
    await owner.query(sql`update clinic set messaging_phone = '+97248123456' where clinic_id = ${clinic_id}`)
    await owner.query(
      sql`update chat_conversation set free_text_window_expires_at = '2200-01-01Z' where clinic_id = ${clinic_id}`,
    )
  }
  const careless = await new CarelessDatabase(asApplication(ownerUrl)).open()
  t.after(() => careless.close())
  const backend = createBackend({ database: careless, now, log: failingLog })
  const before = [await contentOf(ours), await contentOf(theirs)]
  const carelessly = async <Id extends keyof Handlers>(id: Id, input: Input) => {
    const forgotten = careless.forgotten
    const answer = await ask(backend, ours, id, { ...input, idempotency_key: `careless-${id}` })
    assert.ok(careless.forgotten > forgotten, `${id} forgot nothing`)
    return answer
  }
  for (const [id, input] of writes) await carelessly(id, input)
  const { data: delivery } = await carelessly('webhooks.test', {
    ...params('w'),
    body: { event_type: 'patient.created' },
  })
  await carelessly('webhooks.deliveries.retry', { params: { id: 'w', delivery_id: delivery.id } })
  await carelessly('webhooks.delete', params('w'))
  assert.notDeepEqual(await contentOf(ours), before[0])
  assert.deepEqual(await contentOf(theirs), before[1])
})

/** A sum of all that every table holds of a clinic. */
async function contentOf({ clinic_id }: Clinic): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {}
  for (const table of Object.keys(clinicTables)) {
    const { rows } = await owner.query(sql`
      select count(*)::int as count, md5(string_agg(one::text, ',' order by one::text)) as sum
      from ${sql.identifier(table)} as one where clinic_id = ${clinic_id}`)
    content[table] = rows[0]
  }
  return content
}
