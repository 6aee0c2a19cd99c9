// Chat: conversations with their window, messages with their receipts, media, templates, and the patients of a phone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { ask, problem, walk } from '@clinic-data/testing/grounds/ask'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const NOW = '2026-07-12T06:30:00Z'
const backend = createBackend({ database: app, now: () => new Date(NOW), log: failingLog })

const SHARED = '+972501234567'
const OWN = '+972521111111'

/** `p1` has both phones, `p2` one of them, `p3` none. */
async function phonedClinic(): Promise<Clinic> {
  const clinic = await testClinic(owner)
  await insertPatient(owner, clinic, { id: 'p1', first_name: 'Noa', last_name: 'Levi' }, [SHARED, OWN])
  await insertPatient(owner, clinic, { id: 'p2', first_name: 'Tal', last_name: 'Levi' }, [SHARED])
  await insertPatient(owner, clinic, { id: 'p3' })
  return clinic
}

const both = [
  { id: 'p1', first_name: 'Noa', last_name: 'Levi' },
  { id: 'p2', first_name: 'Tal', last_name: 'Levi' },
]

test('a conversation is answered with the patients of its phone, and its window while it is open', async () => {
  const clinic = await phonedClinic()
  const row = {
    id: 'v1',
    display_name: 'Noa L.',
    patient_phone: SHARED,
    patient_phone_local: '0501234567',
    clinic_phone: '+97248123456',
    last_message_preview: 'Thanks!',
    last_activity_at: '2026-07-12T06:00:00Z',
    last_inbound_at: '2026-07-11T06:30:01Z',
    last_outbound_at: '2026-07-12T06:00:00Z',
    is_handled: true,
    free_text_window_expires_at: '2026-07-12T06:30:01Z',
  }
  await insert(owner, clinic, 'chat_conversation', row)
  await insert(owner, clinic, 'chat_conversation', { id: 'v2', patient_phone: OWN, free_text_window_expires_at: NOW })
  const conversation = {
    id: 'v1',
    display_name: 'Noa L.',
    patient_phone: '0501234567',
    clinic_phone: '+97248123456',
    last_message_preview: 'Thanks!',
    last_activity_at: '2026-07-12T09:00:00+03:00',
    last_inbound_at: '2026-07-11T09:30:01+03:00',
    last_outbound_at: '2026-07-12T09:00:00+03:00',
    is_handled: true,
    free_text_window_expires_at: '2026-07-12T09:30:01+03:00',
    patients: both,
    created_at: '2026-01-01T10:00:00.000+02:00',
    updated_at: '2026-01-01T10:00:00.000+02:00',
  }
  const get = (id: string) => ask(backend, clinic, 'chat.conversations.get', { params: { id } })
  assert.deepEqual((await get('v1')).data, conversation)
  assert.deepEqual((await ask(backend, clinic, 'chat.conversations.list')).data[0], conversation)
  const closed = (await get('v2')).data
  assert.equal(closed.free_text_window_expires_at, null)
  assert.deepEqual([closed.last_activity_at, closed.last_message_preview, closed.patients], [null, null, [both[0]]])
  await assert.rejects(get('v3'), problem('not-found', /No chat conversation has the id v3/))
})

test('the filters of conversations combine, latest activity first, those without any last', async () => {
  const clinic = await phonedClinic()
  const open = '2026-07-12T06:30:01Z'
  const conversations = {
    a: { patient_phone: SHARED, last_activity_at: '2026-07-12T06:00:00Z', free_text_window_expires_at: open },
    b: { patient_phone: OWN, last_activity_at: null, is_handled: true, free_text_window_expires_at: open },
    c: { patient_phone: '+972540000001', last_activity_at: '2026-07-12T06:00:00Z', free_text_window_expires_at: NOW },
    d: { patient_phone: '+972540000002', last_activity_at: null, is_handled: true },
  }
  for (const [id, row] of Object.entries(conversations))
    await insert(owner, clinic, 'chat_conversation', { id, ...row })
  const walked = async (query: Record<string, unknown>) =>
    (await walk(backend, clinic, 'chat.conversations.list', { query, limit: 1 })).map(({ id }) => id).join('')
  assert.equal(await walked({}), 'cadb')
  assert.equal(await walked({ is_handled: true }), 'db')
  assert.equal(await walked({ is_handled: false }), 'ca')
  assert.equal(await walked({ window_open: true }), 'ab')
  assert.equal(await walked({ window_open: false }), 'cd')
  assert.equal(await walked({ window_open: true, is_handled: false }), 'a')
  assert.equal(await walked({ phone: '0501234567' }), 'a')
  assert.equal(await walked({ patient_id: 'p1' }), 'ab')
  assert.equal(await walked({ patient_id: 'nobody' }), '')
  assert.equal(await walked({ patient_id: 'p1', window_open: true, updated_since: '2020-01-01T00:00:00Z' }), 'ab')
  assert.equal(await walked({ updated_since: '2020-01-01T00:00:00Z' }), 'abcd')
})

