// Storing calls, files, chat and leads in bulk: the patient's side, derived states, transcripts, pieces.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { type Statement, sql } from '@clinic-data/database'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { type CallRecord, checkCall, storeCalls, storeEndedCalls } from '../src/calls.ts'
import {
  type ChatConversationRecord,
  type ChatMessageRecord,
  checkChatMessage,
  storeChatConversations,
  storeChatMessages,
} from '../src/chat.ts'
import { type ChatTemplateRecord, checkChatTemplate, storeChatTemplates } from '../src/chat-templates.ts'
import { FILE_PIECE_BYTES, storeFiles } from '../src/files.ts'
import { checkLead, type LeadRecord, storeLeads } from '../src/leads.ts'
import { counted } from './counted.ts'

const { owner, app } = await testDatabase()
const times = { created_at: '2026-01-05T08:00:00.000Z', updated_at: '2026-02-01T08:00:00.000Z' }
const rowsOf = (clinic: Clinic, statement: Statement) => app.read(clinic, statement)

function call(id: string, changes: Partial<CallRecord> = {}): CallRecord {
  return {
    id,
    direction: 'inbound',
    status: 'answered',
    from_phone: '050-000 0001',
    to_phone: '04-800 0000',
    handled_by: { id: 'agent1', name: 'Sample Agent' },
    branch_id: null,
    started_at: '2026-03-01T22:30:00Z',
    answered_at: '2026-03-01T22:30:05Z',
    ended_at: '2026-03-01T22:31:05Z',
    duration_seconds: 60,
    ring_seconds: 5,
    is_recorded: false,
    note: null,
    recording_file_id: null,
    recording_seconds: null,
    transcript_status: 'completed',
    transcript_language: 'en',
    transcript_summary: 'A summary.',
    transcript_segments: [{ speaker: 'agent', start_seconds: 0.5, end_seconds: 2, text: 'Good morning.' }],
    ...times,
    ...changes,
  }
}

test("the patient's side of a call follows from its direction, matched as E.164 and shown in local form", async () => {
  const clinic = await testClinic(owner)
  await app.write(clinic, (tx) =>
    storeCalls(tx, clinic, [
      call('c1'),
      call('c2', { direction: 'outbound', from_phone: '04-800 0000', to_phone: '+12015550123' }),
      call('c3', { from_phone: 'anonymous' }),
      call('c4', { from_phone: null }),
    ]),
  )
  const clinic_phone = '+97248000000'
  assert.deepEqual(
    await rowsOf(clinic, sql`select patient_phone, patient_phone_local, clinic_phone from call order by id`),
    [
      { patient_phone: '+972500000001', patient_phone_local: '0500000001', clinic_phone },
      { patient_phone: '+12015550123', patient_phone_local: '+12015550123', clinic_phone },
      { patient_phone: null, patient_phone_local: 'anonymous', clinic_phone },
      { patient_phone: null, patient_phone_local: null, clinic_phone },
    ],
  )
})

test('of two records with one id the later one is stored', async () => {
  const clinic = await testClinic(owner)
  const records = [call('c1', { note: 'first' }), call('c1', { note: 'later' })]
  await app.write(clinic, (tx) => storeCalls(tx, clinic, records))
  assert.deepEqual(await rowsOf(clinic, sql`select note from call`), [{ note: 'later' }])
})

test('a phone that clinics of two countries write the same way is read and shown as in the country of each', async () => {
  const sides = async (country: string) => {
    const clinic = await testClinic(owner, { country })
    const records = [call('c1', { from_phone: '+442079460958' }), call('c2', { from_phone: '054-123 4567' })]
    await app.write(clinic, (tx) => storeCalls(tx, clinic, records))
    return rowsOf(clinic, sql`select patient_phone as phone, patient_phone_local as local from call order by id`)
  }
  assert.deepEqual(await sides('IL'), [
    { phone: '+442079460958', local: '+442079460958' },
    { phone: '+972541234567', local: '0541234567' },
  ])
  assert.deepEqual(await sides('GB'), [
    { phone: '+442079460958', local: '02079460958' },
    { phone: '+44541234567', local: '541234567' },
  ])
})

