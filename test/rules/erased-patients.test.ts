// The rule of an erasure: whatever is sent again of the patient, by whichever door, no text of theirs is stored, and nothing else is held up.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { clinicTables } from '@clinic-data/backend/offboarding/clinic-tables'
import { erasePatient } from '@clinic-data/backend/patient-erase/erase-patient'
import { storeReports } from '@clinic-data/changes/store-reports'
import { allScopes, type Clinic } from '@clinic-data/contract'
import { type JsonSchema, jsonSchemaOf } from '@clinic-data/contract/json-schema'
import { sql, utcSession } from '@clinic-data/database'
import { documentFile } from '@clinic-data/documents/document-file'
import { messagingClinic } from '@clinic-data/messaging/clinic-messaging'
import type { MessagingPlatform } from '@clinic-data/messaging/messaging-platform'
import { recordKinds } from '@clinic-data/records/record-kinds'
import { blankFor } from '@clinic-data/records/storing/complete-record'
import type { RecordKind } from '@clinic-data/records/storing/record-kind'
import { ingestOf } from '@clinic-data/testing/grounds/ingest'
import { insert } from '@clinic-data/testing/grounds/rows'
import { failingLog } from '@clinic-data/testing/run/test-database'
import { ask, emptyClinic, keyOf, startParts } from '@clinic-data/testing/run/test-service'

const service = await startParts()
after(() => service.close())
const { owner, database: app } = service

const MARK = 'zqgone'
/** As it was sent, and with other words. */
const WORDS = [MARK, `${MARK}-more`]
const PHONE = '+972501111111'
const AT = '2026-03-01T08:00:00Z'

async function clinicWithCatalog(): Promise<Clinic> {
  const clinic = await emptyClinic(owner)
  await insert(owner, clinic, 'billing_account', { id: 'main', document_type: 'receipt' })
  for (const id of ['wav', 'png']) {
    const content_type = id === 'wav' ? 'audio/wav' : 'image/png'
    await insert(owner, clinic, 'file', { id, content_type, file_name: `${MARK}.${id}`, size_bytes: 6 })
    await insert(owner, clinic, 'file_piece', { file_id: id, position: 0, content: Buffer.from(MARK) })
  }
  await owner.query(sql`update clinic set ai_transcription = true, messaging_phone = '+97248123456'
    where clinic_id = ${clinic.clinic_id}`)
  return clinic
}

/** The columns that hold the patient's words or phone. */
async function marks({ clinic_id }: Clinic): Promise<string[]> {
  const found = new Set<string>()
  for (const table of Object.keys(clinicTables)) {
    const bytes = table === 'file_piece' ? sql`encode(content, 'escape')` : sql`null::text`
    const rows = await owner.read<{ row: object; bytes: string | null }>(
      utcSession(clinic_id),
      sql`select to_jsonb(t) as row, ${bytes} as bytes from ${sql.identifier(table)} t where clinic_id = ${clinic_id}`,
    )
    for (const { row, bytes } of rows)
      for (const [column, value] of Object.entries({ ...row, bytes }))
        if (/zqgone|501111111|50-?1111111/.test(JSON.stringify(value))) found.add(`${table}.${column}`)
  }
  return [...found].sort()
}

async function erase(clinic: Clinic) {
  const parts = { now: () => new Date(), withDoubtful: false, beside: () => undefined }
  const erasure = await erasePatient(owner, clinic, 'p1', parts)
  assert.deepEqual(erasure?.doubtful, {})
  assert.deepEqual(await marks(clinic), [])
}