test('an outbound message has its receipts, an inbound one has none and may reply', async () => {
  const clinic = await phonedClinic()
  await insert(owner, clinic, 'chat_conversation', { id: 'v1', patient_phone: SHARED })
  await insert(owner, clinic, 'file', { id: 'f1' })
  const out = {
    id: 'out_1',
    conversation_id: 'v1',
    direction: 'outbound',
    type: 'image',
    status: 'failed',
    text: 'See you',
    from_phone: '+97248123456',
    to_phone: SHARED,
    patient_phone: SHARED,
    patient_phone_local: '0501234567',
    media_type: 'image/png',
    media_file_id: 'f1',
    template: 'reminder',
    failure_reason: 'Unknown number',
    sent_at: '2026-07-12T06:00:01Z',
    failed_at: '2026-07-12T06:00:02Z',
    created_at: '2026-07-12T06:00:00.123Z',
    updated_at: '2026-07-12T06:00:02.481Z',
  }
  await insert(owner, clinic, 'chat_message', out)
  const reply = { id: 'in_2', patient_phone: '+972540000001', replied_to_id: 'out_1', media_type: 'audio/ogg' }
  await insert(owner, clinic, 'chat_message', reply)
  const get = async (id: string) => (await ask(backend, clinic, 'chat.messages.get', { params: { id } })).data
  assert.deepEqual(await get('out_1'), {
    id: 'out_1',
    conversation_id: 'v1',
    direction: 'outbound',
    type: 'image',
    status: 'failed',
    from_phone: '+97248123456',
    to_phone: SHARED,
    patient_phone: '0501234567',
    text: 'See you',
    media: { available: true, type: 'image/png' },
    patients: both,
    template: 'reminder',
    replied_to_id: null,
    failure_reason: 'Unknown number',
    timestamps: {
      sent_at: '2026-07-12T09:00:01+03:00',
      delivered_at: null,
      read_at: null,
      failed_at: '2026-07-12T09:00:02+03:00',
    },
    created_at: '2026-07-12T09:00:00.123+03:00',
    updated_at: '2026-07-12T09:00:02.481+03:00',
  })
  const inbound = await get('in_2')
  assert.deepEqual([inbound.timestamps, inbound.replied_to_id, inbound.patients], [null, 'out_1', []])
  assert.deepEqual(inbound.media, { available: false, type: 'audio/ogg' })
  for (const id of ['1', '2', 'x_1', 'out_', 'OUT_1', 'in_1']) {
    await assert.rejects(get(id), problem('not-found', /prefix in_ or out_/), id)
  }
  const media = (id: string) => ask(backend, clinic, 'chat.messages.media.get', { params: { id } })
  assert.equal((await media('out_1')).data.file_id, 'f1')
  await assert.rejects(media('in_2'), problem('not-found', /has no media/))
  await assert.rejects(media('1'), problem('not-found', /prefix/))
})

