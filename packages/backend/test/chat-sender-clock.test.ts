// A clock that was an hour ahead: no chat message waits for that hour, none holds its conversation, and none is sent twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chatClinic } from '@clinic-data/testing/grounds/chat-ground'
import { accepted, sendingFrom, silentLog } from '@clinic-data/testing/grounds/chat-sending'
import { database, owner, retry, states } from './chat-sender-ground.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

test('messages that were accepted while the clock was ahead are sent when it is corrected, in their order', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, senderOf, platform, clock } = await sendingFrom(t, database, [clinic], silentLog)
  await clock.run(HOUR)
  await write(clinic, 'First')
  await write(clinic, 'Second')
  await clock.run(-HOUR)
  const { status } = await write(clinic, 'Third')
  assert.equal(status, 'queued')
  const sender = senderOf()
  sender.start()
  await platform.untilAsked(3)
  assert.deepEqual(platform.texts, ['First', 'Second', 'Third'])
  await sender.stop()
})

test('a retry that was planned while the clock was ahead keeps its pause from the correction on', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, sender, senderOf, platform, clock, pass } = await sendingFrom(t, database, [clinic], silentLog)
  await clock.run(HOUR)
  platform.answer = () => retry()
  await write(clinic, 'Hello')
  sender.wake(clinic.clinic_id)
  await platform.untilAsked(1)
  await sender.stop()
  await clock.run(-HOUR)
  platform.answer = () => accepted('wa')
  const other = senderOf()
  other.start()
  await other.idle()
  assert.deepEqual([platform.requests.length, await states(clinic)], [1, ['waiting']])
  await pass(5 * SECOND, other)
  assert.equal(platform.requests.length, 2)
  await other.stop()
})

test('a message that a sender with its clock ahead took and never settled is unknown after a minute, and is not sent again', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, sender, senderOf, platform, clock, pass } = await sendingFrom(t, database, [clinic], silentLog)
  await clock.run(HOUR)
  platform.answer = () => new Promise(() => undefined)
  await write(clinic, 'First')
  await write(clinic, 'Second')
  sender.wake(clinic.clinic_id)
  await platform.untilAsked(1)
  await clock.run(-HOUR)
  platform.answer = () => accepted('wa')
  const other = senderOf()
  other.start()
  await other.idle()
  assert.deepEqual(await states(clinic), ['sending', 'waiting'])
  await pass(MINUTE - 5 * SECOND, other)
  assert.deepEqual(await states(clinic), ['sending', 'waiting'], 'the first may still be answered')
  await pass(6 * SECOND, other)
  assert.deepEqual(platform.texts, ['First', 'Second'])
  assert.deepEqual(await states(clinic), ['unknown'])
  await other.stop()
})