const sides = { direction: 'inbound', from_phone: PHONE, to_phone: '+97248123456' }
const call = { id: 'c1', ...sides, status: 'answered', duration_seconds: 9, ring_seconds: 1, is_recorded: true }
const paid = { amount: 100, currency: 'ILS', method_type: 'cash', status: 'recorded', documents: [] }
/** What is no text of each kind. Null: the clinic's own, and of no patient. */
const ofKinds: { readonly [K in keyof typeof recordKinds]: object | null } = {
  branches: null,
  providers: null,
  working_hours: null,
  time_off: null,
  appointment_types: null,
  appointment_statuses: null,
  treatment_categories: null,
  catalog_treatments: null,
  billing_accounts: null,
  patient_statuses: null,
  patients: {
    id: 'p1',
    status_id: null,
    phone: PHONE,
    contacts: [{ type: 'phone', value: PHONE, label: MARK, is_primary: true }],
  },
  appointments: { id: 'a1', patient_id: 'p1', branch_id: null, type_id: null, status_id: null },
  treatment_plans: { id: 'plan1' },
  treatments: { id: 't1', patient_id: 'p1', plan_id: 'plan1', quantity: 1, discount: 0 },
  payments: { id: 'y1', patient_id: 'p1', is_refund: false, ...paid },
  calls: {
    ...call,
    recording_file_id: 'wav',
    transcript_status: 'completed',
    branch_id: null,
    transcript_segments: [{ speaker: 'patient', start_seconds: 0, end_seconds: 1, text: MARK }],
  },
  chat_templates: null,
  chat_conversations: { id: 'v1', patient_phone: PHONE, is_handled: false },
  chat_messages: {
    id: 'in_1',
    conversation_id: 'v1',
    type: 'image',
    template: null,
    ...sides,
    media: { type: 'image/png', file_id: 'png' },
  },
  leads: { id: 'l1', phone: PHONE, source: 'website', status: 'new', meta: { told: MARK }, attribution: { ad: MARK } },
}

const isText = ({ type, format, enum: choices }: JsonSchema) =>
  [type].flat().includes('string') && format === undefined && choices === undefined
/** Ids of rows that are not there are left out. */
const isName = (name: string) => /_id$/.test(name) && name !== 'external_id'

/** A record with words in each of its texts: also in one that a kind gains. */
function recordOf(kind: RecordKind, of: object, words: string): object {
  const texts = Object.entries(jsonSchemaOf(kind.record).properties ?? {}).map(([name, field]) => [
    name,
    isText(field) && !isName(name) ? words : /^(created|updated)_at$/.test(name) ? AT : blankFor(field),
  ])
  return { ...Object.fromEntries(texts), ...of }
}

async function storeKinds(clinic: Clinic, words: string) {
  const outcomes: Record<string, string> = {}
  for (const [name, kind] of Object.entries<RecordKind>(recordKinds)) {
    const of = ofKinds[name as keyof typeof ofKinds]
    if (of === null) continue
    const record = recordOf(kind, JSON.parse(JSON.stringify(of).replaceAll(MARK, words)), words)
    assert.deepEqual(kind.check(record, clinic), [], name)
    const { inserted, erased } = await app.write(clinic, (tx) => kind.store(tx, clinic, [record]))
    outcomes[name] = erased?.size === 1 ? 'erased' : inserted.size === 1 ? 'created' : 'kept'
  }
  return outcomes
}

test('no kind of record brings a text of an erased patient back, as an import of files stores it', async () => {
  const clinic = await clinicWithCatalog()
  const first = await storeKinds(clinic, MARK)
  assert.deepEqual([...new Set(Object.values(first))], ['created'])
  const marked = new Set((await marks(clinic)).map((place) => place.split('.')[0]))
  for (const name of Object.keys(first))
    assert.ok(marked.has(recordKinds[name as keyof typeof ofKinds].table) || name === 'treatments', name)
  await erase(clinic)
  for (const words of WORDS) {
    const again = await storeKinds(clinic, words)
    assert.partialDeepStrictEqual(again, {
      patients: 'erased',
      treatment_plans: 'erased',
      calls: 'erased',
      leads: 'erased',
    })
    assert.ok(!Object.values(again).includes('created'))
    const message = { ...recordOf(recordKinds.chat_messages, ofKinds.chat_messages ?? {}, words), id: 'in_2' }
    const { erased } = await app.write(clinic, (tx) =>
      (recordKinds.chat_messages as RecordKind).store(tx, clinic, [message]),
    )
    assert.equal(erased?.has('in_2'), true)
    assert.deepEqual(await marks(clinic), [])
  }
})

