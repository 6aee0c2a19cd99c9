// The sender: a message is sent once and in order, for every answer of the platform, even if other processes send too.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeReceipts } from '@clinic-data/changes/chat-receipts'
import { writeChanges } from '@clinic-data/changes/writing/write-changes'
import { ChatMessage } from '@clinic-data/contract/resources/chat'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql } from '@clinic-data/database'
import type { SendOutcome } from '@clinic-data/messaging/messaging-platform'
import { CLINIC_PHONE, chatClinic, PATIENT_PHONE, queueOf } from '@clinic-data/testing/grounds/chat-ground'
import { accepted, sendingFrom, silentLog } from '@clinic-data/testing/grounds/chat-sending'
import { eventsOf } from '@clinic-data/testing/grounds/ingest'
import { until } from '@clinic-data/testing/until'
import { app, database, owner, retry, states, types, unknown } from './chat-sender-ground.ts'

const MINUTE_MS = 60_000

test("an accepted message is sent, and its event equals REST's answer byte for byte", async (t) => {
  const clinic = await chatClinic(owner)
  const { write, get, sender, platform, clock } = await sendingFrom(t, database, [clinic])
  const { id } = await write(clinic, 'Hello')
  sender.start()
  await sender.idle()
  const [first, ...others] = platform.requests
  assert.deepEqual(
    [first?.message_id, first?.to_phone, first?.content, others],
    [id, PATIENT_PHONE, { kind: 'text', text: 'Hello' }, []],
  )
  assert.deepEqual(first?.account, { clinic_id: clinic.clinic_id, account_id: clinic.clinic_id, phone: CLINIC_PHONE })
  const data = await get(clinic, id)
  assert.equal(data.status, 'sent')
  assert.equal(Date.parse((data.timestamps as { sent_at: string }).sent_at), clock.now().getTime())
  const [event, ...more] = await eventsOf(owner, clinic)
  assert.deepEqual([event?.type, event?.data, more], ['chat.message.sent', serializerOf(ChatMessage)(data), []])
  assert.deepEqual(await queueOf(owner, clinic), [])
  const { rows } = await owner.query(sql`select platform_message_id from chat_message
    where clinic_id = ${clinic.clinic_id} and id = ${id}`)
  assert.deepEqual(rows, [{ platform_message_id: 'wa-1' }])
  await sender.stop()
})

test("this process's messages are sent at once, another one's within a second", async (t) => {
  const clinic = await chatClinic(owner)
  const { write, sender, platform, clock } = await sendingFrom(t, database, [clinic])
  sender.start()
  await sender.idle()
  await write(clinic, 'Here')
  sender.wake(clinic.clinic_id)
  await sender.idle()
  assert.deepEqual(platform.texts, ['Here'])
  await write(clinic, 'Elsewhere')
  await clock.run(1000)
  await sender.idle()
  assert.deepEqual(platform.texts, ['Here', 'Elsewhere'])
  await sender.stop()
})

test('a refused message fails, and its reason appears a moment after the event', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, get, sender, platform } = await sendingFrom(t, database, [clinic])
  platform.answer = () => ({ outcome: 'refused', reason: 'Not on WhatsApp (131026)' })
  const { id } = await write(clinic, 'Hello')
  sender.start()
  await sender.idle()
  const data = await get(clinic, id)
  assert.deepEqual([data.status, data.failure_reason], ['failed', 'Not on WhatsApp (131026)'])
  const [event, ...more] = await eventsOf(owner, clinic)
  const message = JSON.parse(event?.data ?? '')
  assert.deepEqual(
    [event?.type, message.failure_reason, message.status, more],
    ['chat.message.failed', null, 'failed', []],
  )
  assert.equal(Date.parse(data.updated_at ?? '') - Date.parse(message.updated_at), 1)
  assert.equal(
    event?.data,
    serializerOf(ChatMessage)({ ...data, failure_reason: null, updated_at: message.updated_at }),
  )
  await sender.stop()
})

test('a message that the platform cannot accept now is retried five times at growing intervals and then fails', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, get, sender, platform, pass } = await sendingFrom(t, database, [clinic], silentLog)
  platform.answer = () => retry()
  const { id } = await write(clinic, 'Hello')
  sender.start()
  await sender.idle()
  const waits = [5, 30, 120, 600, 1800]
  for (const [i, seconds] of waits.entries()) {
    await pass(seconds * 1000 - 2500)
    assert.equal(platform.requests.length, i + 1, `before ${seconds} s`)
    assert.deepEqual(await states(clinic), ['waiting'])
    await pass(2500)
    assert.equal(platform.requests.length, i + 2, `after ${seconds} s`)
  }
  const { status, failure_reason } = await get(clinic, id)
  assert.deepEqual([status, failure_reason], ['failed', 'platform_unavailable'])
  assert.deepEqual([await queueOf(owner, clinic), await types(clinic)], [[], ['chat.message.failed']])
  await sender.stop()
})

