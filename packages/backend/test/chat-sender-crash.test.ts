// A sender that is killed in the middle of its work, with a platform that counts: no message is lost, and none is sent twice.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { accountHash } from '@clinic-data/messaging/clinic-messaging'
import { WhatsAppPlatform } from '@clinic-data/messaging/whatsapp'
import { ask } from '@clinic-data/testing/grounds/ask'
import { chatClinic, NOW_MS, queueOf } from '@clinic-data/testing/grounds/chat-ground'
import { OwnClinics, silentLog } from '@clinic-data/testing/grounds/chat-sending'
import { eventsOf } from '@clinic-data/testing/grounds/ingest'
import { insert } from '@clinic-data/testing/grounds/rows'
import { type CloudApiServer, cloudApiServer } from '@clinic-data/testing/receivers/cloud-api-server'
import { sized } from '@clinic-data/testing/run/size'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { TestClock } from '@clinic-data/testing/test-clock'
import { until } from '@clinic-data/testing/until'
import { createBackend } from '../src/backend.ts'
import { ChatSender } from '../src/sending/chat-sender.ts'

const { owner, app, ownerUrl } = await testDatabase()
const CHILD = join(import.meta.dirname, 'chat-sender-child.ts')
const MINUTE_MS = 60_000
/** Other senders of the test run must not take these messages: they become due long after. */
const AHEAD_MS = NOW_MS - Date.now()
const CONVERSATIONS = 12

/** A clinic on WhatsApp whose every conversation is open. */
async function whatsappClinic(
  t: TestContext,
  conversations = CONVERSATIONS,
): Promise<{ clinic: Clinic; api: CloudApiServer }> {
  const clinic = await chatClinic(owner)
  const account_id = `${BigInt(`0x${clinic.clinic_id.slice(1)}`)}`
  await owner.query(sql`update clinic set messaging_platform = 'whatsapp', messaging_account_id = ${account_id},
    messaging_account_hash = ${accountHash('whatsapp', account_id)} where clinic_id = ${clinic.clinic_id}`)
  const api = await cloudApiServer(undefined, account_id)
  t.after(() => api.close())
  const rows = Array.from({ length: conversations }, (_, i) => ({
    id: `c${i}`,
    patient_phone: `+97252${1_000_000 + i}`,
    free_text_window_expires_at: '2200-01-01T00:00:00Z',
  }))
  await insert(owner, clinic, 'chat_conversation', ...rows)
  return { clinic, api }
}

async function queued(clinic: Clinic, count: number, conversations = CONVERSATIONS): Promise<string[]> {
  const backend = createBackend({ database: app, now: () => new Date(Date.now() + AHEAD_MS), log: failingLog })
  const write = async (i: number) => {
    const body = { conversation_id: `c${i % conversations}`, text: `Message ${i}` }
    return (await ask(backend, clinic, 'chat.messages.create', { body })).data.id
  }
  return Promise.all(Array.from({ length: count }, (_, i) => write(i)))
}

class Sender {
  readonly #child: ChildProcess
  readonly #lines: string[] = []

  constructor({ clinic_id }: Clinic, api: CloudApiServer, halt: 'claimed' | 'answered' | 'never') {
    this.#child = spawn(process.execPath, [CHILD, ownerUrl, api.origin, api.token, halt, String(AHEAD_MS), clinic_id], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    createInterface({ input: this.#child.stdout as NodeJS.ReadableStream }).on('line', (line) => this.#lines.push(line))
  }

  /** Resolves when the process has printed this many lines with this beginning. */
  async said(start: string, count: number): Promise<void> {
    await until(
      async () => this.#lines.filter((line) => line.startsWith(start)).length >= count,
      () => `the sender has not ${start} ${count} messages: ${this.#lines}`,
    )
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }
}

/** A sender that is still running sends the rest. Messages whose outcome stays unknown fail. */
async function finish(t: TestContext, clinic: Clinic, api: CloudApiServer): Promise<void> {
  const platform = new WhatsAppPlatform({ accessToken: () => api.token, baseUrl: api.origin })
  const database = await new OwnClinics(ownerUrl, [clinic]).open()
  t.after(async () => {
    await platform.close()
    await database.close()
  })
  const clock = new TestClock(Date.now() + AHEAD_MS)
  const sender = new ChatSender({
    database,
    platforms: { simulated: platform, whatsapp: platform },
    log: silentLog,
    clock,
  })
  sender.start()
  for (let round = 0; (await queueOf(owner, clinic)).length > 0; round++) {
    assert.ok(round < 100, 'the queue does not become empty')
    await sender.idle()
    await clock.run(MINUTE_MS)
    await sender.idle()
  }
  await sender.stop()
}