/** Every record of the patient as the clinic's systems send it. */
function sentOf(words: string, conversation_id: string, lead_id: string): [path: string, record: object][] {
  const address = { street: words, city: words, postal_code: words, country: 'IL' }
  const segments = [{ speaker: 'patient', start_seconds: 0, end_seconds: 1, text: words }]
  const image = { type: 'image', media: { type: 'image/png', file_id: 'png' }, text: words }
  const { status: _, ...payment } = paid
  return [
    ['/patients', { id: 'p1', first_name: words, last_name: words, phone: PHONE, id_number: words, address }],
    ['/appointments', { id: 'a1', patient_id: 'p1', start: AT, note: words }],
    ['/treatment-plans', { id: 'plan1', name: words }],
    ['/treatments', { id: 't1', patient_id: 'p1', plan_id: 'plan1', price: 100, performed_at: AT }],
    [
      '/payments',
      { id: 'y1', patient_id: 'p1', external_id: `${MARK}-1`, description: words, paid_at: AT, ...payment },
    ],
    ['/refunds', { id: 'r1', refunded_payment_id: 'y1', amount: 40, description: words, paid_at: AT }],
    ['/calls', { ...call, note: words }],
    ['/calls/notes', { id: 'c1', note: words }],
    ['/calls/recordings', { id: 'c1', file_id: 'wav', duration_seconds: 9 }],
    ['/calls/transcripts', { id: 'c1', status: 'completed', summary: words, segments }],
    ['/chat/messages', { platform_message_id: `${MARK}-in`, from_phone: PHONE, display_name: words, ...image }],
    ['/chat/staff-messages', { platform_message_id: `${MARK}-out`, conversation_id, text: words }],
    ['/chat/receipts', { platform_message_id: `${MARK}-out`, status: 'failed', reason: words }],
    ['/chat/conversations/handled', { conversation_id, is_handled: true }],
    ['/leads/status', { id: lead_id, status: 'in_progress' }],
  ]
}

async function sentClinic() {
  const clinic = await clinicWithCatalog()
  const [key, send] = [await keyOf(owner, clinic, allScopes), await ingestOf({ owner, app }, clinic)]
  const post = (path: string, body: object) => ask(service, key, path, { method: 'POST', body })
  const submit = (words: string, external_id: string) =>
    post('/v1/leads', { first_name: words, phone: PHONE, source: 'website', note: words, external_id })
  const pay = (words: string) =>
    post('/v1/patients/p1/payments', { amount: 20, method_type: 'cash', description: words, external_id: `${MARK}-2` })
  const lead = (await submit(MARK, `${MARK}-form`)).json.data
  assert.equal((await submit(MARK, `${MARK}-joined`)).json.data.id, lead.id)
  let conversation = 'none'
  for (const [path] of sentOf('', '', '')) {
    const [, record] = sentOf(MARK, conversation, lead.id).find(([one]) => one === path) ?? assert.fail(path)
    const { status, json } = await send(path, record)
    assert.equal(status, 200, `${path} ${JSON.stringify(json)}`)
    const [found] = await owner.read<{ id: string }>(
      clinic,
      sql`select id from chat_conversation where clinic_id = ${clinic.clinic_id}`,
    )
    conversation = found?.id ?? conversation
  }
  const { json } = await pay(MARK)
  await documentFile(app, clinic, json.data.documents[0].id, new Date())
  const sums = async () => {
    const { json } = await ask(service, key, '/v1/payments?limit=100')
    return JSON.stringify(json.data, ['id', 'amount', 'status', 'refunds'])
  }
  const sent = (words: string) => sentOf(words, conversation, lead.id)
  return { clinic, key, send, pay, submit, sent, sums, lead, payment: json.data, conversation }
}

test('what is sent again of an erased patient is `erased` by every door, holds up no batch, and changes no sum', async () => {
  const { clinic, send, pay, submit, sent, sums, lead, payment } = await sentClinic()
  const before = await sums()
  await erase(clinic)
  for (const words of WORDS) {
    for (const [path, record] of sent(words)) {
      const { status, json } = await send(path, { records: [record] })
      assert.deepEqual([status, json.data?.[0]?.outcome], [200, 'erased'], `${path} ${JSON.stringify(json)}`)
    }
    const paid = await pay(words)
    assert.deepEqual([paid.status, paid.json.data.id, paid.json.data.external_id], [200, payment.id, null])
    for (const form of ['form', 'joined']) {
      const known = await submit(words, `${MARK}-${form}`)
      assert.deepEqual([known.status, known.json.data.id], [200, lead.id])
    }
    assert.deepEqual(await marks(clinic), [])
  }
  assert.deepEqual(await sums(), before)
})