test('a repeated call changes nothing, and a changed transcript changes the call', async () => {
  const clinic = await testClinic(owner)
  const store = (record: CallRecord) => counted(app.write(clinic, (tx) => storeCalls(tx, clinic, [record])))
  assert.equal((await store(call('c1'))).inserted, 1)
  assert.equal((await store(call('c1'))).unchanged, 1)
  const segments = [
    { speaker: 'patient', start_seconds: 0, end_seconds: 1.25, text: 'Hello.' },
  ] satisfies CallRecord['transcript_segments']
  assert.equal((await store(call('c1', { transcript_segments: segments }))).updated, 1)
  const [row] = await rowsOf(clinic, sql`select started_date, transcript_segments from call`)
  assert.deepEqual(row, { started_date: '2026-03-02', transcript_segments: segments })
})

test('many calls, whole and as they end, are stored on one connection', async () => {
  const clinic = await testClinic(owner)
  const records = Array.from({ length: 100 }, (_, i) => call(`c${i}`))
  const ended = records.map((record) => ({ ...record, note: 'Asked for an invoice' }))
  const updated = await app.write(clinic, async (tx) => {
    await storeCalls(tx, clinic, records)
    return (await storeEndedCalls(tx, clinic, ended)).updated
  })
  assert.equal(updated.size, 100)
})

test('a call without talk has no transcript', () => {
  const detail = 'must be null for a call without any talk'
  const faults = [{ place: '/transcript_status', code: 'not_allowed', detail }]
  assert.deepEqual(checkCall(call('c1', { status: 'missed' })), faults)
  assert.deepEqual(checkCall(call('c1', { duration_seconds: 0 })), faults)
  assert.deepEqual(checkCall(call('c1')), [])
})

test('a file comes back byte for byte, and a shorter version leaves nothing of the longer one', async () => {
  const clinic = await testClinic(owner)
  const long = randomBytes(2 * FILE_PIECE_BYTES + 1)
  const file = { id: 'f1', content_type: 'audio/wav', file_name: 'a.wav', created_at: times.created_at }
  const store = (content: Uint8Array) =>
    counted(app.write(clinic, (tx) => storeFiles(tx, clinic, [{ ...file, content }])))
  const stored = async () => {
    const pieces = await rowsOf(clinic, sql`select content from file_piece order by position`)
    const [row] = await rowsOf(clinic, sql`select size_bytes from file`)
    return { bytes: Buffer.concat(pieces.map(({ content }) => content as Buffer)), pieces: pieces.length, ...row }
  }
  assert.equal((await store(long)).inserted, 1)
  assert.deepEqual(await stored(), { bytes: long, pieces: 3, size_bytes: long.length })
  assert.equal((await store(long)).unchanged, 1)
  const short = long.subarray(0, 10)
  assert.equal((await store(short)).updated, 1)
  assert.deepEqual(await stored(), { bytes: Buffer.from(short), pieces: 1, size_bytes: 10 })
})

function message(id: string, changes: Partial<ChatMessageRecord> = {}): ChatMessageRecord {
  return {
    id,
    conversation_id: 'k1',
    direction: 'outbound',
    type: 'text',
    from_phone: '+97248000000',
    to_phone: '+972500000001',
    text: 'See you on Tuesday.',
    media: null,
    template: null,
    replied_to_id: null,
    failure_reason: null,
    sent_at: null,
    delivered_at: null,
    read_at: null,
    failed_at: null,
    ...times,
    ...changes,
  }
}