/** The kills leave the same behind: messages that somebody began to send. */
const onlyLong = sized({ everyday: { skip: 'in the long run' }, long: {} })

/** Each message was sent at most once, and those with an unknown outcome are reported so. */
async function assertOnce(clinic: Clinic, api: CloudApiServer, ids: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map(ids.map((id) => [id, 0]))
  for (const { biz_opaque_callback_data: id } of api.sends as { biz_opaque_callback_data: string }[]) {
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  assert.deepEqual([...counts.keys()].toSorted(), ids.toSorted())
  const { rows } = await owner.query<{ id: string; status: string; failure_reason: string | null }>(sql`
    select id, status, failure_reason from chat_message where clinic_id = ${clinic.clinic_id}`)
  assert.equal(rows.length, ids.length)
  for (const { id, status, failure_reason } of rows) {
    assert.ok((counts.get(id) ?? 0) <= 1, 'a message went out twice')
    if (status === 'sent') assert.equal(counts.get(id), 1)
    else assert.deepEqual([status, failure_reason], ['failed', 'outcome_unknown'])
  }
  const events = await eventsOf(owner, clinic)
  assert.equal(events.length, ids.length)
  return counts
}

const failures = async ({ clinic_id }: Clinic): Promise<number> => {
  const { rows } = await owner.query(sql`select from chat_message where clinic_id = ${clinic_id} and status = 'failed'`)
  return rows.length
}

test('killed after the claim: claimed messages are given up unsent, the rest is sent once', onlyLong, async (t) => {
  const { clinic, api } = await whatsappClinic(t)
  const ids = await queued(clinic, 24)
  const sender = new Sender(clinic, api, 'claimed')
  await sender.said('claimed', CONVERSATIONS)
  await sender.kill()
  assert.equal(api.sends.length, 0)
  await finish(t, clinic, api)
  const counts = await assertOnce(clinic, api, ids)
  assert.deepEqual(
    [await failures(clinic), [...counts.values()].filter((count) => count === 0).length],
    [CONVERSATIONS, CONVERSATIONS],
  )
})

test(
  'killed in the middle of a send: the outcome stays unknown, and the message is not sent again',
  onlyLong,
  async (t) => {
    const { clinic, api } = await whatsappClinic(t)
    const ids = await queued(clinic, 24)
    api.next.push(...Array.from({ length: CONVERSATIONS }, () => ({ kind: 'silence' as const })))
    const sender = new Sender(clinic, api, 'never')
    await api.read(CONVERSATIONS)
    await sender.kill()
    await finish(t, clinic, api)
    await assertOnce(clinic, api, ids)
    assert.deepEqual([await failures(clinic), api.requests], [CONVERSATIONS, 24])
  },
)

test('killed before an answer is stored: sent messages are not sent again', async (t) => {
  const { clinic, api } = await whatsappClinic(t)
  const ids = await queued(clinic, 24)
  const sender = new Sender(clinic, api, 'answered')
  await sender.said('answered', CONVERSATIONS)
  await sender.kill()
  assert.equal(api.sends.length, CONVERSATIONS)
  await finish(t, clinic, api)
  const counts = await assertOnce(clinic, api, ids)
  assert.deepEqual([await failures(clinic), new Set(counts.values())], [CONVERSATIONS, new Set([1])])
})

test(
  'two senders at once, killed repeatedly at any moment: every message is sent or given up, and none is sent twice',
  onlyLong,
  async (t) => {
    const count = 220
    const { clinic, api } = await whatsappClinic(t, count)
    const ids = await queued(clinic, count, count)
    for (let kills = 0; kills < 3; kills++) {
      const senders = [new Sender(clinic, api, 'never'), new Sender(clinic, api, 'never')]
      // Kills them during their work, each time at another place.
      await api.read(api.requests + 10 + 7 * kills)
      await Promise.all(senders.map((sender) => sender.kill()))
    }
    await finish(t, clinic, api)
    await assertOnce(clinic, api, ids)
    t.diagnostic(`${await failures(clinic)} of ${count} are unknown after 6 kills`)
  },
)