test('what is new of an erased patient is stored without a text, also on the page that is printed', async () => {
  const { clinic, key, send, pay, conversation, payment } = await sentClinic()
  await erase(clinic)
  const outcome = async (path: string, record: object) => {
    const { status, json } = await send(path, record)
    assert.equal(status, 200, `${path} ${JSON.stringify(json)}`)
    return json.data.outcome
  }
  const external = { description: MARK, external_id: `${MARK}-3`, patient_id: 'p1' }
  const { status: _, ...ofPayment } = paid
  assert.equal(await outcome('/payments', { id: 'y3', ...ofPayment, ...external }), 'created')
  const refund = { id: 'r3', refunded_payment_id: payment.id, amount: 5, description: MARK }
  assert.deepEqual([await outcome('/refunds', refund), await outcome('/refunds', refund)], ['created', 'erased'])
  const fresh = { amount: 7, method_type: 'cash', description: MARK, external_id: `${MARK}-4` }
  const record = () => ask(service, key, '/v1/patients/p1/payments', { method: 'POST', body: fresh })
  const first = await record()
  const [{ clinic_id }, { id, description }] = [clinic, first.json.data]
  // A former version stores the text.
  await owner.query(sql`update payment set description = 'kept' where clinic_id = ${clinic_id} and id = ${id}`)
  const second = await record()
  assert.deepEqual([first.status, description, second.status, second.json.data?.id], [201, null, 200, id])
  const taken = await send('/payments', { id: 'y5', ...ofPayment, external_id: `${MARK}-4` })
  assert.deepEqual([taken.status, taken.json.errors?.[0]?.code], [422, 'taken'])
  await documentFile(app, clinic, first.json.data.documents[0].id, new Date())
  // A plan is told before the treatment that says whose it is.
  await outcome('/treatment-plans', { id: 'plan3', name: MARK })
  assert.equal(await outcome('/treatments', { id: 't3', patient_id: 'p1', plan_id: 'plan3' }), 'created')
  await outcome('/treatments', { id: 't4', plan_id: 'plan3' })
  await outcome('/treatments/remove', { id: 't4' })
  await owner.query(sql`update treatment_plan set name = ${MARK} where clinic_id = ${clinic_id} and id = 'plan3'`)
  assert.equal(await outcome('/treatment-plans', { id: 'plan3', name: MARK }), 'erased')
  const staff = { platform_message_id: `${MARK}-new`, conversation_id: conversation, text: MARK }
  assert.equal(await outcome('/chat/staff-messages', staff), 'erased')
  assert.equal((await pay(MARK)).status, 200)
  assert.deepEqual(await marks(clinic), [])
})

test('a fault beside a record of an erased patient is named at its own place', async () => {
  const { clinic, send } = await sentClinic()
  await erase(clinic)
  const notes = [
    { id: 'c1', note: MARK },
    { id: 'nobody', note: null },
  ]
  const { status, json } = await send('/calls/notes', { records: notes })
  assert.deepEqual([status, json.errors?.[0]?.pointer], [422, '#/records/1/id'])
})

test('a report that the messaging platform repeats stores nothing of an erased patient: no media, no chat, no reason', async () => {
  const { clinic } = await sentClinic()
  const messaging = (await messagingClinic(owner, clinic.clinic_id)) ?? assert.fail('no clinic')
  const [sentBefore] = await owner.read<{ id: string }>(
    clinic,
    sql`select id from chat_message where clinic_id = ${clinic.clinic_id} and direction = 'outbound'`,
  )
  await erase(clinic)
  const fetched: string[] = []
  const platform: MessagingPlatform = {
    send: async () => ({ outcome: 'refused', reason: 'none' }),
    fetchMedia: async (_, id) => {
      fetched.push(id)
      return { content_type: 'image/png', file_name: MARK, bytes: Buffer.from(MARK) }
    },
    close: async () => undefined,
  }
  const named = { account_id: 'one', at: AT }
  const media = { id: 'm1', type: 'image/png', file_name: MARK }
  const written = { ...named, from_phone: PHONE, display_name: MARK, text: MARK, replied_to_platform_id: null }
  const failed = { ...named, message_id: sentBefore?.id ?? null, status: 'failed', reason: MARK } as const
  await storeReports({ database: app, now: () => new Date(), log: failingLog }, messaging, platform, [
    { kind: 'inbound', platform_message_id: `${MARK}-in`, type: 'image', media, ...written },
    { kind: 'receipt', platform_message_id: `${MARK}-anew`, ...failed },
    { kind: 'receipt', platform_message_id: `${MARK}-out`, ...failed, message_id: null },
  ])
  assert.deepEqual([fetched, await marks(clinic)], [[], []])
})