test("the timestamps determine a message's status, a failure first", async () => {
  const clinic = await testClinic(owner)
  const [sent_at, delivered_at, read_at, failed_at] = Array(4).fill('2026-02-01T08:00:00Z')
  const conversation: ChatConversationRecord = {
    id: 'k1',
    display_name: 'T.',
    patient_phone: '+972500000001',
    clinic_phone: '04-800 0000',
    last_message_preview: null,
    last_activity_at: null,
    last_inbound_at: null,
    last_outbound_at: null,
    is_handled: false,
    free_text_window_expires_at: null,
    ...times,
  }
  const records = [
    message('out_1'),
    message('out_2', { sent_at }),
    message('out_3', { sent_at, delivered_at }),
    message('out_4', { sent_at, delivered_at, read_at }),
    message('out_5', { sent_at, failed_at }),
    message('in_1', { direction: 'inbound', from_phone: '0500000001', to_phone: '04-800 0000' }),
  ]
  assert.deepEqual(records.flatMap(checkChatMessage), [])
  await app.write(clinic, async (tx) => {
    await storeChatConversations(tx, clinic, [conversation])
    await storeChatMessages(tx, clinic, records)
  })
  const rows = await rowsOf(clinic, sql`select id, status from chat_message order by id`)
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['received', 'queued', 'sent', 'delivered', 'read', 'failed'],
  )
  const phones = await rowsOf(clinic, sql`select distinct patient_phone, patient_phone_local from chat_message`)
  assert.deepEqual(phones, [{ patient_phone: '+972500000001', patient_phone_local: '0500000001' }])
  const [kept] = await rowsOf(clinic, sql`select patient_phone_local, clinic_phone from chat_conversation`)
  assert.deepEqual(kept, { patient_phone_local: '0500000001', clinic_phone: '+97248000000' })
})

test("a message's id shows its direction", () => {
  assert.deepEqual(checkChatMessage(message('in_7')), [
    { place: '/id', code: 'format', detail: 'must have the prefix of its direction' },
  ])
  assert.deepEqual(checkChatMessage(message('7')), [
    {
      place: '/id',
      code: 'format',
      detail: 'must be an id with its direction, `in_` or `out_` and digits, for example in_4711',
    },
  ])
})

test('a template is stored with its variables in their order', async () => {
  const clinic = await testClinic(owner)
  const template: ChatTemplateRecord = {
    id: 't1',
    name: 'reminder',
    language: 'en',
    category: 'utility',
    status: 'approved',
    header: { type: 'text', text: 'Hello' },
    body: 'Dear {{name}}, until {{day}}',
    footer: null,
    variables: [
      { name: 'name', example: 'Testa' },
      { name: 'day', example: null },
    ],
    ...times,
  }
  const store = (record: ChatTemplateRecord) =>
    counted(app.write(clinic, (tx) => storeChatTemplates(tx, clinic, [record])))
  assert.deepEqual(checkChatTemplate(template), [])
  assert.equal((await store(template)).inserted, 1)
  assert.equal((await store(template)).unchanged, 1)
  const [row] = await rowsOf(clinic, sql`select header_type, header_text, variables from chat_template`)
  assert.deepEqual(row, { header_type: 'text', header_text: 'Hello', variables: template.variables })
})

test("a lead's phone and email stay as they were sent and are matched in their normal form", async () => {
  const clinic = await testClinic(owner)
  const lead: LeadRecord = {
    id: 'l1',
    first_name: 'Testa',
    last_name: null,
    phone: '050 000-0001',
    email: 'Testa@Example.com',
    source: 'website',
    status: 'new',
    attribution: { utm_source: 'x', rank: 2, paid: true },
    meta: { deep: { list: [1] } },
    converted_at: null,
    ...times,
  }
  assert.deepEqual(checkLead(lead), [])
  assert.deepEqual(checkLead({ ...lead, phone: null, email: null }), [
    { place: '', code: 'required', detail: 'must have at least one of phone, email' },
  ])
  const store = () => counted(app.write(clinic, (tx) => storeLeads(tx, clinic, [lead])))
  assert.equal((await store()).inserted, 1)
  assert.equal((await store()).unchanged, 1)
  const [row] = await rowsOf(clinic, sql`select phone, phone_normal, email, email_folded, attribution, meta from lead`)
  const { phone, email, attribution, meta } = lead
  const folded = { phone_normal: '+972500000001', email_folded: 'testa@example.com' }
  assert.deepEqual(row, { phone, email, attribution, meta, ...folded })
})
