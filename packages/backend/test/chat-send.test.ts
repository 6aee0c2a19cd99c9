// Sending a chat message: the recipient, the kind of message, the refusals, and that a repetition sends nothing twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clinic, Problem } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import {
  askedOf,
  CLINIC_PHONE,
  chatClinic,
  NOW_MS,
  PATIENT_PHONE,
  queueOf,
} from '@clinic-data/testing/grounds/chat-ground'
import { eventsOf } from '@clinic-data/testing/grounds/ingest'
import { insert, insertPatient } from '@clinic-data/testing/grounds/rows'
import { doneOrWaiting } from '@clinic-data/testing/grounds/waits'
import { failingLog, testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const NOW = new Date(NOW_MS + 700).toISOString()
const backendAt = (now: string) => createBackend({ database: app, now: () => new Date(now), log: failingLog })
const backend = backendAt(NOW)

const send = (clinic: Clinic, body: object, idempotency_key?: string) =>
  ask(backend, clinic, 'chat.messages.create', { body, ...(idempotency_key ? { idempotency_key } : {}) })

const toPatient = { patient_id: 'p1', text: 'See you on Tuesday!' }

test('a message is answered as queued, waits to be sent, updates its conversation, and is no event', async () => {
  const clinic = await chatClinic(owner)
  const { data, meta, ...others } = await send(clinic, toPatient)
  assert.deepEqual([meta, others], [{ delivery_mode: 'free_text' }, {}])
  assert.match(data.id, /^out_\d{15}$/)
  assert.deepEqual(data, {
    id: data.id,
    conversation_id: 'v1',
    direction: 'outbound',
    type: 'text',
    status: 'queued',
    from_phone: CLINIC_PHONE,
    to_phone: PATIENT_PHONE,
    patient_phone: '0501234567',
    text: toPatient.text,
    media: { available: false, type: null },
    patients: [{ id: 'p1', first_name: 'Noa', last_name: 'Levi' }],
    template: null,
    replied_to_id: null,
    failure_reason: null,
    timestamps: { sent_at: null, delivered_at: null, read_at: null, failed_at: null },
    created_at: '2150-07-12T09:30:00.700+03:00',
    updated_at: '2150-07-12T09:30:00.700+03:00',
  })
  assert.deepEqual((await ask(backend, clinic, 'chat.messages.get', { params: { id: data.id } })).data, data)
  assert.deepEqual(await askedOf(owner, clinic, data.id), { kind: 'text', text: toPatient.text })
  assert.deepEqual(
    (await queueOf(owner, clinic)).map(({ message_id, state }) => [message_id, state]),
    [[data.id, 'waiting']],
  )
  const conversation = (await ask(backend, clinic, 'chat.conversations.get', { params: { id: 'v1' } })).data
  assert.equal(conversation.last_message_preview, toPatient.text)
  assert.equal(conversation.last_activity_at, '2150-07-12T09:30:00+03:00')
  assert.equal(conversation.last_outbound_at, '2150-07-12T09:30:00+03:00')
  assert.deepEqual([conversation.last_inbound_at, conversation.clinic_phone], [null, CLINIC_PHONE])
  assert.deepEqual(await eventsOf(owner, clinic), [])
})

test('a phone in any form finds its conversation, and a new phone gets one', async () => {
  const clinic = await chatClinic(owner)
  const of = async (addressee: object) =>
    (await send(clinic, { ...addressee, text: 'Hello' })).data.conversation_id as string
  assert.equal(await of({ conversation_id: 'v1' }), 'v1')
  assert.equal(await of({ to_phone: '050-123 4567' }), 'v1')
  assert.equal(await of({ to_phone: '972501234567' }), 'v1')
  const made = await of({ to_phone: '+1 201 555 0123' })
  assert.notEqual(made, 'v1')
  assert.equal(await of({ to_phone: '+12015550123' }), made)
  const { data } = await ask(backend, clinic, 'chat.conversations.get', { params: { id: made } })
  assert.deepEqual([data.patient_phone, data.free_text_window_expires_at], ['+12015550123', null])
})

test('a crowd that writes to one new phone makes one conversation, and each message is queued', async () => {
  const clinic = await chatClinic(owner)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => send(clinic, { to_phone: '0529999999', text: `Message ${i}` })),
  )
  assert.equal(new Set(answers.map(({ data }) => data.conversation_id)).size, 1)
  assert.equal(new Set(answers.map(({ data }) => data.id)).size, 40)
  const { rows } = await owner.query<{ position: number }>(sql`
    select position from chat_send where clinic_id = ${clinic.clinic_id} order by position`)
  assert.deepEqual(
    rows.map(({ position }) => position),
    Array.from({ length: 40 }, (_, i) => i + 1),
  )
})

test('a message waits for whoever changes its conversation', async () => {
  const clinic = await chatClinic(owner)
  for (const to of [{ conversation_id: 'v1' }, { to_phone: PATIENT_PHONE }]) {
    const { sending } = await app.write(clinic, async (tx) => {
      await tx.query(sql`update chat_conversation set free_text_window_expires_at = now() where id = 'v1'`)
      const sending = send(clinic, { ...to, text: 'Hello', allow_template: false })
      await doneOrWaiting(owner, tx, sending, '%from chat_conversation%')
      await tx.query(sql`update chat_conversation set free_text_window_expires_at = '2200-01-01' where id = 'v1'`)
      return { sending }
    })
    await sending
  }
  assert.equal((await queueOf(owner, clinic)).length, 2)
})