test('a platform that says how long to wait is not called sooner', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, sender, platform, pass } = await sendingFrom(t, database, [clinic], silentLog)
  platform.answer = (_, number) => (number === 1 ? retry(MINUTE_MS) : accepted('wa'))
  await write(clinic, 'Hello')
  sender.start()
  await sender.idle()
  await pass(MINUTE_MS - 2500)
  assert.equal(platform.requests.length, 1)
  await pass(2500)
  assert.equal(platform.requests.length, 2)
  assert.deepEqual(await types(clinic), ['chat.message.sent'])
  await sender.stop()
})

test('a message with an unknown outcome is never sent again, and fails after ten minutes', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, get, sender, platform, pass } = await sendingFrom(t, database, [clinic], silentLog)
  platform.answer = () => unknown
  const { id } = await write(clinic, 'Hello')
  sender.start()
  await sender.idle()
  await pass(10 * MINUTE_MS - 2500)
  assert.deepEqual([(await get(clinic, id)).status, await states(clinic)], ['queued', ['unknown']])
  await pass(2500)
  const { status, failure_reason } = await get(clinic, id)
  assert.deepEqual([status, failure_reason, platform.requests.length], ['failed', 'outcome_unknown', 1])
  assert.deepEqual([await queueOf(owner, clinic), await types(clinic)], [[], ['chat.message.failed']])
  await sender.stop()
})

test('a receipt settles a message with an unknown outcome', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, get, sender, platform, pass, clock } = await sendingFrom(t, database, [clinic], silentLog)
  platform.answer = () => unknown
  const { id } = await write(clinic, 'Hello')
  sender.start()
  await sender.idle()
  const receipt = { message_id: id, platform_message_id: 'wa', status: 'delivered', reason: null } as const
  await writeChanges({ database: app, now: () => clock.now() }, clinic, (tx, now) =>
    changeReceipts(tx, clinic, [{ ...receipt, at: now.toISOString() }], now),
  )
  await pass(20 * MINUTE_MS)
  assert.deepEqual([(await get(clinic, id)).status, platform.requests.length], ['delivered', 1])
  assert.deepEqual([await queueOf(owner, clinic), await types(clinic)], [[], ['chat.message.delivered']])
  await sender.stop()
})

test('a receipt before the answer, and the answer, are one event each', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, get, sender, platform, clock } = await sendingFrom(t, database, [clinic])
  const { id } = await write(clinic, 'Hello')
  platform.answer = async ({ message_id }) => {
    const receipt = { message_id, platform_message_id: 'wa', status: 'read', reason: null } as const
    await writeChanges({ database: app, now: () => clock.now() }, clinic, (tx, now) =>
      changeReceipts(tx, clinic, [{ ...receipt, at: now.toISOString() }], now),
    )
    return accepted('wa')
  }
  sender.start()
  await sender.idle()
  assert.equal((await get(clinic, id)).status, 'read')
  assert.deepEqual(await types(clinic), ['chat.message.delivered', 'chat.message.read', 'chat.message.sent'])
  await sender.stop()
})

test('a message whose sender died while sending is never sent again', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, get, sender, senderOf, platform, pass, clock } = await sendingFrom(t, database, [clinic], silentLog)
  // It never answers: this sender is never heard of again.
  platform.answer = () => new Promise(() => undefined)
  const [first, second] = [await write(clinic, 'First'), await write(clinic, 'Second')]
  sender.wake(clinic.clinic_id)
  await platform.untilAsked(1)
  platform.answer = () => accepted('wa')

  const other = senderOf()
  other.start()
  await other.idle()
  assert.deepEqual(platform.texts, ['First'])
  assert.deepEqual(await states(clinic), ['sending', 'waiting'])
  await pass(MINUTE_MS, other)
  await pass(1000, other)
  assert.deepEqual(platform.texts, ['First', 'Second'])
  assert.deepEqual([await states(clinic), (await get(clinic, second.id)).status], [['unknown'], 'sent'])
  await pass(9 * MINUTE_MS, other)
  const { status, failure_reason } = await get(clinic, first.id)
  assert.deepEqual([status, failure_reason, platform.requests.length], ['failed', 'outcome_unknown', 2])
  assert.deepEqual(await types(clinic), ['chat.message.sent', 'chat.message.failed'])
  assert.ok(clock.now().getTime() < Date.parse(first.created_at ?? '') + 11 * MINUTE_MS)
  await other.stop()
})

