// A message's whole way over the simulated platform: every fate ends like the state table says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { ChatMessage } from '@clinic-data/contract/resources/chat'
import { serializerOf } from '@clinic-data/contract/serializer'
import { SimulatedPlatform } from '@clinic-data/messaging/simulated'
import { ask } from '@clinic-data/testing/grounds/ask'
import { chatClinic, PATIENT_PHONE, queueOf } from '@clinic-data/testing/grounds/chat-ground'
import { sendingFrom, silentLog } from '@clinic-data/testing/grounds/chat-sending'
import { eventsOf } from '@clinic-data/testing/grounds/ingest'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import { seeded } from '@clinic-data/testing/test-clock'
import { ChatSender } from '../src/sending/chat-sender.ts'
import { openMessaging } from '../src/sending/open-messaging.ts'

const database = await testDatabase()
const { owner } = database

/** By the last digits of the phone. */
const fates: Record<string, { events: string[]; status: string; reason?: RegExp }> = {
  '0001': { events: ['failed'], status: 'failed', reason: /does not reach/ },
  '0002': { events: ['sent', 'failed'], status: 'failed', reason: /could not deliver/ },
  '0003': { events: ['sent', 'delivered'], status: 'delivered' },
  '0004': { events: ['sent'], status: 'sent' },
  '0005': { events: ['sent', 'delivered', 'read'], status: 'read' },
  '0006': { events: ['sent', 'delivered', 'read'], status: 'read' },
  '0007': { events: ['failed'], status: 'failed', reason: /^outcome_unknown$/ },
  '0008': { events: ['sent', 'delivered', 'read'], status: 'read' },
  '0009': { events: ['sent', 'delivered', 'read'], status: 'read' },
}

test('every fate of a message ends in its state, with each of its events once', async (t) => {
  const clinic = await chatClinic(owner)
  const { app, backend, clock, write, get } = await sendingFrom(t, database, [clinic])
  const simulation = { random: seeded(7) }
  const messaging = openMessaging({ database: app, log: silentLog, whatsappAccessToken: null, clock, simulation })
  const sender = new ChatSender({ database: app, platforms: messaging.platforms, log: silentLog, clock })
  t.after(() => messaging.close())
  const ids = new Map<string, string>()
  for (const digits of Object.keys(fates)) {
    ids.set(digits, (await write(clinic, `To ${digits}`, { to_phone: `+97252000${digits}` })).id)
  }
  sender.start()
  const statuses = async () => {
    const { data } = await ask(backend, clinic, 'chat.messages.list')
    return [...ids.values()].map((id) => data.find((message) => message.id === id)?.status)
  }
  const expected = Object.values(fates).map(({ status }) => status)
  for (let round = 0; JSON.stringify(await statuses()) !== JSON.stringify(expected); round++) {
    assert.ok(round < 2000, `${await statuses()}`)
    // Everything happens within a minute, except that messages of unknown outcome fail later.
    await clock.run(round < 200 ? 250 : 30_000)
  }
  await sender.stop()
  assert.deepEqual(await queueOf(owner, clinic), [])
  const events = await eventsOf(owner, clinic)
  for (const [digits, { events: steps, reason }] of Object.entries(fates)) {
    const data = await get(clinic, ids.get(digits) ?? '')
    assert.match(data.failure_reason ?? '', reason ?? /^$/)
    const own = events.filter((event) => JSON.parse(event.data).id === data.id)
    assert.deepEqual(own.map(({ type }) => type).sort(), steps.map((step) => `chat.message.${step}`).sort(), digits)
    if (reason === undefined) assert.equal(own.at(-1)?.data, serializerOf(ChatMessage)(data))
  }
})

test("a patient's message on the simulated platform is stored with its media and opens the window", async (t) => {
  const clinic = await chatClinic(owner, null)
  const { app, clock, backend } = await sendingFrom(t, database, [clinic])
  const messaging = openMessaging({ database: app, log: silentLog, whatsappAccessToken: null, clock })
  t.after(() => messaging.close())
  const { simulated } = messaging.platforms
  assert.ok(simulated instanceof SimulatedPlatform)
  const media = { content_type: 'image/png', file_name: 'tooth.png', bytes: Buffer.from('picture') }
  const account = { clinic_id: clinic.clinic_id, account_id: clinic.clinic_id, phone: null }
  simulated.receive(account, { from_phone: PATIENT_PHONE, type: 'image', text: 'My tooth', media })
  const list = async (of: Clinic) => (await ask(backend, of, 'chat.messages.list')).data
  for (let round = 0; (await list(clinic)).length === 0; round++) {
    assert.ok(round < 1000)
    await clock.run(100)
  }
  const [message] = await list(clinic)
  assert.deepEqual([message?.text, message?.media], ['My tooth', { available: true, type: 'image/png' }])
  const link = await ask(backend, clinic, 'chat.messages.media.get', { params: { id: message?.id ?? '' } })
  assert.deepEqual([link.data.file_name, link.data.size_bytes], ['tooth.png', 7])
  const { data } = await ask(backend, clinic, 'chat.conversations.get', { params: { id: 'v1' } })
  assert.notEqual(data.free_text_window_expires_at, null)
})
