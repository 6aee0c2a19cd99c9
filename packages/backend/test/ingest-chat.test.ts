// Chat through the ingest API: patients' messages, staff's messages from elsewhere, the progress of ours, and the settings.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversationsOf } from '@clinic-data/changes/chat-conversations'
import { changeMessages, type PlatformMessage } from '@clinic-data/changes/chat-messages'
import type { Clinic } from '@clinic-data/contract'
import { ChatMessage } from '@clinic-data/contract/resources/chat'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { CLINIC_PHONE, chatClinic, NOW_MS, PATIENT_PHONE, queueOf } from '@clinic-data/testing/grounds/chat-ground'
import { eventsOf, ingestOf, type Sent } from '@clinic-data/testing/grounds/ingest'
import { insert } from '@clinic-data/testing/grounds/rows'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const database = await testDatabase()
const { owner, app } = database
const now = () => new Date(NOW_MS + 700)
const backend = createBackend({ database: app, now, log: failingLog })

const ingest = (clinic: Clinic) => ingestOf(database, clinic, now)
const message = async (clinic: Clinic, id: string) =>
  (await ask(backend, clinic, 'chat.messages.get', { params: { id } })).data
const conversation = async (clinic: Clinic, id = 'v1') =>
  (await ask(backend, clinic, 'chat.conversations.get', { params: { id } })).data
