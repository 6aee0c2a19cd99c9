// The order of chat messages on their way: one after the other in a conversation, few per clinic, each by one sender.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SendOutcome } from '@clinic-data/messaging/messaging-platform'
import { chatClinic, queueOf } from '@clinic-data/testing/grounds/chat-ground'
import { accepted, sendingFrom, silentLog } from '@clinic-data/testing/grounds/chat-sending'
import { insert } from '@clinic-data/testing/grounds/rows'
import { until } from '@clinic-data/testing/until'
import { KEPT_PART } from '@clinic-data/webhooks/engine/kept-places'
import { database, owner, retry, states, types, unknown } from './chat-sender-ground.ts'

test('the messages of one conversation go out one after the other, in their order', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, sender, platform, pass } = await sendingFrom(t, database, [clinic], silentLog)
  const texts = Array.from({ length: 12 }, (_, i) => `Message ${i}`)
  for (const text of texts) await write(clinic, text)
  let under_way = 0
  platform.answer = async (_, number) => {
    under_way += 1
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(under_way, 1)
    under_way -= 1
    return number === 3 ? retry() : number === 6 ? unknown : accepted(`wa-${number}`)
  }
  sender.start()
  await sender.idle()
  assert.deepEqual(platform.texts, texts.slice(0, 3))
  await pass(5000)
  assert.deepEqual(platform.texts, [...texts.slice(0, 3), ...texts.slice(2)])
  assert.deepEqual(await states(clinic), ['unknown'])
  await sender.stop()
})

test('at most twenty messages of a clinic are under way, in different conversations, and no other clinic waits', async (t) => {
  const [clinic, other] = [await chatClinic(owner), await chatClinic(owner)]
  const phones = Array.from({ length: 30 }, (_, i) => `+9725200000${10 + i}`)
  const open = { free_text_window_expires_at: '2200-01-01T00:00:00Z' }
  const conversations = phones.map((phone, i) => ({ id: `c${i}`, patient_phone: phone, ...open }))
  await insert(owner, clinic, 'chat_conversation', ...conversations)
  const { write, sender, platform } = await sendingFrom(t, database, [clinic, other])
  for (const to_phone of phones) await write(clinic, 'Hello', { to_phone })
  await write(other, 'Other')
  const waiting: (() => void)[] = []
  platform.answer = ({ account }, number) =>
    account.clinic_id === other.clinic_id
      ? accepted('other')
      : new Promise((resolve) => waiting.push(() => resolve(accepted(`wa-${number}`))))
  sender.start()
  await until(
    async () => (await states(other)).length === 0,
    () => 'the other clinic waits',
  )
  await platform.untilAsked(21)
  assert.equal(platform.requests.length, 21)
  assert.equal((await states(clinic)).filter((state) => state === 'sending').length, 20)
  platform.answer = (_, number) => accepted(`wa-${number}`)
  for (const answer of waiting) answer()
  await sender.idle()
  assert.equal(platform.requests.length, 31)
  assert.deepEqual(await queueOf(owner, clinic), [])
  await sender.stop()
})

test('clinics whose platforms hang leave the messages of other clinics places', async (t) => {
  const [other, ...hanging] = await Promise.all(Array.from({ length: 5 }, () => chatClinic(owner)))
  assert.ok(other !== undefined)
  const phones = Array.from({ length: 20 }, (_, i) => `+9725200000${10 + i}`)
  const open = { free_text_window_expires_at: '2200-01-01T00:00:00Z' }
  const { write, sender, platform } = await sendingFrom(t, database, [other, ...hanging], silentLog)
  for (const clinic of hanging) {
    const conversations = phones.map((phone, i) => ({ id: `c${i}`, patient_phone: phone, ...open }))
    await insert(owner, clinic, 'chat_conversation', ...conversations)
    for (const to_phone of phones) await write(clinic, 'Hello', { to_phone })
  }
  const held = Promise.withResolvers<SendOutcome>()
  platform.answer = ({ account }, number) =>
    account.clinic_id === other.clinic_id ? accepted(`wa-${number}`) : held.promise
  for (const { clinic_id } of hanging) sender.wake(clinic_id)
  // The fourth has two of those that are kept.
  const most = 64 * (1 - KEPT_PART) + 2
  await platform.untilAsked(most)
  for (const text of ['First', 'Second']) await write(other, text)
  sender.wake(other.clinic_id)
  await until(
    async () => (await states(other)).length === 0,
    () => 'the other clinic waits',
  )
  assert.equal(platform.requests.length, most + 2)
  held.resolve(unknown)
  await sender.idle()
})

test('several senders take each message once', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, senderOf, platform } = await sendingFrom(t, database, [clinic])
  const addressees = Array.from({ length: 15 }, (_, i) => ({ to_phone: `+9725200000${10 + i}` }))
  await insert(
    owner,
    clinic,
    'chat_conversation',
    ...addressees.map(({ to_phone }, i) => ({
      id: `c${i}`,
      patient_phone: to_phone,
      free_text_window_expires_at: '2200-01-01T00:00:00Z',
    })),
  )
  await Promise.all(
    Array.from({ length: 60 }, (_, i) => write(clinic, `Message ${i}`, addressees[i % addressees.length])),
  )
  const senders = Array.from({ length: 4 }, () => senderOf())
  for (const sender of senders) sender.start()
  for (let round = 0; (await queueOf(owner, clinic)).length > 0; round++) {
    assert.ok(round < 1000)
    for (const sender of senders) {
      sender.wake(clinic.clinic_id)
      await sender.idle()
    }
  }
  assert.equal(platform.requests.length, 60)
  assert.equal(new Set(platform.requests.map(({ message_id }) => message_id)).size, 60)
  assert.deepEqual(await types(clinic), Array(60).fill('chat.message.sent'))
  for (const sender of senders) await sender.stop()
})
