// Tests what the console tells of a clinic's chat messages on their way: how many wait, how many the platform may have, and since when.
// Never whose they are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeReceipts } from '@clinic-data/changes/chat-receipts'
import { writeChanges } from '@clinic-data/changes/writing/write-changes'
import type { Clinic } from '@clinic-data/contract'
import { COUNTED_MESSAGES } from '@clinic-data/contract/limits'
import { type Database, sql } from '@clinic-data/database'
import { chatClinic, NOW_MS } from '@clinic-data/testing/grounds/chat-ground'
import { accepted, sendingFrom, silentLog } from '@clinic-data/testing/grounds/chat-sending'
import { insert, type Row } from '@clinic-data/testing/grounds/rows'
import { ownDatabase, testClinic } from '@clinic-data/testing/run/test-database'
import { chatSending } from '../src/pages/chat-sending.ts'
import type { ActiveSession } from '../src/sessions/sessions.ts'
import { audited, openConsole, person, send, signedIn } from './console-ground.ts'

const database = await ownDatabase()
const { owner, app } = database
const opened = await openConsole(owner)
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const NOW = new Date(NOW_MS)
const NONE = { count: 0, oldest_at: null }

function reported(clinic: Clinic, now = NOW, from: Pick<Database, 'read'> = app) {
  return chatSending(from as Database, { clinic: { ...clinic, name: 'Test' } } as ActiveSession, now)
}

const ago = (ms: number) => new Date(NOW_MS - ms).toISOString()
const one = (oldest_at: string | null) => ({ count: 1, oldest_at })

/** As the sender leaves one that it gives up. */
function failed(number: number, failedAgoMs: number, further: Row = {}): Row {
  const times = { created_at: ago(failedAgoMs + 20 * MINUTE_MS), failed_at: ago(failedAgoMs) }
  return {
    id: `out_${number}`,
    direction: 'outbound',
    status: 'failed',
    failure_reason: 'outcome_unknown',
    ...times,
    ...further,
  }
}

test('a message that a killed sender handed over has no answer, then failed unknown, for seven days, since it was accepted', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, sender, senderOf, platform, pass, clock } = await sendingFrom(t, database, [clinic], silentLog)
  assert.equal(await reported(clinic, clock.now()), null)
  // It never answers: this sender is never heard of again.
  platform.answer = () => new Promise(() => undefined)
  const first = await write(clinic, 'First')
  await clock.run(1000)
  const second = await write(clinic, 'Second')
  const [pending, waits] = [one(first.created_at), one(second.created_at)]
  assert.deepEqual(await reported(clinic, clock.now()), {
    waiting: { ...pending, count: 2 },
    unanswered: NONE,
    unknown: NONE,
  })
  sender.wake(clinic.clinic_id)
  await platform.untilAsked(1)
  assert.deepEqual(await reported(clinic, clock.now()), { waiting: waits, unanswered: pending, unknown: NONE })

  platform.answer = () => accepted('wa')
  const other = senderOf()
  other.start()
  await pass(MINUTE_MS, other)
  await pass(1000, other)
  assert.deepEqual(await reported(clinic, clock.now()), { waiting: NONE, unanswered: pending, unknown: NONE })
  await pass(9 * MINUTE_MS, other)
  await other.stop()
  assert.deepEqual(await reported(clinic, clock.now()), { waiting: NONE, unanswered: NONE, unknown: pending })
  const later = (ms: number) => reported(clinic, new Date(clock.now().getTime() + ms))
  assert.deepEqual((await later(7 * DAY_MS - MINUTE_MS))?.unknown, pending)
  assert.deepEqual((await later(7 * DAY_MS))?.unknown, NONE)
})

test('a message that the platform put off waits, since it was accepted', async (t) => {
  const clinic = await chatClinic(owner)
  const { write, sender, platform, clock } = await sendingFrom(t, database, [clinic], silentLog)
  platform.answer = () => ({ outcome: 'retry', after_ms: null, reason: 'busy' })
  const { created_at } = await write(clinic, 'Hello')
  await clock.run(3000)
  sender.wake(clinic.clinic_id)
  await platform.untilAsked(1)
  await sender.idle()
  assert.deepEqual(await reported(clinic, clock.now()), { waiting: one(created_at), unanswered: NONE, unknown: NONE })
})

test('a receipt that comes after all ends the question, and other failures are none', async () => {
  const clinic = await testClinic(owner)
  const sent = { platform_message_id: 'wa', sent_at: ago(DAY_MS) }
  await insert(owner, clinic, 'chat_message', failed(1, 2 * DAY_MS), failed(2, DAY_MS), failed(3, 8 * DAY_MS))
  await insert(owner, clinic, 'chat_message', failed(4, DAY_MS, { failure_reason: 'platform_unavailable' }))
  await insert(owner, clinic, 'chat_message', failed(5, DAY_MS, sent))
  const unknown = async () => {
    const { count, oldest_at } = (await reported(clinic))?.unknown ?? NONE
    return [count, new Date(oldest_at ?? '').toISOString()]
  }
  assert.deepEqual(await unknown(), [2, ago(2 * DAY_MS + 20 * MINUTE_MS)])
  const receipt = { platform_message_id: null, status: 'delivered', at: ago(MINUTE_MS), reason: null } as const
  await writeChanges({ database: app, now: () => NOW }, clinic, (tx, now) =>
    changeReceipts(tx, clinic, [{ ...receipt, message_id: 'out_1' }], now),
  )
  assert.deepEqual(await unknown(), [1, ago(DAY_MS + 20 * MINUTE_MS)])
})