test('an answer that cannot be stored is kept until it can', async (t) => {
  const clinic = await chatClinic(owner)
  const { app, write, get, sender, platform, clock } = await sendingFrom(t, database, [clinic], silentLog)
  const { id } = await write(clinic, 'Hello')
  const answer = Promise.withResolvers<SendOutcome>()
  platform.answer = () => answer.promise
  sender.wake(clinic.clinic_id)
  await platform.untilAsked(1)
  app.isAway = true
  answer.resolve(accepted('wa'))
  await until(
    async () => clock.waiting > 0,
    () => 'the sender does not wait until it can store the answer',
  )
  app.isAway = false
  await clock.run(1000)
  await sender.idle()
  assert.deepEqual([(await get(clinic, id)).status, platform.requests.length], ['sent', 1])
  await sender.stop()
})

test('a stop takes no new message, waits for answers, and finally aborts the rest', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, get, sender, platform, clock } = await sendingFrom(t, database, [clinic], silentLog)
  const { id } = await write(clinic, 'First')
  platform.answer = ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(unknown)))
  sender.wake(clinic.clinic_id)
  await platform.untilAsked(1)
  await write(clinic, 'Second')
  const stopped = sender.stop()
  sender.wake(clinic.clinic_id)
  await clock.run(8000)
  await stopped
  assert.deepEqual([platform.texts, await states(clinic)], [['First'], ['unknown', 'waiting']])
  assert.equal((await get(clinic, id)).status, 'queued')
  assert.equal(clock.waiting, 0)
})

test('a stop keeps the outcome of a message until the deadline, and stores it if the database is back by then', async (t) => {
  const clinic = await chatClinic(owner)
  const { app, write, get, sender, platform, clock } = await sendingFrom(t, database, [clinic], silentLog)
  const { id } = await write(clinic, 'Hello')
  const answer = Promise.withResolvers<SendOutcome>()
  platform.answer = () => answer.promise
  sender.wake(clinic.clinic_id)
  await platform.untilAsked(1)
  app.isAway = true
  const stopped = sender.stop()
  answer.resolve(accepted('wa'))
  for (let second = 0; second < 10; second++) await clock.run(1000)
  app.isAway = false
  await clock.run(1000)
  await stopped
  assert.deepEqual([(await get(clinic, id)).status, platform.requests.length], ['sent', 1])
})

test('the log says that outcomes can be stored again once they are, however well the queue is read before', async (t) => {
  const clinic = await chatClinic(owner)
  const lines: string[] = []
  const log = { ...silentLog, warn: (_: object, line: string) => void lines.push(line) }
  const { app, write, sender, platform, clock, pass } = await sendingFrom(t, database, [clinic], log)
  await write(clinic, 'Hello')
  const answer = Promise.withResolvers<SendOutcome>()
  platform.answer = () => answer.promise
  sender.start()
  await platform.untilAsked(1)
  app.isAway = true
  answer.resolve(accepted('wa'))
  for (let second = 0; second < 40; second++) {
    const { looks } = app
    await clock.run(1000)
    await until(
      async () => app.looks > looks,
      () => 'it does not look at the queue',
    )
  }
  const failed = 'the outcome of a chat message could not be stored; this will be tried again'
  assert.deepEqual(lines, [failed])
  app.isAway = false
  await pass(60_000)
  assert.deepEqual(lines, [failed, 'a failure has ended'])
  await sender.stop()
})

for (const kind of ['isAway', 'isSilent'] as const) {
  test(`a database that ${kind === 'isAway' ? 'is away' : 'does not answer'} holds up no stop: at the deadline the messages are named whose outcomes are lost`, async (t) => {
    const clinic = await chatClinic(owner)
    const errors: unknown[] = []
    const log = { ...silentLog, error: ({ message_ids }: Record<string, unknown>) => void errors.push(message_ids) }
    const { app, write, sender, platform, clock, deadline } = await sendingFrom(t, database, [clinic], log)
    const { id } = await write(clinic, 'Hello')
    const answer = Promise.withResolvers<SendOutcome>()
    platform.answer = () => answer.promise
    sender.wake(clinic.clinic_id)
    await platform.untilAsked(1)
    app[kind] = true
    const stopped = sender.stop()
    answer.resolve(accepted('wa'))
    await clock.run(8000)
    assert.deepEqual(errors, [])
    deadline.abort()
    await clock.run(1000)
    await stopped
    assert.deepEqual(errors, [[id]])
  })
}

test('a dispatcher sees the queues of all clinics, and no other rows of them', async (t) => {
  const clinic = await chatClinic(owner)
  const { write } = await sendingFrom(t, database, [clinic])
  await write(clinic, 'Hello')
  const seen = async (table: string) =>
    app.readAsDispatcher(sql`select from ${sql.identifier(table)} where clinic_id = ${clinic.clinic_id}`)
  assert.equal((await seen('chat_send')).length, 1)
  for (const table of ['chat_message', 'chat_conversation', 'patient', 'clinic', 'event']) {
    assert.deepEqual(await seen(table), [], table)
  }
  const change = sql`update chat_send set state = 'sending' where clinic_id = ${clinic.clinic_id}`
  await assert.rejects(app.readAsDispatcher(change))
})