test("a message goes to the patient's primary phone, or else to the first readable one", async () => {
  const clinic = await chatClinic(owner)
  await insertPatient(owner, clinic, { id: 'p2' }, ['+972520000001', '+972520000002'])
  await owner.query(sql`update patient_contact set is_primary = position = 1
    where clinic_id = ${clinic.clinic_id} and patient_id = 'p2'`)
  assert.equal((await send(clinic, { patient_id: 'p2', text: 'a' })).data.to_phone, '+972520000002')
  await owner.query(sql`update patient_contact set value_normal = null
    where clinic_id = ${clinic.clinic_id} and patient_id = 'p2' and position = 1`)
  assert.equal((await send(clinic, { patient_id: 'p2', text: 'a' })).data.to_phone, '+972520000001')
})

test('free text is free until the instant when the window closes, and wrapped afterwards', async () => {
  const clinic = await chatClinic(owner, '2150-07-12T06:30:00Z')
  const modeAt = async (now: string) =>
    (await ask(backendAt(now), clinic, 'chat.messages.create', { body: toPatient })).meta.delivery_mode
  assert.equal(await modeAt('2150-07-12T06:29:59.999Z'), 'free_text')
  assert.equal(await modeAt('2150-07-12T06:30:00.000Z'), 'marketing_template')
})

test('wrapped text keeps its words and is sent on one line in the clinic’s template', async () => {
  const clinic = await chatClinic(owner, null)
  const text = '  See you\n\non  Tuesday!\t'
  const { data, meta } = await send(clinic, { patient_id: 'p1', text, allow_template: true })
  assert.deepEqual([data.text, data.template, meta.delivery_mode], [text, 'clinic_message', 'marketing_template'])
  assert.deepEqual(await askedOf(owner, clinic, data.id), {
    kind: 'template',
    name: 'clinic_message',
    language: 'en',
    category: 'marketing',
    header_variables: [],
    body_variables: [{ name: 'text', value: 'See you on Tuesday!' }],
  })
  const fits = `${'é'.repeat(1000)}${' '.repeat(2000)}${'🦷'.repeat(23)}`
  assert.equal((await send(clinic, { patient_id: 'p1', text: fits })).data.text, fits)
})

test('a template is sent with each of its variables, and its filled body is the text', async () => {
  const clinic = await chatClinic(owner, null)
  await insert(owner, clinic, 'chat_template', {
    id: 't2',
    name: 'reminder',
    language: 'he',
    header_type: 'text',
    header_text: 'For {{ name }}',
    body: 'Dear {{name}}, on {{day}} at {{hour}}, {{name}}! {text}',
  })
  const variables = { hour: '9', day: '{{name}} $& day', name: 'Noa\n Levi' }
  const template = { name: 'reminder', language: 'he', variables }
  const { data, meta } = await send(clinic, { patient_id: 'p1', template, allow_template: false })
  assert.equal(meta.delivery_mode, 'template')
  assert.equal(data.text, 'Dear Noa Levi, on {{name}} $& day at 9, Noa Levi! {text}')
  assert.deepEqual([data.type, data.template], ['text', 'reminder'])
  assert.deepEqual(await askedOf(owner, clinic, data.id), {
    kind: 'template',
    name: 'reminder',
    language: 'he',
    category: 'utility',
    header_variables: [{ name: 'name', value: 'Noa Levi' }],
    body_variables: [
      { name: 'name', value: 'Noa Levi' },
      { name: 'day', value: '{{name}} $& day' },
      { name: 'hour', value: '9' },
    ],
  })
  const plain = { name: 'plain', language: 'en' }
  await insert(owner, clinic, 'chat_template', { id: 't3', ...plain, body: 'Plain words' })
  assert.equal((await send(clinic, { patient_id: 'p1', template: plain })).data.text, 'Plain words')
})