test('the page of a clinic is told of its own messages alone, and of none where it has sent none; no row of the audit log is left', async () => {
  const [noa, tal] = [await person(owner), await person(owner)]
  const now = new Date()
  await insert(owner, noa.clinic, 'chat_message', { id: 'in_1' })
  await insert(owner, tal.clinic, 'chat_message', {
    ...failed(1, 0),
    created_at: now.toISOString(),
    failed_at: now.toISOString(),
  })
  const ask = async (who: typeof noa) => {
    const cookie = await signedIn(opened, owner, who)
    return (await send(opened, '/clinic/chat-sending', { method: 'GET', cookie })).json
  }
  assert.deepEqual(await ask(noa), { data: null })
  const { data } = await ask(tal)
  assert.equal(new Date(data.unknown.oldest_at).toISOString(), now.toISOString())
  assert.deepEqual(data, { waiting: NONE, unanswered: NONE, unknown: one(data.unknown.oldest_at) })
  assert.deepEqual(
    (await audited(owner, tal.clinic)).filter(({ operation }) => !operation.startsWith('console.sign_in')),
    [],
  )
})

const { rows: citus } = await owner.query(sql`select from pg_extension where extname = 'citus'`)
const skip = citus.length > 0 && 'a cluster’s workers count their own rows'

/** Those that are counted, with their places in the queue, and what the planner reads besides where it sorts a few. */
const MOST_ROWS = 12 * COUNTED_MESSAGES
const MANY = 30_000

/**
 * One every 25 seconds, in nearly nine days. A quarter is in the queue, of which two fifths wait and a fifth is being sent; a quarter has failed
 * unknown. Another clinic's messages have waited longer.
 */
async function busyClinic(): Promise<Clinic> {
  const [clinic, other] = [await testClinic(owner), await testClinic(owner)]
  const { clinic_id } = clinic
  await owner.maintain(async (tx) => {
    // Foreign keys hold by construction here, but for the other clinic's, whose messages nobody asks for.
    await tx.script('set local session_replication_role to replica')
    await tx.query(sql`insert into chat_message
        (clinic_id, id, direction, type, status, created_at, updated_at, created_date, failed_at, failure_reason)
      select ${clinic_id}, 'out_' || n, 'outbound', 'text', case n % 4 when 1 then 'queued' else 'failed' end, at, at, at::date,
        case when n % 4 <> 1 then at end, case n % 4 when 1 then null when 2 then 'outcome_unknown' else 'platform_unavailable' end
      from generate_series(1, ${MANY}::int) n, lateral (select ${NOW}::timestamptz - n * interval '25 seconds' as at) at`)
    await tx.query(sql`insert into chat_send (clinic_id, message_id, conversation_id, position, state, due_at, changed_at)
      select ${clinic_id}, 'out_' || n, 'v1', -n,
        case when n % 20 < 8 then 'waiting' when n % 20 < 16 then 'unknown' else 'sending' end, at, at
      from generate_series(1, ${MANY}::int, 4) n, lateral (select ${NOW}::timestamptz - n * interval '25 seconds' as at) at
      union all select ${other.clinic_id}, 'out_' || n, 'v1', n, 'waiting', at, at
      from generate_series(1, ${MANY / 5}::int) n, lateral (select ${NOW}::timestamptz - interval '30 days' as at) at`)
  })
  await owner.query(sql`vacuum analyze`)
  return clinic
}

test('however many messages there are, a thousand of each kind are counted, and few others are read', {
  skip,
}, async () => {
  const clinic = await busyClinic()
  const oldest = (number: number) => ago(number * 25_000)
  const read = await owner.write(clinic, async (tx) => {
    const touched = async () => {
      const { rows } = await tx.query<{ read: number }>(sql`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as read from pg_stat_xact_user_tables`)
      return rows[0]?.read ?? Number.NaN
    }
    const before = await touched()
    const answer = await reported(clinic, NOW, {
      read: async (_: unknown, statement: never) => (await tx.query(statement)).rows,
    } as unknown as Database)
    assert.deepEqual(
      Object.values(answer ?? {}).map(({ count, oldest_at }) => [count, new Date(oldest_at ?? '').toISOString()]),
      [29_985, 29_997, 24_190].map((number) => [COUNTED_MESSAGES, oldest(number)]),
    )
    return (await touched()) - before
  })
  assert.ok(read > 0 && read <= MOST_ROWS, `it read ${read} rows`)
})
