// Receipts in any order, repeated and simultaneous, compared with the state table: the message's final state and its events.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChatReceipt, changeReceipts } from '@clinic-data/changes/chat-receipts'
import { writeChanges } from '@clinic-data/changes/writing/write-changes'
import type { Clinic } from '@clinic-data/contract'
import { ChatMessage } from '@clinic-data/contract/resources/chat'
import { serializerOf } from '@clinic-data/contract/serializer'
import { sql } from '@clinic-data/database'
import { ask } from '@clinic-data/testing/grounds/ask'
import { chatClinic, NOW_MS, queueOf } from '@clinic-data/testing/grounds/chat-ground'
import { eventsOf } from '@clinic-data/testing/grounds/ingest'
import { sized } from '@clinic-data/testing/run/size'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import fc from 'fast-check'
import { createBackend } from '../src/backend.ts'

const { owner, app } = await testDatabase()
const steps = ['sent', 'delivered', 'read', 'failed'] as const
type Step = (typeof steps)[number]
type Report = { message: number; status: Step; second: number; reason: string | null; byOurId: boolean }

const MESSAGES = 3

const report: fc.Arbitrary<Report> = fc.record({
  message: fc.nat(MESSAGES - 1),
  status: fc.constantFrom(...steps),
  second: fc.nat(600),
  reason: fc.constantFrom(null, 'Undeliverable', 'Blocked'),
  byOurId: fc.boolean(),
})

/** Groups go one after the other; what is in a group comes at once, each list of it in one transaction. */
const history = fc.array(fc.array(fc.array(report, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }), {
  maxLength: 5,
})

const at = (second: number) => new Date(NOW_MS + second * 1000).toISOString()

async function queuedMessages(clinic: Clinic, now: () => Date): Promise<string[]> {
  const backend = createBackend({ database: app, now, log: failingLog })
  const ids: string[] = []
  for (let i = 0; i < MESSAGES; i++) {
    const body = { conversation_id: 'v1', text: `Message ${i}` }
    const { data } = await ask(backend, clinic, 'chat.messages.create', { body })
    await owner.query(sql`update chat_message set platform_message_id = ${`wa-${i}`}
      where clinic_id = ${clinic.clinic_id} and id = ${data.id}`)
    ids.push(data.id)
  }
  return ids
}

const receiptOf = (ids: readonly string[], { message, status, second, reason, byOurId }: Report): ChatReceipt => ({
  message_id: byOurId ? (ids[message] ?? null) : null,
  platform_message_id: `wa-${message}`,
  status,
  at: at(second),
  reason: status === 'failed' ? reason : null,
})

/** The state table, for reports one after the other. */
function expected(reports: readonly Report[]) {
  const times: Partial<Record<Step, string>> = {}
  let reason: string | null = null
  for (const { status, second, reason: reported } of reports) {
    times[status] ??= at(second)
    if (status === 'read') times.delivered ??= at(second)
    if (status === 'failed') reason ??= reported
  }
  const status = (['failed', 'read', 'delivered', 'sent'] as const).find((step) => times[step]) ?? 'queued'
  return { times, reason, status }
}

test('one report after the other: the message has the state of the state table, and each step is one event', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(report, { maxLength: 12 }), async (reports) => {
      const clinic = await chatClinic(owner)
      let nowMs = NOW_MS
      // A clock that stands still, and one that is set back: `updated_at` still rises.
      const now = () => new Date(nowMs)
      const ids = await queuedMessages(clinic, now)
      const backend = createBackend({ database: app, now, log: failingLog })
      const get = async (id: string) => (await ask(backend, clinic, 'chat.messages.get', { params: { id } })).data
      for (const [i, each] of reports.entries()) {
        nowMs = NOW_MS + (i % 3 === 0 ? -1000 : i)
        const id = ids[each.message] ?? ''
        const before = await get(id)
        const eventsBefore = await eventsOf(owner, clinic)
        await writeChanges({ database: app, now }, clinic, (tx, when) =>
          changeReceipts(tx, clinic, [receiptOf(ids, each)], when),
        )
        const after = await get(id)
        const fired = (await eventsOf(owner, clinic)).slice(eventsBefore.length)
        if (JSON.stringify(before) === JSON.stringify(after)) assert.deepEqual(fired, [])
        else assert.ok((after.updated_at ?? '') > (before.updated_at ?? ''))
        const isReasoned = before.failure_reason === null && after.failure_reason !== null
        const expected = { ...after, failure_reason: isReasoned ? null : after.failure_reason }
        for (const { type, data } of fired) {
          const updated_at = (JSON.parse(data) as { updated_at: string }).updated_at
          const later = Date.parse(after.updated_at ?? '') - Date.parse(updated_at)
          assert.equal(later, isReasoned ? 1 : 0)
          assert.equal(data, serializerOf(ChatMessage)({ ...expected, updated_at }), type)
        }
      }
      await hold(clinic, ids, reports, get)
    }),
    { numRuns: sized({ everyday: 6, long: 150 }) },
  )
})