test('a refusal names its field and stores nothing', async () => {
  const clinic = await chatClinic(owner)
  await insertPatient(owner, clinic, { id: 'silent', phone: 'ask at the desk' })
  const stored = { language: 'en', body: 'Hi {{a}}, {{b}}' }
  await insert(
    owner,
    clinic,
    'chat_template',
    { id: 't2', name: 'two', ...stored, status: 'approved', header_type: null },
    { id: 't3', name: 'paused', ...stored, status: 'paused', header_type: null },
    { id: 't4', name: 'picture', ...stored, status: 'approved', header_type: 'image' },
  )
  const closed = { to_phone: '0521111111' }
  const template = (name: string, variables?: object, language = 'en') => ({
    patient_id: 'p1',
    template: { name, language, ...(variables && { variables }) },
  })
  const refused: [body: object, ...errors: string[]][] = [
    [{ conversation_id: 'v2', text: 'a' }, '#/conversation_id unknown_id'],
    [{ patient_id: 'p2', text: 'a' }, '#/patient_id unknown_id'],
    [{ patient_id: 'silent', text: 'a' }, '#/patient_id no_phone'],
    [{ patient_id: 'p1', text: ' \n' }, '#/text blank'],
    [{ ...closed, text: ' \n' }, '#/text blank'],
    [{ ...closed, text: 'a', allow_template: false }, '#/allow_template window_closed'],
    [{ ...closed, text: 'é'.repeat(1025) }, '#/text too_long'],
    [template('three'), '#/template/name unknown_template'],
    [template('two', { a: '1', b: '2' }, 'he'), '#/template/name unknown_template'],
    [template('paused', { a: '1', b: '2' }), '#/template/name not_approved'],
    [template('picture', { a: '1', b: '2' }), '#/template/name media_header'],
    [template('two'), '#/template/variables/a required', '#/template/variables/b required'],
    [
      template('two', { a: '1', b: ' ', 'c/d': '3' }),
      '#/template/variables/b blank',
      '#/template/variables/c~1d unknown',
    ],
    [template('two', { a: '1', b: '2', __proto__x: '3' }), '#/template/variables/__proto__x unknown'],
  ]
  for (const [body, ...errors] of refused) {
    await assert.rejects(send(clinic, body, 'key'), (error) => {
      assert.ok(error instanceof Problem && error.slug === 'unprocessable', `${error}`)
      const faults = error.members.errors?.map((fault) => `${'pointer' in fault ? fault.pointer : ''} ${fault.code}`)
      assert.deepEqual(faults, errors, JSON.stringify(body))
      return true
    })
  }
  assert.deepEqual(await queueOf(owner, clinic), [])
  const { rows } = await owner.query(sql`select from chat_conversation where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows.length, 1)
})

test('without a wrapping template, free text waits for the patient’s next message', async () => {
  const unusable = {
    none: sql`wrapping_template_name = null`,
    unknown: sql`wrapping_template_language = 'he'`,
  }
  for (const change of Object.values(unusable)) {
    const clinic = await chatClinic(owner, null)
    await owner.query(sql`update clinic set ${change} where clinic_id = ${clinic.clinic_id}`)
    await assert.rejects(send(clinic, toPatient), problem('unprocessable', /no approved template/))
  }
  for (const change of [
    sql`status = 'paused'`,
    sql`category = 'utility'`,
    sql`category = 'authentication'`,
    sql`body = 'two {{a}} {{b}}'`,
    sql`body = 'none'`,
    sql`header_type = 'image'`,
    sql`header_type = 'text', header_text = '{{text}}', body = 'none'`,
    sql`header_type = 'text', header_text = '{{text}}'`,
  ]) {
    const clinic = await chatClinic(owner, null)
    await owner.query(sql`update chat_template set ${change} where clinic_id = ${clinic.clinic_id}`)
    await assert.rejects(send(clinic, toPatient), problem('unprocessable', /no approved template/))
  }
})

test('fifty equal requests at once with one Idempotency-Key make one message', async () => {
  const clinic = await chatClinic(owner)
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => send(clinic, toPatient, 'key-1')))
  const answers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  assert.ok(refusals.every((reason) => reason instanceof Problem && reason.slug === 'conflict'))
  assert.ok(answers.length > 0)
  assert.equal(answers.filter(({ replayed }) => replayed !== true).length, 1)
  const again = await send(clinic, toPatient, 'key-1')
  assert.deepEqual(new Set([again, ...answers].map(({ data }) => JSON.stringify(data))).size, 1)
  assert.deepEqual([again.replayed, again.meta], [true, { delivery_mode: 'free_text' }])
  assert.equal((await queueOf(owner, clinic)).length, 1)
  await assert.rejects(send(clinic, { ...toPatient, text: 'Other' }, 'key-1'), problem('idempotency-key-reused'))
})

test('the sender is woken for a clinic after its message is committed, but not for a refused one', async () => {
  const clinic = await chatClinic(owner)
  const heard: { clinic_id: string; waiting: Promise<number> }[] = []
  const listening = createBackend({
    database: app,
    now: () => new Date(NOW),
    log: failingLog,
    onMessageQueued: (clinic_id) =>
      heard.push({ clinic_id, waiting: queueOf(owner, clinic).then(({ length }) => length) }),
  })
  await ask(listening, clinic, 'chat.messages.create', { body: toPatient })
  await assert.rejects(ask(listening, clinic, 'chat.messages.create', { body: { conversation_id: 'v2', text: 'a' } }))
  assert.deepEqual(await Promise.all(heard.map(async ({ clinic_id, waiting }) => [clinic_id, await waiting])), [
    [clinic.clinic_id, 1],
  ])
})

test("another clinic's key cannot write to a conversation", async () => {
  const [clinic, other] = [await chatClinic(owner), await testClinic(owner)]
  await assert.rejects(send(other, { conversation_id: 'v1', text: 'a' }), problem('unprocessable'))
  await assert.rejects(send(other, toPatient), problem('unprocessable'))
  assert.deepEqual(await queueOf(owner, clinic), [])
})