const types = async (clinic: Clinic) => (await eventsOf(owner, clinic)).map(({ type }) => type)
const faults = ({ status, json }: Sent) => [
  status,
  ...json.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`),
]

const written = { platform_message_id: 'wa1', from_phone: '050-123-4567', text: 'Can I come later?' }

test("a patient’s message is stored once, opens the window, and its event equals REST's answer byte for byte", async () => {
  const clinic = await chatClinic(owner, null)
  await owner.query(sql`update chat_conversation set is_handled = true where clinic_id = ${clinic.clinic_id}`)
  const send = await ingest(clinic)
  const expected = { ...written, display_name: 'Noa 🦷', created_at: '2150-07-12T09:00:00.999+03:00' }
  const first = await send('/chat/messages', expected)
  const { id, outcome } = first.json.data
  assert.match(id, /^in_\d{15}$/)
  assert.equal(outcome, 'created')
  assert.deepEqual((await send('/chat/messages', { ...expected, text: 'Other' })).json, {
    data: { id, outcome: 'unchanged' },
  })

  const data = await message(clinic, id)
  assert.deepEqual([data.direction, data.type, data.status, data.text], ['inbound', 'text', 'received', written.text])
  assert.deepEqual([data.from_phone, data.to_phone, data.patient_phone], [PATIENT_PHONE, CLINIC_PHONE, '0501234567'])
  assert.deepEqual([data.timestamps, data.created_at], [null, '2150-07-12T09:00:00.999+03:00'])
  const [event, ...others] = await eventsOf(owner, clinic)
  assert.deepEqual([event?.type, others], ['chat.message.received', []])
  assert.equal(event?.data, serializerOf(ChatMessage)(data))

  const { display_name, last_message_preview, is_handled, ...seen } = await conversation(clinic)
  assert.deepEqual([display_name, last_message_preview, is_handled], ['Noa 🦷', written.text, false])
  assert.equal(seen.last_inbound_at, '2150-07-12T09:00:00+03:00')
  assert.equal(seen.free_text_window_expires_at, '2150-07-13T09:00:00+03:00')
  assert.equal(seen.last_outbound_at, null)
})

test('a late message is stored, does not set its conversation back, and leaves it handled', async () => {
  const clinic = await chatClinic(owner, null)
  const send = await ingest(clinic)
  const at = (time: string, id: string, more: object) =>
    send('/chat/messages', { ...written, platform_message_id: id, created_at: `2150-07-12T${time}Z`, ...more })
  await at('06:00:00', 'late-2', { text: 'Second', display_name: 'New' })
  const before = await conversation(clinic)
  await send('/chat/conversations/handled', { conversation_id: 'v1', is_handled: true })
  await at('05:00:00', 'late-1', { text: 'First', display_name: 'Old' })
  const { updated_at, ...after } = await conversation(clinic)
  assert.deepEqual(after, { ...(({ updated_at: _, ...rest }) => rest)(before), is_handled: true })
  assert.ok(updated_at !== null && before.updated_at !== null && updated_at > before.updated_at)
  await at('06:10:00', 'later', { text: 'Third', display_name: null })
  const last = await conversation(clinic)
  assert.deepEqual([last.last_message_preview, last.display_name, last.is_handled], ['Third', 'New', false])
  assert.equal(last.free_text_window_expires_at, '2150-07-13T09:10:00+03:00')
  const batch = ['06:25:00', '06:20:00'].map((time, i) => ({
    ...written,
    platform_message_id: `batch-${i}`,
    text: time,
    created_at: `2150-07-12T${time}Z`,
  }))
  assert.equal((await send('/chat/messages', { records: batch })).status, 200)
  assert.equal((await conversation(clinic)).last_message_preview, '06:25:00')
})

test('the window is open for at most a day from now, however a message is dated', async () => {
  const clinic = await chatClinic(owner, null)
  const send = await ingest(clinic)
  await send('/chat/messages', { ...written, created_at: '2150-07-13T06:00:00Z' })
  assert.equal((await conversation(clinic)).free_text_window_expires_at, '2150-07-13T09:30:00+03:00')
  const tooLate = { ...written, platform_message_id: 'wa2', created_at: '2150-07-13T06:31:00Z' }
  assert.deepEqual(faults(await send('/chat/messages', tooLate)), [422, '#/created_at in_future'])
})

test('fifty reports of one message at once are one message and one event', async () => {
  const clinic = await testClinic(owner)
  const send = await ingest(clinic)
  const answers = await Promise.all(Array.from({ length: 50 }, () => send('/chat/messages', written)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(new Set(answers.map(({ json }) => json.data.id)).size, 1)
  assert.equal(answers.filter(({ json }) => json.data.outcome === 'created').length, 1)
  assert.deepEqual(await types(clinic), ['chat.message.received'])
  const { data } = await ask(backend, clinic, 'chat.conversations.list')
  assert.deepEqual(
    data.map(({ patient_phone }) => patient_phone),
    ['0501234567'],
  )
})

test('a message that another transaction stores meanwhile is answered with that one, and the rest of its batch is stored', async () => {
  const clinic = await chatClinic(owner)
  const send = await ingest(clinic)
  const told = { platform_message_id: 'wa1', patient_phone: PATIENT_PHONE, text: 'First', at: now().toISOString() }
  const none = { media: null, template: null, display_name: null, replied_to_id: null, replied_to_platform_id: null }
  const report: PlatformMessage = { ...told, ...none, direction: 'inbound', type: 'text' }
  const { stored, sending } = await app.write(clinic, async (tx) => {
    const { answer } = await changeMessages(tx, clinic, [report], now())
    const from_phone = '+972509999999'
    const records = ['wa1', 'wa2'].map((id) => ({ ...written, platform_message_id: id, from_phone, text: id }))
    const sending = send('/chat/messages', { records })
    await doneOrWaiting(owner, tx, sending, '%into chat_message%')
    return { stored: answer[0]?.id, sending }
  })
  const [first, second] = (await sending).json.data
  assert.deepEqual([first.id, first.outcome, second.outcome], [stored, 'unchanged', 'created'])
  assert.deepEqual([(await message(clinic, first.id)).text, (await message(clinic, second.id)).text], ['First', 'wa2'])
})

test('new conversations are made in the order of their phones, so that no two reports wait for each other', async () => {
  const [clinic, low, high] = [await chatClinic(owner), '+972501111111', '+972502222222']
  const { probing } = await app.write(clinic, async (tx) => {
    await conversationsOf(tx, clinic, [high], now())
    const records = [high, low].map((from_phone) => ({ ...written, platform_message_id: from_phone, from_phone }))
    await doneOrWaiting(owner, tx, (await ingest(clinic))('/chat/messages', { records }), '%chat_conversation%')
    const probing = app.write(clinic, (probe) =>
      probe.query(sql`insert into chat_conversation (clinic_id, id, patient_phone, patient_phone_local, created_at, updated_at)
        values (${clinic.clinic_id}, 'probe', ${low}, '', ${now()}, ${now()}) on conflict do nothing returning id as probed`),
    )
    await doneOrWaiting(owner, tx, probing, '%as probed%')
    return { probing }
  })
  assert.deepEqual((await probing).rows, [])
})

test('an answer may name its outbound message by our id or the one of the platform', async () => {
  const clinic = await chatClinic(owner)
  const send = await ingest(clinic)
  const sent = await send('/chat/staff-messages', {
    platform_message_id: 'wa-out',
    conversation_id: 'v1',
    text: 'Hello',
  })
  const ours = sent.json.data.id
  const replying = async (id: string, more: object) => {
    const { json } = await send('/chat/messages', { ...written, platform_message_id: id, ...more })
    return (await message(clinic, json.data.id)).replied_to_id
  }
  assert.equal(await replying('a', { replied_to_id: ours }), ours)
  assert.equal(await replying('b', { replied_to_platform_id: 'wa-out' }), ours)
  assert.equal(await replying('c', { replied_to_platform_id: 'never told' }), null)
  assert.equal(await replying('d', { replied_to_platform_id: 'a' }), null)
  const unknown = await send('/chat/messages', { ...written, platform_message_id: 'e', replied_to_id: 'out_1' })
  assert.deepEqual(faults(unknown), [422, '#/replied_to_id unknown_id'])
})

test('media is a stored file, or only a type', async () => {
  const clinic = await chatClinic(owner)
  const send = await ingest(clinic)
  await insert(owner, clinic, 'file', { id: 'f1', content_type: 'image/jpeg', file_name: 'x.jpg' })
  const media = async (id: string, file_id?: string) =>
    send('/chat/messages', {
      ...written,
      platform_message_id: id,
      type: 'image',
      text: null,
      media: { type: 'image/jpeg', ...(file_id && { file_id }) },
    })
  const withFile = (await media('a', 'f1')).json.data.id
  assert.deepEqual((await message(clinic, withFile)).media, { available: true, type: 'image/jpeg' })
  const without = (await media('b')).json.data.id
  assert.deepEqual((await message(clinic, without)).media, { available: false, type: 'image/jpeg' })
  assert.equal((await conversation(clinic)).last_message_preview, null)
  assert.deepEqual(faults(await media('c', 'f2')), [422, '#/media/file_id unknown_id'])
})

test('a message that staff sent from elsewhere appears as sent at once', async () => {
  const clinic = await chatClinic(owner)
  const send = await ingest(clinic)
  const staff = { platform_message_id: 'wa1', to_phone: '0501234567', text: 'Hello', template: 'welcome' }
  const { json } = await send('/chat/staff-messages', { ...staff, sent_at: '2150-07-12T06:29:59.600Z' })
  const data = await message(clinic, json.data.id)
  assert.match(data.id, /^out_\d{15}$/)
  assert.deepEqual([data.status, data.template, data.conversation_id], ['sent', 'welcome', 'v1'])
  assert.deepEqual(data.timestamps, {
    sent_at: '2150-07-12T09:29:59+03:00',
    delivered_at: null,
    read_at: null,
    failed_at: null,
  })
  const [event, ...others] = await eventsOf(owner, clinic)
  assert.deepEqual([event?.type, others], ['chat.message.sent', []])
  assert.equal(event?.data, serializerOf(ChatMessage)(data))
  assert.deepEqual(await queueOf(owner, clinic), [])
  const unknown = { platform_message_id: 'wa2', conversation_id: 'v2', text: 'Hello' }
  assert.deepEqual(faults(await send('/chat/staff-messages', unknown)), [422, '#/conversation_id unknown_id'])
  const both = await send('/chat/staff-messages', { ...unknown, to_phone: '0501234567' })
  assert.equal(both.status, 400)
})

test('receipts name a message by our id or the one of the platform, and an unknown one refuses the batch', async () => {
  const clinic = await chatClinic(owner)
  const send = await ingest(clinic)
  const { data } = await ask(backend, clinic, 'chat.messages.create', {
    body: { conversation_id: 'v1', text: 'Hello' },
  })
  const byOurs = { message_id: data.id, platform_message_id: 'wa1', status: 'sent', at: '2150-07-12T06:30:01Z' }
  assert.deepEqual((await send('/chat/receipts', byOurs)).json, { data: { id: data.id, outcome: 'updated' } })
  assert.deepEqual(await queueOf(owner, clinic), [])
  const byTheirs = { platform_message_id: 'wa1', status: 'delivered', at: '2150-07-12T06:30:02Z' }
  assert.deepEqual((await send('/chat/receipts', byTheirs)).json, { data: { id: data.id, outcome: 'updated' } })
  assert.deepEqual((await send('/chat/receipts', byTheirs)).json, { data: { id: data.id, outcome: 'unchanged' } })
  const { json } = await send('/chat/messages', { ...written, platform_message_id: 'wa-in' })
  const wrong = [
    { platform_message_id: 'wa1', status: 'read' },
    { message_id: 'out_1', status: 'read' },
    { message_id: json.data.id, status: 'read' },
    { platform_message_id: 'wa9', status: 'read' },
  ]
  assert.deepEqual(faults(await send('/chat/receipts', { records: wrong })), [
    422,
    '#/records/1/message_id unknown_id',
    '#/records/2/message_id unknown_id',
    '#/records/3/platform_message_id unknown_id',
  ])
  assert.equal((await message(clinic, data.id)).status, 'delivered')
  assert.deepEqual(await types(clinic), ['chat.message.sent', 'chat.message.delivered', 'chat.message.received'])
  assert.equal((await send('/chat/receipts', { status: 'read' })).status, 400)
})

test('of several reports of one step the first counts, also within one batch', async () => {
  const clinic = await chatClinic(owner)
  const send = await ingest(clinic)
  const body = { conversation_id: 'v1', text: 'Hello' }
  const { data } = await ask(backend, clinic, 'chat.messages.create', { body })
  const named = { message_id: data.id, platform_message_id: 'wa1' }
  const reports = [
    { ...named, status: 'delivered', at: '2150-07-12T06:30:01Z' },
    { ...named, status: 'delivered', at: '2150-07-12T06:30:02Z' },
    { ...named, status: 'failed', at: '2150-07-12T06:30:03Z', reason: 'Undeliverable' },
    { ...named, status: 'failed', at: '2150-07-12T06:30:04Z', reason: 'Blocked' },
  ]
  await send('/chat/receipts', { records: reports })
  for (const later of [reports[1], reports[3]]) await send('/chat/receipts', { records: [later] })
  const { timestamps, failure_reason } = await message(clinic, data.id)
  assert.deepEqual(
    [timestamps?.delivered_at, timestamps?.failed_at, failure_reason],
    ['2150-07-12T09:30:01+03:00', '2150-07-12T09:30:03+03:00', 'Undeliverable'],
  )
})

test('a handled conversation stays handled until the patient writes again', async () => {
  const clinic = await chatClinic(owner)
  const send = await ingest(clinic)
  const handled = (is_handled: boolean) => send('/chat/conversations/handled', { conversation_id: 'v1', is_handled })
  assert.equal((await handled(true)).json.data.outcome, 'updated')
  const { is_handled, updated_at } = await conversation(clinic)
  assert.deepEqual([is_handled, updated_at], [true, '2150-07-12T09:30:00.700+03:00'])
  assert.equal((await handled(true)).json.data.outcome, 'unchanged')
  assert.equal((await conversation(clinic)).updated_at, updated_at)
  await send('/chat/messages', written)
  assert.equal((await conversation(clinic)).is_handled, false)
  const unknown = await send('/chat/conversations/handled', { conversation_id: 'v2', is_handled: true })
  assert.deepEqual(faults(unknown), [422, '#/conversation_id unknown_id'])
})

test('a template lists its variables, and has its name in a language for itself', async () => {
  const clinic = await testClinic(owner)
  const send = await ingest(clinic)
  const template = {
    id: 't1',
    name: 'reminder',
    language: 'en',
    category: 'utility',
    status: 'approved',
    header: { type: 'text', text: 'For {{name}}' },
    body: '{{day}}, {{name}}',
    footer: null,
    variables: [{ name: 'day' }, { name: 'name', example: 'Noa' }],
  }
  assert.equal((await send('/chat/templates', template)).json.data.outcome, 'created')
  assert.equal((await send('/chat/templates', template)).json.data.outcome, 'unchanged')
  assert.equal((await ask(backend, clinic, 'chat.templates.list')).data.length, 1)
  const wrong = { ...template, id: 't2', name: 'other', variables: [{ name: 'day' }] }
  assert.deepEqual(faults(await send('/chat/templates', wrong)), [422, '#/variables mismatch'])
  assert.deepEqual(faults(await send('/chat/templates', { ...template, id: 't2' })), [422, '#/name taken'])
  const twice = { records: ['t3', 't4'].map((id) => ({ ...template, id, name: 'new' })) }
  assert.deepEqual(faults(await send('/chat/templates', twice)), [422, '#/records/1/name taken'])
  assert.deepEqual(await types(clinic), [])
})

test('an account on a platform belongs to one clinic', async () => {
  const [clinic, other] = [await testClinic(owner), await testClinic(owner)]
  const [send, sendOther] = [await ingest(clinic), await ingest(other)]
  const account_id = `${BigInt(`0x${clinic.clinic_id.slice(1)}`)}`
  const settings = { platform: 'whatsapp', account_id, phone: '04-812-3456' }
  assert.deepEqual((await send('/messaging', settings)).json.data, { id: clinic.clinic_id, outcome: 'updated' })
  assert.equal((await send('/messaging', settings)).json.data.outcome, 'unchanged')
  assert.deepEqual(faults(await sendOther('/messaging', settings)), [422, '#/account_id taken'])
  assert.deepEqual(faults(await sendOther('/messaging', { platform: 'whatsapp' })), [422, '#/account_id required'])
  const { rows } = await owner.query(sql`select messaging_platform, messaging_phone from clinic
    where clinic_id = ${clinic.clinic_id}`)
  assert.deepEqual(rows, [{ messaging_platform: 'whatsapp', messaging_phone: CLINIC_PHONE }])
  assert.equal((await send('/messaging', { platform: 'simulated' })).json.data.outcome, 'updated')
  assert.equal((await sendOther('/messaging', settings)).json.data.outcome, 'updated')
})