async function hold(
  clinic: Clinic,
  ids: readonly string[],
  reports: readonly Report[],
  get: (id: string) => Promise<{ status: string; failure_reason: string | null; timestamps: object | null }>,
): Promise<void> {
  const events = await eventsOf(owner, clinic)
  const queued: string[] = []
  for (const [i, id] of ids.entries()) {
    const model = expected(reports.filter(({ message }) => message === i))
    const { status, failure_reason, timestamps } = await get(id)
    assert.deepEqual([status, failure_reason], [model.status, model.reason])
    for (const step of steps) {
      const time = (timestamps as Record<string, string | null>)[`${step}_at`]
      assert.equal(time && new Date(time).toISOString(), model.times[step] ?? null, step)
      const fired = events.filter(({ type, data }) => type === `chat.message.${step}` && JSON.parse(data).id === id)
      assert.equal(fired.length, model.times[step] ? 1 : 0, step)
    }
    if (model.status === 'queued') queued.push(id)
  }
  assert.deepEqual(
    (await queueOf(owner, clinic)).map(({ message_id }) => message_id),
    queued,
  )
}

test('simultaneous reports: one of them sets each step, which is one event', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (groups) => {
      const clinic = await chatClinic(owner)
      const now = () => new Date(NOW_MS)
      const ids = await queuedMessages(clinic, now)
      for (const group of groups) {
        await Promise.all(
          group.map((batch) =>
            writeChanges({ database: app, now }, clinic, (tx, when) =>
              changeReceipts(
                tx,
                clinic,
                batch.map((each) => receiptOf(ids, each)),
                when,
              ),
            ),
          ),
        )
      }
      const backend = createBackend({ database: app, now, log: failingLog })
      const events = await eventsOf(owner, clinic)
      const reports = groups.flat(2)
      for (const [i, id] of ids.entries()) {
        const own = reports.filter(({ message }) => message === i)
        const { data } = await ask(backend, clinic, 'chat.messages.get', { params: { id } })
        const reached = expected(own)
        assert.equal(data.status, reached.status)
        for (const step of steps) {
          const time = (data.timestamps as Record<string, string | null>)[`${step}_at`] ?? null
          const candidates = own
            .filter(({ status }) => status === step || (step === 'delivered' && status === 'read'))
            .map(({ second }) => at(second))
          if (time === null) assert.deepEqual(candidates, [], step)
          else assert.ok(candidates.includes(new Date(time).toISOString()), step)
          const fired = events.filter(({ type, data }) => type === `chat.message.${step}` && JSON.parse(data).id === id)
          assert.equal(fired.length, time === null ? 0 : 1, step)
          for (const event of fired) {
            const message = JSON.parse(event.data)
            assert.notEqual(message.status, 'queued')
            assert.equal(message.timestamps[`${step}_at`], time)
          }
        }
        const reasons = own.filter(({ status }) => status === 'failed').map(({ reason }) => reason)
        assert.ok(data.failure_reason === null || reasons.includes(data.failure_reason))
        assert.equal(
          data.failure_reason === null,
          reasons.every((reason) => reason === null),
        )
      }
      assert.ok(events.every(({ type }) => type !== 'chat.message.queued'))
    }),
    { numRuns: sized({ everyday: 6, long: 150 }) },
  )
})

test('a receipt that names a message by both ids tells the platform’s to the later ones of its batch', async () => {
  const clinic = await chatClinic(owner)
  const now = () => new Date(NOW_MS)
  const backend = createBackend({ database: app, now, log: failingLog })
  const { data } = await ask(backend, clinic, 'chat.messages.create', {
    body: { conversation_id: 'v1', text: 'Hello' },
  })
  const told = { platform_message_id: 'wa-new', at: at(0), reason: null }
  const receipts: ChatReceipt[] = [
    { ...told, message_id: data.id, status: 'sent' },
    { ...told, message_id: null, status: 'delivered' },
  ]
  const outcomes = await writeChanges({ database: app, now }, clinic, (tx, when) =>
    changeReceipts(tx, clinic, receipts, when),
  )
  assert.deepEqual(
    outcomes,
    receipts.map(() => ({ id: data.id, outcome: 'updated' })),
  )
})