test('the filters of messages combine, latest first, of a conversation and of a patient’s phones', async () => {
  const clinic = await phonedClinic()
  await insert(owner, clinic, 'chat_conversation', { id: 'v1', patient_phone: SHARED })
  await insert(owner, clinic, 'chat_conversation', { id: 'v2', patient_phone: OWN })
  const created = (day: number) => ({ created_at: `2026-07-0${day}T08:00:00.000Z` })
  const messages = {
    in_1: { conversation_id: 'v1', patient_phone: SHARED, ...created(1) },
    out_2: { conversation_id: 'v1', patient_phone: SHARED, direction: 'outbound', status: 'read', ...created(2) },
    in_3: { conversation_id: 'v2', patient_phone: OWN, type: 'image', ...created(3) },
    in_4: { conversation_id: null, patient_phone: null, ...created(4) },
    in_5: { conversation_id: 'v2', patient_phone: OWN, ...created(3) },
  }
  for (const [id, row] of Object.entries(messages)) await insert(owner, clinic, 'chat_message', { id, ...row })
  const numbers = (rows: { id: string }[]) => rows.map(({ id }) => id.split('_')[1]).join('')
  const walked = async (query: Record<string, unknown>) =>
    numbers(await walk(backend, clinic, 'chat.messages.list', { query, limit: 1 }))
  assert.equal(await walked({}), '45321')
  assert.equal(await walked({ direction: 'outbound' }), '2')
  assert.equal(await walked({ status: 'received' }), '4531')
  assert.equal(await walked({ type: 'image' }), '3')
  assert.equal(await walked({ conversation_id: 'v1' }), '21')
  assert.equal(await walked({ phone: '052-111-1111' }), '53')
  assert.equal(await walked({ patient_id: 'p1' }), '5321')
  assert.equal(await walked({ patient_id: 'p1', conversation_id: 'v2', type: 'text' }), '5')
  assert.equal(await walked({ patient_id: 'nobody' }), '')
  assert.equal(await walked({ from: '2026-07-02', to: '2026-07-03' }), '532')
  assert.equal(await walked({ updated_since: '2020-01-01T00:00:00Z' }), '13452')
  assert.equal(await walked({ patient_id: 'p1', updated_since: '2020-01-01T00:00:00Z' }), '1352')

  const ofConversation = (id: string) => walk(backend, clinic, 'chat.conversations.messages.list', { params: { id } })
  assert.equal(numbers(await ofConversation('v2')), '53')
  await assert.rejects(ofConversation('v3'), problem('not-found', /No chat conversation has the id v3/))
  const ofPatient = (id: string) => walk(backend, clinic, 'patients.chat_messages.list', { params: { id } })
  assert.equal(numbers(await ofPatient('p2')), '21')
  assert.equal(numbers(await ofPatient('p3')), '')
  await assert.rejects(ofPatient('nobody'), problem('not-found', /No patient has the id nobody/))
})

test('templates come by name, approved ones unless asked otherwise', async () => {
  const clinic = await testClinic(owner)
  const header = { header_type: 'text', header_text: 'Hi', footer: 'Bye', variables: '[{"name":"day","example":null}]' }
  await insert(owner, clinic, 'chat_template', { id: 't1', name: 'b', ...header })
  await insert(owner, clinic, 'chat_template', { id: 't2', name: 'a', category: 'marketing' })
  await insert(owner, clinic, 'chat_template', { id: 't3', name: 'a', language: 'he' })
  await insert(owner, clinic, 'chat_template', { id: 't4', name: 'a', language: 'ar', status: 'paused' })
  const walked = async (query: Record<string, unknown>) =>
    (await walk(backend, clinic, 'chat.templates.list', { query, limit: 1 })).map(({ id }) => id)
  assert.deepEqual(await walked({}), ['t2', 't3', 't1'])
  assert.deepEqual(await walked({ status: 'paused' }), ['t4'])
  assert.deepEqual(await walked({ category: 'marketing' }), ['t2'])
  assert.deepEqual(await walked({ language: 'he' }), ['t3'])
  const [, , last] = (await ask(backend, clinic, 'chat.templates.list')).data
  assert.deepEqual(last, {
    id: 't1',
    name: 'b',
    language: 'en',
    category: 'utility',
    status: 'approved',
    body: 'Hello',
    footer: 'Bye',
    header: { type: 'text', text: 'Hi' },
    variables: [{ name: 'day', example: null }],
    updated_at: '2026-01-01T10:00:00.000+02:00',
  })
})
