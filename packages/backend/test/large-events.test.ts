// Events with long transcripts: a page of the feed ends before it is too large for the port, and the next one goes on behind it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { PORT_LIMITS } from '@clinic-data/contract/port-limits'
import { sql } from '@clinic-data/database'
import { ask, walk } from '@clinic-data/testing/grounds/ask'
import { webhookGround } from '@clinic-data/testing/grounds/webhook-ground'

const { owner, backend, newClinic } = await webhookGround()
const MIB = 1024 * 1024
const since = '2026-07-12T00:00:00Z'
const input = { limit: 100, query: { since } }

/** Events of these lengths, a second apart. */
async function store({ clinic_id }: Clinic, lengths: readonly number[]): Promise<string[]> {
  await owner.query(sql`insert into event_counter (clinic_id, last_position) values (${clinic_id}, ${lengths.length})`)
  await owner.query(sql`
    insert into event (clinic_id, id, position, type, body, created_at)
    select ${clinic_id}, 'e' || n, n, 'call.transcript.completed', '{"id":"e' || n || '","type":"call.transcript.completed","created_at":"'
      || to_char(made at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","data":{"id":"' || repeat('c', length) || '"}}', made
    from unnest(${lengths}::integer[]) with ordinality counted (length, n)
      cross join lateral (select ${since}::timestamptz + n * interval '1 second' as made) timed`)
  return lengths.map((_, i) => `e${i + 1}`)
}

test('a page of large events is smaller than what the port carries, and the walk shows each event once', async () => {
  const clinic = await newClinic()
  const all = await store(clinic, Array<number>(20).fill(MIB))
  const page = await ask(backend, clinic, 'events.list', input)
  assert.ok(JSON.stringify(page).length < PORT_LIMITS.response_bytes / 2)
  assert.ok(page.data.length > 1)
  const walked = await walk(backend, clinic, 'events.list', input)
  assert.deepEqual(
    walked.map(({ id }) => id),
    all,
  )
})

test('an event that is larger than a page has one of its own', async () => {
  const clinic = await newClinic()
  const all = await store(clinic, [10, 10, 9 * MIB, 9 * MIB, 10])
  const pages: string[][] = []
  await walk(backend, clinic, 'events.list', input, async (page) => {
    pages.push(page.map(({ id }) => id))
  })
  assert.deepEqual(pages.flat(), all)
  assert.deepEqual(
    pages.map(({ length }) => length),
    [3, 1, 1],
  )
})
